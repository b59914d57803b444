% Execution: the action did not come about although nothing stood against it.

failure('ActionExecutionFailure', S, S, [O, D]) :-
    absent(S), destination(S, D), target(S, O), \+ dropped(S, O).
failure('ActionExecutionFailure', S, S, [O]) :-
    absent(S), target(S, O), \+ destination(S, _), \+ dropped(S, O).

% The goal is missed, and what went wrong on the way has no other name.
failure('ActionExecutionFailure', C, C, [O]) :- goal_missed(_, C, O).

% Reach alone is missing: the robot stands elsewhere and does not see its target.
failure('MissingNavigationFailure', S, S, [X]) :-
    absent(S), away(S), acts_on(S, X), \+ dropped(S, _).
failure('MissingNavigationFailure', S, S, [O]) :-
    unmet(S, reachable, _), target(S, O), \+ other_unmet(S).
failure('MissingNavigationFailure', S, S, [D]) :-
    unmet(S, destination_reachable, _), destination(S, D), \+ other_unmet(S).

acts_on(S, D) :- destination(S, D).
acts_on(S, O) :- target(S, O), \+ destination(S, _).
other_unmet(S) :- unmet(S, C, _), C \== reachable, C \== destination_reachable.
