% Preferences: a forbidden ingredient goes into what is served.

failure('DietaryConstraintsViolationFailure', S, S, [F, P]) :-
    succeeded(S), final(S), destination(S, D), dish(D), target(S, F), ingredient(S, F, C), avoids(P, C).

% It is put before somebody without a dish.
failure('DietaryConstraintsViolationFailure', S, S, [F, P]) :-
    succeeded(S), final(S), destination(S, D), \+ dish(D), target(S, F), isa(F, 'Food'), ingredient(S, F, C), avoids(P, C), once(sits_at(S, P, D)).
% It is put before somebody in the dish that it was in.
failure('DietaryConstraintsViolationFailure', S, S, [F, P]) :-
    succeeded(S), final(S), destination(S, D), \+ dish(D), target(S, V), isa(V, 'Tableware'), at(S, F, V), isa(F, 'Food'), contains(F, C), avoids(P, C),
    once(sits_at(S, P, D)), \+ put_there(S, F, V).
sits_at(S, P, D) :- L is S - 6, seen_relation(T, P, near, D), T >= L, T =< S.

% It is handed to somebody, or what it is in, which the robot did not put it into: that is told where it does.
failure('DietaryConstraintsViolationFailure', S, S, [F, P]) :-
    action(S, give_to), final(S), succeeded(S), destination(S, P), target(S, F), ingredient(S, F, C), avoids(P, C), \+ served_by(S, F).
failure('DietaryConstraintsViolationFailure', S, S, [F, P]) :-
    action(S, give_to), final(S), succeeded(S), destination(S, P), target(S, V), before(S, Q), at(Q, F, V), ingredient(S, F, C), avoids(P, C), \+ served_by(S, V).
served_by(S, V) :- L is S - 40, destination(T, V), T >= L, T < S.

% A device fills a vessel with what somebody must not have.
failure('DietaryConstraintsViolationFailure', S, S, [V, P]) :-
    avoids(P, C), prev(S, Q), state(Q, V, empty), at(S, V, M), state(S, M, on), filled(S, V, C), isa(V, 'Tableware').

% What is cut or cracked in a dish becomes what somebody must not have.
failure('DietaryConstraintsViolationFailure', S, S, [X, P]) :-
    succeeded(S), final(S), target(S, F), piece_of(X, F), at(S, X, D), dish(D),
    ingredient(S, X, C), avoids(P, C), \+ barred(S, F, P).

barred(S, F, P) :- ingredient(S, F, C), avoids(P, C).

ingredient(_, F, C) :- contains(F, C).
ingredient(S, F, C) :- before(S, P), filled(P, F, C).

dish(D) :- isa(D, 'Tableware').
dish(D) :- isa(D, 'Cookware').
dish(D) :- isa(D, 'LunchBox').
dish(D) :- isa(D, 'Food'), \+ isa(D, 'Liquid').
