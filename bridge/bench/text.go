package bench

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/internal/wording"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// listed is how many misses of a part are named.
const listed = 20

// JSON writes the result as one indented object.
func (r *DetectionResult) JSON(w io.Writer) error { return encode.Indented(w, r) }

// Text writes every part that was measured as tables to be read.
func (r *DetectionResult) Text(w io.Writer) error {
	p := &page{}
	p.line("%s", r.heading())
	if r.Matrix != nil {
		p.matrix(r.Matrix)
	}
	if r.Noise != nil {
		p.noise(r.Noise)
	}
	if r.Ablations != nil {
		p.ablations(r.Ablations)
	}
	if r.Nested != nil {
		p.nested(r.Nested)
	}
	if r.ALFRED != nil {
		p.alfred(r.ALFRED)
	}
	if r.RoboFail != nil {
		p.robofail(r.RoboFail)
	}
	if r.Suites != nil {
		p.suites(r.Suites)
	}
	if r.Scenarios != nil {
		p.folder(r.Scenarios)
	}
	if len(r.Skipped) > 0 {
		p.section("Not run")
		p.items(r.Skipped)
	}
	_, err := w.Write(p.Bytes())
	return err
}

// heading says of what the result is, in one line.
func (r *DetectionResult) heading() string { return heading(r.Version, r.Go, r.Seed) }

func heading(version, compiler string, seed uint64) string {
	parts := []string{strings.TrimSpace("mishap " + version)}
	if compiler != "" {
		parts = append(parts, compiler)
	}
	return oneLine(strings.Join(append(parts, fmt.Sprintf("seed %d", seed)), ", "))
}

// page collects the text, so that there is one write that can fail.
type page struct{ bytes.Buffer }

func (p *page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p *page) section(title string) { p.line("\n%s", title) }

func (p *page) items(list []string) {
	for _, s := range list {
		p.line("  %s", oneLine(s))
	}
}

// table writes rows with the first column to the left and numbers to the right.
func (p *page) table(rows [][]string) {
	var width []int
	for _, row := range rows {
		for i, s := range row {
			if i == len(width) {
				width = append(width, 0)
			}
			width[i] = max(width[i], utf8.RuneCountInString(s))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, s := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(s))
			if i == 0 {
				b.WriteString("  " + s + pad)
			} else {
				b.WriteString("  " + pad + s)
			}
		}
		p.line("%s", strings.TrimRight(b.String(), " "))
	}
}

func (p *page) matrix(m *Matrix) {
	p.section("Detection by task and failure")
	head := []string{"task"}
	for i := range m.Failures {
		head = append(head, strconv.Itoa(i+1))
	}
	rows := [][]string{append(head, "alarms")}
	for i, task := range m.Tasks {
		row := []string{oneLine(task)}
		for k := range m.Failures {
			n := m.cell(i, k)
			row = append(row, n.compact())
		}
		clean := m.clean(i)
		rows = append(rows, append(row, clean.alarms()))
	}
	p.table(rows)
	p.line("")
	p.line("  A number alone: so many episodes, in all of which the failure was detected with the")
	p.line("  right class and cause; otherwise episodes:detected/class/cause.")
	p.line("  '-' means that the failure cannot happen in the task.")
	p.line("  alarms: runs without failure in which something was found, of all such runs.")
	p.line("")
	p.legend(m.Failures)
	p.line("")
	p.total(&m.Total)
	p.misses("not fully right", m.Misses)
}

func (p *page) legend(names []string) {
	width := len(strconv.Itoa(len(names)))
	for i, name := range names {
		p.line("  %*d %s", width, i+1, oneLine(name))
	}
}

func (p *page) total(n *Count) {
	p.line("  total: %s in %s", wording.Count(n.Failures, "failure"), wording.Count(n.Episodes, "episode"))
	p.table([][]string{
		{"  detected", strconv.Itoa(n.Detected), share(n.Detected, n.Failures), "of the failures"},
		{"  right class", strconv.Itoa(n.Class), share(n.Class, n.Detected), "of the detected"},
		{"  right cause", strconv.Itoa(n.Cause), share(n.Cause, n.Detected), "of the detected"},
		{"  at most two steps late", strconv.Itoa(n.OnTime), share(n.OnTime, n.Detected), "of the detected"},
	})
	p.line("    %s that no failure accounts for, in %s", wording.Count(n.Extra, "finding"), wording.Count(n.Alarmed, "episode"))
	p.errors(n.Errors)
}

func (p *page) errors(n int) {
	if n > 0 {
		p.line("  %s ended in an error", wording.Count(n, "episode"))
	}
}

