% What any robot can get wrong, and any plan.

failure('ActionExecutionFailure', S, S, [O]) :- absent(S), target(S, O).
failure('ActionExecutionFailure', S, S, []) :- absent(S), \+ target(S, _).

% An action of the plan cannot be carried out: something is of another class than the action
% is for; what the action needs held before, and was undone; else nothing has brought it about.
failure('WrongObjectFailure', S, S, [O]) :- unmet(S, of_class, O).
failure('WrongOrderFailure', S, S, [O]) :- step(S), undone(S), target(S, O).
failure('WrongOrderFailure', S, S, []) :- step(S), undone(S), \+ target(S, _).
failure('MissingStepFailure', S, S, [O]) :- step(S), stuck(S), \+ undone(S), target(S, O).
failure('MissingStepFailure', S, S, []) :- step(S), stuck(S), \+ undone(S), \+ target(S, _).

% After the last action the goal lacks something.
failure('IncompletePlanFailure', N, N, []) :- stuck(N), \+ step(N).

stuck(S) :- unmet(S, _).
stuck(S) :- unmet(S, _, _).
stuck(S) :- unmet(S, _, _, _).
stuck(S) :- unmet(S, _, _, _, _).
stuck(S) :- unmet(S, _, _, _, _, _).

undone(S) :- lacks(S, O, St), state(T, O, St), T < S.
undone(S) :- lacks(S, A, R, B), related(T, A, R, B), T < S.

% The goal has a deadline, and it has passed.
failure('MissedDeadlineFailure', S, S, []) :- overdue(S).
