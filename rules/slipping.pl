% Slipping: what was let go does not stay where it was to be, or a piece of what
% is worked on falls.

failure('DroppingObjFailure', S, C, [O]) :- slipped(S, O), falls_at(S, O, C).
failure('DroppingAndDirtyObjFailure', S, C, [O]) :- slipped(S, O), seen_anew(S, O, dirty), falls_at(S, O, C).
failure('DroppingAndBreakingObjFailure', S, C, [O]) :- slipped(S, O), breaks(S, O), falls_at(S, O, C).

% It left the gripper, a look of the action shows its destination without it, and it turns up beside
% what that stands on.
failure('DroppingObjFailure', S, C, [O]) :-
    final(S), hand_empty(S), target(S, O), destination(S, D), property(D, receptacle), seen_beside(S, O, X), X \== D, \+ seen_at(S, O, _), seen_at(S, D, X),
    let_go_beside(S, O, D, C).
let_go_beside(S, O, D, C) :- before(S, P), member(N, [1, 2, 3, 4]), C is S - N, C > P, hand_empty(C), seen(C, D), \+ seen(C, O), prev(C, B), in_gripper(B, O).

% Where a line of the action has the sound of it, and none since shows it anywhere else, it
% fell then.
falls_at(S, O, C) :- heard_fall(S, O, C), \+ heard_fall_before(S, O, C).
falls_at(S, O, S) :- step(S), \+ heard_fall(S, O, _).
heard_fall(S, O, C) :- before(S, P), before(C, P), C < S, heard(C, 'ImpactSound'), hand_empty(C), \+ shown_until(C, S, O).
% It was heard before, when no look showed it in the gripper any more.
heard_fall(S, O, C) :- before(S, C), heard(C, 'ImpactSound'), keeps_hold(C), \+ seen(C, O), prev(C, P), in_gripper(P, O), \+ shown_until(C, S, O).
heard_fall(S, O, C) :-
    before(S, B), member(N, [1, 2, 3]), C is B - N, heard(C, 'ImpactSound'), keeps_hold(C), \+ seen(C, O), prev(C, P), in_gripper(P, O), \+ shown_until(C, S, O).
heard_fall_before(S, O, C) :- heard_fall(S, O, B), B < C.
shown_until(C, S, O) :- seen(U, O), U >= C, U < S.

% It falls to the floor from where it was put, before the action is over.
slipped(S, O) :-
    target(S, O), destination(S, D), seen_at(S, O, F), isa(F, 'Floor'), F \== D, hand_empty(S), before(S, P), holds(P, O),
    prev(S, Q), \+ holds(Q, O), \+ at(Q, O, F), \+ dropped_earlier(S, O).

% It was let go, its destination shows without it, and where it is seen next is the floor.
slipped(S, O) :-
    hand_empty(S), \+ keeps_hold(S), target(S, O), destination(S, D), just_held(S, O), \+ seen(S, O), \+ dropped(S, O),
    lies_next(S, T, O), once(looked_at_between(S, T, D)).

% It lay where it was put, something was heard to fall before the action was over, and where
% it is seen next, after that, is the floor.
slipped(S, O) :-
    hand_empty(S), \+ keeps_hold(S), target(S, O), destination(S, _), heard(S, 'ImpactSound'), \+ seen(S, O), before(S, P), holds(P, O),
    prev(S, Q), \+ holds(Q, O), Q > P, \+ dropped_earlier(S, O), lies_next(S, T, O), \+ before(T, P).

% A piece of what is worked on falls to the floor.
slipped(S, O) :-
    seen_at(S, O, F), isa(F, 'Floor'), piece_of(O, W), target(S, W), \+ destination(S, F), \+ on_floor_before(S, O), \+ fell_in_pieces(S, W, O).

% It left the gripper where it was to be put, and was never seen again, although its
% destination was looked at often enough and shows nothing new.
slipped(S, O) :-
    hand_empty(S), \+ keeps_hold(S), target(S, O), destination(S, D), just_held(S, O), once(searched(S, O, D)).

% What was to be put somewhere is on the floor in the form that a fall leaves of it.
failure('DroppingAndBreakingObjFailure', S, C, [W, O]) :- fell_in_pieces(S, W, O), falls_at(S, O, C).
fell_in_pieces(S, W, O) :-
    target(S, W), destination(S, D), seen_at(S, O, F), isa(F, 'Floor'), F \== D, piece_of(O, W), \+ on_floor_before(S, O), before(S, P), holds(P, W).

on_floor_before(S, O) :- prev(S, P), at(P, O, F), isa(F, 'Floor').
on_floor_before(S, O) :- before(S, P), piece_of(O, W), at(P, W, F), isa(F, 'Floor').

% An earlier line of the action dropped it.
dropped_earlier(S, O) :- before(S, P), before(U, P), U < S, dropped(U, O).

% The next look that shows it shows it on the floor, and nobody took it there.
lies_next(S, T, O) :-
    seen_at(T, O, F), T > S, isa(F, 'Floor'), \+ destination(S, F), \+ seen_between(S, T, O), \+ picked_up(S, T, O).
seen_between(S, T, O) :- seen(U, O), U >= S, U < T.
picked_up(S, T, O) :- action(U, pick_up), target(U, O), U > S, U =< T.
looked_at_between(S, T, D) :- look_after(S, U, D), U =< T.

% It is seen broken, or was heard to break, in a line of the action.
breaks(S, O) :- seen_anew(S, O, broken).
breaks(S, _) :- before(S, P), before(U, P), U =< S, heard(U, 'ObjectBroken').

% It is seen so, and was not before the action.
seen_anew(S, O, State) :- seen_state(S, O, State), before(S, P), \+ state(P, O, State).

just_held(S, O) :- prev(S, P), acts_with(S, G), at(P, O, G).
seen_later(S, O) :- seen(T, O), T >= S.
new_there(S, D) :- before(S, P), seen_at(T, X, D), T >= S, \+ at(P, X, D).
searched(S, O, D) :- \+ seen_later(S, O), \+ new_there(S, D), look_after(S, A, D), look_after(S, B, D), B > A, look_after(S, C, D), C > B.
look_after(S, T, D) :- seen(T, D), T >= S, \+ state(T, D, closed).
