package replan

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// Thing is something that the scene holds.
type Thing struct {
	Name string `json:"name"`
	// Labels are other names of it, such as that of its class.
	Labels []string `json:"labels,omitempty"`
	// Robot is true of the robot and its parts.
	Robot bool `json:"robot,omitempty"`
}

// Scene is what is known of the scene.
type Scene struct {
	Things []Thing        `json:"things"`
	Facts  []episode.Fact `json:"-"`
}

// Names are those of the things in the scene, without the robot.
func (s Scene) Names() []string {
	var out []string
	for _, t := range s.Things {
		if !t.Robot {
			out = append(out, t.Name)
		}
	}
	return out
}

// Find is the thing that a name or label means; case does not matter, nor do spaces
// and underscores. It is false where nothing or more than one thing is meant.
func (s Scene) Find(name string) (Thing, bool) {
	if i := slices.IndexFunc(s.Things, func(t Thing) bool { return t.Name == name }); i >= 0 {
		return s.Things[i], true
	}
	name = plain(name)
	var found []Thing
	for _, t := range s.Things {
		if plain(t.Name) == name {
			return t, true
		}
		if slices.ContainsFunc(t.Labels, func(l string) bool { return plain(l) == name }) {
			found = append(found, t)
		}
	}
	if len(found) != 1 {
		return Thing{}, false
	}
	return found[0], true
}

// minSimilarity is how alike a name must be to that of a thing in the scene to be
// taken for it: the share of letters that need no edit.
const minSimilarity = 0.6

// Nearest is the thing in the scene whose name or label is most like a name, the first
// where several are; false where none is as alike as MinSimilarity.
func (s Scene) Nearest(name string) (Thing, bool) {
	if t, ok := s.Find(name); ok {
		return t, true
	}
	name = plain(name)
	best, most := Thing{}, 0.0
	for _, t := range s.Things {
		class, _ := episode.SplitName(t.Name)
		for _, l := range append([]string{t.Name, class}, t.Labels...) {
			if like := similarity(name, plain(l)); like > most {
				best, most = t, like
			}
		}
	}
	return best, most >= minSimilarity
}

// plain writes a name in small letters without spaces, hyphens and underscores.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '_' || r == '-' {
			return -1
		}
		return r
	}, strings.ToLower(strings.TrimSpace(name)))
}

// longestName bounds the names that are compared by letters.
const longestName = 100

// similarity is how alike two names are; what has no letters, or too many, is like
// nothing.
func similarity(a, b string) float64 {
	if a == "" || b == "" || utf8.RuneCountInString(a) > longestName || utf8.RuneCountInString(b) > longestName {
		return 0
	}
	return ontology.Similarity(a, b)
}
