failure('DirtyObjFailure', S, S, [O]) :-
    step(S),
    isa(O, 'Mug'),
    \+ seen_state(S, O, clean).
