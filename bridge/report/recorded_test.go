package report_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/cayleygraph/quad"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// An episode that is rebuilt from its quads, in any order, has the findings, proofs and
// recoveries of the log to the byte.
func TestARecordHoldsAllThatReportsSay(t *testing.T) {
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	most := 3 // of each source that is not this repository's
	if os.Getenv("MISHAP_LONG") != "" {
		most = 1 << 20
	}
	checked, least := 0, 0
	for source, holds := range map[string]int{"testdata/episodes": 3, "testdata/logs": 3, "../shared/homelogs": 3, "../shared/realworld": 3, "../shared/reflect": 2, "../shared/alfred/train-2000.alfred.jsonl": 3} {
		place := filepath.Join("..", "..", source)
		if _, err := os.Stat(place); err != nil {
			t.Logf("%s is not there: not compared", source)
			continue
		}
		least += holds
		files, err := logs.Find(place)
		if len(files) == 0 {
			t.Logf("%s: %v", source, err)
		}
		n := 0
		for _, file := range files {
			if n >= most {
				break
			}
			eps, err := logs.Read(r.Ontology, file)
			if err != nil {
				continue // a sample of what cannot be read
			}
			for _, ep := range eps {
				if n++; n > most {
					break
				}
				checked++
				same(t, r, ep)
			}
		}
	}
	if checked < least {
		t.Errorf("only %d episodes were compared", checked)
	}
}

func same(t *testing.T, r *engine.Reasoner, ep *episode.Episode) {
	t.Helper()
	quads := record.Episode(r.Ontology, ep, engine.Follow(r.Ontology, ep), record.Changes)
	rand.Shuffle(len(quads), func(i, j int) { quads[i], quads[j] = quads[j], quads[i] })
	quads = append(quads, concluded(t, r, ep)...)
	again, err := record.Rebuild(r.Ontology, ep.ID, quads)
	if err != nil {
		t.Errorf("%s: %v", ep.ID, err)
		return
	}
	if a, b := reports(t, r, ep), reports(t, r, again); a != b {
		t.Errorf("%s: of the log\n%s\nof its record\n%s", ep.ID, a, b)
	}
}

// concluded are quads of conclusions, which nothing may be rebuilt from.
func concluded(t *testing.T, r *engine.Reasoner, ep *episode.Episode) []quad.Quad {
	t.Helper()
	res, err := r.Check(t.Context(), ep)
	if err != nil {
		return nil
	}
	return record.Concluded(r.Ontology, record.Conclusions{Result: res})
}

// reports are what is found, why, and how to recover.
func reports(t *testing.T, r *engine.Reasoner, ep *episode.Episode) string {
	t.Helper()
	var out bytes.Buffer
	ctx := context.Background()
	m, err := r.RecoverEpisode(ctx, ep, engine.Planner{PlannerOptions: engine.PlannerOptions{Effort: 200}})
	if m == nil {
		return fmt.Sprint(err)
	}
	rep := report.NewEpisodeRecovery(m)
	if err := report.JSON(&out, rep); err != nil {
		t.Fatal(err)
	}
	for i := range m.Result.Findings {
		proof, err := r.Prove(ctx, m.Result, &m.Result.Findings[i])
		if err != nil || proof == nil {
			fmt.Fprintln(&out, err)
			continue
		}
		tree := report.NewProof(proof, m.Result.Index)
		if err := tree.Text(&out, ""); err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}
