% Perception: another object than the named one was taken or used.

failure('PerceptionFailure', S, S, [O, X]) :-
    action(S, pick_up), final(S), target(S, O), holds(S, X), X \== O, \+ vague(S, _),
    before(S, P), \+ holds(P, X), \+ holds(P, O), \+ taken_meanwhile(S, X), \+ in_hand_later(S, O), \+ renamed(S, O, X).
failure('PerceptionFailure', S, S, [D, X, O]) :-
    absent(S), \+ misread(S), target(S, O), destination(S, D), before(S, P), holds(P, O),
    seen_at(S, O, X), X \== D, mistakable(X), \+ unlike(S, D, X), \+ within(S, X, D), \+ within(S, D, X).

% The effect shows in something else than what the action names.
failure('PerceptionFailure', S, S, [O, X]) :- absent(S), \+ misread(S), mistaken(S, O, X), \+ vague(S, _), \+ taken_meanwhile(S, X),
    \+ in_hand_later(S, O), \+ renamed(S, O, X).

% One look took it for something else: a later one shows it in the gripper, and nothing was
% picked up in between.
in_hand_later(S, O) :-
    action(S, pick_up), seen_at(T, O, G), T > S, isa(G, 'RobotGripper'), \+ picked_up_between(S, T).
picked_up_between(S, T) :- action(U, pick_up), U > S, U =< T.

% A tracker gave it a new name as it was picked up: nobody saw the one before, nor the other
% since, and they are of like kinds.
renamed(S, O, X) :-
    action(S, pick_up), before(S, P), \+ shown_by(P, X), \+ shown_from(S, O), once(alike(O, X)).
% Or it got the new name before, where it had lain, and was not seen since under the old one.
renamed(S, O, X) :-
    action(S, pick_up), before(S, P), seen_at(T, X, D), T =< P, at(P, O, D), before(T, Q), \+ shown_by(Q, X), \+ shown_from_to(T, O),
    once(alike(O, X)).
shown_from_to(T, O) :- seen(U, O), U >= T.
shown_by(P, X) :- seen(T, X), T =< P.
shown_by(P, X) :- at(P, X, _).
shown_from(S, O) :- seen(T, O), T >= S.
alike(O, X) :- isa(O, C), isa(X, C), C \== 'PhysicalObject', C \== 'Container'.

% Another action that went on at the same time took it.
taken_meanwhile(S, X) :- overlaps(S, T), target(T, X).
taken_meanwhile(S, X) :- meanwhile(S, T), target(T, X).

% What is carried is no place that stays, and what has a door no open surface.
unlike(S, D, X) :- \+ action(S, put_near), property(D, pickupable), \+ property(X, pickupable).
unlike(S, D, X) :- \+ action(S, put_near), property(X, pickupable), \+ property(D, pickupable).
unlike(S, D, X) :- \+ action(S, put_near), property(D, openable), \+ property(X, openable), \+ isa(D, 'Drawer').
unlike(S, D, X) :- \+ action(S, put_near), property(X, openable), \+ property(D, openable), \+ isa(X, 'Drawer').

mistakable(X) :- property(X, receptacle), \+ isa(X, 'Floor'), \+ isa(X, 'RobotGripper').
