failure('DroppingObjFailure', S, S, [O]) :-
    keeps_hold(S), hand_empty(S), prev(S, P),
    holds(P, O).
