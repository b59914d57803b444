% Dropping: what was held before an action that should keep it held is gone
% from the gripper after it; or a fall was heard while it was moved.

failure('DroppingObjFailure', S, S, [O]) :- dropped(S, O), \+ falls_later(S, _), \+ carried_in(S, O, _), \+ taken_from_under(S, _, _, _), \+ landed_in(S, O, _, _).
failure('DroppingObjFailure', S, S, [O, V]) :- dropped(S, O), \+ falls_later(S, _), carried_in(S, O, V).
% It was in or on what the gripper held.
carried_in(S, O, V) :- prev(S, P), at(P, O, V), holds(P, V).
failure('DroppingObjFailure', T, T, [O]) :- heard(T, 'Sound'), S is T - 1, falls_later(S, T), dropped(S, O).
failure('DroppingObjFailure', S, C, [O]) :- lost_on_way(S, O, C).
% It was in what is lifted or carried, was heard to fall, and lies beside that.
failure('DroppingObjFailure', S, C, [O, V]) :- tipped_out(S, O, V, C), \+ tipped_out_sooner(S, O, V, C).
tipped_out(S, O, V, C) :-
    final(S), holds(S, V), property(V, receptacle), seen_at(S, O, X), isa(X, 'Surface'), \+ isa(X, 'Floor'), \+ target(S, O), before(S, P), at(P, O, V), heard(C, 'ImpactSound'), C > P, C =< S, in_gripper(C, V).
tipped_out(S, O, V, C) :-
    final(S), holds(S, V), property(V, receptacle), before(S, P), at(P, O, V), \+ seen(S, O), \+ target(S, O), heard(C, 'ImpactSound'), C > P, C =< S, in_gripper(C, V),
    member(N, [1, 2]), T is S + N, seen_at(T, O, X), isa(X, 'Surface'), \+ isa(X, 'Floor'), \+ target(T, O).
tipped_out_sooner(S, O, V, C) :- tipped_out(S, O, V, B), B < C.
failure('DroppingAndDirtyObjFailure', S, S, [O]) :-
    dropped(S, O), becomes(S, O, dirty).
failure('DroppingAndBreakingObjFailure', S, S, [O]) :-
    dropped(S, O), becomes(S, O, broken).
failure('DroppingAndBreakingObjFailure', S, S, [O]) :-
    dropped(S, O), heard(S, 'ObjectBroken').
% An egg that nobody cracks is broken by its fall.
failure('DroppingAndBreakingObjFailure', S, S, [O]) :-
    dropped(S, O), cracks_in_fall(S, O).

dropped(S, O) :-
    keeps_hold(S), hand_empty(S), held_before(S, O), \+ left_in(S, O), \+ still_held(S, O), \+ taken_over(S, O),
    \+ put_before_seen(S, O), \+ set_down(S, O), \+ in_other_hand(S, O), \+ looked_elsewhere(S, O), \+ lies_in_load(S, O), \+ was_ghost(S, O), \+ put_anew(S, O).
dropped(S, O) :- lets_go(S, O), heard(S, 'ImpactSound'), \+ misnamed(S, O), \+ on_occupant(S, O), \+ beside_occupant(S, O, _), \+ arrived(S, O), \+ arrives(S, O), \+ left_before_door(S, O).
dropped(S, O) :-
    seen_at(S, O, F), isa(F, 'Floor'), held_before(S, O), \+ keeps_hold(S), \+ destination(S, F), \+ action(S, put_near), \+ never_held(S, O).
% The gripper is out of sight.
dropped(S, O) :-
    seen_at(S, O, F), isa(F, 'Floor'), held_before(S, O), keeps_hold(S), \+ hand_empty(S), \+ still_held(S, O), \+ taken_over(S, O), \+ never_held(S, O).
