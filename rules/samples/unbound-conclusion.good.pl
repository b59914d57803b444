failure('DirtyObjFailure', S, C, [O]) :-
    seen_state(S, O, dirty), prev(S, C).