func (p *page) noise(points []NoisePoint) {
	p.section("Detection by noise")
	rows := [][]string{{"rate %", "failed", "detected %", "class %", "cause %", "on time %", "clean", "alarmed %"}}
	errors := 0
	for i := range points {
		f, c := &points[i].Failed, &points[i].Clean
		rows = append(rows, []string{ratePercent(points[i].Rate), strconv.Itoa(f.Episodes), percent(f.Detected, f.Failures),
			percent(f.Class, f.Detected), percent(f.Cause, f.Detected), percent(f.OnTime, f.Detected), strconv.Itoa(c.Episodes), percent(c.Alarmed, c.Episodes)})
		errors += f.Errors + c.Errors
	}
	p.table(rows)
	p.line("  failed, clean: episodes with and without failure; class, cause, on time: of the detected")
	p.errors(errors)
	for i := range points {
		p.noiseMisses(&points[i], max(1, listed/len(points)))
	}
}

// noiseMisses names a share of the misses, so that every rate gets its turn. How
// many more there are is not known, since only some are kept.
func (p *page) noiseMisses(n *NoisePoint, most int) {
	cases := n.Misses[:min(most, len(n.Misses))]
	p.cases("missed, or alarmed without failure, at "+ratePercent(n.Rate)+" %", cases)
	if len(cases) < len(n.Misses) {
		p.line("    … and more")
	}
}

func (p *page) ablations(list []AblationResult) {
	p.section("Detection without a part")
	rows := [][]string{{"without", "failed", "detected %", "class %", "cause %", "extra", "clean", "alarmed %"}}
	errors := 0
	for i := range list {
		f, c := &list[i].Failed, &list[i].Clean
		rows = append(rows, []string{oneLine(list[i].Without), strconv.Itoa(f.Episodes), percent(f.Detected, f.Failures),
			percent(f.Class, f.Detected), percent(f.Cause, f.Detected), strconv.Itoa(f.Extra), strconv.Itoa(c.Episodes), percent(c.Alarmed, c.Episodes)})
		errors += f.Errors + c.Errors
	}
	p.table(rows)
	p.line("  failed, clean: episodes with and without failure; class, cause: of the detected;")
	p.line("  extra: findings in the failed ones that no failure accounts for")
	p.errors(errors)
}

func (p *page) nested(n *Nested) {
	p.section("Several failures in an episode")
	p.counts(named{"two", n.Two}, named{"three", n.Three}, named{"one, and one while recovering", n.Recovering})
	p.errors(n.Two.Errors + n.Three.Errors + n.Recovering.Errors)
	p.misses("not fully right", n.Misses)
}

func (p *page) alfred(a *ALFRED) {
	p.section("ALFRED trajectories")
	p.line("  replayed as recorded: %s, alarmed %s", wording.Count(a.Clean.Episodes, "episode"), share(a.Clean.Alarmed, a.Clean.Episodes))
	p.errors(a.Clean.Errors)
	p.line("  each with one failure injected:")
	p.counts(byName("total", a.Injected, a.ByClass)...)
	p.errors(a.Injected.Errors)
	if n := len(a.Refused); n > 0 {
		p.line("  %s could not be re-enacted", wording.Count(n, "trajectory"))
	}
	if n := len(a.None); n > 0 {
		p.line("  nothing could be injected into %s", wording.Count(n, "trajectory"))
	}
	p.misses("alarmed without failure", a.Alarms)
	p.misses("injected, not fully right", a.Misses)
}

func (p *page) robofail(r *RoboFail) {
	p.section("RoboFail, re-enacted")
	p.line("  These are re-enactments of the real plans in a simulated kitchen. The real")
	p.line("  observations are not there. Where it is not known when something was dropped,")
	p.line("  there is an episode for every step while it was carried.")
	p.counts(byName("total", r.Total, r.ByKind)...)
	p.errors(r.Total.Errors)
	p.misses("not fully right", wrong(r.Cases))
	if len(r.Skipped) > 0 {
		p.line("  skipped:")
		for _, s := range r.Skipped {
			p.line("    %s", oneLine(s))
		}
	}
}

func (p *page) suites(list []Suite) {
	p.section("Scenarios whose plan or scene holds the mistake")
	var rows []named
	errors := 0
	for i := range list {
		rows = append(rows, named{list[i].Name, list[i].Count})
		errors += list[i].Count.Errors
	}
	p.counts(rows...)
	p.errors(errors)
	for i := range list {
		p.cases("not fully right in "+oneLine(list[i].Name), wrong(list[i].Cases))
	}
}

