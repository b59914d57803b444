package advice

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// effectsData is what the template effects.tmpl is filled with: the first question of an
// action that the ontology lacks (SDA-Planner, section 4.2).
type effectsData struct {
	Action, About string   // quoted; About may be empty
	Variables     []string // each with what it stands for
	Relations     []string // each with what it says
	States        []string // those that exclude one another in one item
	Examples      []string
	Refused       *refusedAnswer // nil where it is asked for the first time
}

// dependenciesData is what the template dependencies.tmpl is filled with: the second
// question, given the effects.
type dependenciesData struct {
	Action, About string
	Effects       []string // as they were understood
	Variables     []string
	Relations     []string
	States        []string
	Properties    []string
	Classes       []string // the wider ones
	Examples      []string
	Refused       *refusedAnswer
}

// refusedAnswer is an answer that goes back to the model.
type refusedAnswer struct{ Answer, Why string }

var (
	effectsPrompt = register("effects", effectsData{"a", "a", []string{"v"}, []string{"r"}, []string{"s"}, []string{"e"}, &refusedAnswer{"a", "w"}}, effectsData{},
		"Action", "About", "Variables", "Relations", "States", "Refused")
	dependenciesPrompt = register("dependencies", dependenciesData{"a", "a", []string{"e"}, []string{"v"}, []string{"r"}, []string{"s"}, []string{"p"}, []string{"c"}, []string{"e"}, &refusedAnswer{"a", "w"}}, dependenciesData{},
		"Action", "About", "Effects", "Variables", "Relations", "States", "Refused")

	effectsSchema      = answerSchema("effects")
	dependenciesSchema = answerSchema("dependencies")
)

// NewAction is an action that an ontology lacks.
type NewAction struct {
	Name       string // as plans are to write it: lower-case words with underscores
	About      string // what it does, in free words; may be empty
	Parameters int    // 1 for a target, 2 for a target and a destination
}

// longestActionName is in letters.
const longestActionName = 40

var actionName = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

// Check reports why an ontology cannot be extended by the action: its name is none,
// or there is an action of that name, label or phrase; the error says where.
func (n NewAction) Check(o *ontology.Ontology) error {
	switch {
	case !actionName.MatchString(n.Name) || len(n.Name) > longestActionName:
		return fmt.Errorf("%s is no name for an action; expected lower-case words with underscores, such as wipe or fold_up, of at most %d letters", quoted(n.Name), longestActionName)
	case n.Parameters < 1 || n.Parameters > 2:
		return fmt.Errorf("%d parameters; expected 1, the target, or 2, target and destination", n.Parameters)
	}
	if t, how := taken(o, n.Name); t != ontology.None {
		return fmt.Errorf("%s is %s of the action %s (%s); edit that one, or choose another name", n.Name, how, o.Name(t), o.Terms[t].Pos)
	}
	if class := n.class(o); class == "" {
		return fmt.Errorf("%s and %sAction are taken by other terms of the ontology; choose another name", camel(n.Name), camel(n.Name))
	}
	return nil
}

// taken is the action that a name means already, None for none.
func taken(o *ontology.Ontology, name string) (ontology.TermID, string) {
	words := strings.ReplaceAll(name, "_", " ")
	for _, a := range o.Advised() {
		if a.Name == name {
			return a.Term, "the name"
		}
	}
	if ids := o.ByLabel(words, o.Core.Action); len(ids) > 0 {
		return ids[0], "a label"
	}
	for _, a := range o.Advised() {
		for _, p := range a.Phrases {
			if strings.Join(strings.Fields(hole.ReplaceAllString(p, " ")), " ") == words {
				return a.Term, fmt.Sprintf("a phrase (%q)", p)
			}
		}
	}
	return ontology.None, ""
}

// class is the name of the class of the action, "" where there is none left.
func (n NewAction) class(o *ontology.Ontology) string {
	for _, name := range []string{camel(n.Name), camel(n.Name) + "Action"} {
		if _, ok := o.Lookup(name); !ok {
			return name
		}
	}
	return ""
}

