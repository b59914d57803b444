package input

import "fmt"

// UnknownAction is the warning of a line whose action the ontology does not have; hint is
// the end that names the nearest one.
func UnknownAction(text, hint string) string {
	return fmt.Sprintf("unknown action %q%s; what it does is not judged", Clip(text), hint)
}

// UnknownPlanned is the warning of an action of a plan, numbered from 1, that the ontology
// does not have.
func UnknownPlanned(n int, text, hint string) string {
	return fmt.Sprintf("planned action %d %q is unknown%s; what it does is not judged", n, Clip(text), hint)
}
