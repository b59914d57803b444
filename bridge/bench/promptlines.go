package bench

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// promptLines is what a prompt tells, line by line.
type promptLines []promptLine

// promptLine is a line such as "Objects: …".
type promptLine struct{ label, text string }

func tell(prompt string) promptLines {
	var out promptLines
	for line := range strings.Lines(prompt) {
		label, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			label, text = strings.TrimSuffix(label, ":"), ""
		}
		out = append(out, promptLine{label, text})
	}
	return out
}

// text is what a line of a label says, "" where there is none.
func (t promptLines) text(label string) string {
	for _, l := range t {
		if l.label == label {
			return l.text
		}
	}
	return ""
}

// has reports whether a prompt says anything under a label.
func (t promptLines) has(label string) bool {
	return slices.ContainsFunc(t, func(l promptLine) bool { return l.label == label && l.text != "none" })
}

// list is what a line of a label lists.
func (t promptLines) list(label string) []string { return items(t.text(label)) }

// items are those of a block in one pair of quotes.
func items(block string) []string {
	if block == "" || block == "none" {
		return nil
	}
	return strings.Split(strings.Trim(block, `"`), "; ")
}

// objects are the names that are listed, "Mug-1, -2" being two.
func (t promptLines) objects() []string {
	var out []string
	for _, item := range t.list("Objects") {
		first := ""
		for i, part := range strings.Split(item, ", ") {
			if i == 0 {
				first, _ = episode.SplitName(part)
			} else if strings.HasPrefix(part, "-") {
				part = first + part
			}
			out = append(out, part)
		}
	}
	return out
}

// saidSo finds what is said of a thing in a sentence: "Mug-1 is broken".
var saidSo = regexp.MustCompile(`(\w+-\d+) is (\w+)`)

// scene is what a prompt says there is: what it lists, what is known under some labels of it, and
// what sentences under others say of it.
func (t promptLines) scene(listed, sentences []string) episode.Observation {
	var obs episode.Observation
	add := func(id string) *scene.Node {
		if i := slices.IndexFunc(obs.Nodes, func(n scene.Node) bool { return n.ID == id }); i >= 0 {
			return &obs.Nodes[i]
		}
		class, _ := episode.SplitName(id)
		obs.Nodes = append(obs.Nodes, scene.Node{ID: id, Class: class})
		return &obs.Nodes[len(obs.Nodes)-1]
	}
	for _, id := range t.objects() {
		add(id)
	}
	for _, label := range listed {
		for _, fact := range t.list(label) {
			subject, rest, ok := strings.Cut(fact, " ")
			if !ok {
				continue
			}
			for _, said := range strings.Split(rest, ", ") {
				if relation, object, ok := strings.Cut(said, " "); ok {
					obs.Edges = append(obs.Edges, scene.Edge{Subject: subject, Relation: relation, Object: object})
				} else if n := add(subject); !slices.Contains(n.States, said) {
					n.States = append(n.States, said)
				}
			}
		}
	}
	for _, label := range sentences {
		for _, m := range saidSo.FindAllStringSubmatch(t.text(label), -1) {
			if i := slices.IndexFunc(obs.Nodes, func(n scene.Node) bool { return n.ID == m[1] }); i >= 0 && !slices.Contains(obs.Nodes[i].States, m[2]) {
				obs.Nodes[i].States = append(obs.Nodes[i].States, m[2])
			}
		}
	}
	return obs
}

// quotedParts are the texts of a line that stand in quotes.
func quotedParts(line string) []string {
	var out []string
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			out = append(out, part)
		}
	}
	return out
}
