// Package planner plans in the action model of the ontology. From a goal it regresses
// to the actions and processes that achieve its parts and to what those need
// (means-ends analysis), proves by reachability without delete effects that a part of a
// goal cannot be reached, chooses the objects for a goal, completes plans
// of others where their conditions are unmet, and searches best-first where the parts of a
// goal stand in each other's way.
//
// What it may not do is given to it: norms, literals that must not stay so, and calls
// that somebody has found to be wrong.
package planner
