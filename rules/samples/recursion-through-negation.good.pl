failure('DirtyObjFailure', S, S, [O]) :- first_dirty(S, O).
first_dirty(S, O) :-
    seen_state(S, O, dirty), prev(S, P),
    \+ dirty_before(P, O).
dirty_before(P, O) :- seen_state(Q, O, dirty), Q =< P.
