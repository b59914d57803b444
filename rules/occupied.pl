% Occupied: the destination is taken, or holds what should not be there.

failure('OccupiedPutFailure', S, C, [O, D, X]) :-
    unmet(S, destination_free, _), target(S, O), destination(S, D), occupant(S, D, O, X), came_off(S, O, C).
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    absent(S), target(S, O), destination(S, D), once(had_in_hand(S, O)),
    isa(D, 'Appliance'), \+ isa(D, 'Fridge'), occupant(S, D, O, X), \+ dropped(S, O).

% Something that the robot did not put there lies where there is to be put, and what
% was to be put there did not get there.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    absent(S), final(S), target(S, O), destination(S, D), once(had_in_hand(S, O)), once(kept_out(S, O, D)),
    lies_in(S, X, D), X \== O, in_the_way(X, D), \+ put_there(S, X, D).
% Before the action, or at one of its lines.
had_in_hand(S, O) :- before(S, P), holds(P, O).
had_in_hand(S, O) :- before(S, P), before(T, P), T < S, holds(T, O).
% It is still in the gripper, or set down beside.
kept_out(S, O, _) :- holds(S, O).
kept_out(S, O, D) :- seen_beside(S, O, D).

% It stands beside what stands there.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    final(S), action(S, put_on), target(S, O), destination(S, D), \+ holds(S, O), once(had_in_hand(S, O)), beside_occupant(S, O, X), \+ put_there(S, X, D).

% It stands beside what takes up the place for it.
beside_occupant(S, O, X) :-
    target(S, O), destination(S, D), besides(S, O, D, X), \+ seen_at(S, O, D), before(S, P), once(stands_at(P, S, X, D)), takes_room(X).
besides(S, O, D, X) :- isa(D, 'Appliance'), seen_beside(S, O, X).
besides(S, O, D, X) :- isa(D, 'StoveBurner'), seen_beside(S, O, D), seen_at(S, X, D).
stands_at(P, S, X, D) :- seen_at(T, X, D), T > P, T =< S.

% It stands on what stands there.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    final(S), action(S, put_on), target(S, O), destination(S, D), isa(D, 'Appliance'), seen_relation(S, O, on_top_of, X), X \== D,
    once(shown_on(S, X, D)), \+ wanted_at(O, X), \+ put_there(S, X, D).
shown_on(S, X, D) :- before(S, P), seen_relation(T, X, on_top_of, D), T > P, T =< S.

% Two looks in a row show it let go of and beside the vessel, which holds something.
failure('OccupiedPutFailure', S, C, [O, D, X]) :-
    final(S), action(S, put_in), hand_empty(S), target(S, O), destination(S, D), property(D, pickupable), seen_beside(S, O, D), \+ seen_at(S, O, _),
    prev(S, C), before(S, P), C > P, hand_empty(C), seen_beside(C, O, D), \+ seen_at(C, O, _), at(P, X, D), X \== O, \+ put_there(S, X, D).
% It rests on what stands on the burner, or on the lid of the vessel, though one look mistakes that.
failure('OccupiedPutFailure', S, C, [O, D, X]) :-
    final(S), hand_empty(S), target(S, O), destination(S, D), rests_on(S, O, X, C), X \== D, once(shown_on(S, X, D)), isa(D, 'StoveBurner'),
    property(X, receptacle), property(X, pickupable), \+ wanted_at(O, X), \+ put_there(S, X, D).
failure('BlockedObjectFailure', S, C, [D, X, O]) :-
    final(S), hand_empty(S), target(S, O), destination(S, D), rests_on(S, O, X, C), X \== D, once(shown_on(S, X, D)), isa(X, 'PotLid'),
    property(D, pickupable), \+ put_there(S, X, D).
% It stood on what lies there, and slid off.
failure('OccupiedPutFailure', S, C, [O, D, X]) :-
    final(S), hand_empty(S), action(S, put_on), target(S, O), destination(S, D), seen_beside(S, O, D), \+ seen_at(S, O, _), stood_on(S, O, X, C), X \== D, once(shown_on(S, X, D)),
    \+ isa(X, 'Floor'), \+ wanted_at(O, X), \+ put_there(S, X, D), once(beside_next(S, O, D)).
stood_on(S, O, X, C) :- before(S, P), seen_relation(C, O, on_top_of, X), C > P, C < S, hand_empty(C), \+ rested_sooner(P, C, O, X).
beside_next(S, O, D) :- member(N, [1, 2, 3]), U is S + N, seen_beside(U, O, D).
rests_on(S, O, X, C) :-
    before(S, P), seen_relation(C, O, on_top_of, X), C > P, C =< S, hand_empty(C), \+ rested_sooner(P, C, O, X), once(rests_again(S, O, X)).
