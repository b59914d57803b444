failure('DroppingObjFailure', S, S, [O]) :-
    keeps_hold(S), hand_empty(S), prev(S, P),
    hold(P, O).                     % found: undefined predicate hold/2; did you mean holds/2?
