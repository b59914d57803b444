% Safety: something is left on that the goal does not ask for, shards lie
% about, or something is heated that must not be.

failure('BurnerLeftOnFailure', S, C, [D]) :- left_on(S, D, C), isa(D, 'StoveBurner'), \+ stayed_on(S, D).
failure('FaucetLeftOnFailure', S, C, [D]) :- left_on(S, D, C), isa(D, 'Faucet'), \+ runs_on(_, D).
failure('ApplianceLeftOnFailure', S, C, [D]) :-
    left_on(S, D, C), \+ isa(D, 'StoveBurner'), \+ isa(D, 'Faucet'), \+ stayed_on(S, D).
% It was to be turned off, which did not come about.
stayed_on(S, D) :- L is S - 40, target(T, D), T >= L, T =< S, stays_on(T, D).
% It was on when the robot came, which turned off another of its kind that was off.
failure('BurnerLeftOnFailure', S, C, [D]) :- another_turned_off(S, C, D).
another_turned_off(S, C, D) :-
    end(S), isa(D, 'StoveBurner'), state(S, D, on), \+ wanted(D, on), \+ turned_on(D, _), L is S - 40, action(C, toggle_off), C >= L, final(C), target(C, X), X \== D,
    before(C, B), state(B, X, off), once(same_kind(D, X)), seen_state(C, D, on).
% It was on when the robot came, which took what cooked on it elsewhere.
failure('BurnerLeftOnFailure', S, C, [D]) :- emptied_over(S, C, D).
emptied_over(S, C, D) :-
    end(S), isa(D, 'StoveBurner'), seen_state(S, D, on), \+ wanted(D, on), \+ turned_on(D, _), at(0, V, D), at(0, F, V), isa(F, 'Food'), at(S, V, D), \+ at(S, _, V),
    L is S - 40, target(C, F), C >= L, destination(C, X), X \== V, final(C), succeeded(C), \+ person_about(S).
% What is dangerous while it runs is shut away, and it runs.
failure('ApplianceLeftOnFailure', S, S, [D]) :-
    action(S, close_obj), final(S), succeeded(S), target(S, X), isa(X, 'StorageFurniture'), before(S, P), at(P, D, X), property(D, hazardous_when_on), state(P, D, on), once(shown_on_lately(S, D)).
shown_on_lately(S, D) :- between(1, 12, N), T is S - N, seen_state(T, D, on).

failure('LeftOpenFailure', S, C, [D]) :-
    end(S), \+ unfinished(S), state(S, D, open), property(D, not_to_stand_open), \+ asked_for(D, open, closed), opened(D, B), \+ may_be_shut(S, D),
    once(went_on_from(D, B)), due_shut(S, D, B, C).
% It was to be shut once it had served; where the plan stops before something is to go in there, not before the end.
due_shut(S, D, _, S) :- to_be_used(D).
due_shut(_, D, B, C) :- \+ to_be_used(D), shut_last(D, B, C).
to_be_used(D) :- fault(F), mend(F, append, _, _, O), wanted_at(O, D).

% A door of the house that nobody saw at the end may have been shut by who came in.
may_be_shut(S, D) :- isa(D, 'Door'), end(S), \+ lately_open(S, D).
lately_open(S, D) :- member(N, [0, 1]), T is S - N, seen_state(T, D, open).
% It was to be shut and was not seen so, and at the end, when nobody is about, it stands open.
failure('LeftOpenFailure', S, C, [D]) :-
    end(S), idle(S), seen_state(S, D, open), wanted(D, closed), opened(D, B), shut_last(D, B, C), action(C, close_obj), C < S, \+ shut_since(C, S, D), \+ person_about(S).
