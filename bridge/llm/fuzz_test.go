package llm

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"
)

// place fails where an error does not name the file.
func place(t *testing.T, err error) {
	t.Helper()
	if !strings.HasPrefix(err.Error(), "f.json") || strings.Contains(err.Error(), "\n") {
		t.Errorf("%q does not name the file in one line", err)
	}
}

func FuzzConfig(f *testing.F) {
	f.Add([]byte(`{"url":"http://h/v1","model":"m","key":"k","timeout":"3s","retries":0,"prices":"p","max_tokens":1,"max_cost":0.1}`))
	f.Add([]byte("{\n\"keys\": 1}"))
	f.Add([]byte(`{"model":null,"model":`))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := parseConfig("f.json", data)
		if err != nil {
			place(t, err)
			return
		}
		if c.MaxTokens < 0 || !(c.MaxCost >= 0) || c.Timeout < 0 || c.Retries < NoRetries || c.Retries > maxRetries {
			t.Errorf("%+v of %q", c, data)
		}
		if err := c.check(); err == nil && c.Enabled() {
			if _, err := New(c); err != nil {
				t.Error(err)
			}
		}
	})
}

func FuzzPrices(f *testing.F) {
	f.Add([]byte(`{"small":{"input":0.15,"output":0.60}}`))
	f.Add([]byte(`{"small":{"input":-1,"output":1e999}}`))
	f.Add([]byte("{\"a\":\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := parsePrices("f.json", data)
		if err != nil {
			place(t, err)
			return
		}
		for name, price := range p.models {
			if cost := price.Cost(1e9, 1e9); !(cost >= 0) || math.IsInf(cost, 0) {
				t.Errorf("%s costs %v by %q", name, cost, data)
			}
		}
	})
}

func FuzzReplay(f *testing.F) {
	var recorded bytes.Buffer
	r := Record(&Replay{file: "none", models: []string{"m"}}, &recorded)
	_, _ = r.Ask(context.Background(), Question{Purpose: "replan", Prompt: "?"})
	f.Add(recorded.Bytes())
	f.Add([]byte(`{"purpose":"p","key":"00112233445566778899aabbccddeeff","model":"m","prompt":"?","answer":"!","usage":{"calls":1,"seconds":1e9}}`))
	f.Add([]byte("{}\n{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := readReplay("f.json", bytes.NewReader(data))
		if err != nil {
			place(t, err)
			return
		}
		_ = r.Name()
		for _, x := range r.all {
			a, err := x.repeat()
			if u := a.Usage; u.Calls < 0 || u.PromptTokens < 0 || u.AnswerTokens < 0 || u.Time < 0 || err == nil && x.Answer == nil {
				t.Errorf("%+v, %v of %q", a, err, data)
			}
			_, _ = r.Ask(context.Background(), Question{Purpose: x.Purpose, System: x.System, Prompt: x.Prompt, Sample: x.Sample})
		}
	})
}
