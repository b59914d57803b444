package logs_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
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
		Open: func(path string) logs.Source {
			if path == "unreadable" {
				panic("reading")
			}
			return logs.SourceOf([]*episode.Episode{{ID: path}}, nil)
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
		Open:     func(path string) logs.Source { t.Errorf("%s is read", path); return logs.Source{} },
		Progress: unseen{},
	}
	batch.Each(ctx, []string{"one", "two"}, func(logs.Results[string]) {})
}

// A log that is read episode by episode is read no further ahead of what is handed over than
// a few episodes, and each part is handed over in order.
func TestBatchHoldsFew(t *testing.T) {
	const episodes, most = 400, 100
	var read, taken, ahead atomic.Int64
	batch := &logs.Batch[string]{
		Open: func(path string) logs.Source {
			return logs.Source{Episodes: func(yield func(*episode.Episode, error) bool) {
				for i := range episodes {
					ahead.Store(max(ahead.Load(), read.Add(1)-taken.Load()))
					if !yield(&episode.Episode{ID: fmt.Sprint(path, i)}, nil) {
						return
					}
				}
			}}
		},
		Do:       func(_ context.Context, ep *episode.Episode) (*string, error) { return &ep.ID, nil },
		Progress: unseen{},
	}
	var got []string
	files := 0
	batch.Each(t.Context(), []string{"a", "b"}, func(r logs.Results[string]) {
		if r.Last {
			files++
			return
		}
		got = append(got, r.Episodes...)
		taken.Add(int64(len(r.Episodes)))
	})
	var want []string
	for _, path := range []string{"a", "b"} {
		for i := range episodes {
			want = append(want, fmt.Sprint(path, i))
		}
	}
	if !slices.Equal(got, want) || files != 2 {
		t.Errorf("%d results of %d files, want %d of 2 in order", len(got), files, len(want))
	}
	if n := ahead.Load(); n > most {
		t.Errorf("%d episodes were read ahead, want at most %d", n, most)
	}
}
