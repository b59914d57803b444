package llm_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/bridge/llm/llmtest"
)

// outcome is what a caller sees of an asking.
type outcome struct {
	Answer     llm.Answer
	Kind       llm.ErrorKind
	Status     int
	Text, Said string
	Gone, Late bool
}

func ask(m llm.Model, q llm.Question) outcome {
	a, err := m.Ask(context.Background(), q)
	out := outcome{Answer: a, Kind: llm.KindOf(err), Gone: errors.Is(err, context.Canceled), Late: errors.Is(err, context.DeadlineExceeded)}
	if e := (*llm.Error)(nil); errors.As(err, &e) {
		out.Status, out.Text, out.Said = e.Status, e.Text, e.Error()
	}
	return out
}

func TestRecordAndReplay(t *testing.T) {
	s := llmtest.New(t, llmtest.Sequence(
		llmtest.Text("The first answer."), llmtest.Text("The second answer."), llmtest.Failure(401, "no"), llmtest.CutOff("The third"),
		llmtest.NoUsage("a plan"), llmtest.Text("another sample"), llmtest.Text("with an image")))
	var file bytes.Buffer
	r := llm.Record(client(t, config(s)), &file)
	sample, image := question, question
	sample.Sample, image.Images = 1, []llm.Image{{MIME: "image/png", Data: []byte("png")}}
	questions := []llm.Question{question, question, question, question, structured, sample, image}
	var want []outcome
	for i, q := range questions {
		want = append(want, ask(r, q))
		if n := bytes.Count(file.Bytes(), []byte("\n")); n != i+1 {
			t.Errorf("%d lines after %d exchanges", n, i+1)
		}
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	replay, err := llm.OpenReplay(write(t, "r.jsonl", file.String()))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]outcome, len(questions))
	for _, i := range []int{6, 0, 5, 1, 4, 2, 3} { // the order counts among equal questions only
		got[i] = ask(replay, questions[i])
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if want[2].Kind != llm.KeyRefused || want[3].Text != "The third" || !want[4].Answer.Structured || replay.Name() != "small" {
		t.Errorf("recorded %+v", want)
	}
	if o := ask(replay, question); o.Kind != llm.NotRecorded || !strings.Contains(o.Said, "r.jsonl has no further answer to this question (purpose reason)") {
		t.Errorf("%+v", o)
	}
}