% Another hand than the one that acts held it, and it lies on the floor.
dropped(S, O) :- seen_at(S, O, F), isa(F, 'Floor'), prev(S, P), at(P, O, G), isa(G, 'RobotGripper'), acts_with(S, A), A \== G, \+ by_person(S), \+ never_held(S, O).
% It has a new name there.
dropped(S, O) :-
    seen_at(S, X, F), isa(F, 'Floor'), prev(S, P), \+ shown_by(P, X), at(P, O, G), isa(G, 'RobotGripper'), acts_with(S, A), A \== G, \+ by_person(S), \+ seen(S, O), O \== X,
    once(alike(O, X)), \+ distinct(O, X).
dropped(S, O) :- fell_from_grasp(S, O).
% A line of the grasp shows it in the gripper, the last one neither there nor anywhere else.
dropped(S, O) :-
    absent(S), action(S, pick_up), final(S), hand_empty(S), target(S, O), \+ seen(S, O), before(S, P), once(grasped(P, S, O)).
dropped(S, O) :-
    keeps_hold(S), \+ observed(S), heard(S, 'ImpactSound'), held_before(S, O),
    next_look(S, T), hand_empty(T), \+ put_down(S, T, O).
% It left the gripper before what it was to be put in, or on, came into view, and is seen elsewhere
% than there.
dropped(S, O) :-
    lets_go(S, O), target(S, O), destination(S, D), \+ seen(S, O), \+ seen(S, D), before(S, P), before(T, P),
    T > S, seen(T, D), seen_relation(T, O, _, Y), Y \== D, \+ seen_at(T, O, D), \+ isa(Y, 'RobotGripper'),
    \+ arrives(S, O), \+ seen_between(S, T, O).
% It left the gripper, is not in the vessel it was to go into, and shows at a later line of the action
% beside something that is not in there either.
dropped(S, O) :-
    lets_go(S, O), target(S, O), destination(S, D), \+ seen(S, O), before(S, P), before(T, P), T > S, seen(T, D), seen_beside(T, O, Y), Y \== D,
    once(vessel_in_view(S, D)), once(movable(Y)), \+ at(T, Y, D), \+ seen_at(T, O, _), \+ arrives(S, O).
% Two looks show it beside what the vessel stands on, and none in that.
dropped(S, O) :-
    lets_go(S, O), target(S, O), destination(S, D), \+ seen(S, O), before(S, P), before(T, P), T > S, seen(T, D), seen_beside(T, O, Y), at(T, D, Y),
    next_shown(T, U, O), seen_beside(U, O, Y), \+ shown_there(S, O, D).
% It was in, or on, what is held, and lies on the floor now: the robot that carried it let it fall.
dropped(S, O) :- fell(S, O, _), fell_off_load(S, O), \+ heard_out(_, S, O).
% What lies on the floor, and is like it, has a name that nobody had heard.
dropped(S, O) :-
    keeps_hold(S), hand_empty(S), held_before(S, O), \+ seen(S, O), seen_at(S, X, F), isa(F, 'Floor'), prev(S, P), \+ shown_by(P, X), once(alike(O, X)), \+ distinct(O, X).
% Something was heard to fall as it was carried, and where it is seen next is the floor.
dropped(S, O) :- heard_out(S, _, O).

grasped(P, S, O) :- member(N, [1, 2, 3, 4, 5, 6, 7, 8]), T is S - N, T > P, in_gripper(T, O).

