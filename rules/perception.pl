% Perception: another object than the named one was taken or used.

failure('PerceptionFailure', S, S, [O, X]) :-
    action(S, pick_up), final(S), target(S, O), holds(S, X), X \== O, isa(O, 'PhysicalObject'), isa(X, 'PhysicalObject'), \+ vague(S, _),
    before(S, P), \+ holds(P, X), \+ holds(P, O), \+ piece_of(O, X), \+ taken_meanwhile(S, X), \+ in_hand_later(S, O, X), \+ renamed(S, O, X),
    \+ ghost_grasped(S, O, X).
failure('PerceptionFailure', S, S, [D, X, O]) :-
    absent(S), \+ misread(S), target(S, O), destination(S, D), before(S, P), holds(P, O),
    seen_at(S, O, X), X \== D, isa(D, 'PhysicalObject'), mistakable(X), \+ unlike(S, D, X), \+ within(S, X, D), \+ within(S, D, X), \+ fell_within(S, O, _),
    \+ there_otherwise(S, O, X, D).
% It was taken and put in one, and is somewhere else than it was or is to be.
failure('PerceptionFailure', S, S, [D, X, O]) :-
    action(S, pick_and_place), absent(S), target(S, O), destination(S, D), seen_at(S, O, X), X \== D, mistakable(X), before(S, P), \+ at(P, O, X), \+ unlike(S, D, X), \+ within(S, X, D), \+ within(S, D, X).
% Somebody else has it than was to get it.
failure('PerceptionFailure', S, S, [D, X, O]) :-
    action(S, give_to), final(S), target(S, O), destination(S, D), isa(D, 'Human'), seen_at(S, O, X), isa(X, 'Human'), X \== D, \+ isa(X, 'HumanHand'), seen(S, D), \+ by_person(S).
% It lies elsewhere than it was put for another reason than that the place was mistaken.
there_otherwise(S, O, _, _) :- with_other(S, O, _).

% The effect shows in something else than what the action names.
failure('PerceptionFailure', S, C, [O, X]) :- absent(S), \+ misread(S), mistaken(S, O, X), \+ vague(S, _), \+ other_remote(S, _, O, X), \+ taken_meanwhile(S, X),
    \+ in_hand_later(S, O, X), \+ renamed(S, O, X), \+ ghost_grasped(S, O, X), shows_since(S, X, C).

% Another thing is in pieces than the one that was to be cut.
failure('PerceptionFailure', S, C, [O, X]) :- absent(S), action(S, slice_obj), final(S), target(S, O), cut_instead(S, O, X), shows_since(S, X, C).
failure('PerceptionFailure', S, C, [O, X]) :-
    action(S, slice_obj), final(S), \+ absent(S), target(S, O), cut_instead(S, O, X), \+ seen(S, O), once(left_whole(S, O)), shows_since(S, X, C).
cut_instead(S, O, X) :- before(S, P), seen_state(S, X, sliced), X \== O, \+ state(P, X, sliced), \+ piece_of(X, O), once(shown_by(P, X)).
cut_instead(S, O, X) :- before(S, P), piece_of(Y, X), X \== O, seen(S, Y), \+ shown_by(P, Y), once(shown_by(P, X)).

% What was taken shows as another thing in the next two steps, and in none soon after as what it
% was taken for: a thing that was known before.
failure('PerceptionFailure', S, S, [O, X]) :-
    action(S, pick_up), final(S), target(S, O), holds(S, Y), turns_out(S, Y, X), X \== O, \+ renamed(S, O, X), \+ taken_meanwhile(S, X).
turns_out(S, Y, X) :-
    T is S + 1, holds(T, X), X \== Y, U is S + 2, holds(U, X), in_gripper(T, X), in_gripper(U, X), \+ picked_up_between(S, U),
    before(S, P), once(shown_by(P, X)), \+ at_hand(P, X), \+ at_hand(P, Y), \+ in_gripper(S, X), \+ held_later(S, Y).
