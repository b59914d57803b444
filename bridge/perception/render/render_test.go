package render_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/bench"
	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/perception/render"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/kitchen"
	"github.com/mishap-robotics/mishap/rules"
)

// perceived writes the recording of an episode and reads it back.
func perceived(t testing.TB, o *ontology.Ontology, ep *episode.Episode, n render.Noise, seed uint64) *episode.Episode {
	t.Helper()
	var out bytes.Buffer
	must(t, render.Write(&out, o, ep, n, seed))
	open := func() *recording.Reader {
		r, err := recording.NewReader("run.mcap", bytes.NewReader(out.Bytes()))
		must(t, err)
		return r
	}
	m, others, err := mapping.Recognise(open())
	must(t, err)
	if len(others) > 0 {
		t.Fatalf("not recognised: %v", others)
	}
	read, err := perception.Read(o, "run.mcap", open(), m)
	must(t, err)
	return read
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// found are the findings of an episode in words.
func found(t testing.TB, r *engine.Reasoner, ep *episode.Episode) []string {
	t.Helper()
	res, err := r.Check(context.Background(), ep)
	must(t, err)
	var out []string
	for i := range res.Findings {
		f := &res.Findings[i]
		out = append(out, fmt.Sprintf("%s at %d by %d", f.Type, f.Step, f.Cause))
	}
	slices.Sort(out)
	return out
}

// runs are simulated episodes of the scenarios of REFLECT and RECOVER: as they are, and
// with each failure injected once, drawn by the seed. Unless the long tests are asked for
// they are of two scenarios.
func runs(t testing.TB, seed uint64, visit func(*simulation.SimulatedEpisode)) {
	t.Helper()
	o := kitchen.Default()
	rng := rand.New(rand.NewPCG(seed, 3))
	for _, s := range o.Scenarios {
		if !strings.HasPrefix(s.Name, "reflect") && !strings.HasPrefix(s.Name, "recover") || !long() && s.Name != "recover_serve_wine" {
			continue
		}
		sc, err := simulation.FromOntology(o, s)
		must(t, err)
		all := []*simulation.Scenario{sc}
		for _, in := range o.Injections {
			variants, err := simulation.Inject(o, sc, in, rng.IntN)
			must(t, err)
			if len(variants) > 0 {
				all = append(all, variants[rng.IntN(len(variants))])
			}
		}
		for _, sc := range all {
			run, err := simulation.Simulate(o, sc, simulation.Options{Seed: seed})
			must(t, err)
			visit(run)
		}
	}
}

func long() bool { return os.Getenv("MISHAP_LONG") != "" }

// Without noise what is found by way of geometry is what is found in the symbolic log.
func TestThroughGeometryAndBack(t *testing.T) {
	o := ontology.Default()
	r, err := engine.New(o, rules.Default())
	must(t, err)
	n, same := 0, 0
	runs(t, 1, func(run *simulation.SimulatedEpisode) {
		was := found(t, r, run.Episode)
		for _, sensors := range []render.Noise{{}, {Points: 150}} {
			if n++; sensors.Points > 0 && n%10 != 0 {
				continue // clouds are many points
			}
			is := found(t, r, perceived(t, o, run.Episode, sensors, 1))
			if slices.Equal(was, is) {
				same++
				continue
			}
			t.Errorf("%s, %v: found %q, through geometry %q", run.Episode.ID, sensors, was, is)
		}
	})
	if same == 0 {
		t.Error("no episode was compared")
	}
	t.Logf("%d the same", same)
}

// At boxes that are a centimetre off and two detections of a hundred missed, nearly all is
// still found, and hardly any alarm is false.
func TestNoise(t *testing.T) {
	o := ontology.Default()
	r, err := engine.New(o, rules.Default())
	must(t, err)
	for _, tt := range []struct {
		noise         render.Noise
		found, alarms float64 // shares: of failures with their class at least, of clean runs at most
	}{
		{render.Noise{Sigma: 0.01, Missed: 0.02}, 0.97, 0.02},
		{render.Noise{Sigma: 0.01, Missed: 0.02, False: 0.1, Swapped: 0.05}, 0.97, 0.02},
		{render.Noise{Sigma: 0.02, Missed: 0.05, False: 0.2, Swapped: 0.1}, 0.9, 0.1},
	} {
		n, failures, detected, clean, alarmed := 0, 0, 0, 0, 0
		runs(t, 2, func(run *simulation.SimulatedEpisode) {
			if n++; !long() && n%6 != 1 {
				return
			}
			res, err := r.Check(context.Background(), perceived(t, o, run.Episode, tt.noise, uint64(n)))
			must(t, err)
			c := bench.Score(kitchen.Default(), run.Episode.ID, run.Truth, res.Findings)
			if c.Class < len(run.Truth) || c.Extra > 0 {
				t.Logf("%+v: %s: %v, found %v", tt.noise, run.Episode.ID, run.Truth, c.Found)
			}
			failures, detected = failures+len(run.Truth), detected+c.Class
			if len(run.Truth) == 0 {
				clean++
				alarmed += min(1, len(c.Found))
			}
		})
		t.Logf("%+v: %d of %d failures found with their class, %d of %d clean runs alarmed", tt.noise, detected, failures, alarmed, clean)
		if failures == 0 || float64(detected) < tt.found*float64(failures) || float64(alarmed) > tt.alarms*float64(clean) {
			t.Errorf("%+v: %d of %d failures found with their class, %d of %d clean runs alarmed", tt.noise, detected, failures, alarmed, clean)
		}
	}
}
