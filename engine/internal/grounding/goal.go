package grounding

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/engine/internal/wording"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/ontology"
)

// Goal is the goal of an episode.
type Goal struct {
	Task     *ontology.Task // nil where the task is not known
	Goal     ontology.Goal
	Bound    state.Binding // of the goal's variables, where it names instances
	Unjudged bool          // a condition of the goal is not understood
	called   []string      // what the goal's variables are called where it is stated, "" where it is not said
}

// longestQuote is how much of the name of a task a message shows, in bytes.
const longestQuote = 200

// TaskGoal is the goal of the episode's task, with the episode's parameters.
func (n *Names) TaskGoal() Goal {
	var g Goal
	if len(n.ep.Goal) > language.MaxGoal {
		n.warnOfGoal(fmt.Sprintf("a goal of %d bytes; expected at most %d, it is not read", len(n.ep.Goal), language.MaxGoal))
	}
	if n.ep.Task == "" {
		return g
	}
	task, ok := n.onto.Task(n.ep.Task)
	if !ok {
		if len(n.ep.GoalFacts) == 0 && n.goalInWords().Empty() {
			n.ep.Warn(0, fmt.Sprintf("unknown task %q%s: whether its goal was reached is not judged", wording.Clip(n.ep.Task, longestQuote), n.taskHint()))
		}
		return g
	}
	g.Task = task
	if filled, ok := n.Fill(task.Goal.Patterns); ok {
		if about := n.allUnplanned(filled); len(about) > 0 {
			n.ep.Warn(0, fmt.Sprintf("task %q: the plan names nothing of what its goal is about (%s): whether it was reached is not judged", wording.Clip(n.ep.Task, longestQuote), strings.Join(about, ", ")))
			return Goal{}
		}
		g.Goal = task.Goal
		g.Goal.Patterns = filled
	}
	g.Bound = state.NewBinding(len(g.Goal.Vars))
	return g
}

// allUnplanned are the classes that the goal of a task is about, where nothing but the name of the
// task tells the goal and the plan names nothing of any of them: who boils water in a kettle does
// not reach what "boil water" is with a pot.
func (n *Names) allUnplanned(goal []ontology.Pattern) []string {
	if len(n.ep.Plan) == 0 || len(n.ep.GoalFacts) > 0 || strings.TrimSpace(n.ep.Goal) != "" {
		return nil
	}
	for _, a := range n.ep.Plan {
		if slices.ContainsFunc(a.Arguments(), func(name string) bool { return name != "" && n.namedClass(name) == ontology.None }) {
			return nil // it may be what is meant, misspelt
		}
	}
	var out []string
	for _, p := range goal {
		if p.Predicate != n.onto.Core.Type || p.Object.IsVar() {
			continue
		}
		if n.isPlanned(p.Object.Term) {
			return nil
		}
		if label := n.onto.Label(p.Object.Term); !slices.Contains(out, label) {
			out = append(out, label)
		}
	}
	return out
}

// warnOfGoal records a warning of the line that states the goal.
func (n *Names) warnOfGoal(msg string) {
	if n.ep.GoalFile != "" {
		n.ep.Warn(0, fmt.Sprintf("%s:%d: %s", n.ep.GoalFile, n.ep.GoalLine, msg))
		return
	}
	n.ep.Warn(n.ep.GoalLine, msg)
}

// goalInWords is the goal as the log states it or, where it states none and its task is no
// task of the ontology, what that is called, if all of it can be read: "a glass of milk".
func (n *Names) goalInWords() *language.TextGoal {
	if _, known := n.onto.Task(n.ep.Task); !known && strings.TrimSpace(n.ep.Goal) == "" {
		if g := language.ReadGoal(n.onto, n.ep.Task); len(g.Unread) == 0 {
			n.anyVessel(g)
			return g
		}
		if _, words, titled := strings.Cut(n.ep.Task, ": "); titled { // "movie evening: the television is on"
			if g := language.ReadGoal(n.onto, words); len(g.Unread) == 0 {
				n.anyVessel(g)
				return g
			}
		}
	}
	return language.ReadGoalAbout(n.onto, n.ep.Goal, n.listedThings())
}

