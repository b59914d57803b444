% Unexpected: something changed for the worse, and no action was to change it.

failure('FallenObjFailure', S, C, [O, F]) :-
    fell(S, O, F), \+ put_down_by_person(S, O), \+ fell_from_grasp(S, O), \+ fell_off_load(S, O), \+ slipped(S, O), \+ slipped_to(S, O), \+ shards(S, O), \+ fell_with(S, O), \+ heard_out(_, S, O), \+ missed_when_put(S, O, _), \+ dropped_just_before(S, O), dated(S, O, fell, C).
dropped_just_before(S, O) :- member(N, [1, 2, 3]), T is S - N, dropped(T, O).
failure('FallenObjFailure', S, C, [O, F]) :-
    seen_at(S, O, F), isa(F, 'Floor'), target(S, O), \+ destination(S, _), \+ action(S, pick_up), \+ in_hand(S, O), before(S, P), shown_by(P, O), \+ at(P, O, _),
    last_seen(S, O, B), \+ in_gripper(B, O), \+ lay_on_floor(S, O), \+ stays_put(O), \+ isa(O, 'Floor'), dated(S, O, fell, C).
% It stood beside something, where it is to be picked up, and something was heard to fall since it was last seen.
failure('FallenObjFailure', S, C, [O, F]) :- fell_unseen(S, O, F), dated(S, O, fell, C).
fell_unseen(S, O, F) :-
    seen_at(S, O, F), isa(F, 'Floor'), action(S, pick_up), target(S, O), \+ in_hand(S, O), before(S, P), \+ at(P, O, _), once(stood_lately_beside(S, O)), \+ stays_put(O),
    once(heard_unseen(S, P, O)).
heard_unseen(S, P, O) :- M is S - 16, heard(T, 'ImpactSound'), T >= M, T =< P, prev(T, B), \+ holds(B, O), \+ seen_between(T, S, O).
stood_lately_beside(S, O) :- between(1, 24, N), T is S - N, seen_beside(T, O, X), \+ isa(X, 'Floor').
% It stands on the floor, or walks about on it.
stays_put(O) :- isa(O, 'Furniture').
stays_put(O) :- isa(O, 'Container'), \+ property(O, pickupable).
stays_put(O) :- takes(O).
failure('FallenObjFailure', S, C, [O, F]) :- rolled(S, O, F), \+ fell_with(S, O), dated(S, O, rolled, C).
% It was not there to be taken, something was heard to fall since it was seen there, and it lies on the floor.
failure('FallenObjFailure', S, C, [O, F]) :- fell_and_missed(S, O, F, C).
fell_and_missed(S, O, F, C) :-
    seen_at(S, O, F), isa(F, 'Floor'), appears(S, O), \+ target(S, O), L is S - 8, target(T, O), T < S, T >= L, action(T, pick_up), absent(T), \+ seen(T, O),
    \+ lay_on_floor(S, O), last_seen(S, O, U), U < T, at(U, O, X), \+ isa(X, 'RobotGripper'), knocked(C), C > U, C =< T.
knocked(C) :- heard(C, 'ImpactSound').
knocked(C) :- heard(C, 'ObjectPutDownSound'), keeps_hold(C).
% Nobody saw what it stood on; something was heard to fall, and it is on the floor while something else is handled.
failure('FallenObjFailure', S, C, [O, F]) :-
    seen_at(S, O, F), isa(F, 'Floor'), \+ target(S, O), \+ stays_put(O), thud_lately(S, C), prev(C, B), \+ at(B, O, _),
    \+ lay_on_floor(S, O), \+ in_hand(S, O), once(stood_unplaced(C, O)).
thud_lately(S, C) :- member(N, [0, 1, 2]), C is S - N, heard(C, 'ImpactSound').
stood_unplaced(C, O) :- L is C - 8, seen(T, O), T >= L, T < C.
failure('FallenObjFailure', T, C, [O, D]) :- pushed_out(T, S, O, D), dated(S, O, rolled, C).
failure('FallenObjFailure', S, C, [O, F]) :- fell_anew(S, O, F, T), fell_by(S, O, T, C).
% It is heard as that look is taken.
failure('FallenObjFailure', S, S, [O, F]) :- heard_to(fell, S), floor_anew(S, O, F, D, L), seen(S, D), \+ looked_at(D, L, S), \+ sign(S, O, fell, _).
failure('DamagedObjFailure', S, C, [O]) :-
    turned(S, O, broken), known_before(S, O), \+ shatters(O), \+ in_hand(S, O), \+ dropped_by(S, O), \+ slipped_by(S, O), dated(S, O, broke, C).
% It stood, and is knocked over.
failure('UnexpectedChangeFailure', S, S, [O]) :-
    turned(S, O, tipped_over), prev(S, P), state(P, O, standing_upright), \+ worked_on(S, O), \+ by_person(S), \+ seen_state(S, O, broken), \+ fell(S, O, _).
failure('SpilledFailure', S, C, [O]) :- spills_at(S, O, C), emptied(S, O), \+ worked_on(S, O), \+ consumed(S, O), \+ full_again(S, O), \+ dropped_full(S, O).
% A line of the pouring shows the vessel as empty as it was, and wet what it stands on.
failure('SpilledFailure', C, C, [O, X]) :-
    action(C, pour), \+ final(C), target(C, O), destination(C, D), seen_state(C, D, empty), seen_state(C, X, wet), before(C, P), at(P, D, X), \+ state(P, X, wet).
% It was dropped, and what was in it with it.
dropped_full(S, O) :- member(N, [1, 2, 3, 4, 5, 6]), T is S - N, dropped(T, O), state(T, O, filled).
failure('SpilledFailure', S, C, [O]) :-
    spills_at(S, O, C), emptied(S, O), prev(S, P), holds(P, O), keeps_hold(S), \+ target(S, O), \+ destination(S, O), \+ full_again(S, O), once(missed(S, O)).
