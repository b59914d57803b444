% What there is beside ISO Prolog and its prologue. A file may define any of it otherwise.

:- op(1150, fx, [dynamic, discontiguous, multifile, initialization, include, ensure_loaded]).

forall(Condition, Action) :- \+ (call(Condition), \+ call(Action)).

ignore(Goal) :- call(Goal), !.
ignore(_).

memberchk(X, List) :- member(X, List), !.

reverse(List, Reversed) :- reverse(List, [], Reversed).

reverse([], Reversed, Reversed).
reverse([X|Xs], Before, Reversed) :- reverse(Xs, [X|Before], Reversed).

last([X], X).
last([_|Xs], X) :- last(Xs, X).

sum_list(List, Sum) :- sum_list(List, 0, Sum).

sum_list([], Sum, Sum).
sum_list([X|Xs], Before, Sum) :- Now is Before + X, sum_list(Xs, Now, Sum).

max_list([X|Xs], Max) :- max_list(Xs, X, Max).

max_list([], Max, Max).
max_list([X|Xs], Before, Max) :- Now is max(Before, X), max_list(Xs, Now, Max).

min_list([X|Xs], Min) :- min_list(Xs, X, Min).

min_list([], Min, Min).
min_list([X|Xs], Before, Min) :- Now is min(Before, X), min_list(Xs, Now, Min).

include(_, [], []).
include(Goal, [X|Xs], Kept) :- ( call(Goal, X) -> Kept = [X|Rest] ; Kept = Rest ), include(Goal, Xs, Rest).

exclude(_, [], []).
exclude(Goal, [X|Xs], Kept) :- ( call(Goal, X) -> Kept = Rest ; Kept = [X|Rest] ), exclude(Goal, Xs, Rest).

foldl(Goal, List, Before, After) :- foldl_(List, Goal, Before, After).

foldl_([], _, After, After).
foldl_([X|Xs], Goal, Before, After) :- call(Goal, X, Before, Now), foldl_(Xs, Goal, Now, After).

aggregate_all(count, Goal, Count) :- !, findall(x, Goal, All), length(All, Count).
aggregate_all(sum(X), Goal, Sum) :- !, findall(X, Goal, All), sum_list(All, Sum).
aggregate_all(max(X), Goal, Max) :- !, findall(X, Goal, All), max_list(All, Max).
aggregate_all(min(X), Goal, Min) :- !, findall(X, Goal, All), min_list(All, Min).
aggregate_all(bag(X), Goal, Bag) :- !, findall(X, Goal, Bag).
aggregate_all(set(X), Goal, Set) :- findall(X, Goal, All), sort(All, Set).

print(X) :- writeq(X).

writeln(X) :- write(X), nl.

listing(Name/Arity) :- !, functor(Head, Name, Arity), forall(clause(Head, Body), portray_clause((Head :- Body))).
listing(Name) :- forall(current_predicate(Name/Arity), listing(Name/Arity)).

portray_clause((Head :- true)) :- !, portray_clause(Head).
portray_clause(Clause) :- \+ \+ ( name_variables(Clause), writeq(Clause), write('.'), nl ).

name_variables(Term) :- term_variables(Term, Variables), name_variables(Variables, 0).

name_variables([], _).
name_variables(['$VAR'(N)|Rest], N) :- Next is N + 1, name_variables(Rest, Next).
