package engine

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/belief"
	"github.com/mishap-robotics/mishap/engine/internal/diagnosis"
	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/engine/internal/planfault"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Reasoner holds an ontology and rules made ready. Goroutines may share it.
type Reasoner struct {
	Ontology *ontology.Ontology
	rules    *rules.Program
	compiled *CompiledRules // nil where rules are interpreted
	builtins datalog.Builtins
	// RuleTimeout bounds how long the rules may take on one episode; 0 is no bound.
	RuleTimeout time.Duration
	// Limits bound what is done with an episode as a whole: Check, CheckPlan, Foresee,
	// RecoverEpisode. Window and Memory are of monitors alone.
	Limits    Limits
	forgetful bool
	scores    bool                     // the facts of scores are worked out
	digest    func() [sha256.Size]byte // of what it knows
	embedder  discrepancy.Embedder     // where a scoring names none; it keeps what it has worked out
}

// DefaultRuleTimeout bounds the evaluation of all rules on one episode.
const DefaultRuleTimeout = 30 * time.Second

// New makes a reasoner. The error lists the rules that cannot run with the
// ontology, one to a line, or is a *BuiltinError.
func New(o *ontology.Ontology, p *rules.Program, with ...Option) (*Reasoner, error) {
	switch {
	case o == nil:
		return nil, missing("ontology")
	case p == nil:
		return nil, missing("rules")
	}
	builtins, err := builtinsOf(with)
	if err != nil {
		return nil, err
	}
	r := &Reasoner{Ontology: o, rules: p, builtins: builtins, RuleTimeout: DefaultRuleTimeout, digest: digestOf(o, p, builtins)}
	if len(builtins) > 0 || !p.Checked(o) {
		if errs := p.Check(o, r.vocabulary(), nil).Errors(); len(errs) > 0 {
			return nil, errs
		}
	}
	r.scores = asksScores(p)
	r.compiled, r.embedder = compiled(p, o, builtins), discrepancy.FromOntology(o)
	return r, nil
}

// compiled compiles rules; those that are built in once for all reasoners.
func compiled(p *rules.Program, o *ontology.Ontology, builtins datalog.Builtins) *CompiledRules {
	if len(builtins) == 0 && p.Checked(o) {
		return shippedRules()
	}
	return datalog.CompileWith(p, o, builtins)
}

var shippedRules = sync.OnceValue(func() *CompiledRules {
	return datalog.Compile(rules.Default(), ontology.Default())
})

// Rules are the rules it applies.
func (r *Reasoner) Rules() *rules.Program {
	if r == nil {
		return nil
	}
	return r.rules
}

// Interpreting is a reasoner that interprets all rules. It concludes the same,
// more slowly.
func (r *Reasoner) Interpreting() *Reasoner {
	out := r.copied()
	out.compiled = nil
	return out
}

// Compiled is the compiled form of the rules, nil where they are interpreted.
func (r *Reasoner) Compiled() *CompiledRules {
	if r == nil {
		return nil
	}
	return r.compiled
}

// copied is a reasoner like it; of none, one that is of no use.
func (r *Reasoner) copied() *Reasoner {
	if r == nil {
		return &Reasoner{}
	}
	out := *r
	return &out
}

// Prover makes a prover of the rules over the facts of an index.
func (r *Reasoner) Prover(x *Facts) *Prover {
	return &Prover{Program: r.rules, Compiled: r.compiled, Builtins: r.builtins, Index: x}
}

// ObservationsOnly is a reasoner that believes only what the last observation shows:
// what belief contributes is the difference. Its monitors remember as any do.
func (r *Reasoner) ObservationsOnly() *Reasoner {
	out := r.copied()
	out.forgetful = true
	return out
}

// WithoutNegation is a reasoner without the failure rules that conclude from
// what is not so: what they contribute is the difference.
func (r *Reasoner) WithoutNegation() *Reasoner {
	out := r.copied()
	if out.usable() != nil {
		return out
	}
	out.rules = r.rules.Without(func(c *rules.Clause) bool {
		return c.ConcludesFailure() && slices.ContainsFunc(c.Body, func(g *rules.Term) bool { return g.Name == `\+` })
	})
	out.digest = digestOf(r.Ontology, out.rules, r.builtins)
	if r.compiled != nil {
		out.compiled = datalog.CompileWith(out.rules, r.Ontology, r.builtins)
	}
	return out
}

// Result is what checking an episode gives.
type Result struct {
	Episode  *episode.Episode
	Trace    *Trace
	Findings []Finding
	// Forgotten is how many findings a monitor with a window had told before those.
	Forgotten int
	Index     *Facts
}

