package ontology

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology/decimal"
)

// Arg is the subject or object of a pattern: a variable, a term, or a
// parameter of a task that is yet to be filled in.
type Arg struct {
	Var   int // index into the variables of the owner; -1 for no variable
	Term  TermID
	Param string // without the $
}

// IsVar reports whether the argument is a variable.
func (a Arg) IsVar() bool { return a.Var >= 0 }

// Pattern is one (subject predicate object) of a condition, effect or goal.
type Pattern struct {
	Subject   Arg
	Predicate TermID
	Object    Arg
	Measure   Measure // in the place of Object where the predicate is a quantity
	// Part is true of what says which tuple another pattern means.
	Part bool
	Pos  Pos
}

// ComparesObject reports whether the pattern compares a quantity with that of an object, or
// changes it by that.
func (p *Pattern) ComparesObject() bool {
	return p.Measure.Operator != NoOperator && p.Measure.Quantity != None && !p.Measure.OfAction
}

// Args lists what the pattern speaks of.
func (p *Pattern) Args() []Arg {
	switch {
	case p.Measure.Operator == NoOperator:
		return []Arg{p.Subject, p.Object}
	case p.ComparesObject():
		return []Arg{p.Subject, p.Measure.Of}
	}
	return []Arg{p.Subject}
}

// Variables that every action binds, by index; the parameters follow.
const (
	VarAgent = iota
	VarGripper
	VarTarget
	VarDestination
)

// Condition is a precondition or norm of an action. It applies where When has
// a match and no list of Unless has one; then Requires must have a match and Forbids
// must have none.
type Condition struct {
	Name     string
	Comment  string // why the action fails without it
	When     []Pattern
	Unless   [][]Pattern
	Requires []Pattern
	// Any are alternatives: where there are some, one of them must have a match as well.
	Any     [][]Pattern
	Forbids []Pattern
	// About are what rules are told of where the condition does not hold, in their order,
	// in place of what stands in the way; Told is true where it says so, if only of nothing.
	About []Arg
	Told  bool
	Pos   Pos
}

// Needed are the patterns that must have a match: all that are required, and of each
// alternative those.
func (c *Condition) Needed() []Pattern { return slices.Concat(c.Requires, slices.Concat(c.Any...)) }

// Effect is what an action makes true where When has a match and no list of
// Unless has one, judged on the state before the action.
type Effect struct {
	When   []Pattern
	Unless [][]Pattern
	// Ends are what holds no more: what matches them, whatever else they bind. It is ended
	// before Then is brought about.
	Ends []Pattern
	Then []Pattern
	Pos  Pos
}

// Parameter is what a plan gives an action, in its order.
type Parameter struct {
	Name  string // of its variable, with the question mark where it is an object
	Class TermID // that its object must be of, None for any
	// Value is true of a number, Unit the unit that it is in, "" for none.
	Value bool
	Unit  string
	// Default is how much a number is in plans that are made, in the unit of its quantity;
	// nil where no plan has the action.
	Default *Amount
	Pos     Pos
}

// Amount is how much a quantity is, in its unit.
type Amount struct {
	Quantity TermID
	Number   decimal.Decimal
}

// Objects counts the parameters that are no numbers.
func (a *ActionSchema) Objects() int {
	n := a.Params
	for i := range a.Parameters {
		if a.Parameters[i].Value {
			n--
		}
	}
	return n
}

// Advised lists the actions that plans may be advised to have, in order.
func (o *Ontology) Advised() []*ActionSchema {
	return slices.DeleteFunc(slices.Clone(o.Actions), func(a *ActionSchema) bool { return a.OnlyTold })
}

