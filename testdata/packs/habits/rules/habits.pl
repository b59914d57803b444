% Habits: what happened in episodes before happens again. earlier/1, days_before/2 and
% found/4 are those of a memory.

failure('RepeatedDropFailure', S, S, [O]) :-
    dropped(S, O), earlier(E), days_before(E, D), D =< 7, found(E, C, _, O), drop(C).

failure('RepeatedMisfortuneFailure', S, S, [O]) :-
    failed(S), target(S, O), earlier(E), found(E, _, _, O), earlier(F), F \= E, found(F, _, _, O).

drop('DroppingObjFailure').
drop('DroppingAndDirtyObjFailure').
drop('DroppingAndBreakingObjFailure').
