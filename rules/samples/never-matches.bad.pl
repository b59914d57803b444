failure('DirtyObjFailure', S, S, [O]) :-
    seen_state(S, O, dirty),
    seen_state(S, O, clean).        % found: this can never hold: nothing is dirty and clean at once
failure('DirtyObjFailure', S, S, [O]) :-
    target(S, O), isa(O, 'Mug'),
    isa(O, 'Apple').                % found: this can never hold: no object is of class Mug and of class Apple
