handles(S, O) :- target(S, O).
