//go:build !js

package report

import (
	"fmt"
	"io"

	"github.com/mishap-robotics/mishap/bridge/shacl"
)

// Validated is an episode that was held to shapes.
type Validated struct {
	Episode    string            `json:"episode"`
	Violations []shacl.Violation `json:"violations,omitempty"`
}

// Validation writes what does not conform, and how many episodes do.
func Validation(w io.Writer, all []Validated) error {
	conform := 0
	for _, v := range all {
		if len(v.Violations) == 0 {
			conform++
		}
		for _, x := range v.Violations {
			if _, err := fmt.Fprintf(w, "%s: %s\n", clean(v.Episode), clean(x.String())); err != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(w, "%d of %s conform\n", conform, count(len(all), "episode"))
	return err
}
