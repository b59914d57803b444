% Planning: the actions themselves are wrong. fault/1 says where that shows,
% mend/5 which single edit would put it right.

failure('MissingStepFailure', E, C, [O, X]) :- fault(S), \+ filled_untold(S), mend(S, insert, C, _, O), shown(S, E), hindered(S, O, X), \+ laid_on_top(S).
failure('MissingStepFailure', E, C, [O]) :- fault(S), \+ filled_untold(S), mend(S, insert, C, _, O), shown(S, E), \+ hindered(S, O, _), \+ poured_unheated(S, O), \+ lacking(S, O, _), \+ let_go_instead(S, O).
failure('MissingStepFailure', E, C, [O, X]) :- fault(S), \+ filled_untold(S), mend(S, insert, C, _, O), shown(S, E), \+ hindered(S, O, _), lacking(S, O, X), \+ heated_too_late(_, _, X).
% The plan puts it there, the log leaves that out, and it is seen where it was ever since.
failure('MissingStepFailure', T, S, [O, D]) :- still_there(S, T, O, D), \+ still_there_sooner(S, T, O).
still_there(S, T, O, D) :-
    unlogged(S, O, D), seen_at(T, O, X), T >= S, X \== D, \+ isa(X, 'RobotGripper'), \+ handled(O), once(lay_there(S, O, X)), \+ seen_elsewhere(S, O, X).
still_there_sooner(S, T, O) :- still_there(S, U, O, _), U < T.
handled(O) :- target(U, O), \+ action(U, navigate_to_obj), \+ action(U, observe).
lay_there(S, O, X) :- seen_at(L, O, X), L < S.
seen_elsewhere(S, O, X) :- seen_at(U, O, Y), U >= S, Y \== X.
% Nobody needs to open what something is seen to lie on.
laid_on_top(S) :- action(S, put_on), target(S, O), destination(S, D), seen_relation(S, O, on_top_of, D).
% What was handled, and is not as or where the goal asks at the end.
lacking(S, O, X) :- shown(S, E), S > E, wanted_at(X, D), X \== O, D \== O, \+ where_wanted(E, X), once(target(_, X)).
lacking(S, O, X) :- shown(S, E), S > E, wanted(X, W), X \== O, \+ state(E, X, W), once(target(_, X)).
% Where what is missing was to go.
lacking(S, O, X) :- mend(S, insert, _, _, O), shown(S, E), S > E, wanted_at(O, X), X \== O, \+ where_wanted(E, O), once(target(_, X)).
where_wanted(E, X) :- wanted_at(X, D), within(E, X, D).
failure('WrongOrderFailure', E, C, [O, X]) :- fault(S), mend(S, move, C, _, O), shown(S, E), hindered(S, O, X), \+ ordered_otherwise(S).
failure('WrongOrderFailure', E, C, [O, D]) :- fault(S), mend(S, move, C, _, O), shown(S, E), \+ hindered(S, O, _), target(S, O), destination(S, D), \+ ordered_otherwise(S).
failure('WrongOrderFailure', E, C, [O, X]) :- fault(S), mend(S, move, C, _, O), shown(S, E), \+ hindered(S, O, _), \+ brought(S, O), done_sooner(S, C, O, X), \+ ordered_otherwise(S).
failure('WrongOrderFailure', E, C, [O]) :- fault(S), mend(S, move, C, _, O), shown(S, E), \+ hindered(S, O, _), \+ brought(S, O), \+ done_sooner(S, C, O, _), \+ ordered_otherwise(S).
% What is cracked neither in the hand nor in a vessel runs out, and nothing brings it to where it is wanted.
failure('WrongOrderFailure', S, S, [O]) :-
    action(S, crack_obj), succeeded(S), target(S, O), piece_of(X, O), \+ seen(_, X), wanted_at(X, V), property(V, kitchenware),
    before(S, P), \+ holds(P, O), \+ in_kitchenware(P, O).
