package llm_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/llm"
)

// An answer without end is not read to its end, and is told of as what it is.
func TestLongAnswer(t *testing.T) {
	const whole = 15 << 20
	var sent atomic.Int64
	over := make(chan struct{}, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		defer func() { over <- struct{}{} }()
		fmt.Fprint(w, `{"choices":[{"message":{"role":"assistant","content":"`)
		piece := strings.Repeat("x", 1<<16)
		for sent.Load() < whole {
			if _, err := fmt.Fprint(w, piece); err != nil {
				return
			}
			sent.Add(int64(len(piece)))
		}
		fmt.Fprint(w, `"}}]}`)
	}))
	t.Cleanup(s.Close)
	c, err := llm.New(llm.Config{Model: "small", BaseURL: s.URL + "/v1"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Ask(context.Background(), llm.Question{Prompt: "Why?"})
	var told *llm.Error
	if !errors.As(err, &told) || told.Kind != llm.Unreadable || !strings.HasSuffix(err.Error(), "gave an answer of more than 1 MiB") {
		t.Fatalf("error %v, want that the answer is too long", err)
	}
	<-over
	if n := sent.Load(); n >= whole {
		t.Errorf("%d bytes were taken of an answer of %d", n, whole)
	}
}