// Check follows an episode and finds its failures. Where rules fail to run, the
// error names them, with a *LimitError for one that does not come to an
// end, and the result holds what the others found; so it does where steps or the plan
// exceed Limits, and are left out. With an *UnknownActionError, an *OrderError or a
// *StepRangeError there is no result, and none where the context was over, or
// Limits.Time, in another phase than that of the rules. The episode stays as it is: what
// was odd in it is in the Warnings of the result's.
func (r *Reasoner) Check(ctx context.Context, ep *episode.Episode) (*Result, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	c, end := beginCall(orBackground(ctx), nil, r.Limits.Time, "Limits.Time")
	defer end()
	ep, refused, err := r.admitWhole(c.stop, ep)
	if err != nil {
		return nil, err
	}
	x, err := r.factsWithin(c, ep, true)
	if err != nil {
		return nil, errors.Join(refused, err)
	}
	conclusions, err := r.conclude(c.ctx, x)
	err = c.blame(err)
	if c.cancelled() {
		if err == nil { // it ended as the last rule did
			err = c.cut(PhaseRules, int(x.Trace.Last()), "the episode was not checked", c.outer.Err())
		}
		return nil, errors.Join(refused, err)
	}
	whole, end := beginCall(c.outer, x.Trace, 0, "")
	defer end()
	res := &Result{Episode: ep, Trace: x.Trace, Findings: diagnosis.Findings(x, conclusions), Index: x}
	if cut := whole.ended(PhaseDiagnosis, int(x.Trace.Last()), "the episode was not checked"); cut != nil {
		return nil, errors.Join(refused, err, cut)
	}
	return res, errors.Join(refused, err)
}

// factsWithin is Facts within a call, with the faults of the plan or without.
func (r *Reasoner) factsWithin(c *call, ep *episode.Episode, faults bool) (*Facts, error) {
	t := belief.FollowUntil(c.stop, r.Ontology, ep, r.forgetful)
	defer t.EndWith(nil)
	const undone = "the episode was not checked"
	if err := c.ended(PhaseBelief, int(t.Last()), undone); err != nil {
		return nil, err
	}
	x := fact.Build(t, r.scoresOf(c, ep))
	if err := c.ended(PhaseFacts, int(t.Last()), undone); err != nil {
		return nil, err
	}
	if !faults {
		return x, nil
	}
	found := planfault.Find(t)
	if err := c.ended(PhasePlanFaults, int(t.Last()), undone); err != nil {
		return nil, err
	}
	x.AddFaults(found...)
	return x, nil
}

// CheckAll checks episodes one by one, as they are asked for: those of a folder of logs
// or of a stream. Errors of reading them are passed on with no result. With an error of
// rules there is a result too, as Check says.
func (r *Reasoner) CheckAll(ctx context.Context, episodes iter.Seq2[*episode.Episode, error]) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		if episodes == nil {
			return
		}
		for ep, err := range episodes {
			var res *Result
			if err == nil {
				res, err = r.Check(ctx, ep)
			}
			if !yield(res, err) {
				return
			}
		}
	}
}

// stepsOfLimit is for how many steps of an episode that is checked as a whole a rule may take
// as many inferences as it may at one.
const stepsOfLimit = 500

// conclude applies the rules to the facts of an episode, for no longer than they may
// take.
func (r *Reasoner) conclude(ctx context.Context, x *Facts) ([]Conclusion, error) {
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	var out []Conclusion
	p := r.Prover(x)
	p.Limit = inference.DefaultLimit * (1 + x.Trace.Len()/stepsOfLimit)
	err := p.Failures(ctx, func(c Conclusion) bool { out = append(out, c); return true })
	if err != nil {
		err = fmt.Errorf("episode %s: %w", x.Trace.Episode.ID, err)
	}
	return out, err
}

// bounded is a context that ends when the rules have taken as long as they may.
func (r *Reasoner) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx = orBackground(ctx)
	if r.RuleTimeout > 0 {
		return context.WithTimeout(ctx, r.RuleTimeout)
	}
	return ctx, func() {}
}

// Prove finds the proof of a finding: its rule, and under it the conditions with
// their values, down to facts. It is nil where the facts do not hold the finding; where
// that is for want of what a window no longer remembers, the error is ErrForgotten.
func (r *Reasoner) Prove(ctx context.Context, res *Result, f *Finding) (*Proof, error) {
	switch err := r.usable(); {
	case err != nil:
		return nil, err
	case res == nil || res.Index == nil:
		return nil, missing("result with facts")
	case f == nil || f.Clause == nil:
		return nil, missing("finding of a rule")
	}
	ctx = orBackground(ctx)
	var proof *Proof
	p := r.Prover(res.Index)
	p.Proofs = true
	err := p.Prove(ctx, f.Clause, f.Step, func(c Conclusion) bool {
		// A rule that names no object has the finding name what the goal lacks.
		if c.Class == f.Type && (slices.Equal(c.Objects, f.Objects) || len(c.Objects) == 0) {
			proof = c.Proof
		}
		return proof == nil
	})
	if proof == nil && err == nil && res.Index.Since > 0 {
		err = forgottenStep(f.Step, res.Index.Since)
	}
	return proof, err
}