in_kitchenware(P, O) :- at(P, O, D), property(D, kitchenware).
failure('WrongStepFailure', E, C, [O]) :- fault(S), mend(S, delete, C, _, O), shown(S, E), \+ heated_enough(C, O).
% What was on it is hot and was heard to boil: it may be turned off, whatever the task says.
heated_enough(C, B) :- action(C, toggle_off), target(C, B), before(C, P), at(P, O, B), heard(T, 'BoilingSound'), T >= P, T =< C, once(state(C, O, hot)).
failure('WrongObjectFailure', E, B, [X, O]) :-
    fault(S), mend(S, replace, C, _, O), mend_old(S, X), shown(S, E), \+ idle_load(X), \+ rightly_used(C, X, O), shows_since(C, X, B).
% The first line of the action that shows what it did to the wrong thing, else its last.
shows_since(C, X, B) :- shows_done(C, X, B), \+ shows_done_sooner(C, X, B).
shows_since(C, X, C) :- step(C), isa(X, 'PhysicalObject'), \+ shows_done(C, X, _).
shows_done(C, X, T) :- action(C, A), brings(A, W), before(C, P), seen_state(T, X, W), T > P, T =< C, \+ state(P, X, W).
shows_done(C, X, T) :- action(C, slice_obj), before(C, P), piece_of(Y, X), seen(T, Y), T > P, T =< C, \+ shown_by(P, Y).
brings(toggle_on, on).
brings(toggle_off, off).
brings(open_obj, open).
brings(slice_obj, sliced).
shows_done_sooner(C, X, B) :- shows_done(C, X, T), T < B.
% The cheapest edit would use another thing; the one that is used is no mistake.
rightly_used(C, X, _) :- misdirected(C, X, _).
rightly_used(C, _, _) :- ghost_lately(C).
rightly_used(_, X, O) :- never_shown(X, O).
rightly_used(_, X, O) :- named_anew(X, O).
rightly_used(_, X, O) :- left_out(X, O).
% The tracker calls it so since it was last seen under the other name.
named_anew(X, O) :- alike(O, X), once(seen(_, O)), \+ shown_by_turns(X, O).
shown_by_turns(X, O) :- seen(T, X), seen(U, O), T =< U.
% Looks show what the plan uses, and never what is needed.
never_shown(X, O) :- isa(O, 'Food'), \+ seen(_, O), seen(_, X).
never_shown(X, O) :- isa(O, 'Appliance'), \+ seen(_, O), seen(_, X).
% What does the same is in no look: what is used is not used to its end.
failure('IncompletePlanFailure', E, E, [X]) :-
    fault(S), mend(S, replace, C, _, O), mend_old(S, X), shown(S, E), S > C, isa(O, 'Appliance'), isa(X, 'Appliance'), once(never_shown(X, O)).
% Where the goal asks for it, it was before it was taken; what it would do without is nothing that it asks for.
failure('IncompletePlanFailure', E, E, [X]) :- fault(S), mend(S, replace, C, _, O), mend_old(S, X), shown(S, E), S > C, left_out(X, O).
left_out(X, O) :- wanted_at(X, _), \+ wanted(O, _), \+ wanted_at(O, _), \+ wanted_at(_, O), distinct(O, X).
failure('WrongStepFailure', E, C, [X, O, T]) :-
    fault(S), mend(S, replace, C, _, O), S > C, mend_old(S, X), shown(S, E), misdirected(C, X, T), \+ turned_back(C, O), \+ laid_over(_, C, O, T), \+ unstarted(_, O), \+ unstarted(_, T).
% It was held up on its way there.
turned_back(C, O) :- L is C - 12, held_up(S, O, _), S >= L, S < C.
failure('WrongObjectFailure', S, S, [X, O, T]) :-
    fault(S), mend(S, replace, S, _, O), mend_old(S, X), misdirected(S, X, T).
failure('WrongStepFailure', S, S, [O, D]) :-
    final(S), succeeded(S), target(S, O), destination(S, D), unasked_at(O, D), \+ wanted_at(O, D).
