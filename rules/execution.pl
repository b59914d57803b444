% Execution: the action did not come about although nothing stood against it.

failure('ActionExecutionFailure', S, C, [O, D]) :-
    absent(S), destination(S, D), target(S, O), \+ dropped(S, O), \+ misread(S), \+ shut_out(_, S, D, _), \+ knocked_over(S, D), \+ taken_untold(S, O), \+ put_instead(S, O, D), \+ put_otherwise(S, O, D), \+ stuck_in_hand(S, O, D), \+ only_cold(S, D), came_off(S, O, C), \+ moved_meanwhile(S, _, D), \+ changed_sides_before(S, D).
% It comes into another vessel than the one that it was to go into.
failure('ActionExecutionFailure', S, S, [O, D]) :- landed_in(S, O, D, _), dropped(S, O).
landed_in(S, O, D, X) :-
    action(S, put_in), final(S), target(S, O), destination(S, D), seen(S, D), seen_relation(S, O, inside, X), X \== D, isa(X, 'Container'), isa(D, 'Container'), \+ isa(X, 'RobotGripper').
% What lay in it rolled out as something was to be put there.
knocked_over(S, D) :- before(S, P), member(N, [0, 1, 2, 3, 4]), T is S - N, T > P, pushed_out(T, _, _, D).
% What is poured from was taken in place of the one that the task tells of.
taken_untold(S, O) :- action(S, pour), L is S - 12, told(T, _), T >= L, T < S, action(T, pick_up), target(T, O).
% It was poured, and was to be hot.
only_cold(S, D) :- action(S, pour), seen_state(S, D, cold), seen_state(S, D, W), once(implies(W, filled)).
% The hand did not let go of it before, where it was to be put elsewhere.
stuck_in_hand(S, O, D) :-
    holds(S, O), L is S - 24, target(T, O), T >= L, T < S, absent(T), final(T), destination(T, X), X \== D, holds(T, O), \+ let_go_between(T, S, O).
let_go_between(T, S, O) :- seen_at(U, O, X), U > T, U =< S, \+ isa(X, 'RobotGripper').
failure('ActionExecutionFailure', S, S, [O]) :- absent(S), target(S, O), \+ destination(S, _), \+ explained_otherwise(S, O), \+ done_with(S, O, _).
failure('ActionExecutionFailure', S, S, [O, X]) :- absent(S), target(S, O), \+ destination(S, _), \+ explained_otherwise(S, O), done_with(S, O, X).
explained_otherwise(S, O) :- dropped(S, O).
explained_otherwise(S, _) :- misread(S).
explained_otherwise(S, O) :- in_hand_anew(S, O).
explained_otherwise(S, O) :- shut_out(_, S, O, _).
explained_otherwise(S, O) :- taken_after_all(S, O).
explained_otherwise(S, O) :- put_after_all(S, O).
explained_otherwise(S, O) :- hand_full(S, O, _).
explained_otherwise(S, O) :- weighed_down(S, O, _).
explained_otherwise(S, O) :- went_on_there(S, O).
explained_otherwise(S, _) :- ends_on_way(S).
explained_otherwise(S, O) :- went_anew(S, O).
explained_otherwise(S, O) :- burdened(S, O, _).
explained_otherwise(S, O) :- gone_from_place(S, O).
explained_otherwise(S, O) :- member(N, [1, 2, 3]), T is S + N, taken_unseen(T, S, O, _).
explained_otherwise(S, O) :- shows_late(S, O).
explained_otherwise(S, O) :- rolled_from(S, _, O, _).
explained_otherwise(S, O) :- found_gone(S, O).
explained_otherwise(S, O) :- moved_before_taken(S, _, O).
explained_otherwise(S, O) :- action(S, pick_up), member(N, [1, 2, 3, 4, 5, 6]), T is S + N, fell_and_missed(T, O, _, _).
% It was to go to a person, and meets one.
explained_otherwise(S, O) :- action(S, navigate_to_obj), isa(O, 'Human'), seen(S, X), isa(X, 'Human').
% It arrives where that lay, and it is not there to be taken.
found_gone(S, O) :-
    action(S, navigate_to_obj), \+ seen(S, O), before(S, P), at(P, O, D), member(N, [1, 2, 3, 4]), T is S + N, action(T, pick_up), target(T, O), final(T),
    seen(T, D), \+ seen(T, O), absent(T).
