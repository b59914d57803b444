% Dirty: something dirty is used where a clean thing is required.

failure('DirtyObjFailure', S, S, [D]) :- breached(S, clean_destination, _), destination(S, D).
failure('DirtyObjFailure', S, S, [V]) :- breached(S, clean_vessel, none), target(S, V).
failure('DirtyObjFailure', S, S, [V]) :- breached(S, clean_vessel, V), V \== none.
