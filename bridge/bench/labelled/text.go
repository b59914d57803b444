package labelled

import (
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// String is a label in one line.
func (t *Label) String() string {
	if t.Clean() {
		return "nothing"
	}
	parts := []string{strings.Join(t.Classes, " or ")}
	if len(t.Window) == 2 {
		parts = append(parts, fmt.Sprintf("caused from %s to %s", t.Window[0], t.Window[1]))
	}
	if len(t.Times) > 0 {
		times := make([]string, len(t.Times))
		for i, m := range t.Times {
			times[i] = string(m)
		}
		parts = append(parts, "at "+strings.Join(times, " or "))
	}
	if len(t.Objects) > 0 {
		parts = append(parts, "of "+strings.Join(t.Objects, ", "))
	}
	return strings.Join(parts, " ")
}

// describe is a finding in one line.
func describe(ep *episode.Episode, f *engine.Finding) string {
	c := newClock(ep)
	return fmt.Sprintf("%s at %s, caused at %s: %s", f.Type, c.at(f.Step), c.at(f.Cause), strings.Join(f.Objects, ", "))
}

// Text writes the score, then the misses.
func (r *LabelScore) Text(w io.Writer) error {
	var b strings.Builder
	row := func(name string, n, of int) { fmt.Fprintf(&b, "  %-34s %4d of %d\n", name, n, of) }
	fmt.Fprintf(&b, "labelled logs: %d\n", r.Episodes)
	row("read", r.Read, r.Episodes)
	row("failing, with a finding", r.Found, r.Failing)
	row("right class", r.Class, r.Failing)
	row("and right time", r.Time, r.Failing)
	row("and right objects", r.Objects, r.Failing)
	row("and it is the first finding", r.FirstRight, r.Failing)
	row("clean, with an alarm", r.Alarmed, r.Clean)
	fmt.Fprintf(&b, "  %-34s %4d\n", "further findings in failing logs", r.Extra)
	if len(r.ByClass) > 0 {
		b.WriteString("first finding right, by class:\n")
		for _, c := range r.ByClass {
			row(c.Class, c.FirstRight, c.Failing)
		}
	}
	if len(r.Misses) > 0 {
		b.WriteString("misses:\n")
	}
	for _, m := range r.Misses {
		fmt.Fprintf(&b, "  %s: %s\n    labelled: %s\n", m.Episode, m.Why, m.Want)
		for _, g := range m.Got {
			fmt.Fprintf(&b, "    found:    %s\n", g)
		}
	}
	for _, l := range []struct {
		what string
		list []string
	}{{"episodes without a label", r.Unlabelled}, {"labels without an episode", r.Unused}, {"classes of labels that are not known", r.UnknownClasses}} {
		if len(l.list) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", l.what, strings.Join(l.list, ", "))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
