% Enclosed: the target is in a closed container.

failure('EnclosedObjectFailure', S, S, [O, C]) :-
    unmet(S, not_enclosed, C), target(S, O).
failure('EnclosedObjectFailure', S, S, [D, C]) :-
    unmet(S, destination_not_enclosed, C), destination(S, D).
