% Errands: the cold chain, patients, badges and the battery.

failure('ColdChainFailure', S, S, [O]) :-
    isa(O, 'Vaccine'), since(S, O, out_of_cold, T0), until(S, T), T - T0 > 600,
    prev(S, P), \+ (since(P, O, out_of_cold, T0), until(P, T1), T1 - T0 > 600).

failure('SpoiltVaccineFailure', S, S, [O, P]) :-
    action(S, give), target(S, O), destination(S, P), succeeded(S), final(S), before(S, B), state(B, O, spoilt).

failure('WrongPatientFailure', S, S, [O, P, Q]) :-
    action(S, give), target(S, O), destination(S, P), succeeded(S), final(S), related(S, O, prescribed_for, Q), P \== Q.

failure('BadgeFailure', S, S, [D]) :- event(S, badge_refused, D).

failure('EmptyBatteryFailure', S, S, [R]) :-
    value(S, R, battery, X), X < 10, step(S), prev(S, P), \+ (value(P, R, battery, Y), Y < 10).
