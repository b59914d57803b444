package language

import (
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/memo"
	"github.com/mishap-robotics/mishap/ontology"
)

// RelationLabel is the label, perhaps an inverse one, that a log means by what it calls a relation: "is
// on", "isOn", "onTopOf"; "" where it is none that the ontology has.
func RelationLabel(o *ontology.Ontology, text string) string {
	known := func(label string) bool {
		return len(o.ByLabel(label, o.Core.Relation)) > 0 || o.ByInverseLabel(label) != ontology.None
	}
	if known(text) {
		return text
	}
	if first, second, either := strings.Cut(text, "/"); either && known(first) && known(second) { // "in/on"
		return first
	}
	in := Words(text)
	for {
		if label := strings.Join(in, " "); known(label) {
			return label
		}
		if len(in) < 2 || !o.IsWord(in[0], ontology.Linking) && !o.IsWord(in[0], ontology.Placing) {
			break
		}
		in = in[1:]
	}
	return joinedRelations.Of(o)[strings.Join(in, "")]
}

// joinedRelations are the labels of relations by what they are in one word: "ontopof".
var joinedRelations = memo.New(func(o *ontology.Ontology) map[string]string {
	out := map[string]string{}
	for _, label := range o.RelationLabels() {
		if joined := strings.ReplaceAll(label, " ", ""); out[joined] == "" {
			out[joined] = label
		}
	}
	return out
})