% A door was heard to move, and the next look, which no action ends with, shows it so.
shows_late(S, O) :- heard(S, 'DoorSound'), target(S, O), T is S + 1, idle(T), \+ person_about(T), action(S, A), done_to(A, X), seen_state(T, O, X).
% It was heard to go on, and the next look, which no action ends with, shows that.
shows_late(S, O) :- heard(S, 'SoundOfTurningOn'), action(S, toggle_on), target(S, O), T is S + 1, idle(T), \+ person_about(T), seen_state(T, O, on).
done_to(open_obj, open).
done_to(close_obj, closed).
% It goes there again, after some words or a wait, and arrives.
went_anew(S, O) :-
    action(S, navigate_to_obj), acts_with(S, G), L is S + 8, target(T, O), T > S, T =< L, action(T, navigate_to_obj), acts_with(T, G), succeeded(T),
    \+ acted_between(S, T, O, G).
acted_between(S, T, O, G) :-
    member(M, [1, 2, 3, 4, 5, 6, 7]), U is S + M, U < T, acts_with(U, G), \+ action(U, say), \+ action(U, wait), \+ action(U, observe), \+ (action(U, navigate_to_obj), target(U, O)).
% Two looks show the robot at something else, none shows what it goes to, and it goes on to another place.
failure('ActionExecutionFailure', S, S, [O, X]) :- held_up(S, O, X), \+ bumped(S, X).
held_up(S, O, X) :-
    action(S, navigate_to_obj), final(S), target(S, O), \+ isa(O, 'Human'), agent(S, R), seen_relation(S, R, near, X), X \== O, before(S, P), \+ sighted(P, S, O),
    seen_relation(T, R, near, X), T > P, T < S, \+ at(S, X, O), \+ at(S, O, X), once(given_up(S, O)).
% Something was heard to be run into there.
bumped(S, X) :- before(S, P), seen_relation(T, R, near, X), isa(R, 'Robot'), heard(T, 'ImpactSound'), T > P, T =< S.
given_up(S, _) :- end(S).
given_up(S, O) :- T is S + 1, action(T, navigate_to_obj), target(T, X), X \== O.
% What is in the hand with which it was to be done.
done_with(S, O, X) :- \+ action(S, navigate_to_obj), \+ action(S, pick_up), before(S, P), holds(P, X), X \== O.
% The log ends with the first look of a move, or with that once more.
ends_on_way(S) :- action(S, navigate_to_obj), before(S, P), prev(S, P), end(E), E - S =< 2, \+ acts_after(S).
acts_after(S) :- member(N, [1, 2]), T is S + N, acts_with(T, _), \+ idle(T).
% The robot looked, and did nothing.
idle(S) :- without_action(S).
idle(S) :- action(S, wait).

% That it is not seen there does not tell that putting it there failed.
put_otherwise(S, O, D) :- put_in_like(S, O, D).
% What it was to be put in or on lies on the floor by then, where it had not been.
put_otherwise(S, _, D) :- property(D, pickupable), L is S - 12, seen_at(T, D, F), T >= L, T =< S, isa(F, 'Floor'), \+ lay_on_floor(T, D), once(seen_earlier(T, D)), \+ target(_, D).
% What hangs on it is seen beside it.
put_in_like(S, O, D) :- isa(D, 'WallHook'), seen_relation(S, O, near, D).

% Nothing showed that it had arrived, and what it does next is done there.
went_on_there(S, O) :-
    action(S, navigate_to_obj), member(N, [1, 2, 3, 4, 5, 6]), T is S + N, destination(T, D), acts_with(S, G), acts_with(T, G),
    succeeded(T), seen(T, D), once(same_place(O, D)), \+ own_move(S, T, G).
went_on_there(S, O) :-
    action(S, navigate_to_obj), member(N, [1, 2, 3, 4, 5, 6]), T is S + N, target(T, D), \+ destination(T, _), acts_with(S, G), acts_with(T, G),
    \+ action(T, navigate_to_obj), succeeded(T), seen(T, D), once(same_place(O, D)), \+ own_move(S, T, G).
same_place(O, D) :- \+ distinct(O, D).
own_move(S, T, G) :- member(M, [1, 2, 3, 4, 5]), U is S + M, U < T, action(U, navigate_to_obj), acts_with(U, G), \+ same_action(U, S).
% It is of a class that the other is not of.
distinct(O, X) :- isa(O, C), \+ isa(X, C).

% A faucet is heard to run on after it was to be turned off.
failure('ActionExecutionFailure', S, S, [F]) :- runs_on(S, F).
runs_on(S, F) :-
    action(S, toggle_off), final(S), target(S, F), isa(F, 'Faucet'), heard(S, 'FaucetTurnedOn'), once((T is S + 1, heard(T, 'FaucetTurnedOn'), \+ action(T, toggle_on))),
    \+ absent(S), \+ seen_off(S, F).
