% What any robot can get wrong, and any plan.

failure('ActionExecutionFailure', S, S, [O]) :- absent(S), target(S, O).
failure('ActionExecutionFailure', S, S, []) :- absent(S), \+ target(S, _).

failure('MissingStepFailure', S, S, [O]) :- unmet(S, _, _), target(S, O).
failure('MissingStepFailure', S, S, []) :- unmet(S, _, _), \+ target(S, _).
