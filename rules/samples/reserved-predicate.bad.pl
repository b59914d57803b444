holds(S, O) :- target(S, O).        % found: holds/2 is a fact of the episode and cannot be defined by a rule
