% Eight rules of the kinds that failure rules have: what was held is gone, what
% was put is elsewhere, two conditions on the same place, something done twice,
% something moved that nobody handled.

failure('DroppingObjFailure', S, S, [O]) :-
    hand_empty(S), keeps_hold(S), prev(S, P), acts_with(S, G), seen_at(P, O, G).

failure('DroppingObjFailure', S, S, [O]) :-
    destination(S, D), target(S, O), hand_empty(S), seen_at(S, O, F), F \== D.

failure('ActionExecutionFailure', S, S, [O]) :-
    action(S, pick_up), target(S, O), acts_with(S, G), \+ seen_at(S, O, G).

failure('DirtyObjFailure', S, S, [O, D]) :-
    destination(S, D), target(S, O), seen_state(S, O, dirty), seen(S, D).

failure('WrongStepFailure', S, S, [O]) :-
    action(S, A), target(S, O), prev(S, P), action(P, A), target(P, O).

failure('OccupiedPutFailure', S, S, [O, X]) :-
    destination(S, D), target(S, O), seen_at(S, X, D), O \== X, seen_state(S, X, dirty).

failure('PerceptionFailure', S, S, [O, X]) :-
    action(S, pick_up), target(S, O), acts_with(S, G), seen_at(S, X, G), X \== O.

% Somebody else moved it.
failure('PerceptionFailure', S, P, [X, B]) :-
    prev(S, P), seen_at(S, X, B), seen_at(P, X, A), A \== B, \+ handled(S, X).

handled(S, X) :- target(S, X).
handled(S, X) :- prev(S, P), acts_with(S, G), seen_at(P, X, G).
