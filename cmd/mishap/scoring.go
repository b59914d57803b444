package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// scoring is the flags that say how scenes are compared.
type scoring struct {
	expect, objects, reference string
	threshold                  float64
	server                     llm.EmbeddingServer
	changed                    func(flag string) bool // whether a flag was given

	base       engine.Scoring
	references *engine.References    // nil without --reference
	fallback   *llm.FallbackEmbedder // nil without --embed-url
}

func (s *scoring) flags(f *pflag.FlagSet) {
	s.changed = f.Changed
	f.StringVar(&s.expect, "expect", string(engine.FromPlan), "where expected scenes come from: plan, preconditions or reference")
	f.StringVar(&s.reference, "reference", "", "log with a successful episode of the same task; for --expect reference, which it implies")
	f.StringVar(&s.objects, "objects", string(engine.RelevantPlan), "objects of a scene graph: plan, subtask or all, with their neighbours")
	f.Float64Var(&s.threshold, "threshold", discrepancy.DefaultThreshold, "score below which there is an alarm, from 0 to 1")
}

// embedding adds the flags of a server for embeddings.
func (s *scoring) embedding(f *pflag.FlagSet) {
	f.StringVar(&s.server.URL, "embed-url", os.Getenv("MISHAP_EMBED_URL"), "OpenAI-compatible server for embeddings; the ontology gives them otherwise (MISHAP_EMBED_URL)")
	f.StringVar(&s.server.Model, "embed-model", os.Getenv("MISHAP_EMBED_MODEL"), "embedding model of that server (MISHAP_EMBED_MODEL); its key is read from MISHAP_EMBED_KEY")
	f.DurationVar(&s.server.Timeout, "embed-timeout", llm.DefaultEmbeddingTimeout, "longest wait for that server")
}

// evidence is the flags of a command that shows the score beside findings.
type evidence struct {
	scoring
	shown bool
}

func (e *evidence) flags(f *pflag.FlagSet) {
	f.BoolVar(&e.shown, "score", false, "show beside each finding how the scene scored against the expected one")
	e.scoring.flags(f)
}

func (e *evidence) prepare(r *engine.Reasoner) error {
	if flag := e.given(); !e.shown && flag != "" {
		return fmt.Errorf("%s without --score; expected both or neither", flag)
	}
	return e.scoring.prepare(r)
}

// ready is prepare of a command that may read a stream, which is not scored.
func (e *evidence) ready(r *engine.Reasoner, live bool) error {
	if live && e.shown {
		return errors.New("--score with the stream -; \"mishap foresee - --trigger score\" scores streams")
	}
	return e.prepare(r)
}

// add adds to the report of an episode what the score says of its findings, where it is asked
// for.
func (e *evidence) add(ctx context.Context, r *engine.Reasoner, res *engine.Result, out *report.Episode) error {
	how, err := e.of(res.Episode)
	if how == nil || err != nil {
		return err
	}
	scores, err := r.Evidence(ctx, res, *how)
	out.AddScores(res, scores)
	return err
}

// of is the scoring of an episode, nil where none is asked for.
func (e *evidence) of(ep *episode.Episode) (*engine.Scoring, error) {
	if !e.shown {
		return nil, nil
	}
	out, err := e.scoring.of(ep)
	return &out, err
}

// What triggers reasoning about what is to come.
const (
	byRules = "rules"
	byScore = "score"
)

// trigger is the flag that says what triggers reasoning about what is to come, with those of
// the scoring.
type trigger struct {
	scoring
	by string
}

func (t *trigger) flags(f *pflag.FlagSet) {
	f.StringVar(&t.by, "trigger", byRules, "what triggers reasoning about what is to come: rules, before each action, or score, where that of a scene is below --threshold")
	t.scoring.flags(f)
}

// given is a flag of the scoring that was given, "" where none was.
func (s *scoring) given() string {
	for _, name := range []string{"threshold", "expect", "reference", "objects"} {
		if s.changed(name) {
			return "--" + name
		}
	}
	return ""
}

