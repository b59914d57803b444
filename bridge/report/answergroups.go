//go:build !js

package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mishap-robotics/mishap/engine/memory"
)

// AnswerGroups counts the answers to a goal over a memory by variables of it, or by what
// is known of the episode: robot, site, task, day.
type AnswerGroups struct {
	by     []string
	groups map[string]*answerGroup
}

type answerGroup struct {
	values   []string
	answers  int
	episodes map[string]bool
}

// NewAnswerGroups counts by names.
func NewAnswerGroups(by []string) *AnswerGroups {
	return &AnswerGroups{by, map[string]*answerGroup{}}
}

// Add counts an answer. The error tells which of the names it does not have.
func (g *AnswerGroups) Add(a memory.Answer) error {
	var values []string
	for _, name := range g.by {
		v, err := groupValue(a, name)
		if err != nil {
			return err
		}
		values = append(values, v)
	}
	key := strings.Join(values, "\x00")
	group := g.groups[key]
	if group == nil {
		group = &answerGroup{values: values, episodes: map[string]bool{}}
		g.groups[key] = group
	}
	group.answers++
	if a.Entry.ID != "" {
		group.episodes[a.Entry.ID] = true
	}
	return nil
}

func groupValue(a memory.Answer, name string) (string, error) {
	if i := slices.Index(a.Names, name); i >= 0 {
		return plainText(a.Values[i]), nil
	}
	switch name {
	case "robot":
		return a.Entry.Robot, nil
	case "site":
		return a.Entry.Site, nil
	case "task":
		return a.Entry.Task, nil
	case "day":
		if a.Entry.Start.IsZero() {
			return "", nil
		}
		return a.Entry.Start.Format(time.DateOnly), nil
	}
	return "", fmt.Errorf("%q; expected one of the variables %s, or robot, site, task or day", name, strings.Join(a.Names, ", "))
}

// sorted are the groups, the largest first.
func (g *AnswerGroups) sorted() []*answerGroup {
	var out []*answerGroup
	for _, group := range g.groups {
		out = append(out, group)
	}
	slices.SortFunc(out, func(a, b *answerGroup) int {
		return cmp.Or(cmp.Compare(b.answers, a.answers), slices.Compare(a.values, b.values))
	})
	return out
}

// JSON writes the groups as one object.
func (g *AnswerGroups) JSON(w io.Writer) error {
	out := []map[string]any{}
	for _, group := range g.sorted() {
		by := map[string]string{}
		for i, name := range g.by {
			by[name] = group.values[i]
		}
		out = append(out, map[string]any{"group": by, "answers": group.answers, "episodes": len(group.episodes)})
	}
	return JSON(w, map[string]any{"groups": out})
}

// Text writes the groups as a table with a header line.
func (g *AnswerGroups) Text(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(g.by, "\t")+"\tANSWERS\tEPISODES")
	for _, group := range g.sorted() {
		cells := slices.Clone(group.values)
		for i := range cells {
			if cells[i] = clean(cells[i]); cells[i] == "" {
				cells[i] = "-"
			}
		}
		fmt.Fprintf(t, "%s\t%d\t%d\n", strings.Join(cells, "\t"), group.answers, len(group.episodes))
	}
	return t.Flush()
}