seen_off(S, F) :- seen_state(T, F, off), T >= S, \+ seen_on_between(S, T, F).
seen_on_between(S, T, F) :- seen_state(U, F, on), U >= S, U < T.

% It was not taken: where it lay something of its kind lies, which has a name that nobody had heard.
failure('ActionExecutionFailure', S, S, [O]) :- left_lying(S, O).
left_lying(S, O) :-
    action(S, pick_up), final(S), target(S, O), \+ seen(S, O), before(S, P), at(P, O, D), seen_at(S, X, D), X \== O, \+ shown_by(P, X),
    \+ distinct(O, X), \+ distinct(X, O), \+ shown_from(S, O), \+ put_after_all(S, O), \+ absent(S).

% It still lies where it lay, and what shows in the gripper, which nobody had seen, is gone at the next look.
failure('ActionExecutionFailure', S, S, [O]) :- ghost_grasped(S, O, _).
ghost_grasped(S, O, X) :-
    action(S, pick_up), final(S), holds(S, X), before(S, P), \+ shown_by(P, X), seen_at(S, O, D), at(P, O, D), O \== X, \+ distinct(O, X), grasps_either(S, O, X),
    next_look(S, T), \+ seen(T, X), hand_empty(T), \+ heard(T, 'ImpactSound').
grasps_either(S, O, _) :- target(S, O).
grasps_either(S, _, X) :- target(S, X).

% It shows beside what it lay beside, and is where it lay when that is looked at again.
failure('ActionExecutionFailure', S, S, [O]) :- missed_beside(S, O).
missed_beside(S, O) :-
    action(S, pick_up), final(S), succeeded(S), target(S, O), seen_beside(S, O, X), \+ seen_at(S, O, _), prev(S, Q), seen_beside(Q, O, X), before(S, P), at(P, O, D),
    once(back_there(S, O, D)), \+ held_next(S, _, O).
back_there(S, O, D) :- E is S + 24, seen_at(T, O, D), T > S, T =< E, \+ put_to(S, T, O, D).
put_to(S, T, O, D) :- target(U, O), destination(U, D), U > S, U =< T.

% What did not stay where it was put was heard to fall at a line of the action, else shows at its last.
came_off(S, O, C) :- fell_within(S, O, C), \+ fell_sooner(S, O, C).
came_off(S, O, C) :- \+ fell_within(S, O, _), lies_beside(S, O, C), \+ lay_beside_sooner(S, O, C).
came_off(S, O, S) :- target(S, O), \+ fell_within(S, O, _), \+ lies_beside(S, O, _).
% The first line since it was let go that shows it beside where it was to be.
lies_beside(S, O, C) :- before(S, P), destination(S, D), member(N, [1, 2, 3, 4, 5, 6, 7, 8]), C is S - N, before(C, P), hand_empty(C), seen_beside(C, O, D).
lay_beside_sooner(S, O, C) :- lies_beside(S, O, B), B < C.
fell_within(S, O, C) :- heard(C, 'ImpactSound'), before(C, P), before(S, P), C < S, target(C, O), \+ holds(C, O), absent(S).
fell_sooner(S, O, C) :- fell_within(S, O, T), T < C.

% What was taken for it was put there.
put_instead(S, O, D) :- seen_at(S, X, D), X \== O, L is S - 24, target(T, O), T < S, T >= L, action(T, pick_up), holds(T, X).

% What is done with it next, within a few lines, comes about, as it would not without it in the gripper.
taken_after_all(S, O) :-
    action(S, pick_up), acts_with(S, G), L is S + 16, target(T, O), T > S, T =< L, acts_with(T, G), destination(T, D), seen_at(T, O, D), \+ seen_at(S, O, D), succeeded(T),
    \+ tried_between(S, T, O).
tried_between(S, T, O) :- target(U, O), U > S, U < T, \+ same_action(U, T).
same_action(U, T) :- before(U, P), before(T, P).

in_hand_anew(S, O) :- holds(S, X), X \== O, renamed(S, O, X).
% The next look that shows the gripper shows in it what has a new name.
in_hand_anew(S, O) :-
    action(S, pick_up), member(N, [1, 2, 3, 4]), T is S + N, in_gripper(T, X), X \== O, \+ shown_by(S, X), \+ shown_from(S, O), once(alike(O, X)), \+ picked_up_between(S, T).

% One look showed the contrary of what the next shows done; what was heard fell, unless it was
% set down.
misread(S) :- belated(S, _), \+ heard(S, 'ImpactSound').
misread(S) :- belated(S, T), target(S, O), destination(S, D), holds(S, O), seen_at(T, O, D).

