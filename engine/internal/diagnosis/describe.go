package diagnosis

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/engine/internal/wording"
	"github.com/mishap-robotics/mishap/rules"
)

// describe fills in what a reader of a finding wants to know.
func (d *diagnosis) describe(f *Finding) {
	f.Window = [2]int32{f.Cause, f.Cause}
	if at, ok := f.has("fault"); ok {
		f.Window = d.window(f.Cause, at)
	}
	if e := d.trace.Event(f.Step); e != nil {
		f.Planned = e.Planned
		f.Agent = d.trace.Objects.Name(e.Call.Agent)
	}
	f.Explanation = d.sentence(f)
	for _, g := range f.goals {
		f.Evidence = append(f.Evidence, g.String())
	}
	d.addUnmet(f)
	selector := strategySelector{d.trace, d.onto, d.moments, d.repair(f).Actions()}
	f.Strategies = selector.strategies(f)
}

// addUnmet adds to the evidence of a plan that stops all that is unmet there.
func (d *diagnosis) addUnmet(f *Finding) {
	if !d.onto.Strict() {
		return
	}
	for text := range d.index.Unmet(f.Step) {
		if !slices.Contains(f.Evidence, text) {
			f.Evidence = append(f.Evidence, text)
		}
	}
}

// window widens the cause to the steps at which the edit that mends the fault
// would do.
func (d *diagnosis) window(cause, fault int32) [2]int32 {
	w := [2]int32{cause, cause}
	for _, m := range d.index.Repairs {
		if m.Step == fault && m.At == cause {
			w = [2]int32{min(w[0], m.First), max(w[1], m.Last)}
		}
	}
	return w
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// ExplainForeseen words a finding on an episode that is still to come about.
func ExplainForeseen(x *fact.Index, f *Finding) string {
	d := &diagnosis{index: x, trace: x.Trace, onto: x.Trace.Objects.Onto}
	return d.fill(d.onto.ForeseenExplanations(d.class(f)), f)
}

// sentence fills in the explanation of a finding's class.
func (d *diagnosis) sentence(f *Finding) string {
	return d.fill(d.onto.Explanations(d.class(f)), f)
}

// fill fills in templates: of those that can be filled in whole, the one that says
// most.
func (d *diagnosis) fill(templates []string, f *Finding) string {
	best, most := "", -1
	for _, template := range templates {
		filled, whole := 0, true
		text := placeholder.ReplaceAllStringFunc(template, func(p string) string {
			w := d.word(p[1:len(p)-1], f)
			whole = whole && w != ""
			filled++
			return w
		})
		if whole && filled > most {
			best, most = text, filled
		}
	}
	if most < 0 {
		best = strings.TrimSuffix(d.onto.Label(d.class(f))+": "+strings.Join(f.Objects, ", "), ": ") + "."
	}
	return best
}

// word is what stands for a placeholder of an explanation: an object of the finding by its
// number, the action at which it shows, why that cannot be carried out, the
// action that the plan lacks, or what the goal lacks; "" where the finding has
// no such thing.
func (d *diagnosis) word(key string, f *Finding) string {
	if n, err := strconv.Atoi(key); err == nil {
		if n >= 1 && n <= len(f.Objects) {
			return f.Objects[n-1]
		}
		return ""
	}
	e := d.trace.Event(f.Step)
	switch {
	case key == "action" && e != nil && !e.WithoutAction:
		return d.trace.Objects.CallText(e.Call)
	case key == "logged" && e != nil:
		return d.logged(f.Step)
	case key == "reason" && e != nil:
		if at, ok := f.has("fault"); !ok || at == f.Step {
			return reason(e)
		}
	case key == "lacking":
		return d.lacking()
	case key == "missing":
		return d.repair(f).Text
	case key == "several":
		if r := d.repair(f); len(r.Others) > 0 && len(r.Actions()) > 1 {
			return wording.List(r.Actions())
		}
	case key == "wrong":
		return d.repair(f).Wrong
	case key == "before":
		return d.repair(f).Before
	}
	return ""
}

// reason is the precondition that kept an action from being carried out, in
// words.
func reason(e *belief.Event) string {
	if e.Outcome != belief.Refused {
		return ""
	}
	for _, u := range e.Unmet {
		if u.Origin == 0 && u.Comment != "" {
			return u.Comment
		}
	}
	return ""
}

// nameLacking names, in a finding that the plan stops too soon, what the goal lacks.
func (d *diagnosis) nameLacking(f *Finding) {
	if at, ok := f.has("fault"); !ok || at <= d.trace.Last() || len(f.Objects) > 0 {
		return
	}
	for _, m := range d.trace.UnmetGoals(d.trace.Expected) {
		if name := d.trace.Objects.Name(m.Object); name != "" && !slices.Contains(f.Objects, name) {
			f.Objects = append(f.Objects, name)
		}
	}
}

// lacking lists the goal conditions that do not hold at the end of the expected
// course.
func (d *diagnosis) lacking() string {
	return strings.Join(d.trace.UnmetGoalTexts(d.trace.Intended()), ", ")
}

// logged is the action of a step as the log writes it.
func (d *diagnosis) logged(step int32) string {
	if a, ok := d.trace.Episode.ActionOf(int(step)); ok {
		return a.String()
	}
	if e := d.trace.Event(step); e != nil { // a window has let go of the line
		return d.trace.Objects.CallText(e.Call)
	}
	return ""
}

// repair is the edit that puts right the fault of the plan behind a finding.
func (d *diagnosis) repair(f *Finding) planfault.Repair {
	at, _ := f.has("fault")
	for _, m := range d.index.Repairs {
		if m.Step == at {
			return m
		}
	}
	return planfault.Repair{}
}

// Rule is the place of the rule behind a finding, as reports write it:
// "rules/occupied.pl:12"; "" of a finding that no rule made.
func (f *Finding) Rule() string { return RuleOf(f.Clause) }

// RuleOf is the place of a rule, as reports write it.
func RuleOf(c *rules.Clause) string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", c.Pos.File, c.Pos.Line)
}
