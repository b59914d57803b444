% Where a plan stops, and why: a thing that is unsuited, an action that is missing, or one
% that comes when what it needs, which was so before, is so no more.

failure('WrongObjectFailure', S, S, [X]) :- unmet(S, suited, X).
failure('WrongOrderFailure', S, S, [X]) :- unmet(S, near, X), was(S, _, 'CLOSE', X).
failure('WrongOrderFailure', S, S, [X]) :- unmet(S, facing, X), was(S, _, 'FACING', X).
failure('WrongOrderFailure', S, S, [X]) :- unmet(S, held, X), was(S, _, 'HOLDS_RH', X).
failure('WrongOrderFailure', S, S, [X]) :- unmet(S, held, X), was(S, _, 'HOLDS_LH', X).
failure('WrongOrderFailure', S, S, [X]) :- unmet(S, not_shut_in, X), state(T, X, opened), T < S.
failure('WrongOrderFailure', S, S, []) :- unmet(S, hand_free), moment(T), T < S, \+ holding(T).
failure('WrongOrderFailure', S, S, []) :- unmet(S, upright), posture(S, A, P), state(T, A, Q), posture_of(Q), T < S, P \== Q.

was(S, A, R, X) :- agent(A), related(T, A, R, X), T < S.
agent(A) :- isa(A, 'Robot').
moment(0).
moment(T) :- step(T).
holding(T) :- agent(A), related(T, A, 'HOLDS_RH', _).
holding(T) :- agent(A), related(T, A, 'HOLDS_LH', _).
posture(S, A, P) :- agent(A), prev(S, B), state(B, A, P), posture_of(P).
posture_of(standing).
posture_of(sitting).
posture_of(lying).