% It was to go into a deep vessel, and every look shows it on top, with nothing in
% there that it could lie on.
failure('ActionExecutionFailure', S, S, [O, D]) :-
    final(S), action(S, put_in), target(S, O), destination(S, D), property(D, fillable), succeeded(S),
    stays_on_top(S, O, D), \+ occupied_before(S, O, D).

% It was to go into what has a door, and lies on top of it when that is shut.
failure('ActionExecutionFailure', S, S, [O, D]) :-
    final(S), action(S, put_in), target(S, O), destination(S, D), property(D, openable), succeeded(S),
    stays_on_top(S, O, D), once(shut_beneath(S, O, D)), \+ no_room_for(S, O, D, _).
shut_beneath(S, O, D) :- seen_relation(T, O, on_top_of, D), T > S, seen_state(T, D, closed), \+ target_later(S, T, O).

% It was to go into what fills it, lies on top of that, and is empty when that has run.
failure('ActionExecutionFailure', S, S, [O, D]) :- not_filled_on(S, O, D).
not_filled_on(S, O, D) :-
    final(S), action(S, put_in), target(S, O), destination(S, D), isa(D, 'DrinkMachine'), succeeded(S),
    stays_on_top(S, O, D), once(stays_empty_on(S, O, D)).
stays_empty_on(S, O, D) :- between(1, 24, N), T is S + N, action(T, toggle_on), target(T, D), U is T + 6, seen_state(V, O, empty), V >= T, V =< U.

stays_on_top(S, O, D) :-
    seen_relation(S, O, on_top_of, D), before(S, P),
    seen_relation(T, O, on_top_of, D), T > P, T \== S, \+ target_later(S, T, O),
    \+ seen_inside(S, O, D).
seen_inside(S, O, D) :- before(S, P), seen_relation(T, O, inside, D), T > P, \+ target_later(S, T, O).
target_later(S, T, O) :- target(U, O), U > S, U =< T.
occupied_before(S, O, D) :- before(S, P), at(P, X, D), X \== O.

% It was to be turned on, no look showed it on, and at the end, when nobody is about, it is off.
failure('ActionExecutionFailure', E, S, [D]) :-
    end(E), idle(E), seen_state(E, D, off), wanted(D, on), L is E - 24, target(S, D), S >= L, S < E, action(S, toggle_on), final(S), succeeded(S),
    \+ shown_on(S, D), \+ person_about(E), \+ another_on(E, D).
another_on(E, D) :- state(E, X, on), X \== D, same_kind(D, X).
shown_on(S, D) :- seen_state(T, D, on), T >= S.

% It was put somewhere that is seen without it, and the next look that shows it shows it in the gripper.
failure('ActionExecutionFailure', S, S, [O, D]) :-
    target(S, O), puts(S), \+ action(S, put_in), destination(S, D), final(S), succeeded(S), \+ seen(S, O), seen(S, D), acts_with(S, G), next_shown(S, T, O), seen_at(T, O, G),
    \+ picked_up_between(S, T).

% The gripper is to let go of it, and holds it then and in the next look.
failure('ActionExecutionFailure', S, S, [O]) :- kept_in_hand(S, O).
kept_in_hand(S, O) :- action(S, put_down), final(S), target(S, O), acts_with(S, G), seen_at(S, O, G), \+ by_person(S), \+ another_hand(G), \+ out_of_hand(S, O, G).
kept_in_hand(S, O) :- action(S, give_to), final(S), target(S, O), acts_with(S, G), seen_at(S, O, G), \+ by_person(S), next_look(S, T), seen_at(T, O, G), \+ out_of_hand(S, O, G).
% One of two hands may let go of what both hold.
another_hand(G) :- isa(H, 'RobotGripper'), H \== G.
out_of_hand(S, O, G) :- next_look(S, T), \+ seen_at(T, O, G).
out_of_hand(S, O, _) :- next_look(S, T), action(T, pick_up), target(T, O).

% It was poured into what this look and later ones show empty.
failure('ActionExecutionFailure', S, S, [V, D]) :- nothing_came_out(S, V, D).
nothing_came_out(S, V, D) :-
    action(S, pour), final(S), succeeded(S), target(S, V), destination(S, D), property(D, fillable), seen_state(S, D, empty), before(S, P), \+ state(P, V, filled),
    once(stays_empty_on_look(S, D)), \+ poured_shut(S, V, D).
nothing_came_out(S, V, D) :-
    action(S, pour), final(S), succeeded(S), target(S, V), destination(S, D), property(D, fillable), \+ seen_state(S, D, _), before(S, P), state(P, D, empty), \+ state(P, V, filled),
    T is S + 1, seen_state(T, D, empty), \+ action(T, pour), \+ poured_shut(S, V, D).
