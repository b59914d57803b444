package rules

import (
	"embed"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology/document"
)

// samples holds a wrong and a right example of each mistake.
//
//go:embed samples
var samples embed.FS

// Severity says whether a program with a problem can run.
type Severity uint8

// Errors keep a program from running; warnings do not.
const (
	Warning Severity = iota
	Error
)

func (s Severity) String() string { return [...]string{"warning", "error"}[s] }

// Mistake is a kind of mistake in rules.
type Mistake struct {
	ID       string
	Severity Severity
	Title    string
	message  string // with the verbs that a report fills in
	Page     string // what it means and how to mend it
}

// Mistakes lists every kind of mistake, in the order of the manual.
func Mistakes() []*Mistake { return slices.Clone(mistakes) }

var mistakes = []*Mistake{
	mistakeSyntax, mistakeUndefined, mistakeUnknownName, mistakeWrongKind, mistakeSingleton, mistakeUnsafeNegation, mistakeUnboundConclusion,
	mistakeUnboundComparison, mistakeNegativeRecursion, mistakeNeverMatches, mistakeReserved, mistakeTwoFiles, mistakeWrongHead,
	mistakeNoRule, mistakeNoStrategy, mistakeNoTest,
}

// MistakeByID finds a kind of mistake.
func MistakeByID(id string) (*Mistake, bool) {
	for _, k := range mistakes {
		if k.ID == id {
			return k, true
		}
	}
	return nil, false
}

// Explain is the page about a kind of mistake, with an example and how it
// should be.
func (m *Mistake) Explain() string {
	text := m.ID + " (" + m.Severity.String() + "): " + m.Title + "\n\n" + m.Page
	for _, s := range []struct{ label, twin string }{{"Wrong", "bad"}, {"Right", "good"}} {
		for _, d := range m.Sample(s.twin) {
			text += s.label + ", " + d.Name + ":\n\n    " + strings.ReplaceAll(strings.TrimSpace(string(d.Data)), "\n", "\n    ") + "\n\n"
		}
	}
	return strings.TrimRight(text, "\n") + "\n"
}

// Sample is the example of a mistake, "bad", or how it should be, "good": an
// ontology document, a rule file and a file of rule tests, as far as it needs
// them. Lines at fault hold the message after "found:".
func (m *Mistake) Sample(twin string) []document.Document {
	var out []document.Document
	for _, extension := range []string{".ttl", ".pl", ".test"} {
		if data, err := samples.ReadFile("samples/" + m.ID + "." + twin + extension); err == nil {
			out = append(out, document.Document{Name: m.ID + extension, Data: data})
		}
	}
	return out
}

