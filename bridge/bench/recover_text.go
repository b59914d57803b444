package bench

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/internal/svg"
	"github.com/mishap-robotics/mishap/bridge/internal/wording"
)

// JSON writes the result as one indented object.
func (r *Recover) JSON(w io.Writer) error { return encode.Indented(w, r) }

// Text writes every set that was measured as a table to be read.
func (r *Recover) Text(w io.Writer) error {
	p := &page{}
	title := heading(r.Version, r.Go, r.Seed)
	if r.Imitated {
		title += "; rows with a model are those of an IMITATION that reads its prompts and errs at a set rate, not of a language model"
	}
	p.line("%s", title)
	p.line("")
	p.line("Recovered: every action that failed was carried out later as it should be, or the goal was reached without it.")
	p.line("Completed: the goal holds in the true state and no constraint is violated. Both in percent of the episodes of which")
	p.line("nothing proves that they cannot be completed; of all: in percent of these and the impossible ones. Excess: actions more than the shortest known run, in percent of it.")
	p.line("Planning is of one correction: processor time of its thread on Linux, without garbage collected aside; by the clock elsewhere and in rows with a model.")
	p.line("Not held: plans called verified, that depend on no look, after which another correction was needed though nothing more happened.")
	for i := range r.Sets {
		p.recovery(&r.Sets[i])
	}
	for i := range r.Sets {
		p.unrecovered(&r.Sets[i])
	}
	if len(r.Skipped) > 0 {
		p.section("Not run")
		p.items(r.Skipped)
	}
	_, err := w.Write(p.Bytes())
	return err
}

func (p *page) recovery(s *RecoverySet) {
	p.section(fmt.Sprintf("%s: %s, %d of them possible", s.title(), wording.Count(s.Episodes, "episode"), s.Possible))
	rows := [][]string{{"method", "recovered", "completed", "of all", "goal conditions", "corrections", "actions", "excess", "verified, not held", "planning p50 ms", "p99 ms", "longest plan", "errors"}}
	for i := range s.Methods {
		m := &s.Methods[i]
		rows = append(rows, []string{m.Name, of(m.Recovered, m.Episodes), of(m.Completed, m.Episodes), ofAll(s, m), of(m.Met, m.Conditions),
			each1(m.Recoveries, m.Episodes), each1(m.Actions, m.Episodes), percent(m.Excess, m.Shortest), fmt.Sprintf("%d, %d", m.Verified, m.Broken),
			strconv.FormatFloat(m.P50, 'f', 1, 64), strconv.FormatFloat(m.P99, 'f', 1, 64), strconv.Itoa(m.Longest), strconv.Itoa(m.Errors)})
	}
	p.table(rows)
	p.asked(s)
}

// title is the name of a set, and in the first place that its model is an imitation.
func (s *RecoverySet) title() string {
	if s.Imitation == "" {
		return s.Name
	}
	return "By an imitation of a model (" + s.Imitation + "), " + s.Name
}

// ofAll is the share of completed episodes in all of a set, the impossible ones too, where the
// method was measured on every possible one.
func ofAll(s *RecoverySet, m *RecoveryMethod) string {
	if m.Episodes != s.Possible {
		return "-"
	}
	return of(m.Completed, s.Episodes)
}

// asked is what asking a model came to, where one was.
func (p *page) asked(s *RecoverySet) {
	rows := [][]string{{"method", "model", "recoveries", "plans taken", "calls", "most in one", "tokens sent", "p50 of one", "most", "tokens answered", "US dollars"}}
	for i := range s.Methods {
		t := s.Methods[i].Advice
		if t == nil {
			continue
		}
		dollars := "not known"
		if t.Dollars != nil {
			dollars = strconv.FormatFloat(*t.Dollars, 'f', 4, 64)
		}
		row := []string{s.Methods[i].Name, t.Model}
		for _, n := range []int{t.Recoveries, t.Taken, t.Calls, t.MostCalls, t.Prompt, t.P50, t.Most, t.Answer} {
			row = append(row, strconv.Itoa(n))
		}
		rows = append(rows, append(row, dollars))
	}
	if len(rows) > 1 {
		p.line("")
		p.table(rows)
	}
}

// each1 is a number for each episode.
func each1(n, episodes int) string {
	if episodes == 0 {
		return "-"
	}
	return strconv.FormatFloat(float64(n)/float64(episodes), 'f', 1, 64)
}

func (p *page) unrecovered(s *RecoverySet) {
	for i := range s.Methods {
		if m := &s.Methods[i]; m.Name == Whole && len(m.Missed) > 0 {
			p.section(fmt.Sprintf("Possible and not completed by %s: %s", Whole, s.Name))
			p.items(m.Missed)
		}
		if list := s.Methods[i].NotHeld; len(list) > 0 {
			p.section(fmt.Sprintf("Called verified by %s and not held: %s", Whole, s.Name))
			p.items(list)
		}
	}
	if len(s.Impossible) > 0 {
		p.section(fmt.Sprintf("Impossible, with the proof: %s", s.Name))
		p.items(s.Impossible)
	}
}

// barLength is how long a bar of a hundred percent is drawn.
const barLength = 260.0

// SVG writes one picture with the share of episodes completed, by set and method. It
// is an error where nothing was measured.
func (r *Recover) SVG(w io.Writer) error {
	if len(r.Sets) == 0 {
		return errors.New("nothing to draw: no episodes were measured")
	}
	title := heading(r.Version, r.Go, r.Seed)
	d := &svg.Drawing{}
	d.Text(margin, margin+14, `class="title"`, title)
	x, y, tallest, width := margin, margin+34, 0.0, svg.TextWidth(title)*1.4+2*margin
	for i := range r.Sets {
		p := drawRecovery(&r.Sets[i])
		if i > 0 && i%2 == 0 {
			x, y, tallest = margin, y+tallest+margin, 0
		}
		d.Place(x, y, p)
		x, tallest = x+p.Width+2*margin, max(tallest, p.Height)
		width = max(width, x)
	}
	return svg.Write(w, title+": episodes completed, by method", width, y+tallest+margin, d)
}

// drawRecovery draws a bar for each method: what is completed in full colour, what is
// recovered besides in a lighter one.
func drawRecovery(s *RecoverySet) *svg.Panel {
	p := svg.NewPanel(s.Name, fmt.Sprintf("completed (dark) and recovered, percent of %d possible episodes", s.Possible))
	const label, row = 230.0, 22.0
	top := 46.0
	for i := range s.Methods {
		m := &s.Methods[i]
		y := top + row*float64(i)
		share := func(n int) float64 { return barLength * float64(n) / float64(max(1, m.Episodes)) }
		p.Text(label-8, y+12, `text-anchor="end"`, m.Name)
		p.Rect(label, y, share(m.Recovered), 15, `fill="#a9c6e3"`)
		fill := `fill="#1f5f99"`
		if m.Name == Whole {
			fill = `fill="#2d7a3a"`
		}
		p.Rect(label, y, share(m.Completed), 15, fill)
		p.Text(label+barLength+8, y+12, "", percent(m.Completed, m.Episodes))
	}
	p.Width = max(p.Width, label+barLength+60)
	p.Height = top + row*float64(len(s.Methods)) + 12
	return p
}