// listedThings are the classes that the looks of the episode give the things that they list, by name.
func (n *Names) listedThings() map[string]string {
	if strings.TrimSpace(n.ep.Goal) == "" {
		return nil
	}
	out := map[string]string{}
	for i := range n.ep.Steps {
		for _, node := range n.ep.Steps[i].Observation.Nodes {
			if _, known := out[node.ID]; !known {
				out[node.ID] = cmp.Or(node.Class, node.ID)
			}
		}
	}
	return out
}

// anyVessel lets what a task calls a cup of tea be in what else one drinks from: in the name of a
// task a vessel is a measure.
func (n *Names) anyVessel(g *language.TextGoal) {
	filled := n.onto.Roles.Filled
	for i, p := range g.Patterns {
		isFull := func(q ontology.Pattern) bool {
			return q.Predicate == n.onto.Core.State && q.Subject.Var == p.Subject.Var && !q.Object.IsVar() && q.Object.Term != filled && n.onto.StateIs(q.Object.Term, filled) > 0
		}
		if p.Predicate != n.onto.Core.Type || p.Object.IsVar() || filled == ontology.None || !slices.ContainsFunc(g.Patterns, isFull) {
			continue
		}
		for _, group := range n.onto.Terms[p.Object.Term].Supers {
			if n.onto.HasType(group, n.onto.Core.ObjectGroup) {
				g.Patterns[i].Object.Term = group
				break
			}
		}
	}
}

// fullOf lets a vessel that a look says is full of something stand for that where the goal asks for
// it: the porridge, of a bowl "filled with porridge".
func (n *Names) fullOf(x state.Object, text string) {
	if len(n.ep.GoalFacts) == 0 {
		return
	}
	words := language.Words(text)
	at := slices.IndexFunc(words, func(w string) bool { return n.onto.IsWord(w, ontology.Having) })
	if at < 0 {
		return
	}
	class := ClassOf(n.onto, strings.Join(words[at+1:], " "))
	if class == ontology.None || n.objects.IsA(x, class) || slices.ContainsFunc(n.objects.OfClass(class), func(y state.Object) bool { return n.seen[y] }) {
		return
	}
	if slices.ContainsFunc(n.ep.GoalFacts, func(f episode.Fact) bool { return ClassOf(n.onto, f.Subject) == class }) {
		n.objects.AddClass(x, class)
	}
}

func (n *Names) taskHint() string {
	var names []string
	for _, task := range n.onto.Tasks {
		names = append(append(names, task.Name), n.onto.Terms[task.Term].Labels...)
	}
	if near := ontology.Nearest(n.ep.Task, names); near != "" {
		return " (did you mean " + near + "?)"
	}
	return ""
}

// Fill puts the classes of the episode's parameters in place of $names. It reports false
// where a parameter is no class.
func (n *Names) Fill(patterns []ontology.Pattern) ([]ontology.Pattern, bool) {
	ok := true
	out := ontology.Fill(patterns, func(param string) ontology.TermID {
		class := ClassOf(n.onto, n.ep.Params[param])
		if class == ontology.None {
			n.ep.Warn(0, fmt.Sprintf("parameter %s of the task is %q, which is no class of objects: the goal is not judged", param, n.ep.Params[param]))
			ok = false
		}
		return class
	})
	if !ok {
		return nil, false
	}
	return out, true
}

// State puts the goal that the log states in the place of the task's. A class name
// in it means some object of the class, the same one wherever the name stands;
// "Mug-1" means that one.
func (g *Goal) State(n *Names) {
	task := g.Goal
	ofTask := task.Patterns
	if len(n.ep.GoalFacts) == 0 {
		if !g.read(n) {
			return
		}
		if !n.sameGoal(&g.Goal, &task) {
			ofTask = nil // lettuce is not sliced just because another salad has it so
		}
	} else {
		g.Goal, g.Bound, g.called = ontology.Goal{}, nil, nil
		for _, f := range n.ep.GoalFacts {
			g.add(n, f)
		}
	}
	g.refine(n, ofTask)
}

