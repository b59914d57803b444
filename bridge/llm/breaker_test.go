package llm_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/bridge/llm/llmtest"
)

// After three questions in a row that a server did not answer it is left alone, whoever
// asks; what it answers with is no reason for that, even if it is of no use.
func TestBreaker(t *testing.T) {
	answers := []llmtest.Response{
		llmtest.Drop(), llmtest.Drop(), llmtest.Garbage(), // an answer in between
		llmtest.Drop(), llmtest.Failure(500, "broken"), llmtest.Failure(401, "who are you"),
	}
	s := llmtest.New(t, llmtest.Sequence(answers[0], answers[1:]...))
	c := config(s)
	c.Retries, c.Rest = llm.NoRetries, time.Hour
	m := client(t, c)
	for i := range answers {
		if _, err := m.Ask(context.Background(), question); err == nil || llm.KindOf(err) == llm.Resting {
			t.Fatalf("question %d: %v", i+1, err)
		}
	}
	for range 5 {
		a, err := m.Ask(context.Background(), question)
		if llm.KindOf(err) != llm.Resting || !strings.Contains(err.Error(), "3 questions in a row; it is tried again after 1h0m0s") || a.Usage.Calls != 0 {
			t.Errorf("%+v, %v", a, err)
		}
	}
	if n := len(s.Requests()); n != len(answers) {
		t.Errorf("%d requests, want %d", n, len(answers))
	}
}

// A server that answers again is asked again.
func TestBreakerCloses(t *testing.T) {
	s := llmtest.New(t, llmtest.Sequence(llmtest.Drop(), llmtest.Drop(), llmtest.Drop(), llmtest.Text("Yes.")))
	c := config(s)
	c.Retries, c.Rest = llm.NoRetries, time.Nanosecond
	m := client(t, c)
	for range 3 {
		if _, err := m.Ask(context.Background(), question); err == nil {
			t.Fatal("answered")
		}
	}
	for range 3 {
		if a, err := m.Ask(context.Background(), question); err != nil || a.Text != "Yes." {
			t.Errorf("%+v, %v", a, err)
		}
	}
}

// What the caller gives up says nothing of the server.
func TestBreakerAndCallers(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Text("Yes.")))
	c := config(s)
	c.Rest = time.Hour
	m := client(t, c)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	for range 5 {
		if _, err := m.Ask(gone, question); llm.KindOf(err) != llm.Cancelled {
			t.Errorf("%v", err)
		}
	}
	if _, err := m.Ask(context.Background(), question); err != nil {
		t.Error(err)
	}
}

// A question has a time of its own, with all its repeats and pauses: a pause that ends
// after it is not begun, and a server that hangs is not waited for.
func TestDeadline(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Failure(429, "later").With("Retry-After", "59")))
	c := config(s)
	c.Deadline = 50 * time.Second
	if _, err := client(t, c).Ask(context.Background(), question); llm.KindOf(err) != llm.RateLimited || len(s.Requests()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Requests()))
	}
	s = llmtest.New(t, llmtest.Always(llmtest.Hang()))
	c = config(s)
	c.Deadline = time.Millisecond
	_, err := client(t, c).Ask(context.Background(), question)
	if llm.KindOf(err) != llm.TimedOut || !strings.Contains(err.Error(), "the question's time, with its repeats and pauses, is up") || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// No server talks a budget away, or up: what cannot be the count of the texts is none.
func TestOddCounts(t *testing.T) {
	const text = "It slipped off the table, and that is all that there is to say of it."
	long := llm.Question{Prompt: strings.Repeat("Why did the mug fall? ", 100), MaxTokens: 100}
	for name, tt := range map[string]struct {
		prompt, answer     int
		wantPrompt, wanted int
		estimated          bool
	}{
		"as counted":           {500, 18, 500, 18, false},
		"a prompt of nothing":  {1, 18, long.Estimate(), 18, true},
		"an endless prompt":    {1e8, 18, long.Estimate(), 18, true},
		"an answer of nothing": {500, 1, 500, 18, true},
		"an endless answer":    {500, 1e8, 500, 18, true},
		"thoughts":             {500, 30_000, 500, 30_000, false},
	} {
		s := llmtest.New(t, llmtest.Always(llmtest.TextUsing(text, tt.prompt, tt.answer)))
		a, err := client(t, config(s)).Ask(context.Background(), long)
		if u := a.Usage; err != nil || u.PromptTokens != tt.wantPrompt || u.AnswerTokens != tt.wanted || u.Estimated != tt.estimated {
			t.Errorf("%s: %+v, %v; want %d and %d", name, u, err, tt.wantPrompt, tt.wanted)
		}
	}
}
