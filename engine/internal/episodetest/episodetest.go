// Package episodetest writes episodes for tests in a few lines.
package episodetest

import (
	"testing"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/script"
	"github.com/mishap-robotics/mishap/ontology"
)

// Parse reads an episode as package script has it; a mistake ends the test.
func Parse(t testing.TB, o *ontology.Ontology, text string) *episode.Episode {
	t.Helper()
	ep, err := script.Parse(o, "test", 1, text)
	if err != nil {
		t.Fatal(err)
	}
	return ep
}