// TakeParts puts, for a class of which nobody has seen a thing, that of the parts that were
// seen of such: the stove is off where its burner is. It reports whether it did.
func (g *Goal) TakeParts(n *Names) bool {
	called := func(p ontology.Pattern) bool {
		return p.Predicate == n.onto.Core.Type && p.Subject.IsVar() && n.objects.First(p.Object.Term) == state.Nothing && len(n.objects.Parts(p.Object.Term)) > 0
	}
	took := false
	for i := slices.IndexFunc(g.Goal.Patterns, called); i >= 0; i = slices.IndexFunc(g.Goal.Patterns, called) {
		part := n.objects.Class(n.objects.Parts(g.Goal.Patterns[i].Object.Term)[0])
		g.Goal.Patterns = slices.Clone(g.Goal.Patterns)
		g.Goal.Patterns[i].Object.Term = part
		g.allUsual(n, g.Goal.Patterns[i].Subject.Var, part)
		took = true
	}
	return took
}

// TakeVessels asks of what is full of a liquid what the goal asks of the liquid, where nobody has
// seen a thing that is called by it and something is full of it: hot soup is in a hot bowl, and
// soup in the bowl is a bowl of soup. It reports whether it did.
func (g *Goal) TakeVessels(n *Names, full func(st ontology.TermID) bool) bool {
	took := false
	for i := range g.Goal.Patterns {
		p := g.Goal.Patterns[i]
		if p.Predicate != n.onto.Core.Type || !p.Subject.IsVar() || g.Bound[p.Subject.Var] != state.Unbound || !n.onto.IsLiquid(p.Object.Term) {
			continue
		}
		st := language.FilledWith(n.onto, p.Object.Term)
		shown := slices.ContainsFunc(n.objects.OfClass(p.Object.Term), func(x state.Object) bool { return n.seen[x] || !n.objects.Items[x].Coined })
		if st == ontology.None || shown || !full(st) {
			continue
		}
		g.inVessel(n, i, st)
		took = true
	}
	return took
}

// inVessel takes a liquid of the goal, by the pattern that tells its class, for the vessel that it
// fills: the one that the goal has it in, else any.
func (g *Goal) inVessel(n *Names, i int, st ontology.TermID) {
	patterns := slices.Clone(g.Goal.Patterns)
	liquid := patterns[i].Subject
	vessel := liquid
	for _, q := range patterns {
		if q.Subject == liquid && q.Object.IsVar() && n.onto.IsSub(q.Predicate, n.onto.Core.Within) && n.isFilled(classIn(n, &g.Goal, q.Object.Var), st) {
			vessel = q.Object
		}
	}
	full := ontology.Pattern{Subject: vessel, Predicate: n.onto.Core.State, Object: ontology.Arg{Var: -1, Term: st}}
	if patterns[i] = full; vessel == liquid {
		patterns[i] = ontology.Pattern{Subject: vessel, Predicate: n.onto.Core.Type, Object: ontology.Arg{Var: -1, Term: n.onto.Core.PhysicalObject}}
		patterns = append(patterns, full)
	}
	var out []ontology.Pattern
	for _, q := range patterns {
		if q.Subject == liquid && vessel != liquid {
			if q.Object == vessel {
				continue
			}
			q.Subject = vessel
		}
		out = append(out, q)
	}
	g.Goal.Patterns = out
	if vessel == liquid && liquid.Var < len(g.called) {
		g.called = slices.Clone(g.called)
		g.called[liquid.Var] = ""
	}
}

// isFilled reports whether things of a class are filled or empty.
func (n *Names) isFilled(class, st ontology.TermID) bool {
	return class != ontology.None && slices.ContainsFunc(n.onto.DefaultStates(class), func(d ontology.TermID) bool { return n.onto.Dimension(d) == n.onto.Dimension(st) })
}

// allUsual asks of all of some parts to be as they usually are where the goal asks it of the
// whole: the stove is off once all burners are, and on once one is.
func (g *Goal) allUsual(n *Names, whole int, part ontology.TermID) {
	usual := n.onto.DefaultStates(part)
	isUsual := func(p ontology.Pattern) bool {
		return p.Predicate == n.onto.Core.State && p.Subject.IsVar() && p.Subject.Var == whole && slices.Contains(usual, p.Object.Term)
	}
	var kept []ontology.Pattern
	for _, p := range g.Goal.Patterns {
		if !isUsual(p) {
			kept = append(kept, p)
			continue
		}
		g.Goal.Vars, g.Bound = append(slices.Clip(g.Goal.Vars), "?"+strconv.Itoa(len(g.Goal.Vars))), append(slices.Clip(g.Bound), state.Unbound)
		each := ontology.Arg{Var: len(g.Goal.Vars) - 1, Term: ontology.None}
		p.Subject = each
		g.Goal.ForAll = append(slices.Clip(g.Goal.ForAll), ontology.ForAll{
			When:     []ontology.Pattern{{Subject: each, Predicate: n.onto.Core.Type, Object: ontology.Arg{Var: -1, Term: part}}},
			Requires: []ontology.Pattern{p},
		})
	}
	g.Goal.Patterns = kept
}