var (
	mistakeSyntax = &Mistake{"syntax", Error, "text that is not a rule", "%s", page(`
A rule file holds clauses in Prolog: a head, and after :- a body of goals with
commas between them, and a full stop followed by a space or a new line at the
end. Names that begin with a capital letter, such as classes and objects, stand
in quotation marks: 'Mug'. Directives and operators of one's own are not
allowed.

The message says what was found at the place and what was expected there. When
the place is the beginning of a clause, look at the end of the clause before it
for a missing full stop, parenthesis or quotation mark.`)}

	// undefinedHint ends the message where no known predicate is near.
	undefinedHint = "; define it by a clause in a rule file, or, where it is a predicate in Go, run the program that gives it (engine.WithBuiltin)"

	// relationHint is said of the name of a relation.
	relationHint = "; %s is a relation, which stands as an argument of one of %s"

	mistakeUndefined = &Mistake{"undefined-predicate", Error, "a predicate that nothing defines", "undefined predicate %s%s", page(`
A goal calls a predicate that is no fact of the episode, is not built in, and
has no clause in the rule files. It may be misspelt or have another number of
arguments than meant; the message names the nearest known one.

"mishap rules vocabulary" lists the facts and what is built in. Predicates that
read files, print, change the program or end the process do not exist here.

A program that embeds mishap may give rules predicates of its own in Go. Those
are there in that program alone: this command cannot run or test such rules.
Keep them in a folder of their own, and test them from that program (package
ruletest).`)}

	mistakeUnknownName = &Mistake{"unknown-name", Error, "a name the ontology does not have", "%s is no %s of the ontology%s", page(`
A rule names a class, state, relation, action, property, sound or precondition
that the ontology does not have, so that the goal can never hold. It may be
misspelt; the message names the nearest known one. Names are compared to the
letter, and those that begin with a capital letter need quotation marks.

"mishap ontology show NAME" shows what there is. A new name is declared in a
Turtle file of the ontology first.`)}

	mistakeWrongKind = &Mistake{"wrong-kind", Error, "an argument of the wrong kind", "%s is used as %s here, but %s takes %s", page(`
Every argument of a fact has a kind: a step or a number, which are integers, or
an object, class, state, relation, action, property, precondition, sound or
word, which are names. Here a variable or a constant stands where another kind
is expected, so that the goal can never hold. Often two arguments have changed
places: seen_state(Step, Object, State), but isa(Object, Class).`)}

	mistakeSingleton = &Mistake{"singleton-variable", Warning, "a variable that stands only once", "%s stands only once%s", page(`
A variable that stands once in its clause matches anything. That is either a
misspelt variable, a class that lacks its quotation marks ('Mug', not Mug), or
meant: then write _ , or begin its name with _ .`)}

	mistakeUnsafeNegation = &Mistake{"unsafe-negation", Error, "a negation about an unbound variable", `%s is not bound where \+ asks about it; put a goal that binds it before`, page(`
\+ Goal holds when there is no solution of Goal. A variable that has no value
yet, and that stands elsewhere in the clause too, makes it ask whether there is
no solution at all, which is hardly ever meant: "\+ state(S, O, dirty),
isa(O, 'Mug')" asks whether nothing is dirty, not whether this mug is clean.

Put the goals that give the variable its value before the negation. A variable
that stands in the negation only is fine: "\+ target(S, _)" asks whether the
action has no target. For a variable of the head of a helper predicate, what
counts is whether every call gives it a value.`)}

	mistakeUnboundConclusion = &Mistake{"unbound-conclusion", Error, "a conclusion with an unbound variable", "%s stands in the head, but no goal of the body binds it", page(`
A failure has a class, a step, a causing step and objects, and each must have a
value when the rule succeeds. Here a variable of the head gets none: no goal of
the body that is not negated mentions it. For a helper predicate the same holds
for arguments that a caller leaves open. _ in a conclusion has no value either.`)}

	mistakeUnboundComparison = &Mistake{"unbound-comparison", Error, "a comparison of an unbound variable", "%s is not bound where %s %s it; put a goal that binds it before", page(`
Comparing needs values. <, > and the other arithmetic comparisons stop with an
error when a variable has none; == and \== compare the variable itself, so that
X \== none holds whatever X will be. Put the goals that give the variable its
value before the comparison. The inputs of a predicate that a host gives in Go
need values in the same way.`)}

	mistakeNegativeRecursion = &Mistake{"recursion-through-negation", Error, "a predicate that depends on its own negation", `%s depends on \+ %s, which depends on it in turn`, page(`
A predicate that holds because it does not hold has no meaning: p :- \+ p. The
predicates of a program must fall into strata, so that each negates only those
of lower strata. Recursion without negation is fine.

Break the circle: write what the negation is to ask in terms of facts, or of a
helper predicate that does not lead back.`)}

	mistakeNeverMatches = &Mistake{"never-matches", Warning, "a clause that can never match", "this can never hold: %s", page(`
Goals of the clause exclude one another by what the ontology says: no object is
of both classes, no object is in both states at once, a class is asked for and a
superclass of it denied, or a step is to have two actions. The clause does
nothing. Usually a variable or a name is wrong, or two rules were meant.`)}

	mistakeReserved = &Mistake{"reserved-predicate", Error, "a definition of something that is given", "%s is %s and cannot be defined by a rule", page(`
Facts of the episode, what is built in and what a host gives in Go cannot be
added to by a clause. Choose another name for your predicate.`)}

	mistakeTwoFiles = &Mistake{"defined-in-two-files", Error, "a predicate defined in two files", "%s is defined in %s already; choose another name", page(`
The clauses of a helper predicate stand in one file, so that a file can be read,
tested and replaced by itself. Only failure/4 is concluded everywhere. Choose
another name, or give your file the name of the built-in one to replace that
whole.`)}

	mistakeWrongHead = &Mistake{"wrong-head", Error, "a failure with the wrong arguments", "%s; expected failure(Class, Step, Cause, Objects)", page(`
A rule concludes failure(Class, Step, Cause, Objects): a failure class of the
ontology, the step at which it shows, the step that caused it (often the same),
and a list of the objects it is about, the one that matters most first.`)}

	mistakeNoRule = &Mistake{"class-without-rule", Warning, "a failure class that no rule concludes", "no rule concludes %s", page(`
The ontology declares a failure class without subclasses, and no rule concludes
it, so that it can never be found. Write failure('TheClass', Step, Cause,
Objects) :- … in a rule file, or remove the class.`)}

	mistakeNoStrategy = &Mistake{"class-without-strategy", Warning, "a failure class without recovery strategy", "no recovery strategy is for %s or a superclass of it", page(`
A finding should say how to recover. Declare a m:RecoveryStrategy that
m:recovers the class; one with m:asksHuman true and no steps is better than
none.`)}

	mistakeNoTest = &Mistake{"class-without-test", Warning, "a failure class that no rule test expects", "no rule test expects %s", page(`
A rule that no test makes fire may never do so. Write a test beside the rules:
a small episode and "expect: TheClass at STEP". "mishap rules test" runs it.`)}
)

