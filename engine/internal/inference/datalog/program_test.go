package datalog

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine/internal/fact"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// A rule that is built in can be compiled to run in any way, whatever terms there are: that it
// cannot would be told too late, as most are compiled when they are first asked.
func TestBuiltInRulesCompileInAnyWay(t *testing.T) {
	few, _, err := ontology.Parse(ontology.Language())
	if few == nil {
		t.Fatal(err)
	}
	for _, o := range []*ontology.Ontology{ontology.Default(), few} {
		p := Compile(rules.Default(), o)
		waiting := 0
		for _, r := range p.failures {
			if r.codes[free].Load() == nil {
				waiting++
			}
			for w := range ways {
				if _, reason := r.as(w); reason != nil {
					t.Errorf("way %d: %v", w, reason)
				}
			}
		}
		if waiting < len(p.failures)/2 {
			t.Errorf("%d of %d rules wait to be compiled", waiting, len(p.failures))
		}
	}
}

// Whether any other rule can be compiled is known at once.
func TestOtherRulesAreCompiledAtOnce(t *testing.T) {
	own := document.Document{Name: "own.pl", Data: []byte("failure('DirtyObjFailure', S, S, [O]) :- target(S, O), ofOne(S, O).\n" +
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), findall(P, target(_, P), _).\n" +
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), asked(S).\n" +
		"ofOne(S, O) :- observed(S), failed(S), target(S, O).")}
	builtins := Builtins{{Name: "asked", Arity: 1}: {Name: "asked", In: []rules.ArgKind{rules.StepArg}}}
	for _, changed := range []string{"", "dropping.pl"} {
		sources := document.Merge(rules.Shipped(), []document.Document{own})
		for i, s := range sources {
			if s.Name == "rules/"+changed {
				sources[i].Data = append([]byte("% changed\n"), s.Data...)
			}
		}
		whole, err := rules.Load(sources)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*rules.Program{whole, whole.Without(func(*rules.Clause) bool { return false })} {
			refused := 0
			for _, r := range CompileWith(p, ontology.Default(), builtins).failures {
				if r.Reason != nil {
					refused++
				}
				ours := p != whole || r.Clause.Pos.File == own.Name || r.Clause.Pos.File == "rules/"+changed
				if ours && r.Reason == nil && (r.codes[anchored].Load() == nil || r.codes[free].Load() == nil) {
					t.Errorf("%v is not compiled", r.Clause.Pos)
				}
			}
			if refused != 1 {
				t.Errorf("%d rules are left to the interpreter, expected the one with findall", refused)
			}
		}
	}
}

// A rule runs in the order that costs least unless it asks for the first of several answers:
// once that is given all that it tells only asks whether there is one.
func TestOrderOfRulesWithOnce(t *testing.T) {
	for text, want := range map[string]order{
		"failure('DirtyObjFailure', S, S, [O]) :- seen(S, O), once(target(_, O)).":                                                                                 cheapest,
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), \\+ thing(S, O).\nthing(S, O) :- seen(S, P), once(kin(O, P)).\nkin(O, P) :- isa(O, C), isa(P, C).": source,
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), \\+ thing(S, O).\nthing(S, O) :- seen(S, O), once(kin(O)).\nkin(O) :- isa(O, 'Food').":             cheapest,
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, _), once(seen(S, O)).":                                                                                 source,
		"failure('DirtyObjFailure', S, S, [O]) :- once(target(S, O)), seen(S, O).":                                                                                 source,
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), \\+ once(seen(_, O)).":                                                                             source,
		"failure('DirtyObjFailure', S, S, [O]) :- target(S, O), once((seen(T, O), 1 is T mod 2)).":                                                                 source,
	} {
		p, err := rules.Load([]document.Document{{Name: "t.pl", Data: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		r := Compile(p, ontology.Default()).failures[0]
		if r.Reason != nil || r.order != want {
			t.Errorf("%s\nruns in order %d, want %d; reason %v", text, r.order, want, r.Reason)
		}
	}
}

// What an action is found by runs before what looks through all that came before it.
func TestOrderPricesThePast(t *testing.T) {
	text := "failure('DirtyObjFailure', T, S, [O]) :- action(S, pick_up), target(S, O), S < T, seen_at(T, O, X), isa(X, 'Floor').\n"
	p, err := rules.Load([]document.Document{{Name: "t.pl", Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	c, reason := Compile(p, ontology.Default()).failures[0].as(anchored)
	if reason != nil {
		t.Fatal(reason)
	}
	var got []string
	for _, op := range c.ops {
		if op.kind == opScan {
			got = append(got, op.text.Name)
		}
	}
	if want := []string{"isa", "seen_at", "target", "action"}; !slices.Equal(got, want) {
		t.Errorf("facts are looked up in order %v, want %v", got, want)
	}
}

// A rule of which there are no facts that it needs concludes nothing, and is not compiled to
// find that out.
func TestRulesWithoutTheirFactsAreNotCompiled(t *testing.T) {
	goals, err := rules.ParseGoal("step(1), target(1, 'Mug-1'), succeeded(1), observed(1)")
	if err != nil {
		t.Fatal(err)
	}
	x, err := fact.Given(ontology.Default(), goals)
	if err != nil {
		t.Fatal(err)
	}
	p := Compile(rules.Default(), ontology.Default())
	e := p.Evaluator(x)
	defer e.Release()
	limits := Limits{Steps: 1_000_000, Bytes: 1 << 20}
	made := 0
	for _, r := range p.failures {
		lazily, err := e.Conclude(context.Background(), r, nil, limits, false)
		if err != nil {
			t.Fatal(err)
		}
		if r.codes[free].Load() != nil {
			made++
		}
		if _, reason := r.as(free); reason != nil {
			t.Fatal(reason)
		}
		compiled, err := e.Conclude(context.Background(), r, nil, limits, false)
		if err != nil || len(compiled) != len(lazily) {
			t.Errorf("%v: %d conclusions, compiled %d; %v", r.Clause.Pos, len(lazily), len(compiled), err)
		}
	}
	if made > len(p.failures)/4 {
		t.Errorf("%d of %d rules are compiled", made, len(p.failures))
	}
}

// Rules that are built in run in the order that costs least, but for a few: what those take the
// first of, by once/1, may give a value to what comes after it.
func TestFewBuiltInRulesRunAsWritten(t *testing.T) {
	const few = 7
	var written []rules.Pos
	for _, r := range Compile(rules.Default(), ontology.Default()).failures {
		if r.order == source {
			written = append(written, r.Clause.Pos)
		}
	}
	if len(written) > few {
		t.Errorf("%d rules run as they are written, more than %d: %v", len(written), few, written)
	}
}

// Rules cost room by how many they are: 20,000 would take less than 1 GB.
func TestManyRulesTakeRoomByTheirNumber(t *testing.T) {
	const most = 1 << 30 / 20_000 // bytes a rule
	room := func(n int) uint64 {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "failure('DroppingObjFailure', S, S, [O]) :- h%d(S, O), seen_state(S, O, dirty), S > %d.\nh%d(S, O) :- target(S, O), action(S, pick_up).\n", i, i, i)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, err := rules.Load([]document.Document{{Name: "own.pl", Data: []byte(text.String())}})
		if err != nil {
			t.Fatal(err)
		}
		Compile(p, ontology.Default())
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	room(1) // with what is made of the ontology once
	few, many := room(200), room(800)
	if many > 5*few || many > 800*most {
		t.Errorf("200 rules take %d kB, 800 take %d kB; expected four times as much, and at most %d kB a rule", few>>10, many>>10, most>>10)
	}
}
