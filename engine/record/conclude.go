package record

import (
	"slices"
	"strings"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/internal/state"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// Conclusions is what was concluded of an episode; what is nil was not asked.
type Conclusions struct {
	Result    *engine.Result
	Foresight *engine.Foresight
	Recovery  *engine.EpisodeRecovery // its Result is the one above
	Uses      []engine.StrategyCount  // as Reasoner.StrategyUses counts them
	Remarks   []Remark                // what people said of it
}

// Concluded lists the quads of what was concluded from an episode: beliefs that were not
// seen, findings with cause, evidence, consequences and strategies, threats, recoveries.
func Concluded(o *ontology.Ontology, c Conclusions) []quad.Quad {
	if c.Result == nil {
		return nil
	}
	w := &writer{names: names{Root(c.Result.Episode.ID)}, onto: o, trace: c.Result.Trace, iris: map[wordKey]quad.IRI{}, written: map[quad.IRI]string{}}
	w.beliefs(c.Result.Trace)
	w.graph = w.conclusions()
	for i := range c.Result.Findings {
		w.finding(&c.Result.Findings[i], findingPart, i, recorded.Finding)
	}
	if c.Foresight != nil {
		for i := range c.Foresight.Threats {
			t := &c.Foresight.Threats[i]
			x := w.finding(&t.Finding, threatPart, i, recorded.Threat)
			w.say(x, term(recorded.ForeseenStep), integer(int(t.Foreseen)))
		}
	}
	if c.Recovery != nil {
		for i, p := range c.Recovery.Plans {
			w.recovery(p, i, w.part(findingPart, i+1))
		}
		w.recovery(c.Recovery.Final, len(c.Recovery.Plans), w.episode())
	}
	for i, u := range c.Uses {
		x := w.item(trialPart, i, recorded.StrategyTrial)
		w.say(x, term(recorded.UseOf), w.class(u.Strategy))
		w.say(x, term(recorded.AfterFailure), w.class(u.Class))
		w.say(x, term(recorded.GoalReached), boolean(u.Reached > 0))
	}
	for i, r := range c.Remarks {
		w.remark(r, i, len(c.Result.Findings))
	}
	return w.out
}

// class is a term of the ontology by its name.
func (w *writer) class(name string) quad.IRI {
	if id, ok := w.onto.Lookup(name); ok {
		return quad.IRI(w.onto.Terms[id].IRI)
	}
	return quad.IRI(ontology.Namespace + name)
}

// finding says a finding or a threat.
func (w *writer) finding(f *engine.Finding, kind string, i int, class recorded.Term) quad.IRI {
	x := w.item(kind, i, class)
	w.say(x, rdfType, w.class(f.Type))
	w.say(x, event(ontology.EventEpisode), w.episode())
	w.shows(x, f.Step)
	w.say(x, term(recorded.CauseStep), integer(int(f.Cause)))
	if e := w.trace.Event(f.Cause); e != nil && e.Call.Schema != nil {
		w.say(x, term(recorded.Cause), w.action(int(f.Cause)))
	}
	w.say(x, term(recorded.WindowStart), integer(int(f.Window[0])))
	w.say(x, term(recorded.WindowEnd), integer(int(f.Window[1])))
	w.number(x, recorded.Planned, f.Planned)
	if f.Agent != "" {
		w.say(x, event(ontology.EventAgent), w.object(f.Agent))
	}
	w.objects(x, f.Objects)
	if f.Clause != nil {
		w.text(x, recorded.Rule, f.Rule())
	}
	w.text(x, recorded.Found, f.Explanation)
	w.list(x, recorded.Evidence, f.Evidence)
	w.flag(x, recorded.MadeUpFor, f.Recovered)
	for k, s := range f.Strategies {
		u := w.part(kind+"/"+itoa(i+1)+"/"+usePart, k+1)
		w.is(u, recorded.StrategyUse)
		w.say(u, term(recorded.Index), integer(k+1))
		w.say(u, term(recorded.UseOf), w.class(s.Name))
		w.say(u, term(recorded.UseFor), x)
		w.list(u, recorded.Text, s.Actions)
	}
	for k, c := range f.Consequences {
		y := w.part(kind+"/"+itoa(i+1)+"/"+consequentPart, k+1)
		w.is(y, recorded.Consequence)
		w.say(y, term(recorded.Index), integer(k+1))
		w.say(y, rdfType, w.class(c.Type))
		w.say(y, term(recorded.Follows), x)
		w.shows(y, c.Step)
		w.objects(y, c.Objects)
		w.text(y, recorded.Found, c.Explanation)
	}
	return x
}

// shows says at which step something shows.
func (w *writer) shows(x quad.IRI, step int32) {
	w.say(x, event(ontology.EventStep), integer(int(step)))
	if w.trace.Event(step) != nil {
		w.say(x, term(recorded.ShowsIn), w.names.observation(int(step)))
	}
}

func (w *writer) objects(x quad.IRI, objects []string) {
	order := carried(nil, objects, strings.Compare)
	for _, name := range order {
		w.say(x, term(recorded.Concerns), w.object(name))
	}
	w.inOrder(x, string(recorded.Concerns), places(order, objects))
}

// recovery says a proposal of how to go on; nil is none.
func (w *writer) recovery(p *engine.Proposal, i int, of quad.IRI) {
	if p == nil {
		return
	}
	x := w.item(recoveryPart, i, recorded.Recovery)
	w.say(x, term(recorded.RecoveryOf), of)
	w.say(x, event(ontology.EventEpisode), w.episode())
	w.text(x, recorded.Method, string(p.Method))
	w.say(x, term(recorded.Verified), boolean(p.Verified))
	w.list(x, recorded.Why, slices.Concat(p.Impossible, p.Unmet, p.Violated))
	for k, u := range p.Strategies {
		y := w.part(recoveryPart+"/"+itoa(i+1)+"/"+usePart, k+1)
		w.is(y, recorded.StrategyUse)
		w.say(y, term(recorded.Index), integer(k+1))
		w.say(y, term(recorded.UseOf), w.class(u.Strategy))
		w.say(y, term(recorded.UseFor), x)
		w.say(y, term(recorded.Applied), boolean(u.Applied))
		w.text(y, recorded.Why, u.Why)
	}
	w.plan(x, recoveryPart+"/"+itoa(i+1)+"/"+planPart, p.Plan, nil)
}

// beliefs says from which step on what was believed that nobody saw, and of which class a
// thing was taken to be that no observation gives one.
func (w *writer) beliefs(t *engine.Trace) {
	told := map[string]bool{}
	for i := range t.Episode.Steps {
		for _, n := range t.Episode.Steps[i].Observation.Nodes {
			told[n.ID] = told[n.ID] || n.Class != ""
		}
	}
	for x := range t.Objects.Items {
		name, class := t.Objects.Name(engine.Object(x)), t.Objects.Items[x].Class
		if name != "" && class != ontology.None && !told[name] {
			w.graph = quad.IRI(w.step(0) + assumed)
			w.say(w.object(name), rdfType, quad.IRI(w.onto.Terms[class].IRI))
		}
	}
	for x, fluents := range t.History {
		for i := range fluents {
			for _, c := range fluents[i].Entries {
				w.belief(t, engine.Object(x), c.Step, c.Value)
			}
		}
	}
}

// assumed is the end of the IRI of a graph of what was only assumed.
const assumed = "/assumed"

func (w *writer) belief(t *engine.Trace, x engine.Object, step int32, v state.Value) {
	kind := ""
	switch {
	case v.Term == ontology.None:
		return
	case v.Status == state.Assumed:
		kind = assumed
	case v.Status == state.Predicted:
		kind = "/predicted"
	default:
		return
	}
	w.graph = quad.IRI(w.step(int(step)) + kind)
	p, y := event(ontology.EventState), quad.IRI(w.onto.Terms[v.Term].IRI)
	if v.At != engine.NoObject {
		p, y = y, w.object(t.Objects.Name(v.At))
	}
	w.say(w.object(t.Objects.Name(x)), p, y)
}