% As planned it was taken, and put where neither plan nor goal have it, for good.
failure('WrongStepFailure', S, S, [O, D]) :- puts(S), target(S, O), destination(S, D), brought_astray(S, O, D).
brought_astray(S, O, D) :-
    final(S), succeeded(S), \+ planned(S, _), \+ by_person(S), end(E), \+ goal_reached(E), wanted_at(O, W), D \== W, \+ within(S, D, W), \+ within(S, W, D),
    L is S - 24, action(B, pick_up), target(B, O), B < S, B >= L, once(planned(B, _)), \+ goes_on(S, O), \+ failed_between(B, S).
failed_between(B, S) :- absent(T), T > B, T < S.
failed_between(B, S) :- held_up(T, _, _), T > B, T < S.
% Something of its kind goes where another thing is wanted, which nobody touches.
failure('WrongObjectFailure', S, C, [O, W, D]) :- put_for(S, O, W, D), L is S - 24, action(C, pick_up), target(C, O), C < S, C >= L, final(C), \+ picked_up_between(C, S), \+ told(C, W).
put_for(S, O, W, D) :-
    fault(F), mend(F, append, _, _, W), wanted_at(W, D), destination(S, D), final(S), succeeded(S), target(S, O),
    \+ wanted_at(O, _), \+ target(_, W), once(one_kind(O, W)), \+ piece_of(O, W), \+ piece_of(W, O).
another_put_for(W) :- put_for(_, _, W, _).
one_kind(O, W) :- isa(O, C), isa(W, C), C \== 'PhysicalObject', C \== 'Container', C \== 'Food', C \== 'Tableware', C \== 'Kitchenware'.
% What was to lie there lies on what was put there before its time.
failure('WrongOrderFailure', S, C, [X, O]) :-
    puts(S), planned(S, _), final(S), target(S, O), destination(S, D), seen_relation(S, O, on_top_of, X), X \== D, \+ property(X, receptacle),
    L is S - 24, puts(C), target(C, X), C >= L, C < S, destination(C, D), final(C), \+ planned(C, _).
% It was opened and shut again before what was to go into it came.
failure('WrongOrderFailure', S, C, [D, O]) :-
    unmet(S, destination_open, _), final(S), destination(S, D), target(S, O), agent(S, A), L is S - 24, action(C, close_obj), target(C, D), agent(C, A), C < S, C >= L, final(C),
    once(opened_in_vain(C, D, A)), \+ reopened(C, S, D).
opened_in_vain(C, D, A) :- L is C - 8, action(B, open_obj), target(B, D), agent(B, A), B < C, B >= L, \+ handled_between(B, C).
handled_between(B, C) :- picked_up_between(B, C).
handled_between(B, C) :- destination(T, _), T > B, T < C.
reopened(C, S, D) :- action(T, open_obj), target(T, D), T > C, T < S.
% What fills a vessel is turned on with none in it, and gets one when it is too late.
failure('WrongOrderFailure', S, S, [M, V]) :-
    action(S, toggle_on), final(S), succeeded(S), target(S, M), isa(M, 'DrinkMachine'), before(S, P), \+ vessel_in(P, M),
    next_load(S, T, M), target(T, V), property(V, fillable), \+ turned_on_after(T, M),
    once(stays_empty(T, V)).
% With what is to go into it in the gripper it does not open, look after look: that should have come first.
failure('WrongOrderFailure', S, S, [O, D]) :- hand_full(S, D, O).
hand_full(S, D, O) :-
    absent(S), action(S, open_obj), target(S, D), before(S, P), holds(P, O), E is S + 24, once((target(T, O), T > S, T =< E, destination(T, D))), U is P + 1, U < S.
% It is to run all the time.
failure('WrongStepFailure', S, S, [O]) :- breached(S, kept_running, _), target(S, O), \+ wanted(O, off).
% What works on its load behind a door runs before the load is in, and not again.
failure('WrongOrderFailure', S, S, [M, O]) :-
    action(S, toggle_on), final(S), succeeded(S), target(S, M), property(M, runs_on_load), before(S, P), \+ at(P, _, M),
    next_load(S, T, M), target(T, O), \+ isa(O, 'PotLid'), once(loaded(T, O, M)), \+ turned_on_after(T, M).