failure('SpilledFailure', S, C, [O]) :-
    spills_at(S, O, C), emptied(S, O), prev(S, P), holds(P, O), target(S, O), puts(S), \+ full_again(S, O), \+ full_when_put(S, O), once(missed(S, O)).
failure('SpilledFailure', S, S, [O]) :-
    emptied(S, O), prev(S, P), holds(P, O), target(S, O), action(S, pick_up), \+ full_again(S, O), once(missed(S, O)).
% What is carried full was heard to spill, something is wet since, and no look shows it full any more.
failure('SpilledFailure', S, C, [O]) :-
    keeps_hold(S), turned(S, X, wet), \+ destination(S, X), \+ property(X, pickupable), L is S - 6, heard(C, 'SpillSound'), C >= L, C =< S, keeps_hold(C), \+ action(C, pour),
    prev(C, P), holds(P, O), state(P, O, filled), \+ full_since(C, O), once(left_empty(S, O)).
full_since(C, O) :- E is C + 24, seen_state(T, O, L), T > C, T =< E, implies(L, filled).
full_since(C, O) :- E is C + 24, seen_state(T, O, filled), T > C, T =< E.
left_empty(S, O) :- seen_state(T, O, empty), T >= S.
% What was carried full was heard to spill, and where it was to be put stands an empty one of a new name.
failure('SpilledFailure', S, C, [O]) :-
    destination(S, D), puts(S), final(S), target(S, O), seen_at(S, X, D), X \== O, seen_state(S, X, empty), before(S, P), \+ at(P, X, _), once(alike(O, X)), \+ distinct(O, X),
    spilled_lately(S, C), prev(C, Q), holds(Q, O), state(Q, O, filled).
spilled_lately(S, C) :- member(N, [1, 2, 3, 4, 5, 6]), C is S - N, heard(C, 'SpillSound'), keeps_hold(C).
% It ran out of what another hand than the one that acts holds.
failure('SpilledFailure', S, S, [O]) :-
    emptied(S, O), once(missed(S, O)), prev(S, P), at(P, O, G), isa(G, 'RobotGripper'), acts_with(S, A), A \== G, \+ target(S, O), \+ destination(S, O), \+ by_person(S).
% A puddle shows beside the full vessel as it is poured into that.
failure('SpilledFailure', S, S, [D, X]) :- action(S, pour), final(S), destination(S, D), seen_state(S, D, L), once(implies(L, filled)), appears(S, X), isa(X, 'Puddle').
% Nobody knows what the robot did, and since then a liquid lies on what is wet of it.
failure('SpilledFailure', S, S, [V, F, X]) :-
    unknown(S), appears(S, X), isa(X, 'Liquid'), seen_at(S, X, F), \+ property(F, pickupable), seen_state(S, F, wet), prev(S, P), \+ state(P, F, wet), \+ shown_by(P, X), holds(P, V), property(V, fillable).
% A puddle shows since the robot carries or pours from what was full, and nobody else is about.
failure('SpilledFailure', S, S, [V, F, X]) :-
    appears(S, X), isa(X, 'Puddle'), seen_at(S, X, F), \+ property(F, pickupable), seen_state(S, F, wet), prev(S, P), \+ state(P, F, wet), \+ seen_by_then(P, X), holds(P, V), before(S, B), once(was_full(B, V)),
    \+ by_person(S), \+ about_then(S, _), \+ lost_all(S, V).
was_full(P, V) :- state(P, V, W), implies(W, filled).
was_full(P, V) :- state(P, V, filled).
% That is told of the vessel.
lost_all(S, V) :- emptied(S, V), keeps_hold(S), \+ action(S, pour).
% Something is heard to spill as the full vessel is carried, and the floor or what stands on it is wet since.
failure('SpilledFailure', S, S, [V, X]) :-
    keeps_hold(S), \+ action(S, pour), heard(S, 'SpillSound'), turned(S, X, wet), \+ property(X, pickupable), prev(S, P), holds(P, V), once(was_full(P, V)), \+ emptied(S, V), \+ puddle_shows(S).
puddle_shows(S) :- appears(S, X), isa(X, 'Puddle').
% What it held lies where it was put down, and it is empty.
failure('SpilledFailure', S, C, [O]) :- spilled_down(S, C, O), \+ spilled_down_sooner(S, C, O).
spilled_down(S, C, O) :-
    action(S, put_on), final(S), target(S, O), seen_state(S, O, empty), before(S, P), state(P, O, W), once(implies(W, filled)), destination(S, D), seen_at(C, X, D), C > P, C =< S, isa(X, 'Liquid').
% It was held full, was heard to fall as it was put down, and lies there empty.
spilled_down(S, C, O) :-
    action(S, put_on), final(S), target(S, O), seen_state(S, O, empty), before(S, P), holds(P, O), state(P, O, W), once(implies(W, filled)),
    thud_within(S, P, C), \+ in_gripper(C, O), \+ slipped(S, O), \+ dropped(C, O).
% Something was heard to fall at one of the last lines of the action.
thud_within(S, P, C) :- L is S - 6, heard(C, 'ImpactSound'), C >= L, C =< S, before(C, P).
spilled_down_sooner(S, C, O) :- spilled_down(S, B, O), B < C.
% It was full, and is empty as something was heard to bump while it was to be taken.
failure('SpilledFailure', S, S, [O]) :- emptied(S, O), target(S, O), action(S, pick_up), heard(S, 'ImpactSound'), \+ full_again(S, O).
% It is knocked over as something is put into it, and empty.
failure('SpilledFailure', S, S, [V, O]) :-
    destination(S, V), puts(S), final(S), target(S, O), O \== V, seen_state(S, V, empty), seen_state(S, V, tipped_over), before(S, P), state(P, V, W), once(implies(W, filled)), \+ state(P, V, tipped_over).
% It was put down full, something was heard to fall, and it is empty.
failure('SpilledFailure', S, C, [O]) :-
    emptied(S, O), target(S, O), destination(S, _), \+ action(S, pour), \+ holds(S, O), L is S - 3, heard(C, 'ImpactSound'), C >= L, C =< S, once(stood_full(S, C, O)), \+ full_again(S, O).