// ActionSchema is an action schema.
type ActionSchema struct {
	Term          TermID
	Name          string   // as plans write it
	OtherNames    []string // that plans may write in its place
	Synonyms      []string // what else it is called where no action has that name
	Family        string   // actions of one family are not told apart in logs; the name by default
	AlfredName    string   // the interaction of ALFRED that it is, "" for none
	Cues          []string // words that tell of it in a sentence of any form
	PlaceCues     []string // those of the cues after which the place comes first, as in "fill the cup"
	OtherCues     []string // words that tell of it only where they tell of no action that can be done
	Phrases       []string // how logs in natural language write it, the commonest first
	Patterns      []string // further ways in which they do, with alternatives in parentheses
	Vars          []string // ?agent ?gripper, the parameters by the names they have there, ?destination if there is no second, then the rest
	Parameters    []Parameter
	Params        int // how many parameters plans give
	Required      int // how many of them may not be left out
	Preconditions []Condition
	Norms         []Condition
	Effects       []Effect
	Irreversible  bool // no action undoes it
	KeepsHold     bool // what the gripper holds should still be held after it
	TwoHands      bool // it takes two grippers
	OnlyTold      bool // logs tell it, and no plan is advised to have it
	// Strict is true of an action that never comes about where a precondition does not hold,
	// not even where its effects held before; a plan stops at it. InOrder is true where its
	// preconditions are judged one after the other, up to the first that does not hold.
	Strict, InOrder bool
	// Duration is how long it takes, in seconds; 0 where that is not known.
	Duration decimal.Decimal
	// Unknown is true of an action that the ontology does not have: whatever its target,
	// its destination and the gripper have to do with may be otherwise after it.
	Unknown bool
}

// ActionOrUnknown finds an action as Action does; one that the ontology does not have is
// given back as unknown. Without a name nobody says that the robot did anything: it is the
// action that only looks, where there is one.
func (o *Ontology) ActionOrUnknown(name string) *ActionSchema {
	if a, ok := o.Action(name); ok && name != "" {
		return a
	}
	if name == "" && o.Roles.Look != nil {
		return o.Roles.Look
	}
	return Unknown(name)
}

// Unknown is an action of which nothing is known but its name.
func Unknown(name string) *ActionSchema {
	return &ActionSchema{
		Term: None, Name: name, Family: name, Params: 2, Unknown: true,
		Vars: []string{"?agent", "?gripper", "?target", "?destination"},
	}
}

// Conditional reports whether an effect of the action depends on conditions.
func (a *ActionSchema) Conditional() bool {
	return slices.ContainsFunc(a.Effects, func(e Effect) bool {
		return slices.ContainsFunc(e.When, func(p Pattern) bool { return !p.Part })
	})
}

// Replaces reports whether an action makes something else of an object, as slicing
// does, so that the object is no more.
func (o *Ontology) Replaces(a *ActionSchema) bool {
	return slices.ContainsFunc(a.Effects, func(e Effect) bool {
		return slices.ContainsFunc(e.Then, func(p Pattern) bool { return p.Predicate == o.Core.ReplacedBy })
	})
}

// Pieces are the classes of what an action makes of a target of a class, none where it
// leaves that what it is.
func (o *Ontology) Pieces(a *ActionSchema, class TermID) []TermID {
	var out []TermID
	for _, e := range a.Effects {
		for _, p := range e.Then {
			if class == None || p.Predicate != o.Core.ReplacedBy || p.Subject.Var != VarTarget {
				continue
			}
			for _, form := range o.ValuesOf(class, p.Object.Term) {
				out = append(out, o.Canonical(form))
			}
		}
	}
	return out
}

// Process runs by itself while its conditions hold.
type Process struct {
	Term   TermID
	Name   string
	Vars   []string
	When   []Pattern
	Unless [][]Pattern
	Ends   []Pattern
	Then   []Pattern
	// After is how long its conditions hold before it comes to its end, in seconds; 0 for
	// what goes on at once. Only a log that has times tells.
	After decimal.Decimal
}

// ForAll is a part of a goal: for every match of When, Requires must match too.
type ForAll struct {
	When, Requires []Pattern
}

// Goal is a conjunction of patterns with one set of variables.
type Goal struct {
	Vars     []string
	Patterns []Pattern
	ForAll   []ForAll
	Counts   []Count
	// First is what has to have come about before, part by part, in this order.
	First [][]Pattern
	// Within is by when the goal is to be reached, in seconds since the start; 0 where there is
	// no such time.
	Within decimal.Decimal
}

