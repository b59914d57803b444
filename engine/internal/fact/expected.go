package fact

// expectation is how many facts of a predicate an episode has, and how many
// different values in each column.
type expectation struct {
	rows   float64
	values [maxArity]float64
}

// expectations are those of an episode of 100 steps with 20 objects, ten of them in
// view: the proportions of the episodes in testdata, scaled. They choose the order
// of joins, which is the better the nearer they are, and right in any case.
var expectations = func() []expectation {
	out := make([]expectation, len(vocabulary))
	set := func(pred int, rows float64, values ...float64) {
		out[pred].rows = rows
		copy(out[pred].values[:], values)
	}
	for _, pred := range []int{predStep, predFinal, predObserved, predSucceeded} {
		set(pred, 90, 90)
	}
	set(predPrev, 100, 100, 100)
	set(predBefore, 100, 100, 90)
	set(predEnd, 1, 1)
	set(predUnfinished, 0.1, 1)
	set(predAction, 100, 100, 7)
	set(predTarget, 100, 100, 12)
	set(predDestination, 20, 20, 6)
	set(predPlanned, 100, 100, 90)
	set(predActsWith, 100, 100, 1)
	set(predKeepsHold, 65, 65)
	set(predHeard, 60, 20, 8)
	set(predSensed, 80, 20, 10, 3)
	set(predMeasured, 10, 10, 2, 3, 10)
	set(predSeen, 1000, 100, 20)
	set(predSeenState, 800, 90, 12, 8)
	set(predSeenRelation, 800, 90, 15, 3, 8)
	set(predSeenAt, 700, 90, 15, 8)
	set(predAppears, 700, 90, 15)
	set(predHandEmpty, 50, 50)
	set(predState, 1500, 100, 15, 10)
	set(predAt, 1500, 100, 18, 8)
	set(predWithin, 2000, 100, 18, 8)
	set(predHolds, 50, 50, 10)
	set(predOccludes, 5, 5, 3, 3)
	set(predIsa, 80, 20, 30)
	set(predProperty, 70, 18, 20)
	set(predUnmet, 4, 3, 3, 3)
	set(predUnmetName, 1, 1, 1)
	set(predUnmetTwo, 1, 1, 1, 1, 1)
	set(predUnmetThree, 1, 1, 1, 1, 1, 1)
	set(predUnmetFour, 1, 1, 1, 1, 1, 1, 1)
	set(predLacksState, 1, 1, 1, 1)
	set(predLacksRelation, 1, 1, 1, 1, 1)
	set(predRelated, 20000, 100, 30, 3, 30)
	set(predArgument, 150, 100, 2, 20)
	set(predImpossible, 0.2, 1, 1)
	set(predBreached, 1, 1, 1, 1)
	set(predFailed, 5, 5)
	set(predAbsent, 2, 2)
	set(predAway, 2, 2)
	set(predMistaken, 0.3, 1, 1, 1)
	set(predBelated, 0.2, 1, 1)
	set(predWithoutAction, 2, 2)
	set(predUnknown, 2, 2)
	set(predUnlogged, 0.5, 1, 1, 1)
	set(predAmbiguous, 0.5, 1, 1)
	set(predTold, 0.3, 1, 1)
	set(predVague, 0.5, 1, 1)
	set(predWanted, 4, 3, 2)
	set(predWantedAt, 4, 2, 2)
	set(predUnaskedAt, 0.3, 1, 1)
	set(predGoalReached, 1, 1)
	set(predGoalMissed, 1, 1, 1, 1)
	set(predFault, 0.5, 1)
	set(predMend, 0.4, 1, 1, 1, 1, 1)
	set(predMendWindow, 0.4, 1, 1, 1)
	set(predMendOld, 0.2, 1, 1)
	set(predImplies, 10, 10, 2)
	set(predAvoids, 0.5, 1, 2)
	set(predContains, 10, 3, 5)
	set(predFilled, 100, 90, 2, 3)
	set(predPieceOf, 1, 1, 1)
	set(predDeviates, 20, 15, 2, 2)
	set(predValue, 400, 100, 4, 2, 40)
	set(predResult, 10, 10, 3)
	set(predStatus, 50, 50, 3)
	set(predAgent, 100, 100, 1)
	set(predAmount, 30, 30, 2, 10)
	set(predTime, 100, 100, 100)
	set(predUntil, 100, 100, 100)
	set(predSince, 1500, 100, 15, 10, 60)
	set(predSeenValue, 200, 90, 3, 2, 40)
	set(predScore, 60, 60, 10)
	set(predDiffers, 30, 20, 4, 6, 6)
	return out
}()

// expectedSteps is how many steps there are.
const expectedSteps = 100

// Expected is about how many facts of a predicate agree with values for some of
// its arguments. A step is any of those of the episode, other values are such as
// occur.
func Expected(pred int, bound func(arg int) bool) float64 {
	x := &expectations[pred]
	n := x.rows
	for i := range vocabulary[pred].Args {
		switch {
		case !bound(i):
		case i == 0 && Kind(pred, 0) == step:
			n /= expectedSteps
		default:
			n /= x.values[i]
		}
	}
	return n
}

// Earlier reports whether an argument of a predicate is a step that is never
// after its first.
func Earlier(pred, arg int) bool {
	switch pred {
	case predPrev, predBefore, predGoalMissed:
		return arg == 1
	case predDeviates:
		return arg == 2
	}
	return false
}
