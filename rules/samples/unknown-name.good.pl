failure('DirtyObjFailure', S, S, [O]) :-
    target(S, O),
    isa(O, 'Mug'),
    soiled(S, O, dirty).
soiled(S, O, State) :- seen_state(S, O, State).
failure('DirtyObjFailure', S, S, []) :- step(S).
