package world

import (
	"fmt"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
)

// ParseFact reads a fact as scenes write it: "Pot dirty", "Apple inside Pot",
// "Pot occludes Knife".
func ParseFact(text string) (episode.Fact, error) {
	f, ok := episode.FactOf(strings.Fields(text))
	if !ok {
		return f, fmt.Errorf("scene fact %q; expected for example \"Pan dirty\" or \"Apple inside Pot\"", text)
	}
	return f, nil
}