rested_sooner(P, C, O, X) :- seen_relation(B, O, on_top_of, X), B > P, B < C.
rests_again(S, O, X) :- member(N, [0, 1, 2, 3, 4]), U is S + N, seen_relation(U, O, on_top_of, X).

% It rests above the vessel, on what filled that when it was to be put there.
failure('OccupiedPutFailure', S, C, [O, D, X]) :-
    final(S), before(S, P), prev(C, P), target(S, O), destination(S, D), property(D, pickupable),
    seen_relation(S, O, on_top_of, X), seen_relation(S, O, above, D), once(within_by(S, X, D)), \+ isa(X, 'Food'), \+ wanted_at(X, D), \+ put_there(S, X, D).
within_by(S, X, D) :- before(S, P), seen_at(T, X, D), T >= P, T =< S.
% Of the place nothing is known but that a thing like it is there already.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    absent(S), final(S), target(S, O), destination(S, D), once(had_in_hand(S, O)), holds(S, O),
    \+ isa(D, 'PhysicalObject'), lies_in(S, X, D), X \== O, once(alike(O, X)), \+ put_there(S, X, D).
% The place is for things of that kind, and one is there.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    absent(S), final(S), target(S, O), destination(S, D), once(had_in_hand(S, O)), holds(S, O), property(D, selective), lies_in(S, X, D), X \== O, once(alike(O, X)), \+ put_there(S, X, D).

% It was held for several looks before what stands open and has other things in it.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    absent(S), final(S), target(S, O), destination(S, D), property(D, openable), holds(S, O), once(held_long(S, O, D)),
    seen_at(S, X, D), X \== O, once(takes_room(X)), \+ put_there(S, X, D).
held_long(S, O, D) :-
    before(S, P), U is P + 1, U < S, in_gripper(U, O), seen_at(U, X, D), X \== O, T is U + 1, T < S, in_gripper(T, O), seen(T, D).

% It was held before what is full already, and put back elsewhere.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    absent(S), final(S), target(S, O), destination(S, D), property(D, openable), once(had_in_hand(S, O)), before(S, P), once(held_at(S, O, D)),
    seen_at(S, O, Y), isa(Y, 'Surface'), at(P, X, D), X \== O, once(takes_room(X)), \+ put_there(S, X, D), \+ dropped(S, O).
held_at(S, O, D) :- before(S, P), holds(T, O), T > P, T < S, seen(T, D), \+ state(T, D, closed).

in_the_way(X, D) :- property(D, pickupable), \+ isa(X, 'Food'), \+ isa(X, 'PotLid'), \+ wanted_at(X, D).
in_the_way(X, D) :- isa(D, 'WaterBasin'), property(X, wide).
in_the_way(X, D) :- isa(D, 'Appliance'), \+ roomy(D), takes_room(X).
roomy(D) :- isa(D, 'Fridge').
roomy(D) :- isa(D, 'Dishwasher').
roomy(D) :- isa(D, 'WashingMachine').
lies_in(S, X, D) :- before(S, P), at(P, X, D).
lies_in(S, X, D) :- seen_at(S, X, D).
% It stands on what lies in the basin, and is empty with the water running.
failure('OccupiedPutFailure', S, S, [O, D, X]) :- piled_dry(S, O, D, X).
piled_dry(S, O, D, X) :-
    final(S), action(S, put_in), target(S, O), destination(S, D), isa(D, 'WaterBasin'), property(O, fillable), seen_relation(S, O, on_top_of, X), X \== D, once(lies_in(S, X, D)),
    \+ wanted_at(O, X), \+ put_there(S, X, D), once(runs_past(S, O)).
runs_past(S, O) :- member(N, [1, 2, 3]), T is S + N, seen_state(T, F, on), isa(F, 'Faucet'), seen_state(T, O, empty).
% It stays on top of what has a door, in which something else stands.
failure('OccupiedPutFailure', S, S, [O, D, X]) :- no_room_for(S, O, D, X).
no_room_for(S, O, D, X) :-
    final(S), action(S, put_in), target(S, O), destination(S, D), property(D, openable), succeeded(S), stays_on_top(S, O, D), once(shut_beneath(S, O, D)),
    lies_in(S, X, D), X \== O, in_the_way(X, D), \+ put_there(S, X, D).
% A look shows only that in it, in all the lines of the action, in which what was to go in stays in the gripper.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    absent(S), final(S), action(S, put_in), target(S, O), destination(S, D), isa(D, 'Fridge'), once(had_in_hand(S, O)), in_gripper(S, O), seen_state(S, D, open),
    seen_at(S, X, D), takes_room(X), property(X, kitchenware), prev(S, Q), before(S, P), Q > P, in_gripper(Q, O), seen_at(Q, X, D), \+ put_there(S, X, D).

