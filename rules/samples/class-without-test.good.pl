failure('ColdTeaFailure', S, S, [O]) :- seen_state(S, O, cold), isa(O, 'Mug').