% What heats runs with an empty vessel in it, and what is to be hot comes into that afterwards.
failure('WrongOrderFailure', S, S, [M, O]) :-
    wanted(O, hot), action(S, toggle_on), final(S), succeeded(S), target(S, M), property(M, hazardous_when_on), before(S, P), \+ state(P, O, hot),
    at(P, V, M), \+ at(P, _, V), next_load(S, T, V), target(T, O), once(loaded(T, O, V)), \+ turned_on_after(S, M).
% What is to be hot is poured cold, and what it is poured from heats it afterwards.
failure('WrongOrderFailure', S, S, [K, O]) :- heated_too_late(S, K, O).
heated_too_late(S, K, O) :-
    wanted(O, hot), action(S, pour), final(S), succeeded(S), destination(S, O), target(S, K), isa(K, 'Kettle'), before(S, P), state(P, K, cold),
    once(turned_on_soon(S, K)), once(seen_cold(S, O)), \+ poured_soon(S, K, O).
heated_too_late(S, K, O) :-
    wanted(O, hot), action(S, pour), final(S), succeeded(S), destination(S, O), target(S, K), isa(K, 'Kettle'), before(S, P), state(P, K, cold),
    once(turned_on_soon(S, K)), once(full_since(S, K)), \+ poured_soon(S, K, O).
% So it is where what is made with hot water is in what it is poured into.
failure('WrongOrderFailure', S, S, [K, O]) :-
    action(S, pour), final(S), succeeded(S), destination(S, O), target(S, K), isa(K, 'Kettle'), before(S, P), state(P, K, cold), once(brews(P, O)),
    once(turned_on_soon(S, K)), \+ poured_soon(S, K, O).
turned_on_soon(S, K) :- E is S + 24, action(T, toggle_on), target(T, K), T > S, T =< E.
poured_soon(S, K, O) :- E is S + 40, action(T, pour), target(T, K), T > S, T =< E, destination(T, O).
brews(P, O) :- at(P, B, O), isa(B, 'TeaBag').
brews(P, O) :- at(P, B, O), isa(B, 'CoffeePowder').
% What it washes with goes into the machine when it has run.
failure('WrongOrderFailure', S, S, [M, O]) :-
    action(S, toggle_on), final(S), succeeded(S), target(S, M), property(M, runs_on_load), washes_later(S, O, M), \+ turned_on_after(S, M).
washes_later(S, O, M) :- destination(T, M), T > S, target(T, O), isa(O, 'Detergent'), action(T, put_in), succeeded(T).
washes_later(S, O, M) :- related(T, D, part_of, M), destination(T, D), T > S, target(T, O), isa(O, 'Detergent'), action(T, pour), succeeded(T).
washes_later(S, O, M) :-
    destination(T, D), isa(D, 'DetergentDrawer'), T > S, action(T, pour), succeeded(T), target(T, O), isa(M, 'WashingMachine'), once(pours_detergent(T, O)), before(T, P), \+ state(P, M, on).
pours_detergent(_, O) :- isa(O, 'Detergent').
pours_detergent(T, O) :- before(T, P), state(P, O, filled_with_detergent).
% Water or the like goes into what has run without it, and does not run again.
failure('WrongOrderFailure', T, S, [M, O]) :-
    action(T, pour), final(T), succeeded(T), target(T, O), destination(T, M), property(M, toggleable), L is T - 24, ran(S, L, T, M), once(off_between(S, T, M)), \+ turned_on_after(T, M).
failure('WrongOrderFailure', T, S, [M, O]) :- pours_onto_running(T, S, M, O).
% It is shut and runs by then.
pours_onto_running(T, S, M, O) :-
    action(T, pour), final(T), target(T, O), destination(T, M), property(M, toggleable), before(T, P), state(P, M, closed), state(P, M, on), L is T - 24, ran(S, L, T, M).
off_between(S, T, M) :- action(U, toggle_off), target(U, M), U > S, U < T.
% What goes with the load goes into a part of it that is filled too late.
failure('WrongOrderFailure', T, S, [M, O]) :-
    action(T, pour), final(T), succeeded(T), target(T, O), destination(T, D), related(T, D, part_of, M), property(M, runs_on_load), \+ isa(O, 'Detergent'),
    L is T - 24, ran(S, L, T, M), \+ turned_on_after(T, M).
