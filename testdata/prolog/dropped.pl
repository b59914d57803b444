% What fell, told in words: mishap script testdata/prolog/dropped.pl LOG

report(Object, Step) --> [Object, fell, at, step, Step], where(Object, Step).

where(Object, Step) --> { at(Step, Object, Place) }, [onto, Place].
where(Object, Step) --> { \+ at(Step, Object, _) }, [nobody, knows, where].

main :-
    forall(( dropped(Step, Object), phrase(report(Object, Step), Words) ),
           ( forall(member(Word, Words), format("~w ", [Word])), nl )).

:- initialization(main).
