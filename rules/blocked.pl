% Blocked: something occludes or stands on what is needed.

failure('BlockedObjectFailure', S, S, [O, X]) :- unmet(S, not_blocked, X), target(S, O).
failure('BlockedObjectFailure', S, S, [O, X]) :- unmet(S, nothing_on_top, X), target(S, O).
failure('BlockedObjectFailure', S, S, [O, X]) :- unmet(S, way_open, X), target(S, O).
failure('BlockedObjectFailure', S, S, [D, X]) :- unmet(S, destination_not_blocked, X), destination(S, D).
failure('BlockedObjectFailure', S, S, [O, X]) :-
    absent(S), acts_on(S, O), occludes(S, X, O), \+ dropped(S, _).
