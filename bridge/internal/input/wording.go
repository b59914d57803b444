package input

import (
	"errors"
	"fmt"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// UnknownAction is the warning of a line whose action the ontology does not have, or not with
// so many arguments, as the error says; hint is the end that names the nearest one.
func UnknownAction(text, hint string, err error) string {
	var unknown *episode.UnknownActionError
	if err != nil && !errors.As(err, &unknown) {
		return err.Error() + "; what it does is not judged"
	}
	return fmt.Sprintf("unknown action %q%s; what it does is not judged", Clip(text), hint)
}

// UnknownPlanned is the warning of an action of a plan, numbered from 1, that the ontology
// does not have, or not with so many arguments, as the error says.
func UnknownPlanned(n int, text, hint string, err error) string {
	var unknown *episode.UnknownActionError
	if err != nil && !errors.As(err, &unknown) {
		return fmt.Sprintf("planned action %d: %s; what it does is not judged", n, err)
	}
	return fmt.Sprintf("planned action %d %q is unknown%s; what it does is not judged", n, Clip(text), hint)
}
