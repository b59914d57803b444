% Occupied by liquid: the vessel that is to be filled holds another liquid.

failure('OccupiedByLiquidFailure', S, S, [V]) :-
    breached(S, empty_vessel, none), target(S, V), \+ holds_wanted(S, V).
failure('OccupiedByLiquidFailure', S, C, [V]) :-
    breached(S, empty_vessel, V), V \== none, \+ holds_wanted(S, V), before(S, P), prev(C, P).
failure('OccupiedByLiquidFailure', S, S, [D]) :-
    breached(S, empty_destination, _), destination(S, D).

% Something else is poured than the goal asks for.
failure('OccupiedByLiquidFailure', S, S, [V]) :-
    action(S, pour), destination(S, D), target(S, V), before(S, P),
    wanted(D, Liquid), implies(Liquid, filled), state(P, V, filled), \+ state(P, V, Liquid), \+ state(P, D, Liquid), known_liquid(P, V), \+ made_of(P, V, Liquid), \+ to_be_exchanged(V).
% The plan names it where another is needed.
to_be_exchanged(V) :- fault(F), mend(F, replace, _, _, _), mend_old(F, V).

% What is poured is not known; the vessel that is to hold it holds something else.
failure('OccupiedByLiquidFailure', S, S, [D]) :-
    action(S, pour), final(S), destination(S, D), target(S, V), before(S, P), \+ known_liquid(P, V),
    known_liquid(P, D), wanted(D, Liquid), implies(Liquid, filled), \+ state(P, D, Liquid).

% The faucet ran over a vessel of another liquid, which is later poured where
% water is wanted.
failure('OccupiedByLiquidFailure', S, S, [V]) :-
    runs_over(S, V), once(poured_for_water(S, V)).

% The faucet runs over a vessel that holds something else than the water wanted.
failure('OccupiedByLiquidFailure', S, S, [V]) :-
    runs_over(S, V), wanted(V, filled_with_water).

% The faucet is turned on over a vessel that holds something else than water.
runs_over(S, V) :-
    action(S, toggle_on), target(S, F), isa(F, 'Faucet'), before(S, P),
    at(P, V, B), isa(B, 'WaterBasin'),
    state(P, V, filled), \+ state(P, V, filled_with_water), known_liquid(P, V).

holds_wanted(S, V) :- before(S, P), state(P, V, Liquid), implies(Liquid, filled), wanted(V, Liquid).
made_of(P, V, Liquid) :- implies(Liquid, Base), implies(Base, filled), state(P, V, Base).
known_liquid(P, V) :- state(P, V, Liquid), implies(Liquid, filled).
poured_for_water(S, V) :-
    once(wanted(_, filled_with_water)), target(T, V), T > S, action(T, pour), once(water_wanted(T)).
water_wanted(T) :- destination(T, D), wanted(D, filled_with_water).
