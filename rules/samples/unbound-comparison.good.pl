failure('DirtyObjFailure', S, C, [O]) :-
    seen_state(S, O, dirty),
    target(C, O),
    C < S.
