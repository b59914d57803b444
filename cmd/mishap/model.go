package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/engine"
)

// modelFlags are the flags that say which language model is asked, and how.
type modelFlags struct {
	config               llm.Config
	key                  string
	file, prompts        string
	recording, replaying string
	plain, onlyStuck     bool
	subtree              bool
	minScore             float64
	revisions            int
	embed                llm.EmbeddingServer

	recorded *advice.Recording
}

// mostRevisions is how often a model may repair a plan at most.
const mostRevisions = 20

// modelHelp is told in the long help of each command that asks a model.
const modelHelp = `
A language model is asked where --model names one, or the environment does
(MISHAP_MODEL, MISHAP_MODEL_URL, MISHAP_MODEL_KEY, MISHAP_MODEL_TIMEOUT, MISHAP_MODEL_DEADLINE), or the
file of --model-config: any server that is compatible with OpenAI's. It is an
adviser: what it says is verified like all else, and a model that fails, is
refused or goes over its budget leaves the result as it is without one, and the
result says so.`

func (m *modelFlags) flags(f *pflag.FlagSet) {
	f.StringVar(&m.config.Model, "model", "", "language model to ask")
	f.StringVar(&m.config.BaseURL, "model-url", "", "base URL of its server (default "+llm.DefaultURL+")")
	f.StringVar(&m.key, "model-key", "", "its key; other users of the machine can see it here, MISHAP_MODEL_KEY is safer")
	f.StringVar(&m.file, "model-config", "", "JSON file with url, model, key, timeout, deadline, retries, prices, max_tokens, max_cost")
	f.DurationVar(&m.config.Deadline, "model-deadline", 0, fmt.Sprintf("longest wait for one question with its repeats and pauses (default %s)", llm.DefaultDeadline))
	f.DurationVar(&m.config.Timeout, "model-timeout", 0, fmt.Sprintf("longest wait for one answer (default %s)", llm.DefaultTimeout))
	f.IntVar(&m.config.MaxTokens, "model-tokens", 0, "most tokens that one recovery may use; 0 for no limit")
	f.Float64Var(&m.config.MaxCost, "model-dollars", 0, "most US dollars that one recovery may cost, by --model-prices; 0 for no limit")
	f.StringVar(&m.config.Prices, "model-prices", "", `JSON file of prices in US dollars per million tokens: {"MODEL": {"input": 0.15, "output": 0.6}}`)
	f.StringVar(&m.recording, "model-record", "", "file to add what was asked and answered to")
	f.StringVar(&m.replaying, "model-replay", "", "file of --model-record to answer from, without a server")
	f.StringVar(&m.prompts, "prompts", "", `folder of prompt templates in place of the built-in ones ("mishap prompts" writes those)`)
	f.BoolVar(&m.plain, "model-plain", false, "ask for plain lists, not for JSON")
}

// planning are the flags of commands in which the model plans.
func (m *modelFlags) planning(f *pflag.FlagSet) {
	m.mapping(f)
	f.BoolVar(&m.onlyStuck, "model-only-stuck", false, "ask only where there is no verified plan without it")
	f.BoolVar(&m.subtree, "model-subtree", false, "ask first for actions as units of the adaptive subtree, and which of its branches to take (SDA-Planner)")
	f.IntVar(&m.revisions, "model-revisions", engine.DefaultRevisions, "how often the model may mend a plan that was refused")
}

// mapping are the flags that say what words are taken for.
func (m *modelFlags) mapping(f *pflag.FlagSet) {
	f.Float64Var(&m.minScore, "model-min-score", advice.DefaultMinScore, "how alike words must be to an action or object, from 0 to 1, to be taken for it")
	f.StringVar(&m.embed.URL, "embed-url", os.Getenv("MISHAP_EMBED_URL"), "OpenAI-compatible server for embeddings, by which objects are alike; by their letters otherwise (MISHAP_EMBED_URL)")
	f.StringVar(&m.embed.Model, "embed-model", os.Getenv("MISHAP_EMBED_MODEL"), "embedding model of that server (MISHAP_EMBED_MODEL); its key is read from MISHAP_EMBED_KEY")
}

// advise puts the adviser, where there is one, into a planner.
func (m *modelFlags) advise(p *engine.Planner) error {
	a, err := m.adviser()
	if a != nil {
		p.Adviser, p.OnlyStuck, p.Correcting, p.Revisions = a, m.onlyStuck, m.subtree, m.revisions
		if m.revisions <= 0 {
			p.Revisions = -1
		}
	}
	return err
}

// adviser is nil where no model is configured.
func (m *modelFlags) adviser() (*advice.Adviser, error) {
	switch {
	case m.recording != "" && m.replaying != "":
		return nil, errors.New("--model-record with --model-replay; expected one of them")
	case !(m.minScore >= 0 && m.minScore <= 1):
		return nil, fmt.Errorf("--model-min-score %g; expected 0 to 1", m.minScore)
	case m.revisions < 0 || m.revisions > mostRevisions:
		return nil, fmt.Errorf("--model-revisions %d; expected 0 to %d", m.revisions, mostRevisions)
	}
	m.config.Key = llm.Secret(m.key)
	flags, getenv := m.config, os.Getenv
	if m.replaying != "" { // then it does not matter where the server is
		flags.Model, flags.BaseURL, getenv = "", "", func(string) string { return "" }
	}
	c, err := llm.Load(flags, getenv, m.file)
	switch {
	case err != nil:
		return nil, err
	case !c.Enabled() && m.replaying == "":
		if m.recording != "" || m.prompts != "" || m.subtree || c.Prices != "" || c.MaxTokens > 0 || c.MaxCost > 0 || m.plain {
			return nil, errors.New("flags for a language model, but none is named; give --model NAME, or --model-replay FILE")
		}
		return nil, nil
	}
	m.embed.Key = os.Getenv("MISHAP_EMBED_KEY")
	a, recorded, err := advice.Setup{Model: c, Replay: m.replaying, Record: m.recording, Prompts: m.prompts, Plain: m.plain, MinScore: m.minScore, Embedding: m.embed}.Open()
	m.recorded = recorded
	return a, err
}

// named reports whether a flag, and not the environment alone, asks for a model.
func (m *modelFlags) named() bool { return m.config.Model != "" || m.replaying != "" || m.file != "" }

// close ends a recording; the error tells that it is not complete.
func (m *modelFlags) close() error {
	if err := m.recorded.Close(); err != nil {
		return fmt.Errorf("--model-record %s is not complete: %w", m.recording, err)
	}
	return nil
}

// closing ends a recording after a command.
func closing(m *modelFlags, err error) error {
	if failed := m.close(); failed != nil {
		return failed
	}
	return err
}