// prepare checks the flags.
func (t *trigger) prepare(r *engine.Reasoner) error {
	switch flag := t.given(); {
	case t.by != byRules && t.by != byScore:
		return fmt.Errorf("--trigger %q; expected rules or score", t.by)
	case t.by == byRules && flag != "":
		return fmt.Errorf("%s without --trigger score; expected both or neither", flag)
	}
	return t.scoring.prepare(r)
}

// ready checks the flags of a command that scores whatever triggers reasoning: a log is
// walked as a whole, and only of a stream it is told what triggers that.
func (t *trigger) ready(r *engine.Reasoner, live bool) error {
	if t.by == byScore && !live {
		return fmt.Errorf("--trigger score with a log, of which every scene is scored; expected the stream -")
	}
	if live || t.by != byRules {
		return t.prepare(r)
	}
	return t.scoring.prepare(r)
}

// of is the scoring that triggers reasoning in an episode, nil where rules do.
func (t *trigger) of(ep *episode.Episode) (*engine.Scoring, error) {
	if t.by == byRules {
		return nil, nil
	}
	out, err := t.scoring.of(ep)
	return &out, err
}

// prepare checks the flags and reads the reference log.
func (s *scoring) prepare(r *engine.Reasoner) error {
	if s.reference != "" && !s.changed("expect") {
		s.expect = string(engine.FromReference)
	}
	if s.reference != "" && s.expect != string(engine.FromReference) {
		return fmt.Errorf("--reference with --expect %s; expected --expect reference, or none", s.expect)
	}
	if !slices.Contains(engine.ExpectationSources(), engine.ExpectationSource(s.expect)) {
		return fmt.Errorf("--expect %q; expected plan, preconditions or reference", s.expect)
	}
	if !slices.Contains([]engine.Relevant{engine.RelevantPlan, engine.RelevantSubtask, engine.RelevantAll}, engine.Relevant(s.objects)) {
		return fmt.Errorf("--objects %q; expected plan, subtask or all", s.objects)
	}
	if err := discrepancy.CheckThreshold(s.threshold); err != nil {
		return fmt.Errorf("--threshold: %w", err)
	}
	if s.expect == string(engine.FromReference) && s.reference == "" {
		return fmt.Errorf("--expect reference without --reference; expected a log with a successful episode of the same task")
	}
	if s.server.URL != "" && s.server.Timeout < time.Millisecond {
		return fmt.Errorf("--embed-timeout %v; expected at least a millisecond", s.server.Timeout)
	}
	s.base = engine.Scoring{Expect: engine.ExpectationSource(s.expect), Relevant: engine.Relevant(s.objects),
		Threshold: max(s.threshold, math.SmallestNonzeroFloat64), Embedder: discrepancy.FromOntology(r.Ontology)}
	if s.server.URL != "" {
		s.server.Key = os.Getenv("MISHAP_EMBED_KEY")
		client, err := llm.NewEmbedder(s.server)
		if err != nil {
			return err
		}
		s.fallback = llm.NewFallbackEmbedder(client, s.base.Embedder)
		s.base.Embedder = s.fallback
	}
	if s.reference == "" {
		return nil
	}
	candidates, err := logs.ReadAll(r.Ontology, s.reference)
	s.references = engine.NewReferences(r.Ontology, candidates)
	return err
}

// of is the scoring of an episode. The error says why there is no reference for it.
func (s *scoring) of(ep *episode.Episode) (out engine.Scoring, err error) {
	out = s.base
	if s.references != nil {
		out.Reference, err = s.references.For(ep)
	}
	return out, err
}

// note is what a report has to say of the embeddings, "" for nothing.
func (s *scoring) note() string {
	if s.fallback == nil || s.fallback.Failed() == nil {
		return ""
	}
	return strings.TrimSpace(s.fallback.Failed().Error()) + "; the embeddings of the ontology are used from here on"
}
