failure('DirtyObjFailure', S, S, [O]) :-
    seen_state(S, O, dirty),
    seen_state(S, O, empty).
failure('DirtyObjFailure', S, S, [O]) :-
    target(S, O), isa(O, 'Mug'),
    isa(O, 'Tableware').
