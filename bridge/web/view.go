package web

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
	"github.com/mishap-robotics/mishap/bridge/report"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed static
var staticFiles embed.FS

var templates = sync.OnceValue(readTemplates)

func readTemplates() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"w":           word,
		"shown":       shown,
		"failures":    failures,
		"goal":        func(g string) string { return nonEmpty(g, word("goal."+g)) },
		"moment":      momentText,
		"deref":       func(n *int32) int32 { return *n },
		"outcomeSign": func(o string) string { return outcomeSigns[o] },
		"sentence":    sentence,
		"goals":       func() []string { return []string{"reached", "missed", "unknown"} },
		"excerpt":     excerpt,
		"of":          findingName,
		"only":        func(c *compared, i int) bool { return i < len(c.Only) && c.Only[i] },
		"head":        func(c []classCount, n int) []classCount { return c[:min(n, len(c))] },
		"rest":        func(c []classCount, n int) []classCount { return c[min(n, len(c)):] },
		"linked":      func(base string, m *Moment) any { return stepView{fmt.Sprintf("%s#e-s%d", base, m.Step), m} },
		"findingOf":   findingOf,
		"proofOf":     proofOf,
	}).ParseFS(templateFiles, "templates/*.html"))
}

// outcomeSigns tell outcomes apart without colour.
var outcomeSigns = map[string]string{"succeeded": "✓", "presumed": "∼", "refused": "⊘", "failed": "✕"}

// longest is how many characters of a text from a log are shown where one is longer than
// any that a person would read.
const longest = 2_000

// shown is a text from outside without what turns the direction of writing or cannot be
// seen, and not longer than a page bears.
func shown(s string) string {
	if len(s) > 4*longest {
		s = strings.ToValidUTF8(s[:4*longest], "")
	}
	if r := []rune(s); len(r) > longest {
		s = string(r[:longest]) + "…"
	}
	return wording.Clean(s)
}

// excerpt is the beginning of a text of lines that is longer than a page bears.
func excerpt(s string) string {
	const most = 200_000
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// findingName is the class of a finding by its number from 1, "" where there is none of it.
func findingName(e *Episode, n int) string {
	if n < 1 || n > len(e.Report.Findings) {
		return ""
	}
	return e.Report.Findings[n-1].Type
}

// sentence begins with a capital letter.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[n:]
}

func nonEmpty(test, s string) string {
	if test == "" {
		return ""
	}
	return s
}

func failures(n int) string {
	switch n {
	case 0:
		return word("verdict.none")
	case 1:
		return "1 " + word("failure")
	}
	return fmt.Sprintf("%d %s", n, word("failures"))
}

func momentText(step int32, time string) string {
	s := fmt.Sprintf("%s %d", word("proof.step"), step)
	if time != "" {
		s += ", " + shown(time)
	}
	return s
}

// episodeView is an episode as the templates show it.
type episodeView struct {
	Compare string // where it is set beside another, "" for nowhere
	Try     string // where other rules are tried on it
	Key     string // of the element in the page, and of what links to it
	E       *Episode
	View    viewerData
	Packed  string // View, compressed; "" where it is not
	Base    string // of links to findings, "" where there are none
	Short   bool   // the log is closed at first
	Log     []Moment
	Whole   string // leads to the page with all of the log, "" where Log is all of it
}

// long is how many moments an episode has of which the log is not laid out unasked.
const long = 400

// shorten leaves no more of a long log in the page than its begin: the viewer has all of it.
func (v *episodeView) shorten(link string) {
	if len(v.Log) > long {
		v.Log, v.Whole = v.Log[:long], link
	}
}

// viewerData is what the script of the page draws.
type viewerData struct {
	Objects  []Object       `json:"objects"`
	Moments  []Moment       `json:"moments"`
	Findings []viewerMark   `json:"findings"`
	Threats  []viewerThreat `json:"threats"`
	Plan     []string       `json:"plan"`
}

// viewerThreat is a threat, which may have come about.
type viewerThreat struct {
	Type  string `json:"type"`
	Step  int32  `json:"step"`  // after which it was foreseen
	Shows int32  `json:"shows"` // where it showed, or would have
	Came  bool   `json:"came"`  // about
	Text  string `json:"text"`
}

type viewerMark struct {
	Type         string  `json:"type"`
	Step         int32   `json:"step"`
	Cause        int32   `json:"cause"`
	Text         string  `json:"text"`
	Consequences []int32 `json:"then"`
}