nothing_came_out(S, V, D) :-
    action(S, pour), final(S), succeeded(S), target(S, V), destination(S, D), property(D, fillable), \+ seen_state(S, D, _), before(S, P), state(P, D, empty), state(P, V, filled),
    T is S + 1, seen_state(T, D, empty), \+ action(T, pour), once(wet_about(T, S)), \+ poured_shut(S, V, D).
wet_about(T, S) :- seen_state(T, X, wet), prev(S, P), \+ state(P, X, wet).
stays_empty_on_look(S, D) :- E is S + 8, seen_state(T, D, empty), T > S, T =< E, \+ poured_by(S, T, D).
poured_by(S, T, D) :- action(U, pour), destination(U, D), U > S, U =< T.
% It was turned on, no look shows it on, and when it is off what it was to work on is as it was.
failure('ActionExecutionFailure', S, S, [D]) :- unstarted(S, D).
unstarted(S, D) :-
    action(S, toggle_on), final(S), succeeded(S), target(S, D), once(ends_state(D, _)), before(S, P), \+ state(P, D, on), \+ shown_on(S, D), once(stays_undone(S, D)).
stays_undone(S, D) :- seen_off_soon(S, D, T), E is S + 16, seen_state(U, D, L), U >= T, U =< E, ends_state(D, L).
stays_undone(S, D) :- seen_off_soon(S, D, T), E is S + 16, before(S, P), at(P, X, D), seen_state(U, X, L), U >= T, U =< E, ends_state(D, L).
stays_undone(S, D) :- seen_off_soon(S, D, T), seen_at(T, X, D), seen_state(T, X, L), ends_state(D, L).
seen_off_soon(S, D, T) :- E is S + 16, seen_state(T, D, off), T > S, T =< E.
% What a machine puts an end to.
ends_state(D, cold) :- property(D, hazardous_when_on).
ends_state(D, cold) :- isa(D, 'Kettle').
ends_state(D, dirty) :- isa(D, 'WashingMachine').
ends_state(D, dirty) :- isa(D, 'Dishwasher').
ends_state(D, wet) :- isa(D, 'ClothesDryer').
% It was in a machine that did not start, some eighty lines before the end at most.
idle_load(O) :- end(E), L is E - 80, action(S, toggle_on), S >= L, unstarted(S, D), before(S, P), at(P, O, D).
idle_load(O) :- end(E), L is E - 80, action(S, toggle_on), S >= L, final(S), absent(S), target(S, D), once(ends_state(D, _)), \+ shown_on(S, D), before(S, P), at(P, O, D).

% A look shows it off as it is to be turned on, the next one does too, and nothing was seen or heard of its going on.
failure('ActionExecutionFailure', S, S, [D]) :- stays_off(S, D).
stays_off(S, D) :-
    action(S, toggle_on), final(S), target(S, D), \+ seen_state(S, D, on), \+ seen_state(S, D, off), \+ absent(S), before(S, P), prev(S, B), B > P, state(B, D, off), off_soon(S, D, T),
    \+ goes_on_about(S), \+ turned_off_between(S, T), \+ person_about(T).
off_soon(S, D, T) :- T is S + 1, seen_state(T, D, off).
off_soon(S, D, T) :- U is S + 1, \+ seen_state(U, D, on), T is S + 2, seen_state(T, D, off).
goes_on_about(S) :- member(N, [0, 1, 2]), T is S - N, heard(T, 'SoundOfTurningOn').
turned_off_between(S, T) :- member(N, [1, 2]), U is S + N, U =< T, action(U, toggle_off).
% A plant is as dry as before after it was watered, and in the looks after that.
failure('ActionExecutionFailure', S, S, [O]) :- stays_parched(S, O), \+ wet_next(S, O), still_full(S).
stays_parched(S, O) :- action(S, water), final(S), target(S, O), isa(O, 'Plant'), seen_state(S, O, not_wet).
stays_parched(S, O) :- action(S, pour), final(S), destination(S, O), isa(O, 'Plant'), seen_state(S, O, not_wet).
still_full(S) :- before(S, P), holds(P, V), member(N, [0, 1, 2]), T is S + N, seen_state(T, V, L), implies(L, filled).
wet_next(S, O) :- member(N, [1, 2, 3]), T is S + N, seen_state(T, O, W), W \== not_wet.
% A look shows it shut as it is to be opened, none of these shows it open, and the next look at it shows it shut.
failure('ActionExecutionFailure', S, S, [D]) :- stays_shut(S, D), \+ seen_before_it(S, _, D).
stays_shut(S, D) :-
    action(S, open_obj), final(S), target(S, D), \+ seen_state(S, D, _), \+ absent(S), before(S, P), prev(S, B), B > P, state(B, D, closed), closed_soon(S, D, T),
    \+ shut_between(S, T), \+ person_about(T).
