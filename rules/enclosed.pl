% Enclosed: the target is in a closed container.

failure('EnclosedObjectFailure', S, S, [O, C]) :-
    unmet(S, not_enclosed, C), target(S, O).
failure('EnclosedObjectFailure', S, B, [D, C]) :-
    unmet(S, destination_not_enclosed, C), destination(S, D), shut_up(S, D, C, B).
% The robot had put it in there and closed that.
shut_up(S, D, C, B) :- shut_up_by(S, D, C, B).
shut_up(S, D, C, S) :- \+ shut_up_by(S, D, C, _).
shut_up_by(S, D, C, B) :-
    member(N, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), B is S - N, action(B, close_obj), target(B, C), final(B), member(M, [1, 2, 3, 4, 5, 6]), U is B - M, target(U, D), destination(U, C), final(U).

% The destination was open, and this robot has not closed it.
failure('EnclosedObjectFailure', S, C, [D]) :- shut_meanwhile(S, D), fell_shut(S, D, C), \+ fell_shut_sooner(S, D, C).
failure('EnclosedObjectFailure', S, S, [D]) :- shut_meanwhile(S, D), \+ fell_shut(S, D, _).
shut_meanwhile(S, D) :-
    unmet(S, destination_open, _), destination(S, D), \+ seen_state(S, D, open), once(open_until_then(S, D)), \+ stayed_shut(S, D).
open_until_then(S, D) :- L is S - 24, state(P, D, open), P >= L, P < S, \+ closed_since(P, S, D).
% A look before shows it shut, after one that shows it open.
fell_shut(S, D, C) :- member(N, [1, 2, 3, 4, 5, 6]), C is S - N, seen_state(C, D, closed), \+ seen_open_since(C, S, D), once(seen_open_lately(C, D)).
fell_shut_sooner(S, D, C) :- fell_shut(S, D, B), B < C.
seen_open_since(C, S, D) :- seen_state(T, D, open), T > C, T =< S.
seen_open_lately(C, D) :- L is C - 12, seen_state(T, D, open), T >= L, T < C.
% It was to be opened, and no look shows it open.
stayed_shut(S, D) :- member(N, [1, 2, 3, 4, 5, 6, 7, 8]), T is S - N, action(T, open_obj), target(T, D), final(T), \+ seen_open(T, D).
seen_open(T, D) :- member(N, [0, 1, 2, 3, 4, 5, 6, 7]), V is T + N, seen_state(V, D, open).

% A look during the action shows it in something closed.
failure('EnclosedObjectFailure', S, S, [O, C]) :-
    absent(S), final(S), target(S, O), \+ destination(S, _), shown_in(S, O, C), seen_state(S, C, closed), \+ unmet(S, not_enclosed, _).
shown_in(S, O, C) :- before(S, P), seen_relation(T, O, inside, C), T > P, T =< S, seen_state(T, C, closed).

% It lies on what is closed in all looks, though one mistakes that for inside.
failure('EnclosedObjectFailure', S, S, [O, D]) :-
    final(S), action(S, put_in), target(S, O), destination(S, D), seen_relation(S, O, inside, D), seen_state(S, D, closed), before(S, P), state(P, D, closed),
    seen_relation(B, O, on_top_of, D), B > P, B < S, seen_state(B, D, closed), once(on_top_after(S, O, D)), \+ seen_open_between(P, S, D), \+ opened_about(S, D).
on_top_after(S, O, D) :- E is S + 6, seen_relation(T, O, on_top_of, D), T > S, T =< E, seen_relation(U, O, on_top_of, D), U > T, U =< E.
seen_open_between(P, S, D) :- seen_state(T, D, open), T > P, T < S.
opened_about(S, D) :- between(-12, 12, N), T is S + N, target(T, D), action(T, open_obj).

closed_since(P, S, D) :- action(T, close_obj), target(T, D), T > P, T < S, agent(T, A), agent(S, A).

% What is to be cut, cracked or the like does not change, and is in a bag or wrapper.
failure('EnclosedObjectFailure', S, S, [O, X]) :-
    absent(S), final(S), target(S, O), \+ destination(S, _), \+ action(S, pick_up), \+ action(S, navigate_to_obj), wrapped(S, O, X).
wrapped(S, O, X) :- before(S, P), seen_relation(T, O, inside, X), T > P, T =< S, property(X, packaging), \+ property(X, fillable).

% It is poured onto what is seen closed before and after.
failure('EnclosedObjectFailure', S, S, [D]) :-
    action(S, pour), final(S), destination(S, D), property(D, pickupable), seen_state(S, D, closed), before(S, P), state(P, D, closed), once(shown_shut(P, D)).
% It stays shut, and what it stands on gets wet.
failure('EnclosedObjectFailure', S, S, [D]) :-
    action(S, pour), final(S), destination(S, D), \+ property(D, pickupable), seen_state(S, D, closed), before(S, P), state(P, D, closed), \+ state(P, D, on), once(shown_shut(P, D)), once(wets_below(S, P, D)).
wets_below(S, P, D) :- seen_state(S, X, wet), at(P, D, X), \+ state(P, X, wet).
% It is poured out of what is closed, and what it was to go into is empty.
failure('EnclosedObjectFailure', S, S, [O]) :- poured_shut(S, O, _), \+ tried_to_open(S, O).
tried_to_open(S, O) :- member(N, [1, 2, 3, 4, 5, 6]), T is S - N, action(T, open_obj), target(T, O), absent(T).
poured_shut(S, O, D) :-
    action(S, pour), final(S), target(S, O), destination(S, D), before(S, P), state(P, O, closed), once(shown_shut(S, O)), once(stays_dry(S, D)), \+ seen_state(S, O, open).
stays_dry(S, D) :- member(N, [0, 1, 2]), T is S + N, seen_state(T, D, empty).
shown_shut(P, D) :- seen_state(T, D, closed), T =< P.

% While it was carried there the destination was seen shut, not open since, and it lies on top of that.
failure('EnclosedObjectFailure', S, C, [O, D]) :-
    action(S, put_in), final(S), target(S, O), destination(S, D), property(D, openable), \+ unmet(S, destination_open, _), once(shown_open(S, D)),
    carried_to_shut(S, C, O, D), \+ carried_sooner(S, C, O, D),
    once(lies_on_shut(S, C, O, D)), \+ open_about(S, C, D), \+ absent(S).
shown_open(S, D) :- before(S, P), state(P, D, open), L is P - 8, seen_state(U, D, open), U >= L, U =< P.
% It shut by itself before that.
shown_open(S, D) :- before(S, P), state(P, D, closed), L is P - 8, seen_state(U, D, open), U >= L, U =< P, \+ closed_since(U, S, D), once(opened_then(U, D)).
opened_then(U, D) :- member(N, [0, 1, 2, 3, 4, 5, 6]), T is U - N, action(T, open_obj), target(T, D), succeeded(T).
carried_to_shut(S, C, O, D) :-
    action(S, put_in), final(S), target(S, O), destination(S, D), before(S, P), seen_state(C, D, closed), C > P, C < S, in_gripper(C, O).
carried_sooner(S, C, O, D) :- carried_to_shut(S, B, O, D), B < C.
lies_on_shut(S, C, O, D) :- E is S + 6, seen_relation(U, O, on_top_of, D), U > C, U =< E, seen_state(U, D, closed).
open_about(S, C, D) :- E is S + 6, seen_state(U, D, open), U > C, U =< E.