ran(S, L, T, M) :- target(S, M), S < T, S >= L, action(S, toggle_on), final(S), succeeded(S).
failure('WrongOrderFailure', S, S, [V]) :- ran_empty(S, V), \+ poured_before_heated(S, V).
poured_before_heated(S, V) :- between(1, 12, N), T is S - N, heated_too_late(T, V, _).
ran_empty(S, V) :-
    action(S, toggle_on), final(S), succeeded(S), target(S, V), isa(V, 'Kettle'), before(S, P), state(P, V, empty), seen_state(S, V, empty).
ran_empty(S, V) :-
    action(S, toggle_on), final(S), succeeded(S), target(S, V), isa(V, 'Kettle'), before(S, P), state(P, V, empty), \+ seen_state(S, V, empty),
    once(shown_empty(S, V)), seen_state(T, V, filled), T > S.
% It was to be hot, and that is why it is not.
poured_unheated(S, O) :- L is S - 24, destination(T, O), T >= L, T =< S, action(T, pour), target(T, V), ran_empty(U, V), U >= L.
% Out of a kettle that nobody turned on comes what is to be hot, and it is seen cold.
failure('MissingStepFailure', S, S, [V, O]) :- poured_cold(S, V, O).
poured_cold(S, V, O) :-
    wanted(O, hot), destination(S, O), action(S, pour), final(S), target(S, V), isa(V, 'Kettle'), \+ heated_about(S, V), \+ shown_hot(S, V), once(seen_cold(S, O)).
heated_about(S, V) :- L is S - 24, E is S + 24, target(U, V), U >= L, U =< E, action(U, toggle_on).
shown_hot(S, V) :- L is S - 24, seen_state(T, V, hot), T >= L, T =< S.
seen_cold(S, O) :- L is S + 24, seen_state(T, O, cold), T >= S, T =< L.
shown_empty(_, V) :- shown_by(0, V), state(0, V, empty).
shown_empty(S, V) :- seen_state(U, V, empty), U < S.
failure('IncompletePlanFailure', E, E, [O]) :- fault(S), mend(S, append, _, _, O), shown(S, E), \+ another_put_for(O), \+ poured_unheated(S, O), \+ nothing_came_out(_, _, O), \+ idle_load(O), \+ laid_over(_, _, _, O), \+ lacking_otherwise(O), \+ kept_in_hand(_, O).
% The goal lacks it, and not because the plan stops.
lacking_otherwise(O) :- told_instead(O).
lacking_otherwise(O) :- sprang_open(_, _, O).
lacking_otherwise(O) :- poured_shut(_, _, O).
% Another was taken for it, as the task tells.
told_instead(O) :- told(_, O).
told_instead(O) :- told(S, X), at(S, O, X).

% No single edit helps: the plan stops too soon, names an object the action is
% not for, or lacks more than one action.
failure('IncompletePlanFailure', E, E, []) :- fault(S), \+ mended(S), shown(S, E), S > E, \+ poured_shut(_, _, _), \+ idle_load(_).
failure('WrongObjectFailure', S, S, [O, D]) :-
    fault(S), \+ mended(S), impossible(S, _), target(S, O), destination(S, D), \+ moved_over(S, O, D), \+ taken_for_it(S, O, _).
% It was taken for that and nothing else.
failure('WrongObjectFailure', S, C, [O, D]) :-
    fault(S), \+ mended(S), impossible(S, _), target(S, O), destination(S, D), \+ moved_over(S, O, D), taken_for_it(S, O, C), \+ taken_before_it(C, O).
taken_for_it(S, O, C) :- between(1, 24, N), C is S - N, target(C, O), action(C, pick_up), \+ seen(_, O), \+ wanted(O, _), \+ wanted_at(O, _), \+ wanted_at(_, O).
taken_before_it(C, O) :- between(1, 24, N), B is C - N, target(B, O), action(B, pick_up).
moved_over(S, O, D) :- impossible(S, _), target(S, O), destination(S, D), seen_at(S, X, D), before(S, P), at(P, X, O).
failure('WrongObjectFailure', S, S, [O]) :-
    fault(S), \+ mended(S), impossible(S, _), target(S, O), \+ destination(S, _), \+ locked_by(S, O, _).
