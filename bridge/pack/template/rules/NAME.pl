% The parcel was handed over at one desk, and was for another.

failure('WrongDeskFailure', S, S, [P, D, O]) :-
    action(S, hand_over), target(S, P), destination(S, D), before(S, B), related(B, P, addressed_to, O), O \== D.
