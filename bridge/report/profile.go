package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
	"github.com/mishap-robotics/mishap/engine"
)

// Profile is what clauses cost, the dearest first. Scripts rely on its field names.
type Profile struct {
	Clauses  []ClauseCost `json:"clauses"`
	Episodes int          `json:"episodes"`
	total    time.Duration
}

// ClauseCost is what a clause cost.
type ClauseCost struct {
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Head     string  `json:"head"`
	Compiled bool    `json:"compiled"`
	Time     float64 `json:"time_us"` // with the helper predicates it calls
	Calls    int     `json:"calls"`   // how often it was asked
	Tuples   int     `json:"tuples"`  // facts and answers that its goals looked at
}

// NewProfile is the report of what the clauses of a reasoner cost on so many episodes.
func NewProfile(r *engine.Reasoner, p *engine.Profile, episodes int) *Profile {
	out := &Profile{Episodes: episodes}
	for _, c := range r.Rules().Clauses {
		cost := p.Of(c)
		out.total += cost.Time
		compiled := r.Compiled() != nil
		if c.ConcludesFailure() && compiled {
			compiled = r.Compiled().Rule(c).Reason == nil
		}
		out.Clauses = append(out.Clauses, ClauseCost{c.Pos.File, c.Pos.Line, c.Head.String(), compiled, float64(cost.Time.Nanoseconds()) / 1000, cost.Calls, cost.Tuples})
	}
	slices.SortStableFunc(out.Clauses, func(a, b ClauseCost) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Tuples, a.Tuples))
	})
	return out
}

// Text writes a table of the clauses that were asked, and the time of all.
func (p *Profile) Text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "time\tshare\tcalls\ttuples\tclause")
	for i := range p.Clauses {
		if c := &p.Clauses[i]; c.Calls > 0 || c.Tuples > 0 {
			c.row(t, p.total)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%s in %s\n", p.total.Round(time.Microsecond), count(p.Episodes, "episode"))
	return err
}

func (c *ClauseCost) row(w io.Writer, total time.Duration) {
	spent := time.Duration(c.Time * 1000)
	took, share := "", ""
	if c.Calls > 0 {
		took, share = spent.Round(100*time.Nanosecond).String(), wording.Percent(int(spent), int(total))
	}
	note := ""
	if !c.Compiled {
		note = " (interpreted)"
	}
	fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%s:%d %s%s\n", took, share, c.Calls, c.Tuples, c.File, c.Line, c.Head, note)
}