// WhyNot tells for each rule of a failure class, or of a subclass of it, why it
// did not conclude that at a step. Concluded are the conclusions of the class there,
// which need not have become findings: a more specific class may have been reported
// instead. The error is ErrForgotten for a step that is no longer remembered.
func (r *Reasoner) WhyNot(ctx context.Context, res *Result, class string, step int32) (why []*Unproved, concluded []Conclusion, err error) {
	if err := r.usable(); err != nil {
		return nil, nil, err
	}
	if res == nil || res.Index == nil {
		return nil, nil, missing("result with facts")
	}
	ctx = orBackground(ctx)
	asked, ok := r.Ontology.Lookup(class)
	if !ok || !r.Ontology.IsA(asked, r.Ontology.Core.Failure) {
		return nil, nil, fmt.Errorf("%s is no failure class of the ontology", class)
	}
	if step < res.Index.Since {
		return nil, nil, forgottenStep(step, res.Index.Since)
	}
	p := r.Prover(res.Index)
	p.Proofs = true
	for _, c := range r.rules.FailureRules() {
		err := p.Prove(ctx, c, step, func(c Conclusion) bool {
			if id, _ := r.Ontology.Lookup(c.Class); r.Ontology.IsA(id, asked) {
				concluded = append(concluded, c)
			}
			return true
		})
		if err != nil {
			return nil, nil, err
		}
	}
	why, err = p.WhyNot(ctx, class, step)
	return why, concluded, err
}

// Facts follows an episode, of actions that the ontology has, and indexes its facts.
func (r *Reasoner) Facts(ep *episode.Episode) *Facts {
	if ep == nil || r.usable() != nil {
		return nil
	}
	x, _ := r.factsWithin(&call{}, ep, true) // which nothing ends
	return x
}

// Interprets tells why a goal that is to be answered is interpreted, which is
// slower; nil where it is compiled, or where all is interpreted.
func (r *Reasoner) Interprets(goal string) *Uncompiled {
	goals, err := rules.ParseGoal(goal)
	if err != nil || r.Compiled() == nil {
		return nil
	}
	for i, g := range goals {
		goals[i] = r.InFacts(g)
	}
	return r.compiled.Goal(goals)
}

// Query answers a goal over the facts of an episode, with the predicates of
// the vocabulary, of the rules, the built-in ones and RelationPredicates. visit gets the names of
// the variables that an answer gives values to, and the values, and returns false to
// stop. The error of a query that took too long wraps that of the context, or
// context.DeadlineExceeded where RuleTimeout was over first.
func (r *Reasoner) Query(ctx context.Context, x *Facts, goal string, visit func(names []string, values []*rules.Term) bool) error {
	goals, err := r.goals(x, goal)
	if err != nil {
		return err
	}
	if visit == nil {
		return missing("function that visits the answers")
	}
	return r.ask(ctx, x, goals, visit)
}

// ask answers a goal that is read.
func (r *Reasoner) ask(ctx context.Context, x *Facts, goals []*rules.Term, visit func(names []string, values []*rules.Term) bool) error {
	outer := orBackground(ctx)
	ctx, cancel := r.bounded(outer)
	defer cancel()
	names := rules.AnswerVariables(goals)
	err := r.Prover(x).Query(ctx, goals, func(all []string, values []*rules.Term) bool {
		given := values[:0:0]
		for i, name := range all {
			if slices.Contains(names, name) {
				given = append(given, values[i])
			}
		}
		return visit(names, given)
	})
	var host *BuiltinError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded) && outer.Err() == nil && !errors.As(err, &host):
		return fmt.Errorf("the query did not end within %v; ask for less, or bind more variables: %w", r.RuleTimeout, err)
	}
	return fmt.Errorf("goal: %w", err)
}

// goals reads a goal that is to be asked of an index.
func (r *Reasoner) goals(x *Facts, goal string) ([]*rules.Term, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, missing("facts")
	}
	return r.parse(goal)
}

// Profile applies the rules to an episode and counts what they cost: to the whole
// at once, as Check does, or step by step. Each episode is for a profile of its own
// where several run at once; see Profile.Add.
func (r *Reasoner) Profile(ctx context.Context, ep *episode.Episode, steps bool, into *Profile) error {
	ep, err := r.admit(ep)
	if err != nil {
		return err
	}
	if into == nil {
		return missing("profile")
	}
	x := r.Facts(ep)
	ctx, cancel := r.bounded(ctx)
	defer cancel()
	p := r.Prover(x)
	p.Profile = into
	ignore := func(Conclusion) bool { return true }
	if !steps {
		return p.Failures(ctx, ignore)
	}
	p.Open()
	defer p.Close()
	var errs []error
	for i := range x.Trace.Len() {
		for _, c := range r.rules.FailureRules() {
			errs = append(errs, p.Prove(ctx, c, x.Trace.StepOf(i), ignore))
		}
	}
	return errors.Join(errs...)
}

// look is the action that only looks; ok is false where the ontology has none.
func (r *Reasoner) look() (a episode.Action, ok bool) {
	if look := r.Ontology.Roles.Look; look != nil {
		return episode.Action{Name: look.Name}, true
	}
	return episode.Action{}, false
}
