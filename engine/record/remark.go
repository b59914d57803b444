package record

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// Remark is what a person said of a finding, or of an episode.
type Remark struct {
	Finding      int  // index among the findings of the result; below 0 for the episode
	Acknowledged bool // somebody has taken note of it
	Text         string
	At           time.Time
}

func (w *writer) remark(r Remark, i, findings int) {
	x := w.item(remarkPart, i, recorded.Remark)
	on := w.episode()
	if r.Finding >= 0 && r.Finding < findings {
		on = w.part(findingPart, r.Finding+1)
	}
	w.say(x, term(recorded.RemarkOn), on)
	w.flag(x, recorded.Acknowledged, r.Acknowledged)
	w.text(x, recorded.Text, r.Text)
	if !r.At.IsZero() {
		w.say(x, term(recorded.RemarkTime), quad.TypedString{Value: quad.String(r.At.UTC().Format(time.RFC3339)), Type: dateTime})
	}
}

// Remarks reads the remarks on an episode from its quads, in order.
func Remarks(id string, quads []quad.Quad) []Remark {
	v, n := view{}, names{Root(id)}
	for _, q := range quads {
		if s, ok := q.Subject.(quad.IRI); ok {
			v[s] = append(v[s], q)
		}
	}
	type indexed struct {
		Remark
		index int
	}
	var list []indexed
	for x := range v {
		if !v.is(x, recorded.Remark) {
			continue
		}
		r := indexed{Remark: Remark{Finding: -1, Acknowledged: v.text(x, recorded.Acknowledged) == "true", Text: v.text(x, recorded.Text)}}
		r.index, _ = strconv.Atoi(v.text(x, recorded.Index))
		r.At, _ = time.Parse(time.RFC3339, v.text(x, recorded.RemarkTime))
		if on, ok := v.value(x, term(recorded.RemarkOn)).(quad.IRI); ok {
			if i, err := strconv.Atoi(v.text(on, recorded.Index)); err == nil && on != n.episode() {
				r.Finding = i - 1
			}
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b indexed) int { return cmp.Compare(a.index, b.index) })
	var out []Remark
	for _, r := range list {
		out = append(out, r.Remark)
	}
	return out
}