func page(text string) string { return strings.TrimPrefix(text, "\n") + "\n" }

// What the parser says.
const (
	msgNotUTF8      = "not UTF-8; save the file as UTF-8"
	msgGoalNotUTF8  = "not UTF-8"
	msgEmptyGoal    = "the goal is empty; expected for example failed(S)"
	msgAfterGoal    = "found %s after the goal; expected a comma or the end"
	msgOneGoal      = "found %s after the goal; expected one goal only"
	msgDirective    = "directives and queries are not allowed in rule files"
	msgFullStop     = "found %s; expected a full stop at the end of the clause that begins on line %d"
	msgHead         = "the head of a clause must be a predicate of your own, found %s"
	msgNoGoal       = "%s is not a goal; expected a predicate"
	msgRuleInside   = "found :- inside a clause; is a full stop missing before it?"
	msgDepth        = "terms nest deeper than %d"
	msgElements     = "a list of more than %d elements"
	msgArguments    = "a term of more than %d arguments"
	msgProblems     = "more than %d mistakes; the rest of the file is not read"
	msgTerm         = "found %s; expected a term"
	msgParentheses  = "%s needs parentheses around it here"
	msgRange        = "number %s is out of range"
	msgDecimal      = "number %s is beyond 2.3 million million"
	msgExpected     = "found %s; expected %q"
	msgCharacter    = "unexpected character %q"
	msgComment      = "comment does not end; expected */"
	msgQuoted       = "quoted name does not end on its line; expected '"
	msgEscape       = `bad escape; expected \xHH\`
	msgUnknownEsc   = `unknown escape \%c`
	foundEOF        = "the end of the file"
	foundFullStop   = "the full stop"
	didYouMean      = "; did you mean %s?"
	quoteTheClass   = "; if you mean the class, write '%s'"
	reservedFact    = "a fact of the episode"
	reservedBuiltin = "built in"
	reservedInGo    = "given in Go"
	compares        = "compares"
	takes           = "takes"
	bothClasses     = "no object is of class %s and of class %s"
	classDenied     = "what is of class %s is of class %s, which is denied"
	unknownFunction = "; arithmetic knows +, -, *, // and mod"
	bothStates      = "nothing is %s and %s at once"
	measuresNothing = "events of kind %s come with no number; nothing says what they measure (m:measures)"
	bothActions     = "a step has one action, not %s and %s"
)
