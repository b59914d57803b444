% Enclosed: the target is in a closed container.

failure('EnclosedObjectFailure', S, S, [O, C]) :-
    unmet(S, not_enclosed, C), target(S, O).
failure('EnclosedObjectFailure', S, S, [D, C]) :-
    unmet(S, destination_not_enclosed, C), destination(S, D).

% The destination was open, and nobody but the robot was to close it.
failure('EnclosedObjectFailure', S, S, [D]) :-
    unmet(S, destination_open, _), destination(S, D), state(P, D, open), P < S, \+ closed_since(P, S, D).

closed_since(P, S, D) :- action(T, close_obj), target(T, D), T > P, T < S.