% What it was poured over is as dry, or as empty, as it was: it had run out on the way.
failure('SpilledFailure', S, C, [O]) :-
    action(S, pour), target(S, O), destination(S, D), emptied(S, O), seen_state(S, D, X), unwetted(X), spills_at(S, O, C), C < S, \+ full_again(S, O).
unwetted(not_wet).
unwetted(empty).
stood_full(S, C, O) :- destination(S, D), L is C - 6, seen_state(T, O, F), T >= L, T < C, implies(F, filled), seen_at(T, O, D).
% It is picked up empty, and since it was full something was heard or seen to spill.
failure('SpilledFailure', S, C, [O]) :-
    emptied(S, O), target(S, O), action(S, pick_up), spills_at(S, O, C), C < S, \+ full_again(S, O).
failure('TakenAwayFailure', S, T, [O, P]) :- unmet(S, not_with_person, P), target(S, O), seen_with(S, O, P, T).
failure('TakenAwayFailure', S, S, [O, P]) :- unmet(S, not_with_person, P), target(S, O), \+ seen_with(S, O, P, _).
seen_with(S, O, P, T) :- last_seen(S, O, T), T < S, seen_at(T, O, P).
failure('TakenAwayFailure', S, S, [O, P]) :- absent(S), target(S, O), seen_at(S, O, P), isa(P, 'Human'), \+ destination(S, P).
failure('TakenAwayFailure', S, S, [O, A]) :- absent(S), target(S, O), seen_at(S, O, A), isa(A, 'Animal').
failure('TakenAwayFailure', S, T, [O, P]) :-
    absent(S), action(S, pick_up), target(S, O), before(S, Q), before(T, Q), T < S, seen_at(T, O, P), takes(P), \+ seen(S, O).
% Somebody was seen where it lay, a few lines before, and it was not there any more.
failure('TakenAwayFailure', S, T, [O, P]) :-
    absent(S), action(S, pick_up), target(S, O), \+ seen(S, O), before(S, B), member(N, [0, 1, 2, 3]), T is B - N, seen(T, P), takes(P),
    prev(T, Q), at(Q, O, X), seen(S, X),
    \+ seen_before(T, S, O), \+ in_hand_anew(S, O).
% It lies elsewhere than it lay when it was to be taken, and somebody was about in between.
failure('TakenAwayFailure', T, C, [O, P]) :- carried_off(S, T, O, P), bare_since(S, O, C).
carried_off(S, T, O, P) :- found_elsewhere(S, T, O), last_seen(T, O, L), carried_by(L, S, T, O, P).
carried_by(L, _, _, O, P) :- seen_at(L, O, P), takes(P).
carried_by(L, _, _, O, P) :- beside(L, O, P), takes(P), \+ seen_at(L, O, _).
carried_by(_, _, T, _, P) :- seen(T, P), isa(P, 'Animal').
carried_by(L, S, T, O, P) :- seen(U, P), takes(P), U > L, U =< S, seen_at(T, O, X), prev(S, B), \+ at(B, O, X).
% A line of the attempt shows it with an animal, and none since shows it in the gripper.
failure('TakenAwayFailure', S, T, [O, A]) :-
    action(S, pick_up), final(S), target(S, O), \+ seen(S, O), before(S, P), with_other(T, O, A), T > P, T < S, isa(A, 'Animal'), \+ held_next(S, _, O).
% An animal had it before the robot reached for it, and no look shows it since.
failure('TakenAwayFailure', S, T, [O, A]) :-
    action(S, pick_up), final(S), target(S, O), \+ shown_from(S, O), before(S, P), last_seen(S, O, T), T =< P, seen_at(T, O, A), isa(A, 'Animal').
% The robot is on its way to it, and sees somebody have it.
failure('TakenAwayFailure', S, T, [O, P]) :-
    absent(S), action(S, navigate_to_obj), target(S, O), before(S, Q), L is S - 8, seen_at(T, O, P), T >= Q, T =< S, T >= L, takes(P).
% Somebody has it before the robot comes for it, and no look shows it since.
failure('TakenAwayFailure', S, T, [O, A]) :-
    absent(S), action(S, navigate_to_obj), target(S, O), \+ shown_from(S, O), wanted_at(O, _), member(N, [1, 2, 3, 4]), T is S - N, has(T, O, A).
% An animal is where food lay on what is seen empty now.
failure('TakenAwayFailure', S, C, [O, A]) :-
    seen_state(S, V, empty), prev(S, P), at(P, O, V), isa(O, 'Food'), \+ isa(O, 'Liquid'), \+ seen(S, O), animal_about(S, C, A), \+ worked_on(S, O).
% It is where food lay on a dish that two looks show without it, and none since with it.
failure('TakenAwayFailure', S, C, [O, A]) :-
    seen(S, A), isa(A, 'Animal'), seen(S, V), property(V, kitchenware), prev(S, P), at(P, O, V), isa(O, 'Food'), \+ isa(O, 'Liquid'), \+ shown_from(S, O),
    next_shown(S, T, V), T > S, animal_about(S, C, A), \+ animal_sooner(S, C, A), \+ worked_on(S, O), \+ worked_on(S, V).
% Nobody is about, and what is to lie there is not seen again.
failure('TakenAwayFailure', S, S, [O, V]) :-
    seen_state(S, V, empty), prev(S, P), at(P, O, V), wanted_at(O, V), \+ state(P, V, empty), \+ isa(O, 'Liquid'), \+ shown_from(S, O), \+ worked_on(S, O), \+ worked_on(S, V),
    \+ animal_about(S, _, _), \+ person_about(S).
animal_sooner(S, C, A) :- animal_about(S, B, A), B < C.
animal_about(S, C, A) :- L is S - 4, seen(C, A), isa(A, 'Animal'), C >= L, C =< S.
% It was not where it lay before the robot reached for it, no look shows it since, and somebody was seen meanwhile.
failure('TakenAwayFailure', S, T, [O, P]) :-
    action(S, pick_up), final(S), target(S, O), \+ shown_from(S, O), before(S, B), last_seen(S, O, L), L < B, at(L, O, X), seen(B, X),
    takes(P), seen(T, P), T >= L, T =< B.
