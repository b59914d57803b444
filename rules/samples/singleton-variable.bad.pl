failure('DirtyObjFailure', S, S, [O]) :-
    seen_state(S, O, dirty),
    isa(O, Mug),                    % found: Mug stands only once; if you mean the class, write 'Mug'
    at(S, O, Place).                % found: Place stands only once
