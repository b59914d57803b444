failure('DirtyObjFailure', S, S, [O]) :-
    seen_state(S, O, dirty),
    isa(O, 'Mug').
