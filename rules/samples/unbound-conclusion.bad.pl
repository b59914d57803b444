failure('DirtyObjFailure', S, C, [O]) :-    % found: C stands in the head, but no goal of the body binds it
    seen_state(S, O, dirty).