% It does not stay in a vessel that somebody filled with what is not wanted there.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    absent(S), final(S), target(S, O), destination(S, D), wanted_at(O, D), property(D, pickupable), property(D, receptacle), \+ isa(D, 'Cookware'),
    once(had_in_hand(S, O)), before(S, P), at(P, X, D), X \== O, at(S, X, D), \+ wanted_at(X, D), \+ put_there(S, X, D), \+ seen_at(S, O, D), \+ fell_down(S, O).
fell_down(S, O) :- dropped(S, O), seen_at(S, O, F), isa(F, 'Floor').

% Food in the slots of a toaster leaves no room in them.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    unmet(S, destination_not_blocked, X), isa(X, 'Food'), target(S, O), destination(S, D).

% A vessel that is to be filled holds something else.
failure('OccupiedPutFailure', S, S, [V, X]) :- taken_up(S, V, X), \+ covered_when_filled(_, V, X).
taken_up(S, V, X) :-
    destination(S, D), fills(D), succeeded(S), final(S), target(S, V), to_be_filled(V),
    before(S, P), at(P, X, V), property(X, bulky), \+ wanted_at(X, V).

% Food goes into cookware with other food that the goal has no place for there
% and that nobody put in.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    succeeded(S), final(S), target(S, O), destination(S, D), isa(D, 'Cookware'), once(to_be_at(O, D)),
    before(S, P), at(P, X, D), isa(X, 'Food'), X \== O, \+ wanted_at(X, D), \+ put_there(S, X, D).

% What a scene is said to have where the plan puts things, and no look shows, is what is
% unusual in it: other food in the bowl, a pan in the sink, bread in the microwave, something in the cup
% under the faucet, a box on the stand.
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    succeeded(S), final(S), target(S, O), isa(O, 'Food'), destination(S, D), property(D, kitchenware), once(to_be_at(O, D)), only_said(S, X, D), \+ isa(X, 'Cutlery'), X \== O, \+ wanted_at(X, D), \+ has_room_beside(S, O, D).
% It is seen there beside something that was there before.
has_room_beside(S, O, D) :- seen_at(S, O, D), before(S, P), seen_at(S, Y, D), Y \== O, at(P, Y, D).
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    succeeded(S), final(S), target(S, O), property(O, fillable), destination(S, D), fills(D), only_said(S, X, D), X \== O, property(X, wide).
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    succeeded(S), final(S), target(S, O), property(O, kitchenware), destination(S, D), isa(D, 'Microwave'), only_said(S, X, D), X \== O.
failure('OccupiedPutFailure', S, S, [O, X]) :-
    succeeded(S), final(S), target(S, O), property(O, fillable), destination(S, D), fills(D), only_said(S, X, O), \+ taken_up(S, O, X), \+ wanted_at(X, O).
failure('OccupiedPutFailure', S, S, [O, D, X]) :-
    succeeded(S), final(S), target(S, O), destination(S, D), small_stand(D), only_said(S, X, D), X \== O, property(X, wide).
small_stand(D) :- isa(D, 'TVStand').
small_stand(D) :- isa(D, 'SideTable').
only_said(S, X, D) :- before(S, P), at(P, X, D), property(X, pickupable), \+ seen(_, X), \+ put_there(S, X, D).
to_be_at(O, D) :- wanted_at(O, D).
to_be_at(O, D) :- piece_of(X, O), wanted_at(X, D).

put_there(S, X, D) :- target(T, X), destination(T, D), T < S, \+ by_other(S, T).
put_there(S, X, D) :- piece_of(X, W), target(T, W), destination(T, D), T < S, \+ by_other(S, T).
by_other(S, T) :- agent(S, A), agent(T, B), A \== B.

occupant(S, D, O, X) :- before(S, P), at(P, X, D), X \== O, takes_room(X).
occupant(S, D, O, X) :- before(S, P), at(P, X, D), X \== O, property(D, slotted), isa(X, 'Food').
occupant(S, D, O, X) :- unmet(S, destination_free, _), seen_at(S, X, D), X \== O.
takes_room(X) :- property(X, bulky).
takes_room(X) :- property(X, wide), \+ property(X, bulky).
fills(D) :- isa(D, 'WaterBasin').
fills(D) :- isa(D, 'DrinkMachine').
to_be_filled(V) :- wanted(V, filled).
to_be_filled(V) :- wanted(V, Liquid), implies(Liquid, filled).