% The next look that shows it shows it in what the robot carries.
lies_in_load(S, O) :- next_shown(S, T, O), seen_at(T, O, X), \+ isa(X, 'RobotGripper'), holds(T, X), \+ heard(S, 'ImpactSound').
% The next look shows what has a new name where it was to be put.
put_anew(S, O) :- unheard(S, O), next_look(S, T), target(T, X), destination(T, D), seen_at(T, X, D), X \== O, \+ shown_by(S, X), once(alike(O, X)), \+ distinct(O, X).
put_anew(S, O) :- unheard(S, O), next_look(S, T), target(T, O), destination(T, D), seen_at(T, X, D), X \== O, \+ shown_by(S, X), \+ shown_from(S, O), once(alike(O, X)), \+ distinct(O, X).
put_anew(S, O) :- unheard(S, O), seen_at(S, X, G), isa(G, 'RobotGripper'), X \== O, prev(S, P), \+ shown_by(P, X), once(alike(O, X)), \+ distinct(O, X).
was_ghost(S, O) :- member(N, [1, 2, 3, 4]), T is S - N, ghost_grasped(T, _, O).
% A look that no action ends with, and that shows nothing of it, is somewhere else's.
looked_elsewhere(S, O) :- idle(S), \+ seen(S, O), unheard(S, O).
in_other_hand(S, O) :- seen_at(S, O, G), isa(G, 'RobotGripper').
% It is heard to fall at the next line of the action.
falls_later(S, T) :- keeps_hold(S), \+ heard(S, 'ImpactSound'), \+ heard(S, 'ObjectBroken'), \+ heard(S, 'HandlingSound'), T is S + 1, before(S, P), before(T, P), heard(T, 'HandlingSound'), \+ heard(T, 'ImpactSound').
falls_later(S, T) :- keeps_hold(S), \+ heard(S, 'ImpactSound'), \+ heard(S, 'ObjectBroken'), T is S + 1, before(S, P), before(T, P), heard(T, 'ImpactSound').
falls_later(S, T) :- keeps_hold(S), \+ heard(S, 'ImpactSound'), \+ heard(S, 'ObjectBroken'), \+ heard(S, 'DishesSound'), T is S + 1, before(S, P), before(T, P), heard(T, 'DishesSound'), \+ heard(T, 'ImpactSound').

% The last look at it shows it beside the vessel that it was to go into.
failure('DroppingObjFailure', S, C, [O]) :-
    final(S), action(S, put_in), target(S, O), destination(S, D), property(D, pickupable), \+ seen(S, O), once(had_in_hand(S, O)), lies_beside(S, O, C), \+ lay_beside_sooner(S, O, C),
    \+ shown_there(C, O, D), \+ seen_at(C, O, D).
shown_there(C, O, D) :- L is C + 24, seen_at(T, O, D), T > C, T =< L.
vessel_in_view(S, D) :- seen(S, D), property(D, pickupable).
movable(Y) :- property(Y, pickupable).

% It was let go before what it should go into, which is shut.
left_before_door(S, O) :- unmet(S, destination_open, _), destination(S, D), seen_relation(S, O, _, D).

cracks_in_fall(S, O) :- property(O, crackable), piece_of(X, O), before(S, P), before(T, P), T >= S, seen(T, X), \+ cracked_at(S, O).
cracked_at(S, O) :- action(S, crack_obj), target(S, O).

% One look shows it elsewhere, or not at all: the next shows it in the gripper, or where it
% was put, and it was not taken anew. What was heard or lies on the floor fell.
still_held(S, O) :-
    \+ seen(S, O), acts_with(S, G), next_look(S, T), seen_at(T, O, G), \+ taken_anew(S, T, O).
still_held(S, O) :-
    unheard(S, O), acts_with(S, G), next_look(S, T), seen_at(T, O, G), \+ taken_anew(S, T, O).
still_held(S, O) :-
    \+ seen(S, O), unheard(S, O), own_look(S, T), target(T, O), destination(T, D), seen_at(T, O, D), \+ taken_between(S, T, O).
still_held(S, O) :-
    unheard(S, O), next_look(S, T), target(T, O), destination(T, D), seen_at(T, O, D), \+ seen_at(S, O, D),
    \+ taken_between(S, T, O).
% The next look shows something else in the gripper, which nobody took: it has another name now.
still_held(S, O) :-
    \+ seen(S, O), acts_with(S, G), next_look(S, T), seen_at(T, X, G), X \== O, \+ seen(T, O),
    \+ picked_up_between(S, T), isa(O, C), isa(X, C),
    C \== 'PhysicalObject', C \== 'Container', C \== 'Kitchenware'.
