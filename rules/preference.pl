% Preferences: a forbidden ingredient goes into what is served.

failure('DietaryConstraintsViolationFailure', S, S, [F, P]) :-
    succeeded(S), final(S), destination(S, D), dish(D), target(S, F), contains(F, C), avoids(P, C).

dish(D) :- isa(D, 'Tableware').
dish(D) :- isa(D, 'Cookware').
dish(D) :- isa(D, 'Food'), \+ isa(D, 'Liquid').
