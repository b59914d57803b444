failure('DirtyObjFailure', S, [O]) :-       % found: failure/3; expected failure(Class, Step, Cause, Objects)
    seen_state(S, O, dirty).