% It lies where another like it lay, and that is in the gripper: the two have changed names.
still_held(S, O) :-
    seen_at(S, O, D), prev(S, P), at(P, X, D), X \== O, seen_at(S, X, G), isa(G, 'RobotGripper'), once(alike(O, X)), keeps_hold(S).
% It is not seen on the way, and next where the robot puts something, by whatever name.
still_held(S, O) :-
    \+ seen(S, O), unheard(S, O), next_shown(S, T, O), puts(T), destination(T, D), seen_at(T, O, D), \+ picked_up(S, T, O).
% It is not seen on the way, and where it is put with the same gripper.
still_held(S, O) :-
    \+ seen(S, O), L is S + 8, target(T, O), T > S, T =< L, destination(T, D), seen_at(T, O, D), \+ seen_between(S, T, O), \+ picked_up(S, T, O).
% No look shows it until one that shows it where it was put.
still_held(S, O) :-
    \+ seen(S, O), unheard(S, O), L is S + 8, target(T, O), T > S, T =< L, \+ seen(T, O), once(shows_there(T, O)), \+ seen_between(S, T, O),
    \+ picked_up(S, T, O).
% Nothing was heard, and one of the next looks, which is the first to show it again, shows it in a gripper.
still_held(S, O) :-
    \+ seen(S, O), unheard(S, O), member(N, [2, 3]), T is S + N, seen_at(T, O, G), isa(G, 'RobotGripper'), \+ seen_between(S, T, O), \+ taken_anew(S, T, O),
    \+ other_grasped(S, T, O, G).
% The first look that shows where it is shows it where the robot was to put it meanwhile.
still_held(S, O) :- \+ seen(S, O), unheard(S, O), placed_first(S, O, T, D), target(U, O), destination(U, D), U > S, U =< T, \+ picked_up(S, T, O).
% The next line of the action shows it in another hand.
still_held(S, O) :- unheard(S, O), \+ action(S, pick_up), next_look(S, T), seen_at(T, O, G), isa(G, 'RobotGripper'), same_action(S, T).
% It is laid over something.
still_held(S, O) :- action(S, spread), target(S, O), seen_at(S, O, D), \+ isa(D, 'Floor').
% The next look is that of something else done with it, and shows it.
still_held(S, O) :-
    \+ seen(S, O), unheard(S, O), next_look(S, T), target(T, O), seen(T, O), \+ on_floor(T, O), \+ action(T, pick_up), \+ action(T, navigate_to_obj).
placed_first(S, O, T, D) :- L is S + 16, seen_at(T, O, D), T > S, T =< L, \+ isa(D, 'RobotGripper'), \+ isa(D, 'Floor'), \+ placed_between(S, T, O).
unheard(S, O) :- \+ heard(S, 'ImpactSound'), \+ on_floor(S, O).
other_grasped(S, T, O, G) :- action(U, pick_up), U > S, U =< T, seen_at(U, X, G), X \== O.
on_floor(S, O) :- seen_at(S, O, F), isa(F, 'Floor').
taken_anew(S, T, O) :- target(U, O), U > S, U =< T, \+ keeps_hold(U).

% It is in, or on, what stands where it was to be put.
on_occupant(S, O) :- seen_at(S, O, X), destination(S, D), X \== D, before(S, P), seen_at(T, X, D), T >= P, T =< S.

% Nobody took it, and what was taken is seen now, where it is put.
misnamed(S, O) :- held_before(S, O), target(S, Y), Y \== O, seen_at(S, Y, D), destination(S, D), \+ handled_before(S, O).
handled_before(S, O) :- target(T, O), T < S.

% What it poured from stands on something: nobody said that it was put there.
set_down(S, O) :- action(S, pour), target(S, O), unheard(S, O), seen_at(S, O, D), isa(D, 'Surface').