% A machine that runs locks what is a part of it.
failure('WrongOrderFailure', S, S, [O, M]) :- fault(S), \+ mended(S), impossible(S, _), target(S, O), locked_by(S, O, M).
locked_by(S, O, M) :- action(S, open_obj), before(S, P), state(P, O, locked), related(S, O, part_of, M), state(P, M, on).
failure('MissingStepFailure', S, S, [O]) :-
    fault(S), \+ mended(S), \+ impossible(S, _), target(S, O), \+ gone_from_hand(S, O, _), \+ filled_too_late(S, O), \+ let_go_instead(S, O), \+ filled_untold(S), \+ stood_open(S).
% It is seen open, though nobody opened it.
stood_open(S) :- unmet(S, destination_open, _), destination(S, D), seen_state(S, D, open).
% Nobody said what is in the vessel that is poured from, and no look denies that something came out.
filled_untold(S) :- unmet(S, vessel_filled, _), observed(S), \+ absent(S), before(S, P), at(P, V, G), isa(G, 'RobotGripper'), \+ told_empty(S, V), \+ stays_dry(S).
stays_dry(S) :- destination(S, D), seen_state(S, D, empty).
stays_dry(S) :- destination(S, D), seen_state(S, D, not_wet).
stays_dry(S) :- \+ destination(S, _), target(S, O), seen_state(S, O, not_wet).
told_empty(S, V) :- seen_state(T, V, empty), T < S.
% The other hand let go, and it lies where something else was to be put.
let_go_instead(S, O) :- unmet(S, holding, _), L is S - 12, destination(T, D), T >= L, T < S, action(T, A), member(A, [put_in, put_on, put_near]), target(T, X), X \== O, seen_at(T, O, D), before(T, P), holds(P, O).
% The cup stands on the machine that is to fill it, and not in it.
failure('WrongStepFailure', S, S, [O, M]) :- put_atop(S, O, M).
put_atop(S, O, M) :-
    action(S, put_on), final(S), planned(S, _), target(S, O), destination(S, M), isa(M, 'DrinkMachine'), seen_relation(S, O, on_top_of, M), once(ran_in_vain(S, O, M)).
ran_in_vain(S, O, M) :- L is S + 24, action(U, toggle_on), target(U, M), U > S, U =< L, seen_state(T, O, empty), T > U, T =< L.
% What is poured from gets full later.
failure('WrongOrderFailure', S, S, [O]) :- fault(S), \+ mended(S), \+ impossible(S, _), target(S, O), filled_too_late(S, O).
filled_too_late(S, O) :- unmet(S, vessel_filled, _), action(S, pour), target(S, O), once(full_since(S, O)).
% The last look at it shows it in the gripper, and nobody said that it was put anywhere.
gone_from_hand(S, O, L) :- unmet(S, holding, _), target(S, O), last_seen(S, O, L), in_gripper(L, O), \+ taken_between(L, S, O).
taken_between(S, T, O) :- target(U, O), U > S, U < T, \+ keeps_hold(U).

failure('AmbiguousTargetFailure', S, S, [O]) :- ambiguous(S, O), \+ action(S, say), final(S), \+ taken_to_put(S, O), \+ ghost_lately(S).
ghost_lately(S) :- member(N, [1, 2, 3, 4, 5, 6]), T is S - N, ghost_grasped(T, _, _).
% It was just taken, and is what is to be put somewhere.
taken_to_put(S, O) :- destination(S, _), L is S - 16, target(T, O), T >= L, T < S, action(T, pick_up), succeeded(T).
% A word of the task tells which of several is meant, and it is another that is taken.
failure('WrongObjectFailure', S, S, [O, X]) :-
    action(S, pick_up), final(S), succeeded(S), target(S, O), told(S, X), \+ ambiguous(S, O), \+ dealt_with(X).