% It was shut, stands open at the end, and nobody opened it: it did not stay shut.
failure('LeftOpenFailure', S, C, [D]) :- sprang_open(S, C, D).
sprang_open(S, C, D) :-
    end(S), idle(S), seen_state(S, D, open), wanted(D, closed), L is S - 24, action(C, close_obj), target(C, D), C < S, C >= L, final(C), succeeded(C),
    seen_state(C, D, closed), \+ state_between(C, S, D, open), \+ opened_between(C, S), \+ person_about(S), once(beeped(C, S)).
beeped(C, S) :- heard(T, 'BeepSound'), T >= C, T =< S.
shut_since(C, S, D) :- seen_state(T, D, closed), T >= C, T < S.

% The goal asks for it, or for the opposite, and then what is wrong is that the plan misses
% the goal.
asked_for(D, State, _) :- wanted(D, State).
asked_for(D, _, Opposite) :- wanted(D, Opposite), once(planned(_, _)), \+ passed_over(D).
% The plan has a step for that, which was never carried out.
passed_over(D) :- \+ fault(_), opened(D, B), \+ tried_to_shut(D, B, _).
passed_over(D) :- \+ fault(_), turned_on(D, B), \+ tried_to_stop(D, B).
tried_to_stop(D, B) :- action(C, toggle_off), target(C, D), C > B.

% The robot opened it, and it was not closed since.
opened(D, C) :- target(C, D), action(C, open_obj), succeeded(C), before(C, P), \+ state(P, D, open), \+ opened_later(D, C).
opened(D, C) :-
    idle(C), seen_state(C, D, open), prev(C, P), state(P, D, closed), once(taken_out(D, C)), \+ opened_later(D, C).
% Nobody knows what the robot did when it came to be open.
opened(D, C) :- by_unknown(C, D, open, closed), \+ opened_later(D, C).
by_unknown(C, D, Is, Was) :- unknown(C), seen_state(C, D, Is), before(C, P), state(P, D, Was), \+ by_person(C), \+ person_about(C).
% The robot took something out of what somebody opened for it.
taken_out(D, C) :- action(T, pick_up), T > C, target(T, O), before(T, P), at(P, O, D), succeeded(T).
opened_later(D, C) :- target(T, D), action(T, open_obj), succeeded(T), T > C, before(T, P), \+ state(P, D, open).

% It was last to be shut, else last used, else opened.
shut_last(D, B, C) :- tried_to_shut(D, B, C), \+ tried_to_shut_later(D, C).
shut_last(D, B, C) :- \+ tried_to_shut(D, B, _), used(D, B, C), \+ used_later(D, C).
shut_last(D, B, B) :- opened(D, B), \+ tried_to_shut(D, B, _), \+ used(D, B, _).
tried_to_shut(D, B, C) :- opened(D, B), action(C, close_obj), target(C, D), C > B, final(C).
used(D, B, C) :- opened(D, B), destination(C, D), C > B, final(C).
used(D, B, C) :- opened(D, B), action(C, pick_up), target(C, O), C > B, final(C), before(C, P), at(P, O, D).
used_later(D, C) :- used(D, _, T), T > C.
tried_to_shut_later(D, C) :- tried_to_shut(D, _, T), T > C.

% The robot went on to something else.
went_on_from(D, C) :-
    target(T, O), T > C, O \== D, \+ destination(T, D), \+ within_it(T, O, D).
within_it(T, O, D) :- before(T, P), within(P, O, D).
within_it(T, _, D) :- destination(T, X), before(T, P), within(P, X, D).

failure('ShardsLeftFailure', S, C, [O]) :-
    end(S), state(S, O, broken), shatters(O), \+ discarded(S, O), broke(S, O, C).

failure('ShardsLeftFailure', S, T, [O]) :-
    end(S), seen_at(T, O, F), isa(O, 'Shard'), isa(F, 'Floor'), \+ seen_since(T, O), \+ seen_since(T, F), once(picks_shards(T)).
seen_since(T, O) :- seen(U, O), U > T.
% The robot was to pick shards up, or to sweep them.
picks_shards(T) :- target(U, X), isa(X, 'Shard'), U < T, \+ action(U, navigate_to_obj).