// refine puts for a class that the goal names what the task's own goal or the plan makes
// of it: a plan that cracks the egg means the cracked egg by "an egg is in the pan".
func (g *Goal) refine(n *Names, ofTask []ontology.Pattern) {
	for i := range g.Goal.Patterns {
		p := &g.Goal.Patterns[i]
		if p.Predicate != n.onto.Core.Type || !p.Subject.IsVar() || g.Bound[p.Subject.Var] != state.Unbound {
			continue
		}
		if form := n.formMeant(p.Object.Term, ofTask); form != ontology.None {
			p.Object.Term = form
		}
	}
}

// formMeant is the form of a class that a goal means by the class, or None.
func (n *Names) formMeant(class ontology.TermID, ofTask []ontology.Pattern) ontology.TermID {
	forms := n.onto.Forms(class)
	for _, form := range forms {
		if slices.ContainsFunc(ofTask, func(p ontology.Pattern) bool {
			return p.Predicate == n.onto.Core.Type && p.Object.Term != ontology.None && n.onto.Canonical(p.Object.Term) == n.onto.Canonical(form)
		}) {
			return form
		}
	}
	for _, a := range n.ep.Plan {
		if len(forms) == 0 || n.namedClass(a.Target) != n.onto.Canonical(class) {
			continue
		}
		if pieces := n.onto.Pieces(n.schema(a.Name, state.Nothing), class); len(pieces) > 0 {
			return pieces[0]
		}
	}
	return ontology.None
}

// namedClass is the class in the name of an object, None where it names none.
func (n *Names) namedClass(name string) ontology.TermID {
	stem, _ := episode.SplitName(name)
	if class := ClassOf(n.onto, stem); class != ontology.None {
		return n.onto.Canonical(class)
	}
	return ontology.None
}

// read puts the goal in words in the place of the task's, as far as it can be read. A
// part that cannot leaves what the task says of the goal, or, where it says nothing, that
// part unknown. Parameters of the task say more exactly what is wanted than words do. It
// reports whether the words count.
func (g *Goal) read(n *Names) bool {
	if g.Task != nil && (len(n.ep.Params) > 0 || n.ep.Goal == n.onto.Terms[g.Task.Term].Comment) {
		return false // nothing but the task's own words for its goal
	}
	words := n.goalInWords()
	if words.Empty() {
		if class := n.unplanned(&g.Goal); class != ontology.None && strings.TrimSpace(n.ep.Goal) != "" {
			n.warnOfGoal(fmt.Sprintf("%q in the goal could not be read, and that of the task %s asks for %s, which the plan does not name; whether the goal was reached is not judged", n.ep.Goal, n.ep.Task, n.onto.Name(class)))
			*g = Goal{Task: g.Task, Unjudged: true}
		} else if len(g.Goal.Patterns) == 0 && len(n.ep.GoalFacts) == 0 && len(words.Unread) > 0 {
			g.Unjudged = true
			n.warnOfGoal(fmt.Sprintf("%q in the goal could not be read; whether it was reached is not judged; expected what should be so of things by their names, such as \"the mug is clean and in the sink\"", strings.Join(words.Unread, "; ")))
		}
		return false
	}
	if len(words.Unread) > 0 {
		g.Unjudged = true
		n.warnOfGoal(fmt.Sprintf("%q in the goal could not be read; that part is not judged; expected what should be so of things by their names, such as \"the mug is clean and in the sink\"", strings.Join(words.Unread, "; ")))
	}
	n.calledOtherwise(words)
	onlyThere := !slices.ContainsFunc(words.Patterns, func(p ontology.Pattern) bool { return p.Predicate != n.onto.Core.Type })
	if onlyThere && len(words.ForAll)+len(words.Counts) == 0 && len(g.Goal.Patterns) > 0 && n.sameGoal(&words.Goal, &g.Goal) {
		return true // "slice the carrot" asks for slices, and the task says of what kind
	}
	if len(g.Goal.Patterns) > 0 && !n.sameGoal(&words.Goal, &g.Goal) {
		n.ep.Warn(0, fmt.Sprintf("the goal in words asks for %s, that of the task %s for %s; the words count", asked(n.onto, words), n.ep.Task, asked(n.onto, n.unnamed(&g.Goal))))
	}
	g.Goal, g.Bound, g.called = words.Goal, nil, words.Called
	listed := n.listedThings()
	for v, name := range words.Names {
		bound := state.Unbound
		if _, number := episode.SplitName(name); words.Things[v] != "" {
			bound = state.ObjectRef(n.Object(name, listed[name]))
		} else if number > 0 {
			bound = state.ObjectRef(n.Object(name, ""))
		}
		g.Bound = append(g.Bound, bound)
	}
	return true
}

