egg_dropped(S, O) :- target(S, O), heard(S, 'EggDropped').
