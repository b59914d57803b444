% Preferences: a forbidden ingredient goes into what is served.

failure('DietaryConstraintsViolationFailure', S, S, [F, P]) :-
    succeeded(S), final(S), destination(S, D), dish(D), target(S, F), contains(F, C), avoids(P, C).

% A device fills a vessel with what somebody must not have.
failure('DietaryConstraintsViolationFailure', S, S, [V, P]) :-
    state(S, V, L), implies(L, filled), prev(S, Q), \+ state(Q, V, L), isa(V, 'Tableware'),
    \+ action(S, pour), contains(V, C), avoids(P, C).

dish(D) :- isa(D, 'Tableware').
dish(D) :- isa(D, 'Cookware').
dish(D) :- isa(D, 'Food'), \+ isa(D, 'Liquid').
