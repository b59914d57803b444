% Blocked: something occludes or stands on what is needed.

failure('BlockedObjectFailure', S, S, [O, X]) :- unmet(S, not_blocked, X), target(S, O), \+ held_after_all(S, O), \+ struck(S, _, O, X).
failure('BlockedObjectFailure', S, C, [O, X]) :- unmet(S, not_blocked, X), target(S, O), struck(S, C, O, X), \+ struck_sooner(S, C, O, X).
% A line before the last of an action that opens something has the sound of it, and shows it shut and what is before it.
struck(S, C, O, X) :- action(S, open_obj), before(S, P), occludes(C, X, O), C > P, C < S, seen_state(C, O, closed), heard(C, 'Sound').
struck(S, C, O, X) :- action(S, open_obj), target(S, O), before(S, P), occludes(P, X, O), seen_state(C, O, closed), C > P, C < S, heard(C, 'Sound').
struck_sooner(S, C, O, X) :- struck(S, B, O, X), B < C.
failure('BlockedObjectFailure', S, S, [O, X]) :- unmet(S, nothing_on_top, X), target(S, O), \+ held_after_all(S, O).
failure('BlockedObjectFailure', S, S, [O, X]) :- unmet(S, way_open, X), target(S, O).
failure('BlockedObjectFailure', S, S, [D, X]) :- unmet(S, destination_not_blocked, X), destination(S, D).
failure('BlockedObjectFailure', S, S, [O, X]) :-
    absent(S), acts_on(S, O), occludes(S, X, O), \+ dropped(S, _).

% A look shortly after shows it in the gripper.
held_after_all(S, O) :- action(S, pick_up), L is S + 6, in_gripper(T, O), T > S, T =< L, \+ picked_up_between(S, T).

% Where it is to be put, something was seen in front of that while it was tried.
failure('BlockedObjectFailure', S, S, [D, X]) :-
    absent(S), final(S), destination(S, D), target(S, O), once(seen_before_it(S, X, D)), X \== O, property(X, pickupable), \+ holds(S, X), \+ dropped(S, _),
    \+ seen_at(S, O, D).
% A line of the attempt showed what stands before the door.
failure('BlockedObjectFailure', S, S, [O, X]) :-
    absent(S), final(S), action(S, open_obj), target(S, O), seen_before_it(S, X, O), \+ occludes(S, X, O).
seen_before_it(S, X, D) :- before(S, P), occludes(T, X, D), T > P, T =< S.

% A lid was seen on the vessel that it was to go into.
failure('BlockedObjectFailure', S, S, [D, X]) :-
    absent(S), final(S), action(S, put_in), destination(S, D), target(S, O), lid_on(S, X, D), X \== O, \+ seen_relation(S, O, inside, D), \+ fell_down(S, O).
lid_on(S, X, D) :- before(S, P), seen_at(T, X, D), T > P, T =< S, isa(X, 'PotLid').

% Something was seen before it while it was to be opened.
failure('BlockedObjectFailure', S, S, [O, X]) :-
    absent(S), final(S), action(S, open_obj), target(S, O), seen_before_it(S, X, O), \+ isa(X, 'Furniture'), \+ isa(X, 'Fixture'), \+ holds(S, X).
failure('BlockedObjectFailure', S, S, [D, X]) :- stays_shut(S, D), seen_before_it(S, X, D).
% What it does not open has something lying on it that is no part of it.
failure('BlockedObjectFailure', S, S, [O, X]) :-
    absent(S), action(S, open_obj), target(S, O), \+ isa(O, 'Furniture'), \+ isa(O, 'Appliance'), \+ isa(O, 'Fixture'), lies_on(S, X, O), \+ piece_of(X, O).
% An animal sits on what it does not open.
failure('BlockedObjectFailure', S, S, [O, X]) :- absent(S), action(S, open_obj), target(S, O), lies_on(S, X, O), isa(X, 'Animal').
lies_on(S, X, O) :- before(S, P), seen_at(T, X, O), \+ seen_relation(T, X, inside, O), T > P, T =< S.

% On the way a closed door is seen, and what the robot moves to never: what it was to do there
% does not come about.
failure('BlockedObjectFailure', S, S, [O, X]) :- shut_out(S, _, O, X).
shut_out(S, T, O, X) :-
    absent(T), acts_on(T, O), action(S, navigate_to_obj), target(S, O), final(S), S < T, seen_state(S, X, closed), isa(X, 'Door'),
    \+ opened_since(S, T, X), \+ sighted(S, T, O), \+ moved_between(S, T).
