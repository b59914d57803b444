% Takes in the facts of each step and asks every rule about it; then asks about
% all steps at once. A line for each: what was done, the nanoseconds of both, and
% the answers.

:- initialization(main, main).

main :-
    current_prolog_flag(argv, Argv),
    append(_, [Rules, Facts | Predicates], Argv), sub_atom(Rules, _, _, 0, '.pl'), !,
    forall(member(P, Predicates), (term_to_atom(Name/Arity, P), dynamic(Name/Arity))),
    load_files(Rules, [silent(true)]),
    setup_call_cleanup(open(Facts, read, In), online(In, 0, Spent), close(In)),
    get_time(T0),
    findall(f(C, S, K, O), failure(C, S, K, O), Answers),
    get_time(T1),
    Whole is round((T1 - T0) * 1.0e9),
    line(whole, 0, Spent, Whole, Answers).

online(In, Spent, All) :-
    read_term(In, Term, []),
    (   Term = step(Step, Facts)
    ->  get_time(T0),
        add(Facts),
        get_time(T1),
        findall(f(C, Step, K, O), failure(C, Step, K, O), Answers),
        get_time(T2),
        Add is round((T1 - T0) * 1.0e9),
        Eval is round((T2 - T1) * 1.0e9),
        line(step, Step, Add, Eval, Answers),
        Next is Spent + Add,
        online(In, Next, All)
    ;   All = Spent
    ).

add([]).
add([Fact | Facts]) :- assertz(Fact), add(Facts).

line(What, Step, Add, Eval, Answers) :-
    format("~w\t~d\t~d\t~d\t", [What, Step, Add, Eval]),
    forall(member(f(C, S, K, O), Answers), ( atomic_list_concat(O, ' ', Objects), format("~w ~d ~d ~w;", [C, S, K, Objects]) )),
    nl.