% What was to be taken has a new name where an animal is.
failure('TakenAwayFailure', T, S, [O, A]) :-
    isa(A, 'Animal'), beside(T, X, A), prev(T, B), \+ shown_by(B, X), L is T - 8, target(S, O), S < T, S >= L, action(S, pick_up), final(S), \+ seen(S, O),
    once(alike(O, X)), \+ distinct(O, X), \+ shown_from(S, O).
% No look shows it in the gripper, and where it is seen next it is with somebody.
failure('TakenAwayFailure', T, C, [O, A]) :- with_other(T, O, A), L is T - 4, taken_before(S, L, T, O), bare_since(S, O, C).
failure('TakenAwayFailure', T, S, [O, A]) :- with_other(T, O, A), L is T - 4, gone_before(S, L, T, O).
gone_before(S, L, T, O) :- target(S, O), S < T, S >= L, action(S, navigate_to_obj), final(S), \+ seen_between(S, T, O), \+ handled_since(S, T, O).
% Somebody who helps out took it just before, and has it at the next look.
failure('TakenAwayFailure', S, T, [O, A]) :-
    action(S, pick_up), final(S), target(S, O), \+ seen(S, O), member(N, [1, 2, 3, 4]), T is S - N, action(T, pick_up), target(T, O), agent(T, A), isa(A, 'Human'), \+ agent(S, A), acts_with(T, G),
    next_shown(S, U, O), seen_at(U, O, G).
with_other(T, O, A) :- has(T, O, A).
with_other(T, O, A) :- seen_at(T, O, F), isa(F, 'Floor'), beside(T, O, A), takes(A).
with_other(T, O, A) :- isa(A, 'Animal'), seen_at(T, A, X), seen_at(T, O, X), prev(T, P), \+ at(P, O, X).
% Somebody has what is seen with them, or beside them and in or on nothing.
has(T, O, A) :- takes(A), seen_at(T, O, A).
has(T, O, A) :- beside(T, O, A), takes(A), \+ seen_at(T, O, _), once(property(O, pickupable)).
taken_before(S, L, T, O) :- target(S, O), S < T, S >= L, action(S, pick_up), final(S), \+ seen_between(S, T, O), \+ worked_with(S, T, O).
worked_with(S, T, O) :- target(U, O), U > S, U =< T, \+ missing_there(U, O).
missing_there(U, O) :- destination(U, D), seen(U, D), \+ seen(U, O).
% The first look, since it was seen there, that shows where it lay without it.
bare_since(S, O, C) :- bare(S, O, C), \+ bare_sooner(S, O, C).
bare_since(S, O, S) :- \+ bare(S, O, _).
bare(S, O, C) :- last_seen(S, O, P), at(P, O, X), \+ isa(X, 'RobotGripper'), seen(C, X), C > P, C =< S.
bare_sooner(S, O, C) :- bare(S, O, B), B < C.
never_held(T, O) :- with_other(T, O, _), L is T - 4, once(taken_before(_, L, T, O)).
% Somebody takes it out of what it was packed in, and does not put it back.
failure('TakenAwayFailure', S, S, [O, A]) :-
    seen_at(S, O, A), takes(A), prev(S, P), at(P, O, D), isa(D, 'Container'), wanted_at(O, D), \+ destination(S, A), \+ isa(O, 'Tableware'), \+ put_back(S, O, D).
% The robot put it where it was to be, somebody has it, and it is not there at the end.
failure('TakenAwayFailure', S, S, [O, A]) :-
    seen_at(S, O, A), isa(A, 'Human'), prev(S, P), at(P, O, D), wanted_at(O, D), \+ destination(S, A), \+ isa(O, 'Tableware'), \+ put_back(S, O, D),
    goal_lacks(S, O), shows_bare(S, D).
% The robot put it where it was to be, somebody is about, and two looks show what else is there and never it.
failure('TakenAwayFailure', S, S, [O, A]) :-
    seen(S, A), takes(A), prev(S, P), wanted_at(O, D), at(P, O, D), \+ shown_from(S, O), once(seen_at(S, _, D)), once(laid_there(P, O, D)),
    next_shown(S, T, D), once(seen_at(T, _, D)).
% It was not where it lay before the robot reached for it, nobody is about, no look shows it since, and where
% it was to be put is seen without it, if the log goes on until then.
failure('TakenAwayFailure', S, B, [O]) :- gone_before_taken(S, B, O), \+ about_then(B, _).
% Somebody did something where it lay, which the look shows without it, just before the robot reached for it.
failure('TakenAwayFailure', S, B, [O, A]) :-
    action(S, pick_up), final(S), target(S, O), \+ shown_from(S, O), before(S, B), without_action(B), agent(B, A), isa(A, 'Human'), \+ seen(B, O), at(B, O, X), \+ isa(X, 'RobotGripper'),
    seen(B, X), seen(S, X), once(put_bare(S, O)), \+ like_it_seen(B, O).
gone_before_taken(S, B, O) :-
    action(S, pick_up), final(S), target(S, O), \+ shown_from(S, O), before(S, B), \+ seen(B, O), at(B, O, X), \+ isa(X, 'RobotGripper'),
    seen(B, X), seen(S, X), action(B, navigate_to_obj), target(B, O), once(bare_after(S, B, O, X)), \+ like_it_seen(B, O).
