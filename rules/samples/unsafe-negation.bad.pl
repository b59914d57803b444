failure('DirtyObjFailure', S, S, [O]) :-
    step(S),
    \+ seen_state(S, O, clean),     % found: O is not bound where \+ asks about it; put a goal that binds it before
    isa(O, 'Mug').