held_later(S, Y) :- held_next(S, _, Y).
held_next(S, T, X) :- L is S + 8, in_gripper(T, X), T > S, T =< L, \+ picked_up_between(S, T).
% A gripper held it before.
at_hand(P, O) :- at(P, O, D), isa(D, 'RobotGripper').
% What is turned on with a remote control is another: that was taken for the right one.
failure('WrongObjectFailure', S, C, [R, D, X]) :- other_remote(S, R, D, X), L is S - 24, target(C, R), C >= L, C < S, action(C, pick_up), final(C), \+ picked_up_between(C, S).
other_remote(S, R, D, X) :- mistaken(S, D, X), action(S, toggle_on), before(S, P), holds(P, R), isa(R, 'RemoteControl'), once(another_remote(P, R)).
another_remote(P, R) :- isa(Y, 'RemoteControl'), Y \== R, shown_by(P, Y).
% A burner or lamp is off after it was to be turned on, and another is on.
failure('PerceptionFailure', S, S, [D, X]) :-
    action(S, toggle_on), final(S), target(S, D), next_look(S, T), seen_state(T, D, off), seen_state(T, X, on), X \== D, once(same_kind(D, X)), before(S, P),
    \+ state(P, X, on), \+ target_later(S, T, X).
same_kind(D, X) :- isa(D, 'StoveBurner'), isa(X, 'StoveBurner').
same_kind(D, X) :- isa(D, 'Lamp'), isa(X, 'Lamp').
% One look took it for something else: a later one shows it in the gripper, and none after
% that the other, and nothing was picked up in between.
in_hand_later(S, O, X) :-
    action(S, pick_up), in_gripper(T, O), T > S, \+ picked_up_between(S, T), \+ held_after(S, T, X), \+ brought_away(S, O, X), \+ put_for_it(S, O, X).
in_hand_later(S, O, _) :- put_after_all(S, O).
% What was to be put is seen where that was to be, in its place.
put_for_it(S, O, X) :- member(N, [1, 2, 3, 4, 5, 6, 7, 8]), T is S + N, target(T, O), destination(T, D), seen_at(T, X, D).
% It is seen where it was put next, and not where it lay.
put_after_all(S, O) :-
    action(S, pick_up), acts_with(S, G), L is S + 16, target(T, O), T > S, T =< L, acts_with(T, G), destination(T, _),
    seen_at(T, O, D), \+ isa(D, 'Floor'), \+ isa(D, 'RobotGripper'), \+ lay_at(S, O, D), \+ picked_up_between(S, T).
% It was known before, and is seen where it had never lain.
brought_away(S, O, X) :-
    target(S, O), holds(S, X), distinct(O, X), before(S, P), once(shown_by(P, X)), seen_at(T, X, D), T > S, L is S + 16, T =< L, \+ isa(D, 'RobotGripper'), \+ isa(D, 'Floor'), \+ lay_at(S, X, D),
    \+ picked_up_between(S, T), \+ handled_since(S, T, X).
lay_at(S, O, D) :- seen_at(U, O, D), U =< S.
in_gripper(T, O) :- seen_at(T, O, G), isa(G, 'RobotGripper').
held_after(S, T, X) :- in_gripper(S, X), \+ in_gripper(T, X), in_gripper(U, X), U > T, \+ picked_up_between(S, U).
picked_up_between(S, T) :- action(U, pick_up), U > S, U =< T.

% The first look that shows the gripper since shows something else in it, and what was to be taken
% is where it lay when it is seen next.
failure('PerceptionFailure', T, S, [O, X]) :- taken_unseen(T, S, O, X).
taken_unseen(T, S, O, X) :-
    in_gripper(T, X), member(N, [1, 2, 3]), S is T - N, action(S, pick_up), final(S), target(S, O), X \== O, \+ in_gripper(S, _),
    before(S, P), once(shown_by(P, X)), \+ at_hand(P, X), \+ gripper_between(S, T), \+ picked_up_between(S, T), at(P, O, D), next_shown(S, U, O), seen_at(U, O, D).
gripper_between(S, T) :- in_gripper(U, _), U > S, U < T.

% A tracker gave it a new name as it was picked up: nobody saw the one before, nor the other
% since, and they are of like kinds.
renamed(S, O, X) :-
    action(S, pick_up), before(S, P), \+ shown_by(P, X), \+ shown_from(S, O), once(alike(O, X)).
% Or it got the new name before, where it had lain, and was not seen since under the old one.
renamed(S, O, X) :-
    action(S, pick_up), before(S, P), seen_at(T, X, D), T =< P, at(P, O, D), before(T, Q), \+ shown_by(Q, X), \+ shown_from(T, O),
    once(alike(O, X)).
% What had its name before was put somewhere, and has shown under a new one since.
renamed(S, O, X) :-
    L is S - 24, target(T, X), T >= L, T < S, destination(T, D), seen_at(T, Y, D), Y \== X, \+ seen(T, X), before(T, P), \+ shown_by(P, Y),
    once(alike(X, Y)), once(alike(O, X)), \+ shown_from(S, O).
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