% The step at which it was first known to be broken, the end where it always was.
broke(_, O, C) :- became_broken(C, O), \+ broken_before(C, O).
broke(S, O, S) :- end(S), \+ became_broken(_, O).
broken_before(C, O) :- became_broken(T, O), T < C.
became_broken(C, O) :- prev(C, P), state(C, O, broken), \+ state(P, O, broken).

failure('UnsafeMaterialFailure', S, S, [O, D]) :-
    breached(S, microwave_safe, none), target(S, O), destination(S, D).
failure('UnsafeMaterialFailure', S, S, [X, D]) :-
    breached(S, microwave_safe, X), X \== none, destination(S, D).
failure('UnsafeMaterialFailure', S, S, [X, D]) :-
    breached(S, microwave_safe, X), X \== none, target(S, D), isa(D, 'Microwave'), \+ destination(S, _).

left_on(S, D, C) :-
    end(S), state(S, D, on), property(D, hazardous_when_on), \+ asked_for(D, on, off), \+ ends_with(D), turned_on(D, B), \+ may_have_stopped(D, B), needed_last(D, B, C).

% The plan ends as it is turned on, and the last look shows it.
ends_with(D) :- planned(C, N), action(C, toggle_on), target(C, D), \+ isa(D, 'Faucet'), \+ planned_later(N), end(E), \+ unfinished(E), \+ wanted(D, off), once(seen(E, D)).
planned_later(N) :- planned(_, M), M > N.
% It was to be turned off when what it worked on was taken away.
needed_last(D, B, C) :- taken_from(D, B, C), \+ taken_from_later(D, B, C).
needed_last(D, B, C) :- \+ taken_from(D, B, _), stood_by(D, B, C), \+ stood_by_later(D, B, C).
needed_last(D, B, B) :- turned_on(D, B), \+ taken_from(D, B, _), \+ stood_by(D, B, _).
% What is worked with in the hand was put down.
stood_by(D, B, C) :- turned_on(D, B), target(C, D), destination(C, _), C > B, final(C).
stood_by_later(D, B, C) :- stood_by(D, B, T), T > C.
taken_from(D, B, C) :- action(C, pick_up), C > B, final(C), succeeded(C), target(C, O), before(C, P), at(P, O, X), works_at(D, X).
taken_from_later(D, B, C) :- taken_from(D, B, T), T > C.
works_at(D, D) :- property(D, hazardous_when_on).
works_at(D, X) :- isa(D, 'Faucet'), isa(X, 'WaterBasin').

% What stops when it is done need not be told to: it is left on where it was seen
% to run with nothing in it.
may_have_stopped(D, C) :- property(D, stops_itself), \+ runs_idle(D, C).
runs_idle(D, C) :- seen_state(T, D, on), T > C, \+ at(T, _, D), \+ state(T, D, filled), \+ on_no_more(T, D), \+ just_emptied(T, D).
% It was just emptied, and a later look at it does not say that it is on.
on_no_more(T, D) :- before(T, P), at(P, _, D), seen(U, D), U > T, \+ seen_state(U, D, on).
% It was just emptied, and no later look shows it.
just_emptied(T, D) :- \+ end(T), before(T, P), at(P, _, D), \+ (seen(U, D), U > T).

turned_on(D, C) :- switched(D, C), \+ switched_later(D, C).
switched(D, C) :- target(C, D), action(C, toggle_on), succeeded(C), before(C, P), \+ state(P, D, on).
switched(D, C) :- action(C, toggle_on), succeeded(C), before(C, P), state(P, D, off), state(C, D, on).
switched(D, C) :- by_unknown(C, D, on, off).
switched_later(D, C) :- switched(D, T), T > C.

shatters(O) :- property(O, ceramic).
shatters(O) :- property(O, glass).
discarded(S, O) :- within(S, O, B), isa(B, 'GarbageCan').
