failure('DirtyObjFailure', S, S, [O]) :- first_dirty(S, O).
first_dirty(S, O) :-
    seen_state(S, O, dirty), prev(S, P),
    \+ dirty_before(P, O).          % found: first_dirty/2 depends on \+ dirty_before/2, which depends on it in turn
dirty_before(P, O) :- first_dirty(P, O).
