% Hazards of a household: what the norms of the pack forbid.

failure('ElectricHazardFailure', S, S, [O]) :- breached(S, keeps_electrics_dry, _), at_risk(S, O).
failure('FireHazardFailure', S, S, [O]) :- breached(S, keeps_flames_apart, _), target(S, O).
failure('FireHazardFailure', S, S, [O]) :- breached(S, keeps_apart_from_heat, _), target(S, O).
failure('BreakageHazardFailure', S, S, [O]) :- breached(S, handles_gently, _), target(S, O).
failure('SpoiledFailure', S, S, [D]) :- breached(S, keeps_furniture_dry, _), destination(S, D).
failure('SpoiledFailure', S, S, [O]) :- breached(S, keeps_clean, _), target(S, O).
failure('SpoiledFailure', S, S, [O]) :- breached(S, keeps_in_its_place, _), target(S, O).

% Of what is put into water that, of what is poured where it runs.
at_risk(S, O) :- target(S, O), action(S, A), A \== pour.
at_risk(S, D) :- action(S, pour), destination(S, D).
