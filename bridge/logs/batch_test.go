package logs_test

import (
	"context"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine/episode"
)

type unseen struct{}

func (unseen) More(int) {}
func (unseen) Step()    {}

// A panic in one log, in reading it or in what is done with it, is that log's error.
func TestBatchContainsPanics(t *testing.T) {
	batch := &logs.Batch[string]{
		Read: func(path string) ([]*episode.Episode, error) {
			if path == "unreadable" {
				panic("reading")
			}
			return []*episode.Episode{{ID: path}}, nil
		},
		Do: func(_ context.Context, ep *episode.Episode) (*string, error) {
			if ep.ID == "bad" {
				var none *episode.Episode
				ep = none
			}
			return &ep.ID, nil
		},
		Progress: unseen{},
	}
	var got, errs []string
	batch.Each(context.Background(), []string{"one", "unreadable", "bad", "two"}, func(r logs.Results[string]) {
		got = append(got, r.Episodes...)
		for _, err := range r.Errs {
			errs = append(errs, err.Error())
		}
	})
	if strings.Join(got, " ") != "one two" {
		t.Errorf("results %q, want those of one and two", got)
	}
	if len(errs) != 2 || !strings.HasPrefix(errs[0], "unreadable: mishap failed on it") || !strings.Contains(errs[1], "episode bad: mishap failed on it") {
		t.Fatalf("errors %q, want one of each bad log", errs)
	}
	for _, err := range errs {
		if !strings.Contains(err, "(batch_test.go:") {
			t.Errorf("error %q, want the place that panicked", err)
		}
	}
}

// An interrupted batch reads no more logs.
func TestBatchInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	batch := &logs.Batch[string]{
		Read:     func(path string) ([]*episode.Episode, error) { t.Errorf("%s is read", path); return nil, nil },
		Progress: unseen{},
	}
	batch.Each(ctx, []string{"one", "two"}, func(logs.Results[string]) {})
}
