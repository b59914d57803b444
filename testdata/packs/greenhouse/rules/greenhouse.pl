% Failures of the greenhouse.

failure('Slip', S, S, [O]) :- keeps_hold(S), hand_empty(S), prev(S, P), acts_with(S, G), at(P, O, G).
failure('ShutIn', S, S, [O, C]) :- unmet(S, not_shut_in, C), target(S, O).
failure('Fizzle', S, S, [O]) :- absent(S), target(S, O).
failure('Scorching', S, S, [D]) :- end(S), \+ unfinished(S), state(S, D, lit), property(D, glowing), \+ wanted(D, lit).

failure('Gap', E, C, [O]) :- fault(S), mend(S, insert, C, _, O), shown(S, E).
failure('Stunted', E, C, [O]) :- fault(S), mend(S, append, C, _, O), shown(S, E).
failure('Stunted', E, S, []) :- fault(S), \+ mended(S), shown(S, E), S > E.

mended(S) :- mend(S, _, _, _, _).
shown(S, S) :- step(S).
shown(S, E) :- end(E), S > E.
