package replan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/internal/wording"
)

// QueryKind is what a question is about. RePlan's planner may ask two kinds of questions
// only, which a vision model answers dependably.
type QueryKind string

// The kinds of questions.
const (
	Presence  QueryKind = "presence"  // whether an object is there
	Attribute QueryKind = "attribute" // a property of an object, or whether it has one
)

// Query is a question to the perceiver.
type Query struct {
	Kind   QueryKind `json:"kind"`
	Object string    `json:"object"`
	// Attribute is the property asked for ("colour"), or one that the object may have
	// ("yellow").
	Attribute string `json:"attribute,omitempty"`
	Text      string `json:"text"` // as it is put
	// Expect is the answer that the rest of the plan relies on, "" for any: another ends
	// the plan.
	Expect string `json:"expect,omitempty"`
}

// String is the question as it is put.
func (q Query) String() string {
	switch {
	case q.Text != "":
		return q.Text
	case q.Kind == Presence:
		return "Is there " + q.Object + "?"
	}
	return fmt.Sprintf("Is %s %s?", q.Object, q.Attribute)
}

func (q Query) same(r Query) bool {
	return q.Kind == r.Kind && plain(q.Object) == plain(r.Object) && plain(q.Attribute) == plain(r.Attribute)
}

// valid reports a question of neither kind.
func (q Query) valid() error {
	switch {
	case q.Kind != Presence && q.Kind != Attribute:
		return refused(q.String())
	case strings.TrimSpace(q.Object) == "":
		return fmt.Errorf("question %q names no object; expected one object of the scene", clip(q.Text))
	case q.Kind == Attribute && strings.TrimSpace(q.Attribute) == "":
		return fmt.Errorf("question %q names no property of %s; expected one such as \"open\" or \"colour\"", clip(q.Text), q.Object)
	}
	return nil
}

func refused(text string) error {
	return fmt.Errorf("question %q; expected whether an object is there (\"Is there an apple?\") or what property one has (\"Is the door open?\", \"What colour is the cube?\")", clip(text))
}

var (
	presenceForm  = regexp.MustCompile(`^(?:is there|are there|do you see|can you see|can you find)(?: an?| the| any| some)? ([^?]+?)(?: here| there| anywhere| in (?:the |this )?(?:scene|picture|image|view))?\??$`)
	propertyForm  = regexp.MustCompile(`^what (\w+) (?:is|has|does) (?:the )?([^?]+?)(?: have)?\??$`)
	propertyOf    = regexp.MustCompile(`^what is the (\w+) of (?:the )?([^?]+?)\??$`)
	attributeForm = regexp.MustCompile(`^(?:is|are) (?:the )?([^?]+?) (\w+)\??$`)
)

// between are words that make a question one about how things lie.
var between = []string{"in", "on", "inside", "at", "near", "under", "behind", "beside", "between", "above", "below", "next", "to", "from", "than", "with", "because", "when", "if", "and", "or"}

// ParseQuery reads a question about the presence of one object ("Is there an apple?")
// or about an attribute of one ("Is the cabinet open?", "What colour is Cube-1?"). The
// error of any other says what was found and what may be asked.
func ParseQuery(text string) (Query, error) {
	asked := strings.Join(strings.Fields(text), " ")
	lower := strings.ToLower(asked)
	if len(lower) != len(asked) || len(asked) > 200 {
		return Query{}, refused(text)
	}
	part := func(m []int, group int) string { return asked[m[2*group]:m[2*group+1]] }
	var q Query
	if m := presenceForm.FindStringSubmatchIndex(lower); m != nil {
		q = Query{Kind: Presence, Object: part(m, 1), Text: asked}
	} else if m := propertyOf.FindStringSubmatchIndex(lower); m != nil {
		q = Query{Kind: Attribute, Attribute: part(m, 1), Object: part(m, 2), Text: asked}
	} else if m := propertyForm.FindStringSubmatchIndex(lower); m != nil {
		q = Query{Kind: Attribute, Attribute: part(m, 1), Object: part(m, 2), Text: asked}
	} else if m := attributeForm.FindStringSubmatchIndex(lower); m != nil {
		q = Query{Kind: Attribute, Object: part(m, 1), Attribute: part(m, 2), Text: asked}
	} else {
		return Query{}, refused(text)
	}
	if slices.ContainsFunc(strings.Fields(strings.ToLower(q.Object)), func(w string) bool { return slices.Contains(between, w) }) {
		return Query{}, refused(text)
	}
	return q, q.valid()
}

// longestQuote is how much of a text a message shows, in bytes.
const longestQuote = 80

func clip(s string) string { return wording.Clip(s, longestQuote) }