// calledOtherwise puts for a class of which neither looks nor plan name anything the only one of
// its loosely named group that they do: what the goal calls a cup is the mug.
func (n *Names) calledOtherwise(g *language.TextGoal) {
	var shown []ontology.TermID
	for i, p := range g.Patterns {
		if p.Predicate != n.onto.Core.Type || p.Object.IsVar() || p.Object.Term == ontology.None {
			continue
		}
		group := n.onto.LooselyNamed(p.Object.Term)
		if group == ontology.None || n.isPlanned(p.Object.Term) {
			continue
		}
		if shown == nil {
			shown = n.shownClasses()
		}
		of := slices.DeleteFunc(slices.Clone(shown), func(c ontology.TermID) bool { return !n.onto.IsA(c, group) })
		if len(of) == 1 && !n.onto.IsA(of[0], p.Object.Term) {
			g.Patterns[i].Object.Term = of[0]
		}
	}
}

// shownClasses are the classes of what the looks of the episode list, each once.
func (n *Names) shownClasses() []ontology.TermID {
	var out []ontology.TermID
	for name, class := range n.listedThings() {
		id := ClassOf(n.onto, class)
		if id == ontology.None {
			id = n.namedClass(name)
		}
		if id = n.onto.Canonical(id); id != ontology.None && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// unplanned is a class of which a goal asks for something and the plan, where there is one,
// names nothing; None where there is no such class.
func (n *Names) unplanned(g *ontology.Goal) ontology.TermID {
	if len(n.ep.Plan) == 0 {
		return ontology.None
	}
	for _, p := range g.Patterns {
		if p.Predicate == n.onto.Core.Type && !n.isPlanned(p.Object.Term) {
			return p.Object.Term
		}
	}
	return ontology.None
}

// isPlanned reports whether the plan names something of a class, or what it is a form or a piece of.
func (n *Names) isPlanned(class ontology.TermID) bool {
	return slices.ContainsFunc(n.ep.Plan, func(a episode.Action) bool {
		return slices.ContainsFunc(a.Arguments(), func(name string) bool {
			of := n.namedClass(name)
			return of != ontology.None && (n.onto.IsA(of, class) || n.onto.IsA(class, of) || slices.Contains(n.onto.Forms(of), class) || slices.Contains(n.onto.Wholes(of), class))
		})
	})
}

// Narrowed is the binding of the goal's variables where those are bound too that the goal
// calls by a word by which the log calls one thing of their class and others not: the paper
// bin, which is no glass bin. As things are met it may change.
func (g *Goal) Narrowed(n *Names) state.Binding {
	out := g.Bound
	for v, word := range g.called {
		if word == "" || g.Bound[v] != state.Unbound {
			continue
		}
		class := classIn(n, &g.Goal, v)
		if class == ontology.None {
			x := n.onlyUnknown(word)
			if x == state.Nothing {
				continue
			}
			out = slices.Clone(out)
			out[v] = state.ObjectRef(x)
			continue
		}
		all := n.sameClass(class)
		if n.modified(word).Modifiers != "" {
			all = n.objects.OfClass(class)
		}
		if called := n.called(word, all); len(called) == 1 && len(all) > 1 {
			out = slices.Clone(out)
			out[v] = state.ObjectRef(called[0])
		}
	}
	return out
}

// Unmeant reports whether a variable of the goal, of which the class is not known, is bound
// to nothing: whatever it is asked of, nobody knows of what.
func (g *Goal) Unmeant(n *Names, b state.Binding) bool {
	for v := range g.called {
		if g.called[v] != "" && b[v] == state.Unbound && classIn(n, &g.Goal, v) == ontology.None {
			return true
		}
	}
	return false
}

func asked(o *ontology.Ontology, g *language.TextGoal) string {
	var out []string
	for _, c := range g.Conditions(o) {
		out = append(out, c.Text)
	}
	return strings.Join(out, "; ")
}

// unnamed is a goal whose variables are called by their classes.
func (n *Names) unnamed(g *ontology.Goal) *language.TextGoal {
	out := &language.TextGoal{Goal: *g, Names: make([]string, len(g.Vars))}
	for i := range g.Vars {
		if out.Names[i] = strings.TrimPrefix(g.Vars[i], "?"); classIn(n, g, i) != ontology.None {
			out.Names[i] = n.onto.Name(classIn(n, g, i))
		}
	}
	return out
}

// classIn is the class of a variable in a goal, or None.
func classIn(n *Names, g *ontology.Goal, variable int) ontology.TermID {
	for _, p := range g.Patterns {
		if p.Predicate == n.onto.Core.Type && p.Subject.Var == variable {
			return p.Object.Term
		}
	}
	return ontology.None
}

// sameGoal reports whether each of two goals asks for what the other asks for, if more
// exactly: on top of a table, where the other says on furniture.
func (n *Names) sameGoal(a, b *ontology.Goal) bool {
	return len(a.ForAll) == len(b.ForAll) && n.covers(a, b) && n.covers(b, a)
}

func (n *Names) covers(a, b *ontology.Goal) bool {
	for _, p := range a.Patterns {
		if p.Predicate == n.onto.Core.Differs || p.Predicate == n.onto.Core.Type || n.isForm(classIn(n, a, p.Subject.Var), p.Object.Term) {
			continue
		}
		if !slices.ContainsFunc(b.Patterns, func(q ontology.Pattern) bool { return n.alike(a, p, b, q) }) {
			return false
		}
	}
	return true
}

// isForm reports whether a class is itself what another is in a state: a carrot slice, of
// a carrot that is sliced.
func (n *Names) isForm(class, st ontology.TermID) bool {
	return st != ontology.None && slices.ContainsFunc(n.onto.Wholes(class), func(whole ontology.TermID) bool {
		return slices.Contains(n.onto.FormsIn(whole, st), class)
	})
}

// alike reports whether two conditions of two goals may mean the same.
func (n *Names) alike(a *ontology.Goal, p ontology.Pattern, b *ontology.Goal, q ontology.Pattern) bool {
	related := func(x, y ontology.TermID) bool {
		return x == ontology.None || y == ontology.None || n.onto.IsA(x, y) || n.onto.IsA(y, x)
	}
	if p.Predicate != q.Predicate && !n.onto.IsSub(p.Predicate, q.Predicate) && !n.onto.IsSub(q.Predicate, p.Predicate) || p.Object.IsVar() != q.Object.IsVar() {
		return false
	}
	if !related(classIn(n, a, p.Subject.Var), classIn(n, b, q.Subject.Var)) {
		return false
	}
	if p.Object.IsVar() {
		return related(classIn(n, a, p.Object.Var), classIn(n, b, q.Object.Var))
	}
	return n.onto.StateIs(p.Object.Term, q.Object.Term) > 0 || n.onto.StateIs(q.Object.Term, p.Object.Term) > 0
}

// add adds a fact to the goal. Its subject may be several things ("every Mug", "no Mug",
// "exactly 2 Mug", "at least", "at most"), its relation or state denied ("not inside"), and its
// object what a quantity is to be ("at most 8 Cel").
func (g *Goal) add(n *Names, f episode.Fact) {
	core := &n.onto.Core
	if of, ok := quantifierOf(f.Subject); ok {
		g.addQuantified(n, f, of)
		return
	}
	if relation, denied := strings.CutPrefix(f.Relation, "not "); denied {
		f.Relation = relation
		from := len(g.Goal.Patterns)
		g.add(n, f)
		said := slices.Clone(g.Goal.Patterns[from:])
		g.Goal.Patterns = g.Goal.Patterns[:from:from]
		var when []ontology.Pattern
		for _, p := range said {
			if p.Predicate == core.Type { // which thing is meant stays
				g.Goal.Patterns = append(g.Goal.Patterns, p)
			} else {
				when = append(when, p)
			}
		}
		if len(when) > 0 {
			g.Goal.ForAll = append(g.Goal.ForAll, ontology.ForAll{When: when, Requires: []ontology.Pattern{n.onto.Never(when[0].Subject.Var)}})
		}
		return
	}
	if q := n.onto.QuantityNamed(f.Relation); q != nil && f.Object != "" {
		m, err := measureOf(q, f.Object)
		if err != nil {
			g.Unjudged = true
			n.ep.Warn(f.Line, fmt.Sprintf("the goal asks for %s; that condition is not judged", err))
			return
		}
		g.Goal.Patterns = append(g.Goal.Patterns, ontology.Pattern{Subject: g.arg(n, f.Subject), Predicate: q.Term, Object: ontology.Arg{Var: -1, Term: ontology.None}, Measure: m})
		return
	}
	subject := g.arg(n, f.Subject)
	if f.Object == "" {
		ids := n.onto.ByLabel(f.Relation, core.StateClass)
		if id, ok := language.State(n.onto, f.Relation); ok && len(ids) == 0 {
			ids = append(ids, id)
		}
		if len(ids) == 0 {
			g.Unjudged = true
			n.ep.Warn(f.Line, fmt.Sprintf("unknown state %q in the goal; that condition is not judged", f.Relation))
			return
		}
		if !g.takesForm(n, f.Subject, subject, ids[0]) {
			g.Goal.Patterns = append(g.Goal.Patterns, ontology.Pattern{Subject: subject, Predicate: core.State, Object: ontology.Arg{Var: -1, Term: ids[0]}})
		}
		return
	}
	ids := n.onto.ByLabel(f.Relation, core.Relation)
	if len(ids) == 0 {
		g.Unjudged = true
		n.ep.Warn(f.Line, fmt.Sprintf("unknown relation %q in the goal; that condition is not judged", f.Relation))
		return
	}
	object := g.arg(n, f.Object)
	g.Goal.Patterns = append(g.Goal.Patterns, ontology.Pattern{Subject: subject, Predicate: ids[0], Object: object})
}

// quantifier says of how many things of a class a fact of a goal speaks.
type quantifier struct {
	class       string
	every       bool
	least, most int // most is -1 where there may be any number
}

// quantifierOf reads the words before a class; ok is false where there are none.
func quantifierOf(subject string) (of quantifier, ok bool) {
	w := strings.Fields(subject)
	of.most = -1
	number := func(at int, into ...*int) bool {
		if len(w) < at+2 {
			return false
		}
		k, err := strconv.Atoi(w[at])
		if err != nil || k < 0 {
			return false
		}
		for _, i := range into {
			*i = k
		}
		of.class = strings.Join(w[at+1:], " ")
		return true
	}
	switch {
	case len(w) > 1 && (w[0] == "every" || w[0] == "all"):
		of.every, of.class = true, strings.Join(w[1:], " ")
		return of, true
	case len(w) > 1 && w[0] == "no":
		of.most, of.class = 0, strings.Join(w[1:], " ")
		return of, true
	case len(w) > 2 && w[0] == "exactly":
		return of, number(1, &of.least, &of.most)
	case len(w) > 3 && w[0] == "at" && w[1] == "least":
		return of, number(2, &of.least)
	case len(w) > 3 && w[0] == "at" && w[1] == "most":
		return of, number(2, &of.most)
	}
	return of, false
}

// addQuantified adds a fact about all things of a class, or about how many.
func (g *Goal) addQuantified(n *Names, f episode.Fact, of quantifier) {
	class := ClassOf(n.onto, of.class)
	if class == ontology.None {
		g.Unjudged = true
		n.ep.Warn(f.Line, fmt.Sprintf("unknown object class %q in the goal%s; that condition is not judged", of.class, n.onto.ClassHint(of.class)))
		return
	}
	from := len(g.Goal.Patterns)
	g.Goal.Vars, g.Bound = append(g.Goal.Vars, "?"+strconv.Itoa(len(g.Goal.Vars))), append(g.Bound, state.Unbound)
	v := ontology.Arg{Var: len(g.Goal.Vars) - 1, Term: ontology.None}
	f.Subject = g.Goal.Vars[v.Var]
	g.add(n, f)
	when := []ontology.Pattern{{Subject: v, Predicate: n.onto.Core.Type, Object: ontology.Arg{Var: -1, Term: class}}}
	var said []ontology.Pattern
	kept := g.Goal.Patterns[:from:from]
	for _, p := range g.Goal.Patterns[from:] {
		if p.Subject == v {
			said = append(said, p)
		} else {
			kept = append(kept, p)
		}
	}
	switch g.Goal.Patterns = kept; {
	case len(said) == 0:
	case of.every:
		g.Goal.ForAll = append(g.Goal.ForAll, ontology.ForAll{When: when, Requires: said})
	case of.most == 0:
		g.Goal.ForAll = append(g.Goal.ForAll, ontology.ForAll{When: append(when, said...), Requires: []ontology.Pattern{n.onto.Never(v.Var)}})
	default:
		g.Goal.Counts = append(g.Goal.Counts, ontology.Count{Var: v.Var, Of: append(when, said...), Least: of.least, Most: of.most})
	}
}

// measureOf reads what a quantity is to be: "8", "at most 8 Cel".
func measureOf(q *ontology.Quantity, text string) (ontology.Measure, error) {
	m := ontology.Measure{Operator: ontology.Equals, Quantity: ontology.None}
	for _, op := range []ontology.Operator{ontology.AtLeast, ontology.AtMost, ontology.MoreThan, ontology.LessThan} {
		if rest, ok := strings.CutPrefix(text, op.String()+" "); ok {
			m.Operator, text = op, rest
		}
	}
	number, unit, _ := strings.Cut(text, " ")
	value, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return m, fmt.Errorf("a %s of %q, expected a number such as 8, or at most 8", q.Name, text)
	}
	m.Number, err = q.Read(value, unit)
	return m, err
}

// takesForm makes a condition on a thing in a state in which it is in pieces one on the
// pieces: there is no carrot once it is sliced. It reports whether it is one.
func (g *Goal) takesForm(n *Names, name string, subject ontology.Arg, st ontology.TermID) bool {
	stem, _ := episode.SplitName(name)
	class := ClassOf(n.onto, stem)
	if class == ontology.None {
		return false
	}
	forms := n.onto.FormsIn(class, st)
	if len(forms) == 0 {
		return false
	}
	g.Bound[subject.Var] = state.Unbound
	g.Goal.Patterns = slices.DeleteFunc(g.Goal.Patterns, func(p ontology.Pattern) bool {
		return p.Predicate == n.onto.Core.Type && p.Subject.Var == subject.Var
	})
	g.Goal.Patterns = append(g.Goal.Patterns, ontology.Pattern{Subject: subject, Predicate: n.onto.Core.Type, Object: ontology.Arg{Var: -1, Term: forms[0]}})
	return true
}

func (g *Goal) arg(n *Names, name string) ontology.Arg {
	if i := slices.Index(g.Goal.Vars, name); i >= 0 {
		return ontology.Arg{Var: i, Term: ontology.None}
	}
	g.Goal.Vars = append(g.Goal.Vars, name)
	g.Bound = append(g.Bound, state.Unbound)
	g.called = append(append(g.called, make([]string, len(g.Goal.Vars)-1-len(g.called))...), name)
	a := ontology.Arg{Var: len(g.Goal.Vars) - 1, Term: ontology.None}
	if x, ok := n.declared[name]; ok {
		g.Bound[a.Var] = state.ObjectRef(x)
	} else if _, number := episode.SplitName(name); number > 0 || n.isLettered(name) {
		g.Bound[a.Var] = state.ObjectRef(n.Object(name, ""))
	} else if class := ClassOf(n.onto, name); class != ontology.None {
		g.Goal.Patterns = append(g.Goal.Patterns, ontology.Pattern{Subject: a, Predicate: n.onto.Core.Type, Object: ontology.Arg{Var: -1, Term: class}})
	} else {
		n.warnOfGoal(fmt.Sprintf("unknown object class %q in the goal%s", name, n.onto.ClassHint(name)))
	}
	return a
}