closed_soon(S, D, T) :- T is S + 1, seen_state(T, D, closed).
closed_soon(S, D, T) :- U is S + 1, \+ seen_state(U, D, open), T is S + 2, seen_state(T, D, closed).
shut_between(S, T) :- member(N, [1, 2, 3]), U is S + N, U =< T, action(U, close_obj).
% The first look at it since it was to be turned off shows it on. Of a faucet that is told as left on.
failure('ActionExecutionFailure', S, S, [D]) :- stays_on(S, D).
stays_on(S, D) :-
    action(S, toggle_off), final(S), target(S, D), \+ isa(D, 'Faucet'), \+ seen(S, D), was_on(S, D), on_soon(S, D, T),
    \+ seen_between(S, T, D), \+ turned_on_between(S, T), \+ person_about(T).
was_on(S, D) :- before(S, P), state(P, D, on).
on_soon(S, D, T) :- member(N, [1, 2, 3, 4]), T is S + N, seen_state(T, D, on).
turned_on_between(S, T) :- member(M, [1, 2, 3, 4]), U is S + M, U =< T, action(U, toggle_on).
% It was seen shut, and the next two looks at it show it open, which nobody opened.
failure('ActionExecutionFailure', U, S, [D]) :-
    seen_state(U, D, open), member(N, [2, 3, 4, 5, 6, 7, 8]), S is U - N, action(S, close_obj), final(S), target(S, D), \+ property(D, not_to_stand_open),
    seen_state(S, D, closed), seen_state(T, D, open), T > S, T < U, \+ state_between(S, T, D, open), \+ state_between(T, U, D, open), \+ state_between(S, U, D, closed),
    \+ opened_between(S, U), \+ person_about(U).
state_between(S, U, D, X) :- seen_state(V, D, X), V > S, V < U.
opened_between(S, U) :- action(V, open_obj), V > S, V =< U.

% The goal is missed, and what went wrong on the way has no other name.
failure('ActionExecutionFailure', C, C, [O]) :-
    goal_missed(_, C, O), \+ excused(C, O), \+ shut_out(_, C, _, _), \+ acts_elsewhere(C, O, _).
failure('ActionExecutionFailure', C, C, [O, T]) :-
    goal_missed(_, C, O), \+ excused(C, O), \+ shut_out(_, C, _, _), acts_elsewhere(C, O, T),
    \+ passed_by(C, O, _), \+ washed_without(C, O).
% A move shows what the last action with it had not done.
failure('ActionExecutionFailure', T, T, [O]) :-
    goal_missed(_, C, O), \+ excused(C, O), passed_by(C, O, T), \+ shut_out(_, T, _, _).
% It is picked up as empty as it was put into the machine that was to fill it.
failure('ActionExecutionFailure', T, T, [M, O]) :- goal_missed(_, C, O), stays_unfilled(C, O, M, T), \+ put_tipped(_, _, O, M).
% It left the board on which it was to be cut, and is whole afterwards.
failure('ActionExecutionFailure', S, C, [O, B, K]) :- rolled_from(S, C, O, B), \+ rolled_from_sooner(S, C, O), before(S, P), holds(P, K).
failure('ActionExecutionFailure', S, C, [O, B]) :- rolled_from(S, C, O, B), \+ rolled_from_sooner(S, C, O), before(S, P), \+ holds(P, _).
rolled_from(S, C, O, B) :-
    action(S, slice_obj), final(S), target(S, O), before(S, P), at(P, O, B), property(B, pickupable), seen_beside(C, O, B), C > P, C =< S, once(left_whole(S, O)).
rolled_from_sooner(S, C, O) :- rolled_from(S, A, O, _), A < C.
left_whole(S, O) :- E is S + 8, seen_state(T, O, unsliced), T >= S, T =< E.
% What is to be filled tipped over as it was put where that is done, or was put there upside down.
failure('ActionExecutionFailure', S, C, [O, D]) :- put_tipped(S, C, O, D), \+ tipped_sooner(S, C, O).
put_tipped(S, C, O, D) :-
    final(S), target(S, O), destination(S, D), fills(D), succeeded(S), once(to_be_filled(O)), before(S, P), seen_state(C, O, tipped_over), C > P, C =< S, once(tipped_as_put(P, C, O)).
tipped_as_put(P, _, O) :- \+ state(P, O, tipped_over).
tipped_as_put(_, C, _) :- hand_empty(C).
tipped_sooner(S, C, O) :- before(S, P), seen_state(B, O, tipped_over), B > P, B < C.
stays_unfilled(C, O, M, T) :-
    action(C, pick_up), target(C, O), seen_state(C, O, empty), before(C, P), at(P, O, M), isa(M, 'DrinkMachine'), L is C - 24, target(T, M), T >= L, T < C,
    action(T, toggle_on), final(T), succeeded(T), \+ full_between(T, C, O).
