failure('DirtyObjFailure', S, C, [O]) :-
    seen_state(S, O, dirty),
    C < S,                          % found: C is not bound where < compares it; put a goal that binds it before
    target(C, O).