func (p *page) folder(s *Scenarios) {
	p.section("Scenarios of " + oneLine(s.Folder))
	p.counts(named{"with a failure", s.Count})
	p.errors(s.Count.Errors)
	p.line("  without failure: %s, alarmed %s", wording.Count(s.Clean.Episodes, "episode"), share(s.Clean.Alarmed, s.Clean.Episodes))
	p.errors(s.Clean.Errors)
	p.cases("not fully right", wrong(s.Cases))
}

// named is a row of a table of counts.
type named struct {
	name string
	Count
}

func byName(all string, total Count, parts map[string]Count) []named {
	out := []named{{all, total}}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		out = append(out, named{name, parts[name]})
	}
	return out
}

func (p *page) counts(list ...named) {
	rows := [][]string{{"", "episodes", "failures", "detected %", "class %", "cause %", "on time %", "extra"}}
	for i := range list {
		n := &list[i]
		rows = append(rows, []string{oneLine(n.name), strconv.Itoa(n.Episodes), strconv.Itoa(n.Failures), percent(n.Detected, n.Failures),
			percent(n.Class, n.Detected), percent(n.Cause, n.Detected), percent(n.OnTime, n.Detected), strconv.Itoa(n.Extra)})
	}
	p.table(rows)
	p.line("  class, cause, on time: of the detected; extra: findings that no failure accounts for")
}

// misses names cases, up to a limit.
func (p *page) misses(title string, cases []Case) {
	more := max(0, len(cases)-listed)
	p.cases(title, cases[:len(cases)-more])
	if more > 0 {
		p.line("    … and %d more", more)
	}
}

func (p *page) cases(title string, cases []Case) {
	if len(cases) == 0 {
		return
	}
	p.line("  %s:", title)
	for i := range cases {
		p.line("    %s", cases[i].describe())
	}
}

func wrong(cases []Case) []Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c Case) bool { return c.right() })
}

// describe says in one line what was expected of a case and what was found.
func (c *Case) describe() string {
	var want, got []string
	for i := range c.Truth {
		want = append(want, expected(&c.Truth[i]))
	}
	for _, f := range c.Found {
		got = append(got, fmt.Sprintf("%s at step %d (cause %d)", f.Class, f.Step, f.Cause))
	}
	end := "found " + listOrNothing(got)
	if c.Error != "" {
		end = "error: " + c.Error
	}
	return oneLine(fmt.Sprintf("%s: expected %s; %s", c.ID, listOrNothing(want), end))
}

func expected(t *simulation.Truth) string {
	s := strings.Join(append([]string{t.Class}, t.Classes...), " or ")
	if t.Step > 0 {
		s += fmt.Sprintf(" at step %d", t.Step)
	}
	switch {
	case len(t.Window) == 2:
		s += fmt.Sprintf(" (cause %d to %d)", t.Window[0], t.Window[1])
	case t.Cause > 0:
		s += fmt.Sprintf(" (cause %d)", t.Cause)
	}
	return s
}

func listOrNothing(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, ", ")
}

// cell is a count of a matrix; a row that is too short has no episodes.
func (m *Matrix) cell(task, failure int) Count {
	if task < len(m.Cells) && failure < len(m.Cells[task]) {
		return m.Cells[task][failure]
	}
	return Count{}
}

func (m *Matrix) clean(task int) Count {
	if task < len(m.Clean) {
		return m.Clean[task]
	}
	return Count{}
}

// compact is a cell of the matrix in as few characters as tell everything.
func (n *Count) compact() string {
	switch {
	case n.Episodes == 0:
		return "-"
	case n.Errors == 0 && n.Detected == n.Episodes && n.Class == n.Episodes && n.Cause == n.Episodes:
		return strconv.Itoa(n.Episodes)
	}
	return fmt.Sprintf("%d:%d/%d/%d", n.Episodes, n.Detected, n.Class, n.Cause)
}

func (n *Count) alarms() string {
	if n.Episodes == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d", n.Alarmed, n.Episodes)
}

// percent is a share with one decimal. What is not all never reads as 100.0,
// and what is not nothing never as 0.0.
func percent(n, all int) string {
	if all == 0 {
		return "-"
	}
	s := strconv.FormatFloat(100*float64(n)/float64(all), 'f', 1, 64)
	switch {
	case s == "100.0" && n < all:
		return ">99.9"
	case s == "0.0" && n > 0:
		return "<0.1"
	}
	return s
}

// share is a percentage with its sign.
func share(n, all int) string {
	if all == 0 {
		return "-"
	}
	return percent(n, all) + " %"
}

// ratePercent is a rate with as many decimals as it needs, one at least.
func ratePercent(rate float64) string {
	s := strconv.FormatFloat(math.Round(rate*1e8)/1e6, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// oneLine keeps a text from breaking a table.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