excused(C, _) :- without_action(C).
excused(C, O) :- stays_unfilled(C, O, _, _).
excused(_, O) :- taken_off(_, O, _).
excused(C, O) :- piece_of(O, W), rolled_from(C, _, W, _).
excused(C, _) :- target(C, X), gone_from_place(C, X).
excused(C, O) :- never_taken(C, O).
% It fell before, and is dirty of that.
excused(C, O) :- seen_state(C, O, dirty), dropped(T, O), T < C.
% It broke, and that its shards are left is told.
excused(C, O) :- shards(C, O), end(E), \+ discarded(E, O).
% It was cut, and a later action with it did not come about.
excused(C, O) :- piece_of(O, W), target(C, W), target(T, O), T > C, absent(T), final(T).
excused(_, O) :- not_filled_on(_, O, _).
% It is not hot, as it did not turn on.
excused(C, O) :- L is C - 24, target(T, O), T >= L, T < C, action(T, toggle_on), once(off_by(T, C, O)).
% It comes at the wrong place of the plan.
excused(_, O) :- fault(F), mend(F, move, _, _, O).
excused(_, O) :- nothing_came_out(_, _, O).
excused(C, O) :- between(0, 4, N), T is C + N, with_other(T, O, _), L is T - 4, taken_before(S, L, T, O), S =< C.
excused(_, O) :- poured_shut(_, _, O).
excused(_, O) :- idle_load(O).
excused(_, O) :- taken_up(_, O, _).
excused(C, O) :- lidded(C, _, O, _).
excused(C, O) :- filled_instead(C, _, O, _).
excused(_, O) :- covered_when_filled(_, O, _).
excused(C, O) :- piece_of(O, W), L is C - 12, action(S, slice_obj), S >= L, S =< C, cut_instead(S, W, _).
excused(C, O) :- L is C - 24, target(S, O), S >= L, S < C, put_tipped(S, _, O, _).
excused(C, O) :- L is C - 24, seen_state(T, O, burnt), T >= L.
excused(_, O) :- missed_beside(_, O).
excused(_, F) :- runs_on(_, F).
excused(C, O) :- seen_at(C, O, G), acts_with(C, G), L is C - 24, target(S, O), S >= L, S < C, puts(S), \+ picked_up_between(S, C).
excused(C, O) :- fell_later(C, O).
excused(C, O) :- member(N, [0, 1, 2, 3, 4, 5, 6]), S is C - N, piled_dry(S, O, _, _).
excused(C, O) :- before(C, P), within(P, O, V), member(N, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), S is C - N, no_room_for(S, V, _, _).
excused(C, O) :- member(N, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), T is C + N, fell_and_missed(T, O, _, _).
% What it was to be cut from lay on the floor.
excused(C, O) :- piece_of(O, W), L is C - 24, seen_at(S, W, F), S >= L, S =< C, isa(F, 'Floor').
excused(_, O) :- passed_over(O).
excused(C, O) :- poured_unheated(C, O).
off_by(T, C, O) :- seen_state(U, O, off), U > T, U < C.
% The machine that it is in had run before what washes went in.
washed_without(C, O) :- at(C, O, M), property(M, runs_on_load), action(S, toggle_on), target(S, M), once(washes_later(S, _, M)).
washed_without(C, O) :- at(C, O, M), once(pours_onto_running(_, _, M, _)).
acts_elsewhere(C, O, T) :- target(C, T), T \== O.
passed_by(C, O, T) :- action(C, navigate_to_obj), \+ target(C, O), \+ holds(C, O), last_handled(C, O, T), final(T), \+ action(T, navigate_to_obj), \+ seen(T, O).
% It was not taken, as shows somewhere else.
never_taken(C, O) :- L is C - 24, target(S, O), S >= L, S =< C, action(S, pick_up), found_elsewhere(S, _, O).
never_taken(C, O) :- found_elsewhere(_, C, O).
% It was done, and undone by a fall.
fell_later(C, O) :- seen(S, O), S > C, rolled(S, O, _).
fell_later(C, O) :- seen(T, O), T > C, pushed_out(T, _, O, _).
fell_later(C, O) :- seen_at(S, O, F), isa(F, 'Floor'), S > C, fell(S, O, F).
fell_later(C, O) :- seen_at(S, O, F), isa(F, 'Floor'), S > C, fell_unseen(S, O, F).
fell_later(C, O) :- seen_at(S, O, F), isa(F, 'Floor'), S > C, missed_when_put(S, O, _).

