Decl now(A0).
Decl prev(A0, A1).
Decl action(A0, A1).
Decl target(A0, A1).
Decl destination(A0, A1).
Decl acts_with(A0, A1).
Decl keeps_hold(A0).
Decl seen(A0, A1).
Decl seen_state(A0, A1, A2).
Decl seen_at(A0, A1, A2).
Decl hand_empty(A0).
found1("DroppingObjFailure", S, S, O) :- now(S), hand_empty(S), keeps_hold(S), prev(S, P), acts_with(S, G), seen_at(P, O, G).
found1("DroppingObjFailure", S, S, O) :- now(S), destination(S, D), target(S, O), hand_empty(S), seen_at(S, O, F), F != D.
found1("ActionExecutionFailure", S, S, O) :- now(S), action(S, "pick_up"), target(S, O), acts_with(S, G), !seen_at(S, O, G).
found2("DirtyObjFailure", S, S, O, D) :- now(S), destination(S, D), target(S, O), seen_state(S, O, "dirty"), seen(S, D).
found1("WrongStepFailure", S, S, O) :- now(S), action(S, A), target(S, O), prev(S, P), action(P, A), target(P, O).
found2("OccupiedPutFailure", S, S, O, X) :- now(S), destination(S, D), target(S, O), seen_at(S, X, D), O != X, seen_state(S, X, "dirty").
found2("PerceptionFailure", S, S, O, X) :- now(S), action(S, "pick_up"), target(S, O), acts_with(S, G), seen_at(S, X, G), X != O.
found2("PerceptionFailure", S, P, X, B) :- now(S), prev(S, P), seen_at(S, X, B), seen_at(P, X, A), A != B, !handled(S, X).
handled(S, X) :- now(S), target(S, X).
handled(S, X) :- now(S), prev(S, P), acts_with(S, G), seen_at(P, X, G).
