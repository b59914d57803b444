failure('DirtyObjFailure', S, S, [O]) :-
    target(S, O),
    isa(O, 'Mugg'),                 % found: 'Mugg' is no class of the ontology; did you mean Mug?
    soiled(S, O, drity).            % found: drity is no state of the ontology; did you mean dirty?
soiled(S, O, State) :- seen_state(S, O, State).
failure('DirtObjFailure', S, S, []) :- step(S).     % found: 'DirtObjFailure' is no failure class of the ontology; did you mean DirtyObjFailure?