% It lies on the floor, was last seen in the gripper, and not where it was to be put, when that was
% in view: it fell before, when no look showed it any more.
lost_on_way(S, O, C) :- seen_at(S, O, F), isa(F, 'Floor'), missed_when_put(S, O, C), last_seen(S, O, L), \+ lost_since(L, S, O).
% What lies there has a name that nobody had heard, and is like what was to be put somewhere.
lost_on_way(S, O, C) :-
    seen_at(S, X, F), isa(F, 'Floor'), prev(S, P), \+ shown_by(P, X), L is S - 12, target(T, O), T >= L, T < S, destination(T, D), seen(T, D), \+ seen_at(T, O, D),
    last_seen(S, O, B), in_gripper(B, O), next_look(B, C), C < T, once(alike(O, X)), \+ distinct(O, X), \+ lost_since(B, S, O).
% It lay where it was put, was heard to fall while it was put, and the last line shows it beside that.
failure('DroppingObjFailure', S, C, [O, D]) :- fell_beside(S, O, D, C), \+ shown_there(S, O, D).
fell_beside(S, O, D, C) :-
    final(S), \+ absent(S), destination(S, D), target(S, O), hand_empty(S), seen_beside(S, O, D), \+ seen_at(S, O, _), before(S, P),
    thud_within(S, P, C), C < S, \+ seen_at(C, O, _), \+ unmet(S, destination_free, _), prev(S, B), \+ seen_beside(B, O, D), once(lay_within(P, C, O)).
lay_within(P, C, O) :- L is C - 6, seen_at(T, O, X), T >= L, T < C, before(T, P), \+ isa(X, 'RobotGripper').
% It was heard to fall out of what is held, and shows beside something else.
failure('DroppingObjFailure', T, S, [O]) :-
    seen_relation(T, O, R, Y), L is T - 8, heard(S, 'ImpactSound'), S >= L, S < T, member(R, [near, left_of, right_of]), \+ seen_at(T, O, _),
    prev(S, P), at(P, O, X), X \== Y, holds(P, X), holds(S, X), \+ seen_between(S, T, O), \+ shown_there(T, O, X).
% Something was heard to break while another hand shows what it holds, and it is seen no more.
failure('DroppingAndBreakingObjFailure', S, S, [O]) :- broke_beside(S, O).
broke_beside(S, O) :-
    heard(S, 'ObjectBroken'), keeps_hold(S), prev(S, P), at(P, O, G), isa(G, 'RobotGripper'), property(O, breakable), in_gripper(S, X), X \== O, \+ shown_from(S, O).
% It is to be put somewhere and is not held, the last look at it shows it in the gripper, and nobody said that it was put anywhere.
failure('DroppingObjFailure', S, C, [O]) :- vanished(S, O, C).
vanished(S, O, C) :-
    gone_from_hand(S, O, L), \+ with_person(L, O, _), next_look(L, C), C < S, \+ seen(S, O), \+ lost_since(L, S, O),
    \+ arrived_anew(S, O, _), \+ held_anew(L, S, O), \+ lies_after(S, O), \+ shows_there(S, O).
% Where it is seen next is where it was put.
shows_there(S, O) :- destination(S, D), next_shown(S, T, O), seen_at(T, O, D).
% Something like it, which has another name, is in the gripper meanwhile.
held_anew(L, S, O) :- member(N, [0, 1, 2, 3, 4, 5, 6, 7]), T is S - N, T > L, in_gripper(T, X), X \== O, alike(O, X).
lies_after(S, O) :- between(1, 24, N), T is S + N, seen_at(T, O, F), isa(F, 'Floor').
lost_since(L, S, O) :- dropped(U, O), U > L, U =< S.
lost_since(L, S, O) :- slipped(U, O), U > L, U =< S.

% The look after it was put somewhere had still shown it in the gripper.
put_before_seen(S, O) :- last_look(S, P), belated(P, T), T >= S, target(P, O), unheard(S, O).

