% Dirty: something dirty is used where a clean thing is required.

failure('DirtyObjFailure', S, S, [D]) :- breached(S, clean_destination, _), destination(S, D).
failure('DirtyObjFailure', S, S, [V]) :- breached(S, clean_vessel, none), target(S, V).
failure('DirtyObjFailure', S, S, [V]) :- breached(S, clean_vessel, V), V \== none.

% It is handed to somebody with a drink in it, and was seen dirty since that was poured.
failure('DirtyObjFailure', S, C, [V]) :-
    action(S, give_to), final(S), target(S, V), destination(S, H), isa(H, 'Human'), property(V, kitchenware), before(S, P), state(P, V, dirty), state(P, V, filled),
    L is S - 24, seen_state(C, V, dirty), C >= L, C =< P, seen_state(C, V, filled), \+ shown_dirty_sooner(C, V).
shown_dirty_sooner(C, V) :- seen_state(T, V, dirty), T < C, seen_state(T, V, filled).

% The knife is dirty with the meat that it cut before.
failure('DirtyObjFailure', S, S, [V, O]) :-
    action(S, slice_obj), final(S), succeeded(S), target(S, O), \+ isa(O, 'AnimalProduct'),
    before(S, P), holds(P, V), state(P, V, dirty), once(dirty_with_meat(P, V)), \+ dirty_under(P, O).
% It was dirty when it was taken, and a clean one was in sight.
failure('DirtyObjFailure', S, S, [V, O]) :-
    action(S, slice_obj), final(S), succeeded(S), target(S, O), before(S, P), holds(P, V), state(P, V, dirty), once(taken_dirty(P, V)), once(clean_one(P, V)),
    \+ dirty_under(P, O).
% Two looks showed it dirty before it was taken, in a log that tells what is clean.
failure('DirtyObjFailure', S, S, [V, O]) :-
    action(S, slice_obj), final(S), succeeded(S), target(S, O), before(S, P), holds(P, V), state(P, V, dirty), once(taken_dirty(P, V)), \+ clean_one(P, V),
    once(shown_dirty_twice(P, V)), once(clean_under(P, O)).
% It lay dirty in the sink when it was taken.
failure('DirtyObjFailure', S, S, [V, O]) :-
    action(S, slice_obj), final(S), succeeded(S), target(S, O), before(S, P), holds(P, V), state(P, V, dirty), once(taken_dirty(P, V)), once(shown_dirty_twice(P, V)),
    once(lay_in_sink(P, V)), \+ dirty_under(P, O).
lay_in_sink(P, V) :- L is P - 12, seen_at(T, V, D), T >= L, T =< P, isa(D, 'Sink').
shown_dirty_twice(P, V) :- L is P - 12, seen_state(T, V, dirty), T >= L, T =< P, seen_state(U, V, dirty), U > T, U =< P.
shown_dirty_twice(P, V) :- state(0, V, dirty), seen_state(U, V, dirty), U > 0, U =< P.
clean_under(P, O) :- at(P, O, D), state(P, D, clean).
clean_one(P, V) :- alike(V, X), X \== V, \+ distinct(V, X), state(P, X, clean).
% It has cut raw meat, and nobody washed it.
failure('DirtyObjFailure', S, S, [V, O]) :-
    action(S, slice_obj), final(S), succeeded(S), target(S, O), \+ isa(O, 'AnimalProduct'), before(S, P), holds(P, V), cut_raw(T, P, V), \+ state(P, V, dirty),
    \+ washed_since(T, P, V), \+ dirty_under(P, O).
cut_raw(T, P, V) :- L is P - 24, target(T, X), T >= L, T =< P, action(T, slice_obj), final(T), isa(X, 'AnimalProduct'), before(T, Q), state(Q, X, raw), holds(Q, V).
washed_since(T, P, V) :- seen_state(U, V, clean), U > T, U =< P.
washed_since(T, P, _) :- isa(F, 'Faucet'), target(U, F), U > T, U =< P.
washed_since(T, P, V) :- target(U, V), U > T, U =< P, \+ keeps_hold(U), \+ action(U, pick_up).
taken_dirty(P, V) :- action(T, pick_up), T =< P, target(T, V), before(T, Q), state(Q, V, dirty).
% It lies on what is dirty already.
dirty_under(P, O) :- at(P, O, D), state(P, D, dirty).

dirty_with_meat(P, V) :-
    action(T, slice_obj), T =< P, target(T, X), isa(X, 'AnimalProduct'), before(T, Q), holds(Q, V), \+ state(Q, V, dirty).

% Food came to lie on a dish that was dirty, and that goes onto the table.
failure('DirtyObjFailure', S, C, [V, O]) :-
    target(S, V), puts(S), final(S), succeeded(S), property(V, kitchenware), destination(S, D), isa(D, 'Table'), before(S, P), at(P, O, V), isa(O, 'Food'),
    L is S - 40, seen_at(C, O, V), C >= L, C < S, prev(C, B), \+ at(B, O, V), state(B, V, dirty), \+ state(P, V, clean).

% It was dirty before it was filled, and goes onto the table so.
failure('DirtyObjFailure', S, S, [V]) :-
    target(S, V), puts(S), final(S), succeeded(S), property(V, kitchenware), destination(S, D), isa(D, 'Table'), seen_state(S, V, dirty), state(S, V, filled),
    before(S, P), L is S - 24, once(dirty_unfilled(L, P, V)).
dirty_unfilled(L, P, V) :- seen_state(C, V, dirty), C >= L, C =< P, \+ state(C, V, filled), \+ washed_since(C, P, V).
dirty_unfilled(_, P, V) :- state(0, V, dirty), \+ state(0, V, filled), \+ washed_since(0, P, V).

% It was dirty in the sink, and lies as dirty on the table.
failure('DirtyObjFailure', S, S, [V]) :-
    target(S, V), puts(S), final(S), succeeded(S), isa(V, 'Dishes'), destination(S, D), isa(D, 'Table'), seen_state(S, V, dirty), before(S, P), state(P, V, dirty),
    L is S - 24, target(T, V), T >= L, T < S, action(T, pick_up), before(T, Q), at(Q, V, X), isa(X, 'WaterBasin').

% It is put dirty where the goal asks for it and asks for it clean, and is dirty at the end.
failure('DirtyObjFailure', S, S, [O]) :-
    target(S, O), puts(S), final(S), succeeded(S), destination(S, D), wanted_at(O, D), wanted(O, clean), \+ isa(D, 'WaterBasin'), \+ isa(D, 'Appliance'),
    seen_state(S, O, dirty), state(0, O, dirty), before(S, P), state(P, O, dirty), end(E), \+ goal_reached(E), state(E, O, dirty), \+ goes_on(S, O), \+ machine_before(S), \+ fault(_).
goes_on(S, O) :- target(T, O), T > S.
machine_before(S) :- target(T, M), T < S, isa(M, 'Appliance').
