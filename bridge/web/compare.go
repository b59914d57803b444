package web

import (
	"context"
	"net/http"
	"net/url"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/report"
)

// mostCompared is how many steps of an episode are aligned.
const mostCompared = 2_000

// comparePage sets two episodes side by side.
type comparePage struct {
	A, B        *compared
	Rows        []comparedRow
	Same, Other int // rows that are alike, and that are not
	Choices     []*Entry
	KeyA, KeyB  string
	TooLong     bool
	Others      []RuleSet // that the second may be judged with
	With        string    // "" for the library's
}

type compared struct {
	Key  string
	E    *Episode
	Only []bool // of each finding that the other side does not have it
	Of   string // the rules that it is judged with, where they are another's
}

// comparedRow is a step of either episode, or of both where they did the same.
type comparedRow struct {
	A, B *Moment
	Same bool // what was done, and what became of it
}

// compare aligns two episodes by what was done.
func (s *Server) compare(w http.ResponseWriter, r *http.Request) error {
	q := r.URL.Query()
	p := comparePage{KeyA: q.Get("a"), KeyB: q.Get("b"), Others: s.Others, With: q.Get("with")}
	all, _, _ := s.Library.List(r.Context())
	const most = 500
	p.Choices = all[:min(most, len(all))]
	for _, side := range []struct {
		key string
		to  **compared
	}{{p.KeyA, &p.A}, {p.KeyB, &p.B}} {
		if side.key == "" {
			continue
		}
		j, err := s.Library.judged(r.Context(), side.key)
		if err != nil {
			return err
		}
		*side.to = &compared{Key: "/episodes/" + url.PathEscape(side.key), E: j.now()}
		if i := slices.IndexFunc(all, func(e *Entry) bool { return e.Key == side.key }); i >= len(p.Choices) {
			p.Choices = append(slices.Clip(p.Choices), all[i])
		}
	}
	if p.With != "" && p.B != nil {
		if err := p.judge(r.Context(), s, p.KeyB); err != nil {
			return err
		}
	}
	if p.A != nil && p.B != nil {
		if p.KeyA == p.KeyB {
			p.A.Only, p.B.Only = without(p.A.E, p.B.E), without(p.B.E, p.A.E)
		}
		p.align(acted(p.A.E), acted(p.B.E))
	}
	return s.render(w, http.StatusOK, "compare.html", s.layout("/compare", word("page.compare"), p))
}

// judge judges the second episode with other rules.
func (p *comparePage) judge(ctx context.Context, s *Server, key string) error {
	i := slices.IndexFunc(s.Others, func(o RuleSet) bool { return o.Name == p.With })
	if i < 0 {
		return badRequest("%q are no rules of this server", shown(p.With))
	}
	select {
	case s.Library.judging <- struct{}{}:
		defer func() { <-s.Library.judging }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ep, err := s.Library.episode(ctx, key)
	if err != nil {
		return err
	}
	p.B.E, _, err = check(ctx, s.Others[i].Reasoner, ep)
	p.B.Of = p.With
	return err
}

// without says of each finding of an episode that the other judgement of it has none like it.
func without(e, other *Episode) []bool {
	out := make([]bool, len(e.Report.Findings))
	for i := range out {
		f := &e.Report.Findings[i].Finding
		out[i] = !slices.ContainsFunc(other.Report.Findings, func(g report.FindingRecovery) bool { return f.Alike(&g.Finding) })
	}
	return out
}

// acted are the moments at which something was done, of each action its last line.
func acted(e *Episode) []*Moment {
	var out []*Moment
	for i := range e.Moments {
		if m := &e.Moments[i]; m.Action != "" && m.Outcome != "" {
			out = append(out, m)
		}
	}
	return out
}

// align finds the longest sequence of actions that both have, and sets the others between.
func (p *comparePage) align(a, b []*Moment) {
	if len(a) > mostCompared || len(b) > mostCompared {
		p.TooLong = true
		return
	}
	longest := make([][]int16, len(a)+1) // common to what is left of both
	for i := range longest {
		longest[i] = make([]int16, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].Action == b[j].Action {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i].Action == b[j].Action:
			p.row(a[i], b[j])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && longest[i+1][j] >= longest[i][j+1]:
			p.row(a[i], nil)
			i++
		default:
			p.row(nil, b[j])
			j++
		}
	}
}

func (p *comparePage) row(a, b *Moment) {
	row := comparedRow{A: a, B: b, Same: a != nil && b != nil && a.Outcome == b.Outcome}
	p.Rows = append(p.Rows, row)
	if row.Same {
		p.Same++
	} else {
		p.Other++
	}
}
