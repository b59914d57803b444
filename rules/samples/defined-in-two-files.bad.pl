dropped(S, O) :- target(S, O), heard(S, 'EggDropped').     % found: dropped/2 is defined in rules/dropping.pl:
