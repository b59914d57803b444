hot(O) :- state(_, O, hot)
cold(O) :- state(_, O, cold).       % found: found "cold"; expected a full stop at the end of the clause that begins on line 1