func newEpisodeView(key string, e *Episode) episodeView {
	v := viewerData{Objects: e.Objects, Moments: slices.Clone(e.Moments), Findings: []viewerMark{}, Threats: []viewerThreat{}, Plan: e.Plan}
	for i := range v.Moments {
		m := &v.Moments[i]
		m.Told = "" // it stands in the page
		if m.Score != nil {
			c := *m.Score.Comparison
			c.Pairs = nil
			m.Score = &report.Score{Comparison: &c, Alarm: m.Score.Alarm}
		}
	}
	for _, f := range e.Report.Findings {
		m := viewerMark{Type: f.Type, Step: f.Step, Cause: f.CauseStep, Text: f.Explanation, Consequences: []int32{}}
		for _, c := range f.Consequences {
			m.Consequences = append(m.Consequences, c.Step)
		}
		v.Findings = append(v.Findings, m)
	}
	for _, t := range e.Threats {
		one := viewerThreat{Type: t.Type, Step: t.ForeseenStep, Shows: t.Step, Came: t.ShowedStep > 0, Text: t.Explanation}
		if one.Came {
			one.Shows = t.ShowedStep
		}
		v.Threats = append(v.Threats, one)
	}
	return episodeView{Key: key, E: e, View: v, Short: len(e.Moments) > long, Log: e.Moments}
}

// pack compresses what the script draws.
func (v *episodeView) pack() error {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if err := errors.Join(json.NewEncoder(z).Encode(v.View), z.Close()); err != nil {
		return err
	}
	v.Packed = base64.RawURLEncoding.EncodeToString(b.Bytes()) // of which HTML escapes nothing
	return nil
}

// findingView is a finding as the templates show it.
type findingView struct {
	Key   string
	N     int // from 1
	F     report.FindingRecovery
	Proof *report.Proof
	Link  string // to its own page, "" for none
	Steps string // what links to steps begin with
	Open  bool
	// Pending is true where the plan of recovery is still worked out.
	Pending bool
	// Course is how the plan is carried out, by its actions; nil where that is not told.
	Course []Carried
}

// StepLink leads to a step.
func (f findingView) StepLink(step int32) string { return fmt.Sprintf("%s%d", f.Steps, step) }

func findingOf(v episodeView, i int) findingView {
	out := findingView{Key: v.Key, N: i + 1, F: v.E.Report.Findings[i], Steps: "#" + v.Key + "-s", Pending: v.E.Pending}
	if i < len(v.E.Proofs) {
		out.Proof = &v.E.Proofs[i]
	}
	if v.Base != "" {
		out.Link = fmt.Sprintf("%s/findings/%d", v.Base, i+1)
	}
	return out
}

// stepView is a step with a link to where it is shown.
type stepView struct {
	Link string
	M    *Moment
}

// proofView is a step of a proof as the templates show it.
type proofView struct {
	P     report.Proof
	Steps string
	Open  bool
	depth int
}

// StepLink leads to a step.
func (p proofView) StepLink(step int32) string { return fmt.Sprintf("%s%d", p.Steps, step) }

// openDepth is how deep a proof is open at first.
const openDepth = 2

func proofOf(above any, p any) (proofView, error) {
	var out proofView
	switch p := p.(type) {
	case *report.Proof:
		out.P = *p
	case report.Proof:
		out.P = p
	default:
		return out, fmt.Errorf("%T is no proof", p)
	}
	switch above := above.(type) {
	case findingView:
		out.Steps = above.Steps
	case proofView:
		out.Steps, out.depth = above.Steps, above.depth+1
	default:
		return out, fmt.Errorf("%T shows no proof", above)
	}
	out.Open = out.depth < openDepth
	return out, nil
}

// classCount is how often a class of failure was found.
type classCount struct {
	Class string `json:"class"`
	N     int    `json:"count"`
	Most  int    `json:"-"` // of any class
}

func countClasses(classes map[string]int) []classCount {
	var out []classCount
	most := 0
	for _, n := range classes {
		most = max(most, n)
	}
	for _, c := range slices.Sorted(maps.Keys(classes)) {
		out = append(out, classCount{c, classes[c], most})
	}
	slices.SortStableFunc(out, func(a, b classCount) int { return cmp.Compare(b.N, a.N) })
	return out
}

// source is the text of an embedded file.
func source(name string) string {
	b, err := staticFiles.ReadFile("static/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// contentHash is how a content security policy names an inline style or script.
func contentHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
