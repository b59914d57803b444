% What is wrong with a plan for a household, beside what the core tells of any plan: an object
% that is not made for what is done with it, and what held before and was undone.

failure('WrongObjectFailure', S, S, [O]) :- unmet(S, suited, O).

failure('WrongOrderFailure', S, S, [O]) :- unmet(S, beside, O), earlier(T, S), related(T, _, visits, O).
failure('WrongOrderFailure', S, S, [O]) :- unmet(S, in_hand, O), earlier(T, S), related(T, _, holds, O).
failure('WrongOrderFailure', S, S, [O]) :- unmet(S, facing_it, O), earlier(T, S), agent_faced(T, O).
failure('WrongOrderFailure', S, S, [O]) :- unmet(S, on_its_feet, A), earlier(T, S), \+ down(T, A), target(S, O).
failure('WrongOrderFailure', S, S, [D]) :- unmet(S, place_open, D), earlier(T, S), state(T, D, open).

earlier(T, S) :- step(T), step(S), T < S.
earlier(0, S) :- step(S).
agent_faced(T, O) :- related(T, A, faces, O), isa(A, 'Character').

down(T, A) :- state(T, A, sitting).
down(T, A) :- state(T, A, lying).