// IsEmpty reports whether a goal asks for nothing.
func (g *Goal) IsEmpty() bool {
	return len(g.Patterns)+len(g.ForAll)+len(g.Counts)+len(g.First) == 0
}

// Count is a part of a goal: for how many things what is said of a variable is to hold.
type Count struct {
	Var   int
	Of    []Pattern
	Least int
	Most  int // -1 where there may be any number
}

// Text is how many there are to be: "exactly 2", "at least 1", "2 to 4".
func (c *Count) Text() string {
	switch {
	case c.Least == c.Most:
		return fmt.Sprintf("exactly %d", c.Least)
	case c.Most < 0:
		return fmt.Sprintf("at least %d", c.Least)
	case c.Least <= 0:
		return fmt.Sprintf("at most %d", c.Most)
	}
	return fmt.Sprintf("%d to %d", c.Least, c.Most)
}

// Never is what holds of nothing: a part of a goal that requires it denies what it is about.
func (o *Ontology) Never(variable int) Pattern {
	v := Arg{Var: variable, Term: None}
	return Pattern{Subject: v, Predicate: o.Core.Differs, Object: v}
}

// Task is a task with its symbolic goal and the scene it usually starts from.
type Task struct {
	Term   TermID
	Name   string
	Goal   Goal
	Usual  []Pattern // of classes
	Exempt []string  // names of norms that do not apply
	Params []string  // what $name patterns need
}

// GoalNorm is what must not be so of the things that a goal is reached with, although
// the goal does not say it. Variable 0 is the thing.
type GoalNorm struct {
	Condition
	Vars []string
}

// Contact is how a thing that goes against a goal norm makes another unfit for a goal: a plan
// that lets it be so does not reach the goal with either. Variable 0 is what is unfit,
// variable 1 what becomes so.
type Contact struct {
	Term    TermID
	Comment string
	Vars    []string
	When    []Pattern
	Unless  [][]Pattern
}

// Aftermath is what a failure or a sound leaves behind: what a plan takes to be so until
// it is seen to be otherwise. Of a failure variable i is ?(i+1), its objects.
type Aftermath struct {
	Vars   []string
	When   []Pattern
	Unless [][]Pattern
	Then   []Pattern
	Sure   bool // else it only may be so, and a plan looks first
}

// Strategy is a way to recover from a failure. Patterns are over the objects
// of the finding: variable i is ?(i+1).
type Strategy struct {
	Term      TermID
	Name      string
	Recovers  []TermID
	Order     int
	Vars      []string
	When      []Pattern
	Unless    [][]Pattern
	Steps     []string
	AsksHuman bool
	mentioned []bool // by variable
}

// Mentions reports whether a condition or a step of the strategy is about a variable of Vars.
func (s *Strategy) Mentions(v int) bool { return v < len(s.mentioned) && s.mentioned[v] }

var variable = regexp.MustCompile(`\?\w+`)

// readMentions notes which variables the conditions and steps are about.
func (s *Strategy) readMentions() {
	s.mentioned = make([]bool, len(s.Vars))
	note := func(v int) {
		if v >= 0 && v < len(s.mentioned) {
			s.mentioned[v] = true
		}
	}
	for _, p := range slices.Concat(append([][]Pattern{s.When}, s.Unless...)...) {
		note(p.Subject.Var)
		note(p.Object.Var)
	}
	for _, name := range variable.FindAllString(strings.Join(s.Steps, " "), -1) {
		note(slices.Index(s.Vars, name))
	}
}

// isNamed reports whether a name is one that plans write an action by.
func (a *ActionSchema) isNamed(name string) bool {
	return a.Name == name || slices.Contains(a.OtherNames, name)
}

// Fill puts terms in place of the $parameters of patterns; of gives the term of
// a parameter, None where it has none.
func Fill(patterns []Pattern, of func(param string) TermID) []Pattern {
	out := slices.Clone(patterns)
	for i := range out {
		for _, a := range []*Arg{&out[i].Subject, &out[i].Object, &out[i].Measure.Of} {
			if a.Param != "" {
				a.Term = of(a.Param)
			}
		}
	}
	return out
}
