hot(O) :- state(_, O, hot).
cold(O) :- state(_, O, cold).