dealt_with(X) :- target(T, X), \+ action(T, navigate_to_obj).
% Somebody refuses what was taken last, and there were others of its kind to take.
failure('AmbiguousTargetFailure', S, S, [O]) :-
    heard(T, 'RefusalSound'), before(T, B), action(S, pick_up), final(S), S < T, target(S, O), \+ picked_up_between(S, B), succeeded(S),
    before(S, P), once((alike(O, X), X \== O, \+ distinct(O, X), seen_by_then(P, X))), \+ ambiguous(S, O).
failure('AmbiguousTargetFailure', S, S, [O]) :- vague(S, O), final(S), \+ action(S, navigate_to_obj), \+ action(S, say).

loaded(T, O, M) :- seen_at(T, O, M).

vessel_in(P, M) :- at(P, X, M), property(X, fillable).
stays_empty(T, V) :- seen_state(U, V, empty), U >= T.
next_load(S, T, M) :- destination(F, M), F > S, \+ loaded_between(S, F, M), same_action(F, T), final(T).
loaded_between(S, F, M) :- destination(U, M), U > S, U < F.
turned_on_after(T, M) :- action(U, toggle_on), target(U, M), U > T.

mended(S) :- mend(S, _, _, _, _).
% Moving an action would mend it, and its place is not what is wrong.
ordered_otherwise(S) :- washed_late(S).
% Another robot did what no plan has.
ordered_otherwise(S) :- \+ planned(S, _), agent(S, A), planned(T, _), agent(T, B), A \== B.
% A machine washed without what washes, which is why something is not clean.
washed_late(S) :- action(U, toggle_on), U < S, target(U, M), once(washes_later(U, _, M)).
% What an action brings to the wrong place.
misdirected(C, X, T) :- destination(C, X), target(C, T), T \== X.
% What the action is done with before which the other belongs.
done_sooner(S, C, O, X) :- mend_window(S, A, _), A < C, target(A, X), X \== O.
% What cannot be acted on without the missing step.
hindered(S, O, X) :- target(S, X), X \== O.
brought(S, O) :- target(S, O), destination(S, _).

shown(S, S) :- step(S).
shown(S, E) :- end(E), S > E.

% Another action with the same object belongs there.
failure('WrongStepFailure', E, C, [O]) :- fault(S), mend(S, exchange, C, _, O), shown(S, E).

% What is laid under things is laid when the robot has put them there.
failure('WrongOrderFailure', S, C, [O, X]) :- laid_over(S, C, O, X).
laid_over(S, C, O, X) :-
    laid(S, O), final(S), succeeded(S), property(O, laid_under), destination(S, D), before(S, P), at(P, X, D), X \== O, L is S - 24,
    target(C, X), C >= L, C < S, action(C, put_on), destination(C, D), final(C).

laid(S, O) :- target(S, O), action(S, put_on).
laid(S, O) :- target(S, O), action(S, spread).

% A machine runs on its load while it stands open, and is closed then.
failure('WrongOrderFailure', S, S, [M]) :- runs_open(S, M), once(closed_next(S, M)).
failure('MissingStepFailure', S, S, [M]) :- runs_open(S, M), \+ closed_next(S, M), \+ lidded_next(S, M).
lidded_next(S, M) :- member(N, [1, 2, 3, 4, 5, 6]), T is S + N, destination(T, M), target(T, L), isa(L, 'PotLid').
runs_open(S, M) :-
    action(S, toggle_on), final(S), succeeded(S), target(S, M), property(M, runs_on_load), seen_state(S, M, open), once(seen_state(S, M, on)), \+ unmet(S, _, _), \+ breached(S, _, _).
closed_next(S, M) :- member(N, [1, 2, 3, 4, 5, 6]), T is S + N, action(T, close_obj), target(T, M).
% A lid goes onto a machine that had run without it, and does not run again.
failure('WrongOrderFailure', T, S, [M, L]) :-
    puts(T), final(T), destination(T, M), target(T, L), isa(L, 'PotLid'), succeeded(T), B is T - 40, action(S, toggle_on), target(S, M), S < T, S >= B, final(S),
    before(S, P), \+ at(P, L, M), \+ turned_on_after(T, M), \+ taken_off_between(S, T, L, M).
taken_off_between(S, T, L, M) :- target(U, L), U > S, U < T, before(U, P), at(P, L, M).