bare_after(S, _, O, _) :- put_bare(S, O).
% The log breaks off, and both looks show what else lies there.
bare_after(S, B, _, X) :- end(S), seen_at(B, Y, X), seen_at(S, Y, X).
like_it_seen(B, O) :- alike(O, X), X \== O, \+ distinct(O, X), once(property(X, pickupable)), seen(T, X), T >= B.
put_bare(S, O) :- E is S + 8, target(T, O), T > S, T =< E, final(T), destination(T, D), seen(T, D).
% The robot put it where the goal has it, did not touch it since, and it is seen elsewhere to the end.
failure('TakenAwayFailure', S, S, [O, A]) :- displaced(S, O), about_then(S, A), \+ never_held(S, O).
failure('UnexpectedChangeFailure', S, S, [O]) :- displaced(S, O), \+ about_then(S, _).
displaced(S, O) :-
    seen_at(S, O, X), prev(S, P), at(P, O, D), D \== X, wanted_at(O, D), \+ holds(P, D), \+ isa(X, 'Floor'), \+ isa(X, 'RobotGripper'), \+ takes(X), \+ within(S, X, D), \+ worked_on(S, O),
    once(laid_there(P, O, D)), once(left(S, O, D, X)), end(E), \+ goal_reached(E), \+ put_back(S, O, D).
laid_there(P, O, D) :- member(N, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]), U is P - N, target(U, O), destination(U, D), final(U), seen_at(U, O, D).
left(S, _, D, _) :- seen(S, D).
left(S, O, _, X) :- next_shown(S, T, O), seen_at(T, O, X).
about_then(S, A) :- member(N, [0, 1, 2, 3]), T is S - N, seen(T, A), takes(A).
goal_lacks(S, O) :- end(E), E > S, \+ goal_reached(E), seen(S, O).
shows_bare(S, D) :- seen(T, D), T > S.
put_back(S, O, D) :- seen_at(T, O, D), T > S.
% No look shows it in the gripper, and about then one shows it with somebody.
failure('TakenAwayFailure', S, T, [O, P]) :-
    action(S, pick_up), final(S), target(S, O), \+ by_person(S), member(N, [0, 1, 2, 3, 4]), T is S - N, with_person(T, O, P), \+ in_gripper(S, O), \+ held_next(S, _, O), \+ used_next(S, O).
with_person(T, O, P) :- has(T, O, P).
with_person(T, O, P) :- seen_at(T, O, H), isa(H, 'RobotGripper'), at(T, H, P), takes(P), \+ laid_down_since(T, O).
laid_down_since(T, O) :- L is T + 4, seen_at(U, O, X), U > T, U =< L, \+ takes(X), \+ isa(X, 'RobotGripper').
% It was put where the goal has it, and is seen with somebody then, and not there again.
failure('TakenAwayFailure', T, T, [O, A]) :- taken_off(T, O, A).
taken_off(T, O, A) :-
    with_person(T, O, A), isa(A, 'Human'), wanted_at(O, D), end(E), \+ goal_reached(E), once(laid_lately(T, O, D)), \+ put_back(T, O, D).
laid_lately(T, O, D) :- between(1, 24, N), S is T - N, target(S, O), destination(S, D), puts(S), succeeded(S), \+ by_person(S).
used_next(S, O) :- member(N, [1, 2, 3, 4]), T is S + N, target(T, O), destination(T, D), seen_at(T, O, D).
% An animal has food in its mouth that lay where people eat from.
failure('TakenAwayFailure', S, S, [O, A]) :-
    seen_at(S, O, A), isa(A, 'Animal'), isa(O, 'Food'), prev(S, P), at(P, O, D), \+ isa(D, 'Floor'), \+ isa(D, 'PetBowl'), \+ takes(D), \+ destination(S, A).
% It is in shards on the floor, and was last seen on what the robot carried, which the next look shows without it.
failure('FallenObjFailure', S, C, [O, F]) :- shards(S, O), broke_off_load(S, O, F, C), \+ dropped(C, O).
broke_off_load(S, O, F, C) :-
    seen_at(S, O, F), isa(F, 'Floor'), last_seen(S, O, L), seen_at(L, O, X), holds(L, X), next_shown(L, C, X), C < S, holds(C, X), \+ seen(C, O).
% Somebody took away what something was to be put in or on.
failure('TakenAwayFailure', S, T, [D, P]) :- absent(S), taken_from_under(S, D, T, P).
taken_from_under(S, D, T, P) :- destination(S, D), \+ seen(S, D), last_seen(S, D, T), seen_at(T, D, P), isa(P, 'Human').
% Nobody is seen to move it, and meanwhile it stands on other furniture.
failure('UnexpectedChangeFailure', U, U, [D]) :-
    seen_at(U, D, Y), once(stand(Y)), property(D, pickupable), member(N, [0, 1, 2, 3, 4, 5, 6, 7, 8]), S is U + N, once(absent(S)), moved_meanwhile(S, U, D).
moved_meanwhile(S, U, D) :-
    absent(S), final(S), destination(S, D), property(D, pickupable), before(S, P), at(P, D, X), stand(X), seen_at(U, D, Y), U > P, U =< S, stand(Y),
    once(distinct(Y, X)), \+ about_then(U, _), \+ moved_sooner(P, U, D, X).
stand(X) :- isa(X, 'Furniture').
stand(X) :- isa(X, 'StoveBurner').
% Nobody is seen to move it, and it stands on the other side of what it stood beside.
failure('UnexpectedChangeFailure', U, U, [D]) :- changed_sides(U, D).
changed_sides(U, D) :-
    across(R, Q), seen_relation(U, D, Q, X), X \== D, member(M, [1, 2, 3, 4, 5, 6]), T is U - M, once(seen_relation(T, D, R, X)), member(N, [0, 1, 2, 3, 4]), S is U + N,
    once(put_in_vain(S, D)), \+ changed_back(U, S, D, R, X), \+ worked_on_between(T, U, D).
put_in_vain(S, D) :- absent(S), destination(S, D), puts(S).
changed_back(U, S, D, R, X) :- seen_relation(V, D, R, X), V > U, V =< S.
across(left_of, right_of).
across(right_of, left_of).
worked_on_between(T, U, D) :- target(V, D), V >= T, V =< U.
changed_sides_before(S, D) :- member(N, [0, 1, 2, 3, 4]), U is S - N, changed_sides(U, D).
% Nobody is seen to take it, and it stands elsewhere before it can be taken.
failure('UnexpectedChangeFailure', U, U, [O]) :-
    seen_at(U, O, Y), once(isa(Y, 'Furniture')), member(N, [0, 1, 2, 3, 4, 5, 6, 7, 8]), S is U + N, once(absent(S)), moved_before_taken(S, U, O).