% Reach alone is missing: the robot stands elsewhere and does not see its target.
failure('MissingNavigationFailure', S, S, [X]) :-
    absent(S), away(S), acts_on(S, X), \+ dropped(S, _), \+ misread(S), \+ done_after_all(S), \+ gone_from_place(S, X).
failure('MissingNavigationFailure', S, S, [O]) :-
    unmet(S, reachable, _), target(S, O), \+ other_unmet(S), \+ done_after_all(S).
failure('MissingNavigationFailure', S, S, [D]) :-
    unmet(S, destination_reachable, _), destination(S, D), \+ other_unmet(S).

% It never went to where that lies, no look shows it since, and where it was to be put is seen without it.
failure('MissingNavigationFailure', S, S, [O]) :- not_gone_for(S, O).
not_gone_for(S, O) :-
    action(S, pick_up), final(S), target(S, O), \+ unmet(S, _, _), before(S, P), at(P, O, X), \+ isa(X, 'RobotGripper'), \+ seen(S, X), \+ shown_off(S, O, X), \+ like_it_seen(P, O),
    \+ (target(U, O), U < S), \+ in_view_before(S, X), once(put_bare(S, O)), once(went_elsewhere(S, X)).
shown_off(S, O, X) :- seen(T, O), T >= S, \+ seen_at(T, O, X).
in_view_before(S, X) :- seen(U, X), U > 0, U < S.
went_elsewhere(S, X) :- L is S - 8, action(U, navigate_to_obj), U >= L, U < S, final(U), target(U, Y), Y \== X.
% Where it was put by the robot is in view, without it, and it lies on the floor later.
gone_from_place(S, X) :- target(S, X), \+ action(S, pick_up), before(S, P), at(P, X, D), seen(S, D), \+ seen(S, X), once(on_floor_later(S, X)).
on_floor_later(S, X) :- E is S + 8, seen_at(T, Y, F), T > S, T =< E, isa(F, 'Floor'), \+ distinct(X, Y), \+ distinct(Y, X), \+ shown_by(S, Y).
done_after_all(S) :- target(S, O), taken_after_all(S, O).
done_after_all(S) :- target(S, O), put_after_all(S, O).
acts_on(S, D) :- destination(S, D).
acts_on(S, O) :- target(S, O), \+ destination(S, _).
other_unmet(S) :- unmet(S, C, _), C \== reachable, C \== destination_reachable.

% The goal has a deadline, and it has passed.
failure('MissedDeadlineFailure', S, S, []) :- overdue(S).

% Nobody saw it taken, and where it is seen next is neither in the gripper nor on the floor,
% though nobody was to put it there.
failure('ActionExecutionFailure', T, S, [O]) :- found_elsewhere(S, T, O), last_seen(T, O, L), \+ carried_by(L, S, T, O, _), \+ with_other(T, O, _), \+ not_gone_for(S, O).
found_elsewhere(S, T, O) :-
    appears(T, O), once((target(U, O), U < T)), seen_at(T, O, X), \+ isa(X, 'RobotGripper'), \+ isa(X, 'Floor'),
    last_seen(T, O, L), target(S, O), S > L, S < T, \+ seen_between(S, T, O), action(S, pick_up), final(S), succeeded(S), \+ heard(S, 'ImpactSound'),
    \+ put_before(S, T, O), \+ held_since(S, T, O), \+ acted_on(S, T, O).
% It lies where it lay, and was not seen where it was to be put in between.
found_elsewhere(S, T, O) :-
    appears(T, O), seen_at(T, O, X), B is T - 24, target(S, O), S >= B, S < T, action(S, pick_up), final(S), succeeded(S),
    \+ isa(X, 'RobotGripper'), \+ seen_between(S, T, O), \+ heard(S, 'ImpactSound'), before(S, P), at(P, O, X),
    target(U, O), U > S, U =< T, destination(U, D), D \== X, seen(U, D), \+ seen(U, O), \+ held_since(S, T, O).
put_before(S, T, O) :- target(U, O), destination(U, _), U > S, U =< T, \+ absent(U).
acted_on(S, T, O) :- idle(U), U > S, U =< T, seen(U, O).
held_since(S, T, O) :- dropped(U, O), U > S, U =< T.

% The last step before that shows it, -1 where none does.
last_seen(T, O, L) :- seen(L, O), L < T, \+ seen_before(L, T, O).
last_seen(T, O, -1) :- \+ seen_earlier(T, O).
seen_before(S, T, O) :- seen(U, O), U > S, U < T.
seen_earlier(T, O) :- seen(U, O), U < T.
