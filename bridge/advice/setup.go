package advice

import (
	"errors"
	"os"

	"github.com/mishap-robotics/mishap/bridge/llm"
)

// Setup says which model an Adviser asks, and how.
type Setup struct {
	Model llm.Config
	// Replay is a recording to answer from, without a server; Record is a file to add
	// what is asked and answered to. "" is none; at most one is given.
	Replay, Record string
	Prompts        string // folder of templates, "" for the built-in ones
	Plain          bool   // see Adviser
	MinScore       float64
	// Embedding is the server by which objects are alike; by their letters where it has
	// no URL.
	Embedding llm.EmbeddingServer
}

// Open puts an adviser together. The recording is nil without Record; else the caller
// closes it.
func (s Setup) Open() (*Adviser, *Recording, error) {
	a := &Adviser{Budget: s.Model.Budget(), Plain: s.Plain, MinScore: s.MinScore}
	var err error
	if s.Embedding.URL != "" {
		if a.Embedder, err = llm.NewEmbedder(s.Embedding); err != nil {
			return nil, nil, err
		}
	}
	if a.Prompts, err = LoadPrompts(s.Prompts); err != nil {
		return nil, nil, err
	}
	if s.Model.Prices != "" {
		if a.Prices, err = llm.ReadPrices(s.Model.Prices); err != nil {
			return nil, nil, err
		}
	}
	model, recording, err := s.source()
	if err != nil {
		return nil, nil, err
	}
	a.Model = model
	if a.Prices != nil || a.Budget.Cost > 0 {
		if err := a.Budget.Check(a.Model.Name(), a.Prices); err != nil {
			return nil, recording, err
		}
	}
	return a, recording, nil
}

// source is where answers come from.
func (s Setup) source() (llm.NamedModel, *Recording, error) {
	if s.Replay != "" {
		m, err := llm.OpenReplay(s.Replay)
		return m, nil, err
	}
	client, err := llm.New(s.Model)
	if err != nil || s.Record == "" {
		return client, nil, err
	}
	f, err := os.OpenFile(s.Record, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, nil, err
	}
	r := &Recording{llm.Record(client, f), f}
	return r.recorder, r, nil
}

// Recording is a file that what is asked and answered is added to.
type Recording struct {
	recorder *llm.Recorder
	file     *os.File
}

// Close ends the recording; the error tells that it is not complete. It may be called
// on nil.
func (r *Recording) Close() error {
	if r == nil {
		return nil
	}
	return errors.Join(r.recorder.Err(), r.file.Close())
}