% It ran into a door on the way, which it opened then before it went there again.
failure('BlockedObjectFailure', S, S, [O, X]) :-
    action(S, navigate_to_obj), final(S), target(S, O), \+ seen(S, O), heard(S, 'ImpactSound'), seen_state(S, X, closed), isa(X, 'Door'),
    E is S + 12, action(T, open_obj), target(T, X), T > S, T =< E, action(U, navigate_to_obj), target(U, O), U > T, U =< E.
% The robot ran into what it stands at, and goes elsewhere.
failure('BlockedObjectFailure', S, S, [O, X]) :- held_up(S, O, X), bumped(S, X).
sighted(S, T, O) :- before(S, P), seen(U, O), U > P, U =< T.
moved_between(S, T) :- action(U, navigate_to_obj), U > S, U < T.
opened_since(S, T, X) :- seen_state(U, X, open), U > S, U =< T.

% What lay on it was taken off, and then it was picked up.
failure('BlockedObjectFailure', S, S, [O, X]) :- weighed_down(S, O, X).
weighed_down(S, O, X) :-
    absent(S), action(S, pick_up), final(S), target(S, O), seen_relation(S, X, on_top_of, O), L is S + 16, target(T, X), T > S, T =< L, action(T, pick_up), final(T), succeeded(T),
    target(U, O), U > T, U =< L, action(U, pick_up), final(U), succeeded(U).
% The lid is on what is to be filled under the faucet.
failure('BlockedObjectFailure', S, C, [V, X]) :- lidded(S, C, V, X).
lidded(S, C, V, X) :-
    goal_missed(_, S, V), L is S - 12, action(C, toggle_on), C >= L, C =< S, target(C, F), isa(F, 'Faucet'), seen_at(C, X, V), isa(X, 'PotLid').
% The water ran into something else that stands under the faucet.
failure('BlockedObjectFailure', S, C, [V, X]) :- filled_instead(S, C, V, X).
filled_instead(S, C, V, X) :-
    goal_missed(_, S, V), to_be_filled(V), L is S - 12, action(C, toggle_on), C >= L, C =< S, target(C, F), isa(F, 'Faucet'), at(C, V, D), M is C + 6,
    seen_state(T, X, W), T >= C, T =< M, implies(W, filled), X \== V, at(T, X, D), before(C, P), \+ state(P, X, W).
% It does not come up, and something large or heavy is on it.
failure('BlockedObjectFailure', S, S, [O, X]) :- burdened(S, O, X).
burdened(S, O, X) :-
    absent(S), \+ misread(S), action(S, pick_up), final(S), target(S, O), \+ isa(O, 'Tableware'), \+ isa(O, 'Tray'), seen_relation(S, X, on_top_of, O), once(heavy(X)), before(S, P), at(P, X, O), seen_at(S, O, _), \+ holds(S, O).
heavy(X) :- property(X, bulky).
heavy(X) :- isa(X, 'Appliance').
heavy(X) :- takes(X).
% What is to be picked up lies under something, which is no load that goes with it.
pinned(S, O, X) :- target(S, O), \+ property(O, receptacle), before(S, P), at(P, X, O), \+ holds(S, O).
pinned(S, O, X) :- target(S, O), \+ property(O, receptacle), seen_relation(S, X, on_top_of, O), \+ holds(S, O).

% What is to be filled is where that is done, something lies on it, and it is empty afterwards.
failure('BlockedObjectFailure', S, S, [O, X]) :- covered_when_filled(S, O, X).
covered_when_filled(S, O, X) :-
    action(S, toggle_on), final(S), target(S, D), before(S, P), filled_under(D, B), at(P, O, B), at(P, X, O), property(X, pickupable), \+ isa(X, 'Food'), property(O, fillable),
    once(left_unfilled(S, O)).
filled_under(D, D) :- isa(D, 'DrinkMachine').
filled_under(D, B) :- isa(D, 'Faucet'), isa(B, 'WaterBasin').
left_unfilled(S, O) :- E is S + 24, seen_state(T, O, empty), T >= S, T =< E.