moved_before_taken(S, U, O) :-
    absent(S), final(S), action(S, pick_up), target(S, O), before(S, P), at(P, O, X), \+ isa(X, 'RobotGripper'), seen_at(U, O, Y), U > P, U =< S, isa(Y, 'Furniture'),
    once(distinct(Y, X)), \+ within(P, X, Y), \+ about_then(U, _), \+ moved_sooner(P, U, O, X), \+ put_back_there(S, U, O, X), once(bare_there(P, S, O, X)).
put_back_there(S, U, O, X) :- seen_at(T, O, X), T > U, E is S + 8, T =< E.
bare_there(P, S, O, X) :- seen(T, X), \+ seen_at(T, O, X), T > P, T =< S.
moved_sooner(P, U, D, X) :- seen_at(T, D, Y), T > P, T < U, Y \== X.
failure('BurntFoodFailure', S, S, [O]) :- turned(S, O, burnt), known_before(S, O).

% Smoke rises where food is heated.
failure('BurntFoodFailure', S, S, [O]) :-
    seen(S, X), isa(X, 'Smoke'), prev(S, P), \+ seen_by_then(P, X), at(P, O, V), isa(O, 'Food'), \+ isa(O, 'Liquid'), once(heated_in(P, V)), \+ turned(S, O, burnt).
% An alarm sounds where food is heated, and no look from then on shows that done.
failure('BurntFoodFailure', S, S, [O]) :-
    heard(S, 'AlarmSound'), prev(S, P), \+ heard(P, 'AlarmSound'), at(P, O, V), isa(O, 'Food'), \+ isa(O, 'Liquid'), once(heated_in(P, V)), \+ done_later(S, O).
done_later(S, O) :- seen_state(T, O, cooked), T >= S.
heated_in(P, V) :- at(P, V, B), isa(B, 'StoveBurner'), state(P, B, on).
heated_in(P, V) :- property(V, hazardous_when_on), state(P, V, on).
% Something was heard to fall as it was carried in another thing, and where it is seen next is the floor.
heard_out(S, T, O) :-
    heard(S, 'ImpactSound'), prev(S, P), at(P, O, X), holds(P, X), holds(S, X), \+ seen(S, O), between(1, 24, N), T is S + N,
    seen_at(T, O, F), isa(F, 'Floor'), \+ destination(S, F), \+ placed_between(S, T, O), \+ picked_up(S, T, O).
placed_between(S, T, O) :- seen_at(U, O, _), U >= S, U < T.
% It is dated by the first that was heard of it since the thing was seen before, else by the look
% that shows it.
dated(S, O, How, C) :- sign(S, O, How, C), \+ sign_before(S, O, How, C).
dated(S, O, How, S) :- seen(S, O), member(How, [broke, fell, rolled]), \+ sign(S, O, How, _).
sign(S, O, How, C) :- last_seen(S, O, L), between(1, 40, N), C is S - N, C > L, heard_to(How, C).
% It was heard to fall after it was seen in its place, and showed only beside that since.
sign(S, O, fell, C) :- last_seen(S, O, L), \+ seen_at(L, O, _), member(N, [0, 1, 2, 3, 4]), C is L - N, heard(C, 'ImpactSound'), prev(C, K), seen_at(K, O, X), \+ isa(X, 'RobotGripper').
sign(S, O, broke, C) :- property(O, crackable), last_seen(S, O, L), heard(C, 'SpillSound'), C > L, C < S.
sign(S, O, broke, C) :- property(O, crackable), last_seen(S, O, L), heard(C, 'HandlingSound'), C > L, C < S.
sign_before(S, O, How, C) :- sign(S, O, How, B), B < C.
heard_to(broke, C) :- heard(C, 'ObjectBroken').
heard_to(fell, C) :- heard(C, 'ImpactSound'), \+ destination(C, _), \+ let_go(C).
heard_to(fell, C) :- heard(C, 'RollingSound').
heard_to(rolled, C) :- heard(C, 'ImpactSound').
heard_to(rolled, C) :- heard(C, 'RollingSound').
heard_to(rolled, C) :- heard(C, 'ObjectPutDownSound'), \+ destination(C, _).
% What was carried fell.
let_go(C) :- hand_empty(C), prev(C, P), holds(P, _).
% It fell since it was last seen whole.
dropped_by(S, O) :- last_whole(S, O, U), dropped(T, O), T >= U, T =< S.
slipped_by(S, O) :- last_whole(S, O, U), L is S - 16, target(T, O), T >= L, T >= U, T =< S, slipped(T, O).
last_whole(S, O, U) :- seen_state(U, O, intact), U < S, \+ whole_between(U, S, O).
last_whole(S, O, -1) :- \+ whole_before(S, O).
whole_between(T, S, O) :- seen_state(U, O, intact), U > T, U < S.
whole_before(S, O) :- seen_state(U, O, intact), U < S.

% The gripper closed on it, and it fell.
fell_from_grasp(S, O) :-
    action(S, pick_up), heard(S, 'ImpactSound'), hand_empty(S), target(S, O), \+ gets_hold(S, O), \+ pinned(S, O, _),
    \+ by_person(S), \+ shut_in(S, O), \+ lies_beside(S, O).
% The next look shows it beside what it lay beside, and none the gripper with it: that was what was heard.
lies_beside(S, O) :-
    member(N, [1, 2, 3, 4]), T is S - N, seen_relation(T, O, R, X), member(M, [1, 2, 3, 4]), U is S + M, seen_relation(U, O, R, X), \+ seen_before(S, U, O), R \== on_top_of, R \== inside, \+ isa(X, 'Surface'), \+ seen(S, O).
