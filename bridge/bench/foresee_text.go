package bench

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
)

// JSON writes the result as one indented object.
func (r *Foresee) JSON(w io.Writer) error { return encode.Indented(w, r) }

// Text writes every part that was measured as tables to be read.
func (r *Foresee) Text(w io.Writer) error {
	p := &page{}
	p.line("%s", heading(r.Version, r.Go, r.Seed))
	if len(r.Sets) > 0 {
		p.foresight(r.Sets)
		for i := range r.Sets {
			p.scores(&r.Sets[i])
		}
		p.unforeseen(r.Sets)
	}
	for i := range r.Plans {
		p.plans(&r.Plans[i])
	}
	if len(r.Skipped) > 0 {
		p.section("Not run")
		p.items(r.Skipped)
	}
	_, err := w.Write(p.Bytes())
	return err
}

func (p *page) foresight(sets []Set) {
	p.section("Foresight. Foreseeable: what is left of the plan, simulated from the true state, does not go through. Foreseen: warned of before that step.")
	rows := [][]string{{"episodes", "failed", "foreseeable", "foreseen", "right step", "steps ahead", "irreversible, warned before", "clean, alarmed", "benign, alarmed", "errors"}}
	for i := range sets {
		f := &sets[i].Foresight
		lead := "-"
		if f.Foreseen > 0 {
			lead = strconv.FormatFloat(float64(f.Lead)/float64(f.Foreseen), 'f', 1, 64)
		}
		rows = append(rows, []string{sets[i].Name, strconv.Itoa(f.Failed), strconv.Itoa(f.Foreseeable), of(f.Foreseen, f.Foreseeable), of(f.RightStep, f.Foreseeable),
			lead, of(f.InTime, f.Irreversible), of(f.CleanAlarms, f.Clean), of(f.BenignAlarms, f.Benign), strconv.Itoa(f.Errors)})
	}
	p.table(rows)
}

// of is a count of another with its share.
func of(n, all int) string {
	if all == 0 {
		return "-"
	}
	return fmt.Sprintf("%d/%d %s %%", n, all, percent(n, all))
}

func (p *page) scores(s *Set) {
	if len(s.Scores) == 0 {
		return
	}
	p.section(fmt.Sprintf("Discrepancy score, %s: percent of failed episodes detected, of the others alarmed, by threshold", s.Name))
	head := []string{"expected scene from", "without", "failed", "others"}
	for _, t := range thresholds {
		head = append(head, fmt.Sprintf("%.2f", t), "alarmed")
	}
	rows := [][]string{append(head, "mean", "area")}
	for i := range s.Scores {
		c := &s.Scores[i]
		row := []string{c.Expect, c.Without, strconv.Itoa(c.Failed), strconv.Itoa(c.Sound)}
		mean := 0.0
		for _, t := range thresholds {
			at := c.At(t)
			row = append(row, percent(at.Detected, c.Failed), percent(at.Alarmed, c.Sound))
			mean += 100 * float64(at.Detected) / float64(max(1, c.Failed)) / float64(len(thresholds))
		}
		area := "-"
		if c.Sound > 0 {
			area = strconv.FormatFloat(c.Area, 'f', 3, 64)
		}
		rows = append(rows, append(row, strconv.FormatFloat(mean, 'f', 2, 64), area))
	}
	p.table(rows)
}

// unforeseen names what was missed and the false alarms.
func (p *page) unforeseen(sets []Set) {
	for i := range sets {
		f := &sets[i].Foresight
		for _, part := range []struct {
			title string
			list  []string
		}{{"Not foreseen, " + sets[i].Name, f.Missed}, {"False alarms, " + sets[i].Name, f.Alarmed}} {
			if len(part.list) == 0 {
				continue
			}
			p.section(part.title)
			p.items(part.list[:min(listed, len(part.list))])
			if n := len(part.list) - listed; n > 0 {
				p.line("  and %d more", n)
			}
		}
	}
}

func (p *page) plans(c *PlanCheck) {
	scene := "the usual scene"
	if c.Scene {
		scene = "the stated scene"
	}
	scored, right := 0, 0
	rows := [][]string{{"plan", "annotated", "window", "found", "at", "fault", ""}}
	for i := range c.Cases {
		k := &c.Cases[i]
		verdict := "right"
		switch {
		case k.Skipped != "":
			verdict = "not scored: " + k.Skipped
		case !k.Right():
			scored++
			verdict = "WRONG"
		default:
			scored++
			right++
		}
		if !k.Fault && len(k.Found) == 0 && k.Skipped == "" {
			continue
		}
		row := []string{k.Episode, k.Kind, strings.Trim(fmt.Sprint(k.Window), "[]"), "nothing", "", ""}
		if len(k.Found) > 0 {
			row = []string{k.Episode, k.Kind, strings.Trim(fmt.Sprint(k.Window), "[]"), strings.TrimSuffix(k.Found[0].Class, "Failure"), strconv.Itoa(k.Found[0].Step), strconv.Itoa(k.Found[0].Cause)}
		}
		rows = append(rows, append(row, verdict))
	}
	p.section(fmt.Sprintf("Plans in %s: %d of %d right; those without fault in which none was found are left out", scene, right, scored))
	p.table(slices.Clone(rows))
}