func TestRecordedCancel(t *testing.T) {
	for name, cause := range map[string]error{"cancelled": context.Canceled, "late": context.DeadlineExceeded} {
		var file bytes.Buffer
		want := ask(llm.Record(fake{"small", func(context.Context, llm.Question) (llm.Answer, error) { return llm.Answer{}, cause }}, &file), question)
		replay, err := llm.OpenReplay(write(t, "r.jsonl", file.String()))
		if err != nil {
			t.Fatal(err)
		}
		got := ask(replay, question)
		got.Said = ""
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestRecordingFields(t *testing.T) {
	s := llmtest.New(t, llmtest.Always(llmtest.Text("My key is "+key)))
	var file bytes.Buffer
	q := question
	q.Prompt += "\nA log says " + key + " and sk-another-987654."
	ask(llm.Record(client(t, config(s)), &file), q)
	if strings.Contains(file.String(), key) || strings.Contains(file.String(), "987654") {
		t.Errorf("the key is recorded: %s", file.String())
	}
	var line map[string]any
	if err := json.Unmarshal(file.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"purpose", "key", "model", "prompt", "system", "answer", "usage"} {
		if line[name] == nil {
			t.Errorf("no %s in %s", name, file.String())
		}
	}
	replay, err := llm.OpenReplay(write(t, "r.jsonl", file.String()))
	if err != nil {
		t.Fatal(err)
	}
	if o := ask(replay, q); o.Answer.Text != "My key is [key]" {
		t.Errorf("%+v", o)
	}
}

func TestReplayMissing(t *testing.T) {
	var file bytes.Buffer
	r := llm.Record(using(1, 1), &file)
	for _, prompt := range []string{"a\nb\nc", "a\nb\nd\ne", "z"} {
		ask(r, llm.Question{Purpose: "replan", System: "s", Prompt: prompt})
	}
	replay, err := llm.OpenReplay(write(t, "r.jsonl", file.String()))
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		q    llm.Question
		want string
	}{
		"a line":     {llm.Question{Purpose: "replan", System: "s", Prompt: "a\nb\nd\nf"}, `differs at line 4 of the prompt, which was "e" and is "f"`},
		"too short":  {llm.Question{Purpose: "replan", System: "s", Prompt: "a\nb\nd"}, `differs at line 4 of the prompt, which was "e" and is nothing more`},
		"system":     {llm.Question{Purpose: "replan", System: "t", Prompt: "z"}, `differs at line 1 of the system text, which was "s" and is "t"`},
		"sample":     {llm.Question{Purpose: "replan", System: "s", Prompt: "z", Sample: 7}, "but with other images, another schema, model or sample"},
		"no purpose": {llm.Question{Purpose: "reason", Prompt: "z"}, "none of that purpose"},
	} {
		t.Run(name, func(t *testing.T) {
			o := ask(replay, test.q)
			if o.Kind != llm.NotRecorded || !strings.Contains(o.Said, test.want) || !strings.Contains(o.Said, "(purpose "+test.q.Purpose+")") || !strings.Contains(o.Said, "record anew") {
				t.Errorf("%+v, want %s", o, test.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := replay.Ask(ctx, llm.Question{Purpose: "replan", System: "s", Prompt: "z"}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestDamagedRecording(t *testing.T) {
	var file bytes.Buffer
	ask(llm.Record(using(1, 1), &file), question)
	good := file.String()
	for name, test := range map[string]struct{ text, want string }{
		"half":          {good + good[:len(good)/2], "r.jsonl:2: found no JSON (the line breaks off); expected an exchange as mishap records it; delete the line or record anew"},
		"no JSON":       {"\n\nhello\n", "r.jsonl:3: found no JSON"},
		"unknown":       {strings.Replace(good, `"answer"`, `"anwser"`, 1), `unknown field "anwser"`},
		"no answer":     {strings.Replace(good, `"answer":"Yes.",`, "", 1), "neither an answer nor an error"},
		"no kind":       {strings.Replace(good, `"answer":"Yes.",`, `"error":{"message":"x"},`, 1), "without a kind"},
		"key":           {strings.Replace(good, `"key":"`, `"key":"zz`, 1), "the key"},
		"usage below 0": {strings.Replace(good, `"prompt_tokens":1`, `"prompt_tokens":-1`, 1), "usage"},
		"two in a line": {strings.TrimSpace(good) + good, "more after the end"},
		"not UTF-8":     {"\xff\n", "UTF-8"},
		"empty":         {"", "an empty file; expected an exchange"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := llm.OpenReplay(write(t, "r.jsonl", test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
	if _, err := llm.OpenReplay("nowhere.jsonl"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("%v", err)
	}
}

// full is a disk without room.
type full struct{ writes int }

func (f *full) Write([]byte) (int, error) { f.writes++; return 0, os.ErrClosed }

func TestRecordingFails(t *testing.T) {
	disk := &full{}
	r := llm.Record(using(1, 1), disk)
	for range 2 {
		if o := ask(r, question); o.Answer.Text != "Yes." || o.Kind != "" {
			t.Errorf("%+v", o)
		}
	}
	if err := r.Err(); !errors.Is(err, os.ErrClosed) || disk.writes != 1 {
		t.Errorf("%v after %d writes", err, disk.writes)
	}
}

// TestMeteredReplay: what was recorded gives the same account again.
func TestMeteredReplay(t *testing.T) {
	s := llmtest.New(t, llmtest.Sequence(llmtest.TextUsing("Yes.", 300, 200), llmtest.Failure(400, "no"), llmtest.Text("more")))
	var file bytes.Buffer
	run := func(inner llm.Model) llm.Account {
		m := llm.Meter(inner, llm.Budget{Tokens: 800}, prices(t))
		for range 4 {
			ask(m, question)
		}
		return m.Account()
	}
	want := run(llm.Record(client(t, config(s)), &file))
	replay, err := llm.OpenReplay(write(t, "r.jsonl", file.String()))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, run(replay), cmp.Comparer(func(a, b float64) bool { return a-b < 1e-6 && b-a < 1e-6 })); d != "" {
		t.Error(d)
	}
}