% The gripper came against what it is shut in.
shut_in(S, O) :- prev(S, P), within(P, O, C), state(P, C, closed), \+ seen_state(S, C, open).
shut_in(S, O) :- seen_relation(S, O, inside, C), seen_state(S, C, closed).
% A later line of the action shows it in the gripper.
gets_hold(S, O) :- before(S, P), before(T, P), T > S, holds(T, O).
by_person(S) :- agent(S, A), isa(A, 'Human').
put_down_by_person(S, O) :- by_person(S), \+ heard(S, 'ImpactSound'), \+ heard(S, 'ObjectBroken'), \+ seen_state(S, O, broken).

% It was in, or on, what is held.
fell_off_load(S, O) :- prev(S, P), at(P, O, X), holds(P, X), holds(S, X), seen(S, O).

% It was last seen in the gripper, and not where it was to be put, when that was in view.
missed_when_put(S, O, C) :-
    last_seen(S, O, L), in_gripper(L, O), target(T, O), T > L, T < S, destination(T, D), seen(T, D), next_look(L, C), C < T.

% Shards are a failure of their own.
shards(S, O) :- shatters(O), state(S, O, broken).

% What was in it, or on it, falls with it.
fell_with(S, O) :- prev(S, P), at(P, O, X), fell(S, X, _), \+ isa(X, 'Furniture').
fell_with(S, O) :- member(N, [1, 2, 3]), T is S - N, heard(T, 'ImpactSound'), hand_empty(T), before(T, B), holds(B, X), at(B, O, X).

full_when_put(S, O) :- before(S, P), before(T, P), T > S, seen_state(T, O, L), implies(L, filled).
full_when_put(S, O) :- before(S, P), before(T, P), T > S, seen_state(T, O, filled).
puts(S) :- action(S, put_in).
puts(S) :- action(S, put_on).
puts(S) :- action(S, put_near).

% It ran out when something was seen wet, or heard to spill, since it was seen full.
spills_at(S, O, C) :- spill_shows(S, O, C), \+ spill_shows_before(S, O, C).
spills_at(S, O, S) :- emptied(S, O), \+ spill_shows(S, O, _).
spill_shows(S, O, C) :- emptied(S, O), L is S - 12, spill_sign(L, S, C), \+ full_between(C, S, O).
spill_shows_before(S, O, C) :- spill_shows(S, O, B), B < C.
spill_sign(L, S, C) :- heard(C, 'SpillSound'), C >= L, C < S.
spill_sign(L, S, C) :- seen(C, X), C >= L, C < S, isa(X, 'Puddle'), prev(C, P), \+ seen(P, X).
spill_sign(L, S, C) :- seen_state(C, X, wet), C >= L, C < S, \+ property(X, pickupable), prev(C, P), \+ state(P, X, wet).
full_between(C, S, O) :- seen_state(T, O, filled), T >= C, T < S.

% What was in it is wanted there, or is seen or heard where it went.
missed(S, O) :- prev(S, P), wanted(O, L), implies(L, filled), state(P, O, L).
missed(S, O) :- spill_shows(S, O, _).
missed(S, _) :- seen(S, X), isa(X, 'Puddle').
missed(S, _) :- heard(S, 'SpillSound').

% Somebody who is seen at a vessel may have drunk from it, and a pet eats from its bowl.
consumed(_, O) :- isa(O, 'PetBowl').
consumed(S, O) :- seen_relation(S, A, near, O), drinks(A), \+ tipped_about(S, O).
consumed(S, O) :- seen_relation(S, O, near, A), drinks(A), \+ tipped_about(S, O).
consumed(S, O) :- seen(S, A), drinks(A), isa(O, 'Tableware'), without_action(S), \+ tipped_about(S, O).
% It is seen on its side, and something else wet.
tipped_about(S, O) :- seen_state(S, O, tipped_over), seen_state(S, X, wet), X \== O.
drinks(A) :- takes(A).
takes(A) :- isa(A, 'Human').
takes(A) :- isa(A, 'Animal').

% It lay somewhere and is seen on the floor now, where nobody put it.
fell(S, O, F) :-
    seen_at(S, O, F), isa(F, 'Floor'), prev(S, P), at(P, O, X), \+ isa(X, 'Floor'), \+ isa(X, 'RobotGripper'),
    \+ takes(X), \+ takes(O), \+ isa(O, 'Agent'), \+ worked_on(S, O), \+ back_in_place(S, O, X).
% Where it stood nobody saw, but beside what.
fell(S, O, F) :-
    seen_at(S, O, F), isa(F, 'Floor'), prev(S, P), \+ at(P, O, _), stood_beside(S, O), \+ lay_on_floor(S, O), \+ worked_on(S, O), \+ stays_put(O).

% It was worked on where it lay, and is seen on the floor now.
fell(S, O, F) :-
    seen_at(S, O, F), isa(F, 'Floor'), target(S, O), \+ takes(O), \+ destination(S, _), \+ in_hand(S, O), before(S, P), at(P, O, X),
    \+ isa(X, 'Floor'), \+ isa(X, 'RobotGripper'), \+ fallen_earlier(S, O, F).
% What lies on the floor has a name that nobody had heard, and is of the kind of what two looks
% since then did not show where it lay.
fell_anew(S, O, F, T) :- floor_anew(S, O, F, D, L), seen(T, D), T > L, T < S, \+ looked_at(D, L, T), once(seen_later(T, S, D)).
% That look shows where it lay too, and something was heard to fall or roll before.
fell_anew(S, O, F, S) :- floor_anew(S, O, F, D, L), seen(S, D), \+ looked_at(D, L, S), once(sign(S, O, fell, _)).
floor_anew(S, O, F, D, L) :-
    seen_at(S, X, F), isa(F, 'Floor'), prev(S, P), \+ shown_by(P, X), at(P, O, D), O \== X, \+ distinct(O, X), \+ distinct(X, O), property(O, pickupable),
    \+ isa(D, 'Floor'), \+ isa(D, 'RobotGripper'), \+ seen(S, O), last_seen(S, O, L).
