package web

import (
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"

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

// BenchmarkEpisodePage opens an episode that nobody has asked for yet: ready_ms is from the
// request to a page that can be used, of which the server took served_ms, and frame_ms what each step takes as it is scrubbed, drawn
// and laid out.
func BenchmarkEpisodePage(b *testing.B) {
	for _, of := range []struct{ steps, things int }{{200, 20}, {5000, 20}, {60, 300}} {
		b.Run(fmt.Sprintf("%dx%d", of.steps, of.things), func(b *testing.B) {
			br := startBrowser(b)
			ep := tidying(of.steps, of.things)
			path := filepath.Join(b.TempDir(), "tidying.jsonl")
			if err := jsonl.WriteFile(path, false, ep); err != nil {
				b.Fatal(err)
			}
			var served, ready, frames []float64
			for b.Loop() {
				l := NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()})
				l.add(&Entry{ID: ep.ID, path: path})
				h := httptest.NewServer((&Server{Library: l, Loopback: true}).Handler())
				br.allow(b, h.URL)
				var s, r, f float64
				br.run(b, chromedp.Navigate(h.URL+"/episodes/"+l.entries[0].Key), chromedp.WaitVisible(".thing"),
					chromedp.Evaluate(`performance.getEntriesByType("navigation")[0].responseStart`, &s),
					chromedp.Evaluate(`performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd`, &r),
					chromedp.Evaluate(scrub, &f, awaited), chromedp.Navigate("about:blank"))
				h.Close()
				served, ready, frames = append(served, s), append(ready, r), append(frames, f)
			}
			slices.Sort(served)
			slices.Sort(ready)
			slices.Sort(frames)
			b.ReportMetric(served[len(served)/2], "served_ms")
			b.ReportMetric(ready[len(ready)/2], "ready_ms")
			b.ReportMetric(frames[len(frames)/2], "frame_ms")
		})
	}
}

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
