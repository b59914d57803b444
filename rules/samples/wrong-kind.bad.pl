failure('DirtyObjFailure', S, S, [O]) :-
    seen_state(S, O, dirty),
    isa('Mug', O).                  % found: O is used as an object here, but isa/2 takes a class