looked_at(D, L, T) :- seen(U, D), U > L, U < T.
seen_later(T, S, D) :- seen(U, D), U > T, U =< S.
seen_later(T, _, _) :- heard(T, 'ImpactSound').
fell_by(S, O, _, C) :- sign(S, O, fell, C), \+ sign_before(S, O, fell, C).
fell_by(S, O, T, T) :- seen(T, _), at(S, O, _), \+ sign(S, O, fell, _).
stood_beside(S, O) :- seen_relation(T, O, near, X), T < S, \+ isa(X, 'Floor').
stood_beside(S, O) :- seen_relation(T, O, left_of, _), T < S.
stood_beside(S, O) :- seen_relation(T, O, right_of, _), T < S.
lay_on_floor(S, O) :- seen_at(T, O, F), isa(F, 'Floor'), T < S.

% It lay in what it was put in, as it should, and is seen beside that now.
rolled(S, O, X) :-
    seen_at(S, O, X), isa(X, 'Surface'), \+ isa(X, 'Floor'), prev(S, P), \+ at(P, O, X), wanted_at(O, D), D \== X, beside(S, O, D), \+ seen_at(S, D, O),
    last_put(S, O, D), \+ without_action(S), \+ person_about(S).
% It is only seen beside that.
rolled(S, O, D) :-
    seen(S, O), \+ seen_at(S, O, _), wanted_at(O, D), property(D, pickupable), beside(S, O, D), \+ worked_on(S, O), prev(S, P), \+ beside(P, O, D), within(P, O, D),
    last_put(S, O, D), \+ without_action(S), \+ person_about(S).
% Where it was to stay is not told; the next look that shows it shows it beside that, too.
pushed_out(T, S, O, D) :-
    seen_relation(T, O, R, D), member(R, [near, left_of, right_of]), \+ seen_at(T, O, _), once(property(D, pickupable)), \+ wanted_at(O, D),
    L is T - 12, seen(S, O), S >= L, S < T, \+ seen_before(S, T, O), prev(S, P), within(P, O, D), beside(S, O, D), \+ seen_at(S, O, _), \+ beside(P, O, D), \+ worked_on(S, O),
    once(put_lately(S, O, D)), \+ without_action(S), \+ person_about(S).
put_lately(S, O, D) :- L is S - 24, target(U, O), U >= L, U < S, destination(U, D), seen_at(U, O, D).
% The next look that shows it.
next_shown(T, U, O) :- between(1, 12, N), U is T + N, seen(U, O), \+ seen_before(T, U, O).
beside(S, O, D) :- seen_beside(S, O, D).
beside(S, O, D) :- seen_beside(S, D, O).
seen_beside(S, O, D) :- seen_relation(S, O, R, D), member(R, [near, left_of, right_of]).
last_put(S, O, D) :- last_handled(S, O, V), before(V, B), target(U, O), U > B, U =< V, U < S, destination(U, D), seen_at(U, O, D).
last_handled(S, O, V) :- target(V, O), V =< S, \+ handled_since(V, S, O).
handled_since(V, S, O) :- target(U, O), U > V, U =< S.
person_about(S) :- isa(P, 'Human'), seen_by_then(S, P).
seen_by_then(S, O) :- seen(T, O), T =< S.

% It slipped before, and this is the first look at where it lies.
slipped_to(S, O) :- last_seen(S, O, L), slipped(U, O), U > L, U < S, lies_next(U, S, O).
fallen_earlier(S, O, F) :- prev(S, P), at(P, O, F).

% One look shows it on the floor, the next where it was, and nobody picked it up.
back_in_place(S, O, X) :-
    \+ heard(S, 'ImpactSound'), next_look(S, T), seen_at(T, O, X), \+ idle(T), \+ taken_anew(S, T, O).

turned(S, O, State) :- seen_state(S, O, State), prev(S, P), \+ state(P, O, State).
emptied(S, O) :- seen_state(S, O, empty), prev(S, P), state(P, O, filled), \+ state(P, O, empty), once(seen_filled(S, O)), \+ glimpsed(S, O).
% One look took it for empty, and it is seen full though nobody did anything with it.
full_again(S, O) :- seen_state(T, O, L), T > S, implies(L, filled), \+ worked_on_since(S, T, O).
full_again(S, O) :- seen_state(T, O, filled), T > S, \+ worked_on_since(S, T, O).
worked_on_since(S, T, O) :- target(U, O), U > S, U =< T, \+ action(U, pick_up), \+ action(U, put_on).
worked_on_since(S, T, O) :- destination(U, O), U > S, U =< T.
worked_on_since(S, T, O) :- action(U, toggle_on), U > S, U =< T, target(U, F), isa(F, 'Faucet'), in_hand(U, O).
known_before(S, O) :- prev(S, P), at(P, O, _).
seen_filled(S, O) :- state(0, O, filled), known_before(S, O).
seen_filled(S, O) :- seen_state(T, O, filled), T < S.
% One look shows full what others show empty, and into which nothing went.
glimpsed(S, O) :-
    L is S - 16, seen_state(T, O, filled), T >= L, T < S, prev(T, P), state(P, O, empty), B is T - 16, seen_state(U, O, empty), U >= B, U < T,
    \+ destination(T, O), \+ action(T, toggle_on), \+ full_too(S, T, O).
full_too(S, T, O) :- L is S - 16, seen_state(U, O, filled), U \== T, U >= L, U < S.

% The action of the step, or an earlier line of it, is about the object.
worked_on(S, O) :- target(S, O), \+ action(S, navigate_to_obj).
worked_on(S, O) :- destination(S, O).
worked_on(S, O) :- in_hand(S, O).
worked_on(S, O) :- meanwhile(S, T), target(T, O).
worked_on(S, O) :- meanwhile(S, T), destination(T, O).
in_hand(S, O) :- before(S, P), holds(P, O).
in_hand(S, O) :- prev(S, P), holds(P, O).
