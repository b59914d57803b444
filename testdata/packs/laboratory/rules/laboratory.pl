% What a run of a liquid handler gets wrong: commands that cannot be carried out.

failure('VolumeFailure', S, S, [O]) :- unmet(S, Condition, _), refusal(Condition, 'VolumeFailure'), target(S, O).
failure('VolumeFailure', S, S, []) :- unmet(S, Condition, _), refusal(Condition, 'VolumeFailure'), \+ target(S, _).
failure('TipFailure', S, S, [O]) :- unmet(S, Condition, _), refusal(Condition, 'TipFailure'), target(S, O).
failure('TipFailure', S, S, []) :- unmet(S, Condition, _), refusal(Condition, 'TipFailure'), \+ target(S, _).
failure('WellLocationFailure', S, S, [O]) :- unmet(S, Condition, _), refusal(Condition, 'WellLocationFailure'), target(S, O).
failure('WellLocationFailure', S, S, []) :- unmet(S, Condition, _), refusal(Condition, 'WellLocationFailure'), \+ target(S, _).
failure('OutOfRangeFailure', S, S, [O]) :- unmet(S, Condition, _), refusal(Condition, 'OutOfRangeFailure'), target(S, O).
failure('OutOfRangeFailure', S, S, []) :- unmet(S, Condition, _), refusal(Condition, 'OutOfRangeFailure'), \+ target(S, _).
failure('DeckConflictFailure', S, S, [O]) :- unmet(S, Condition, _), refusal(Condition, 'DeckConflictFailure'), target(S, O).
failure('DeckConflictFailure', S, S, []) :- unmet(S, Condition, _), refusal(Condition, 'DeckConflictFailure'), \+ target(S, _).
failure('ModuleFailure', S, S, [O]) :- unmet(S, Condition, _), refusal(Condition, 'ModuleFailure'), target(S, O).
failure('ModuleFailure', S, S, []) :- unmet(S, Condition, _), refusal(Condition, 'ModuleFailure'), \+ target(S, _).

refusal(enough_room, 'VolumeFailure').
refusal(enough_held, 'VolumeFailure').
refusal(tip_attached, 'TipFailure').
refusal(no_tip, 'TipFailure').
refusal(within_well, 'WellLocationFailure').
refusal(within_range, 'OutOfRangeFailure').
refusal(within_reach, 'OutOfRangeFailure').
refusal(place_free, 'DeckConflictFailure').
refusal(still, 'ModuleFailure').
refusal(latch_closed, 'ModuleFailure').
refusal(latch_open, 'ModuleFailure').
refusal(latch_open_there, 'ModuleFailure').
refusal(lid_open, 'ModuleFailure').
refusal(lid_open_there, 'ModuleFailure').
refusal(lid_closed, 'ModuleFailure').
refusal(module_still, 'ModuleFailure').
refusal(target_set, 'ModuleFailure').
refusal(lid_target_set, 'ModuleFailure').

% Where the log does not say which labware is meant: protocols reckon offsets from the depth of
% a well, and one that is a depth but for a rounding error speaks of that well. Below it there
% is no place.
failure('WellLocationFailure', S, S, []) :- amount(S, belowTop, Z), \+ destination(S, _), just_below(S, Z).

just_below(S, Z) :- prev(S, P), value(P, _, wellDepth, D), Z > D, Z - D < 0.01.

% Eight nozzles in a column: one at either end, all, or some that end at the last.
failure('NozzleFailure', S, S, [P]) :-
    action(S, configureNozzleLayout), target(S, P), isa(P, 'EightChannelPipette'),
    chosen(S, 'FrontRightNozzle', N), N \== 'frontRightNozzle H1'.
failure('NozzleFailure', S, S, [P]) :-
    action(S, configureNozzleLayout), target(S, P), isa(P, 'EightChannelPipette'),
    chosen(S, 'NozzleStyle', 'style SINGLE'), chosen(S, 'PrimaryNozzle', N), N \== 'primaryNozzle A1', N \== 'primaryNozzle H1'.
failure('NozzleFailure', S, S, [P]) :-
    action(S, configureNozzleLayout), target(S, P), isa(P, 'EightChannelPipette'), chosen(S, 'NozzleStyle', 'style ROW').
failure('NozzleFailure', S, S, [P]) :-
    action(S, configureNozzleLayout), target(S, P), isa(P, 'SingleChannelPipette'),
    chosen(S, 'NozzleStyle', Style), Style \== 'style ALL', Style \== 'style SINGLE'.

chosen(S, Class, N) :- argument(S, _, N), isa(N, Class).

% The fourth column is there only where the slot beside it holds a staging area, on which no
% module but the magnetic block fits.
failure('DeckConflictFailure', S, S, [M, There]) :- comes(S, M, There), staged(There, Beside), powered(M), prev(S, P), at(P, _, Beside).
failure('DeckConflictFailure', S, S, [L, Beside]) :- comes(S, L, Beside), staged(There, Beside), prev(S, P), at(P, M, There), powered(M).

comes(S, O, There) :- action(S, loadModule), target(S, O), destination(S, There).
comes(S, O, There) :- action(S, loadLabware), target(S, O), destination(S, There).
powered(M) :- isa(M, 'Module'), \+ isa(M, 'MagneticBlock').
staged('A3', 'A4').
staged('B3', 'B4').
staged('C3', 'C4').
staged('D3', 'D4').