% Somebody took it out of the gripper and put it down.
taken_over(S, O) :- idle(S), seen_at(S, O, _), unheard(S, O).

% What the gripper of the robot that acts held before. A person's hand is no robot's.
held_before(S, O) :- prev(S, P), acts_with(S, G), at(P, O, G), \+ by_person(S).

% What is left of an object is where it belongs, as an egg cracked into a pan.
left_in(S, O) :- target(S, O), piece_of(X, O), seen_at(S, X, D), \+ isa(D, 'Floor').

% An action that is to move an object ends with an empty gripper.
lets_go(S, O) :- hand_empty(S), held_before(S, O), \+ keeps_hold(S).

arrived(S, O) :- destination(S, D), seen_at(S, O, D).
arrived(S, O) :- action(S, put_near), destination(S, D), beside(S, O, D).
arrived(S, O) :- arrived_anew(S, O, _).
arrived(S, O) :- action(S, put_down), target(S, O), \+ on_floor(S, O), \+ heard(S, 'ObjectBroken').
arrived(S, O) :- destination(S, D), seen_relation(S, O, on_top_of, X), at(S, X, D), seen_relation(_, X, inside, D).
% A tracker gave it a new name where it was put: nobody saw the one before, nor the other since.
arrived_anew(S, O, X) :-
    destination(S, D), target(S, O), seen_at(S, X, D), X \== O, before(S, P), \+ shown_by(P, X), \+ shown_from(S, O), once(alike(O, X)).

% A later line of the action shows it whole where it was to be put: it was set down.
arrives(S, O) :-
    destination(S, D), before(S, P), before(T, P), T > S, seen_at(T, O, D),
    \+ heard(S, 'ObjectBroken'), \+ seen_state(T, O, broken).

% Where it is seen next is where it was to be put, and nobody took it there.
arrives(S, O) :-
    destination(S, D), seen_at(T, O, D), T > S, \+ seen_between(S, T, O), \+ picked_up(S, T, O), \+ heard(S, 'ObjectBroken'), \+ seen_state(T, O, broken).
% It is seen beside something else before its place comes into view, and there in the next look.
arrives(S, O) :-
    destination(S, D), \+ seen(S, D), \+ seen_at(S, O, _), next_look(S, T), seen_at(T, O, D), \+ picked_up(S, T, O), \+ heard(S, 'ObjectBroken'), \+ seen_state(T, O, broken).
% It is seen beside what is there.
arrives(S, O) :-
    destination(S, D), isa(D, 'Surface'), seen_beside(S, O, X), at(S, X, D).

% A later line of the action shows it in another vessel than the one it was to go into.
arrives(S, O) :-
    before(S, P), before(T, P), T > S, seen_relation(T, O, inside, X), \+ destination(S, X), isa(X, 'Container'),
    \+ heard(S, 'ObjectBroken'), \+ seen_state(T, O, broken).

% The next look after an action with the same gripper.
own_look(S, T) :- acts_with(S, G), acts_with(T, G), observed(T), T > S, \+ own_between(S, T, G).
own_between(S, T, G) :- acts_with(U, G), observed(U), U > S, U < T.

% It was put down in between, and is seen there or nobody looked there.
put_down(S, T, O) :- target(U, O), destination(U, D), U > S, U =< T, seen_at(T, O, D).
put_down(S, T, O) :- target(U, O), destination(U, D), U > S, U =< T, \+ seen(T, D).

% The last step before with an observation.
last_look(S, P) :- observed(P), P < S, \+ looked(P, S).

% The next step with an observation.
next_look(S, T) :- observed(T), T > S, \+ looked(S, T).
looked(S, T) :- observed(U), U > S, U < T.

% The state shows after the fall, and not before, until the object is handled.
becomes(S, O, State) :-
    prev(S, P), \+ state(P, O, State),
    seen_state(T, O, State), T >= S, \+ handled(S, T, O).
handled(S, T, O) :- target(U, O), U > S, U < T, succeeded(U).