// camel writes fold_up as FoldUp.
func camel(name string) string {
	var b strings.Builder
	for _, w := range strings.Split(name, "_") {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// ActionProposal is an action as a model proposed it. Nothing uses it until its Turtle is
// written to a file that an ontology is loaded with.
type ActionProposal struct {
	Action  NewAction
	Class   string // its name in the ontology
	Model   string
	Mapped  []Mapped // in the order in which the words came up
	Refused []string // why answers went back to the model
	// Effects and Preconditions count what the Turtle states.
	Effects, Preconditions int
	Turtle                 string
	Cost                   engine.Cost
}

// String says what is proposed, by whom, and what asking took.
func (p *ActionProposal) String() string {
	return fmt.Sprintf("the action %s with %s and %s as %s proposed it (%s, %s)", p.Action.Name, wording.Count(p.Effects, "effect"), wording.Count(p.Preconditions, "precondition"),
		wording.Clean(p.Model), wording.Count(p.Cost.Calls, "call"), wording.Count(p.Cost.PromptTokens+p.Cost.AnswerTokens, "token"))
}

// Mapped is what a word of the model was taken for.
type Mapped struct {
	Words, Kind, Term string
	How               string // Exact, Label or Similar
	Score             float64
}

func (m Mapped) String() string {
	return fmt.Sprintf("%s is taken for the %s %s (%s, %.2f)", quoted(m.Words), m.Kind, m.Term, m.How, m.Score)
}

// Extend asks for the effects of an action that the ontology lacks, then for its
// dependencies (SDA-Planner, section 4.2), and writes both as Turtle. An answer that
// does not keep to the terms of the ontology goes back once; then it is an error that
// says what was refused. The Proposal is never nil, and with an error has no Turtle.
func (a *Adviser) Extend(ctx context.Context, o *ontology.Ontology, n NewAction) (*ActionProposal, error) {
	x := &extension{session: a.begin(), lexicon: lexicon{o}, out: &ActionProposal{Action: n, Model: a.Name()}}
	if err := n.Check(o); err != nil {
		return x.out, err
	}
	x.out.Class = n.class(o)
	if err := x.consult(ctx, effectsPrompt, effectsSchema, x.effectsView, x.readEffects); err != nil {
		return x.out, err
	}
	if err := x.consult(ctx, dependenciesPrompt, dependenciesSchema, x.dependenciesView, x.readDependencies); err != nil {
		return x.out, err
	}
	x.out.Turtle = x.writer().turtle()
	return x.out, nil
}

// Problems reads the proposal together with other documents, and checks both. An error
// says that they do not load.
func (p *ActionProposal) Problems(with []document.Document, name string) ([]ontology.Problem, error) {
	o, problems, err := ontology.Parse(document.Merge(with, []document.Document{{Name: name, Data: []byte(p.Turtle)}}))
	if err != nil {
		return problems, err
	}
	if a, ok := o.Action(p.Action.Name); !ok || o.Name(a.Term) != p.Class {
		return problems, fmt.Errorf("%s: the ontology has no action %s with it", name, p.Action.Name)
	}
	return problems, nil
}

// extension is one action on its way into an ontology.
type extension struct {
	*session
	lexicon lexicon
	out     *ActionProposal

	meaning      string // as the model said
	effects      []effect
	dependencies []dependency
}

// asked is how often each question is put.
const asked = 2

// consult puts a question; an answer that cannot be read goes back with the reason.
func (x *extension) consult(ctx context.Context, prompt string, schema *llm.Schema, view func(*refusedAnswer) any, read func(string) error) error {
	var refused *refusedAnswer
	var err error
	for range asked {
		text, err := x.ask(ctx, prompt, view(refused), schema)
		x.out.Cost = x.Cost
		if err != nil {
			return fmt.Errorf("%s: %w", prompt, err)
		}
		if err = read(text); err == nil {
			return nil
		}
		x.out.Refused = append(x.out.Refused, fmt.Sprintf("%s: %v", prompt, err))
		refused = &refusedAnswer{sentence(text), err.Error()}
	}
	if refused != nil {
		err = fmt.Errorf("what the model said of the %s of %s was refused %d times, the last time because %s; say more with --about, or write the action by hand",
			prompt, x.out.Action.Name, asked, refused.Why)
	}
	return err
}
