% Blocked: something occludes or stands on what is needed.

failure('BlockedObjectFailure', S, S, [O, X]) :- unmet(S, not_blocked, X), target(S, O).
failure('BlockedObjectFailure', S, S, [O, X]) :- unmet(S, nothing_on_top, X), target(S, O).
failure('BlockedObjectFailure', S, S, [O, X]) :- unmet(S, way_open, X), target(S, O).
failure('BlockedObjectFailure', S, S, [D, X]) :- unmet(S, destination_not_blocked, X), destination(S, D).
failure('BlockedObjectFailure', S, S, [O, X]) :-
    absent(S), acts_on(S, O), occludes(S, X, O), \+ dropped(S, _).

% What is to be picked up lies under something, which is no load that goes with it.
pinned(S, O, X) :- target(S, O), \+ property(O, receptacle), before(S, P), at(P, X, O), \+ holds(S, O).
pinned(S, O, X) :- target(S, O), \+ property(O, receptacle), seen_relation(S, X, on_top_of, O), \+ holds(S, O).
