package web

import (
	"context"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// tidying is an episode of so many steps with so many things in view, some of which are not
// gripped when they should be.
func tidying(steps, things int) *episode.Episode {
	classes := []string{"Mug", "Plate", "Bowl", "Apple", "Knife", "Fork", "Spoon", "Pan", "Pot", "Cup"}
	names := []string{"CounterTop-1"}
	for i := range things - 1 {
		names = append(names, fmt.Sprintf("%s-%d", classes[i%len(classes)], i/len(classes)+1))
	}
	seen := func(held string) (o episode.Observation) {
		for i, n := range names {
			class, _ := episode.SplitName(n)
			o.Nodes = append(o.Nodes, scene.Node{ID: n, Class: class})
			switch {
			case n == held:
				o.Edges = append(o.Edges, scene.Edge{Subject: n, Relation: "inside", Object: "RobotGripper-1"})
			case i > 0:
				o.Edges = append(o.Edges, scene.Edge{Subject: n, Relation: "on_top_of", Object: names[0]})
			}
		}
		return o
	}
	ep := &episode.Episode{ID: "tidying", Task: "tidy", Steps: []episode.Step{{Observation: seen("")}}}
	for i := range steps {
		thing, held := names[1+(i/3)%(things-1)], ""
		action := []episode.Action{{Name: "navigate_to_obj", Target: thing}, {Name: "pick_up", Target: thing}, {Name: "put_on", Target: thing, Destination: names[0]}}[i%3]
		if i%3 == 1 && i%50 != 1 {
			held = thing
		}
		ep.Plan = append(ep.Plan, action)
		ep.Steps = append(ep.Steps, episode.Step{Index: i + 1, Action: action, Observation: seen(held)})
	}
	return ep
}

// BenchmarkEpisodePage opens an episode that is loaded and that nobody has asked for yet:
// ready_ms is from the request to a page that can be used, of which the server took served_ms,
// and frame_ms what each step takes as it is scrubbed, drawn and laid out. ready_cpu_ms and
// frame_cpu_ms are the time of the browser's thread for the same, which other work on the
// machine does not lengthen.
func BenchmarkEpisodePage(b *testing.B) {
	for _, of := range []struct{ steps, things int }{{200, 20}, {5000, 20}, {60, 300}} {
		b.Run(fmt.Sprintf("%dx%d", of.steps, of.things), func(b *testing.B) {
			br := startBrowser(b)
			ep := tidying(of.steps, of.things)
			path := filepath.Join(b.TempDir(), "tidying.jsonl")
			if err := jsonl.WriteFile(path, false, ep); err != nil {
				b.Fatal(err)
			}
			figures := map[string][]float64{}
			for b.Loop() {
				l := NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()})
				if err := l.Load(b.Context(), []string{path}); err != nil {
					b.Fatal(err)
				}
				h := httptest.NewServer((&Server{Library: l, Loopback: true}).Handler())
				br.allow(b, h.URL)
				var served, ready, frame float64
				opened, scrubbed := br.busy(b), 0.0
				br.run(b, chromedp.Navigate(h.URL+"/episodes/"+l.entries[0].Key), chromedp.WaitVisible(".thing"),
					chromedp.Evaluate(`performance.getEntriesByType("navigation")[0].responseStart`, &served),
					chromedp.Evaluate(`performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd`, &ready))
				opened, scrubbed = br.busy(b)-opened, br.busy(b)
				br.run(b, chromedp.Evaluate(scrub, &frame, awaited))
				scrubbed = br.busy(b) - scrubbed
				br.run(b, chromedp.Navigate("about:blank"))
				h.Close()
				for name, n := range map[string]float64{"served_ms": served, "ready_ms": ready, "frame_ms": frame, "ready_cpu_ms": opened, "frame_cpu_ms": scrubbed / scrubs} {
					figures[name] = append(figures[name], n)
				}
			}
			for name, all := range figures {
				slices.Sort(all)
				b.ReportMetric(all[len(all)/2], name)
			}
		})
	}
}

// busy is how long the main thread of a page has worked so far, in milliseconds.
func (br *browser) busy(b *testing.B) (ms float64) {
	br.run(b, chromedp.ActionFunc(func(ctx context.Context) error {
		if err := performance.Enable().WithTimeDomain(performance.EnableTimeDomainThreadTicks).Do(ctx); err != nil {
			return err
		}
		all, err := performance.GetMetrics().Do(ctx)
		for _, m := range all {
			if m.Name == "TaskDuration" {
				ms = 1000 * m.Value
			}
		}
		return err
	}))
	return ms
}

// scrubs is how many steps scrub goes through.
const scrubs = 50

// scrub goes through fifty steps as fast as they are drawn.
const scrub = `(async () => {
	const line = document.querySelector(".timeline");
	line.focus();
	const begin = performance.now();
	for (let i = 0; i < 50; i++) {
		line.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
		document.querySelector(".world").getBoundingClientRect();
		document.querySelector(".detail").getBoundingClientRect();
		if (i % 10 === 9) await new Promise(requestAnimationFrame);
	}
	return (performance.now() - begin) / 50;
})()`
