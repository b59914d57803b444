package llm_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/bridge/llm"
)

// write makes a file of a test.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

const whole = `{
  "url": "http://file/v1", "model": "file-model", "key": "file-key", "timeout": "7s",
  "retries": 5, "prices": "prices.json", "max_tokens": 1000, "max_cost": 0.5
}`

func TestLoad(t *testing.T) {
	file := write(t, "model.json", whole)
	prices := filepath.Join(filepath.Dir(file), "prices.json")
	all := env("MISHAP_MODEL_URL", "http://env/v1", "MISHAP_MODEL", "env-model", "MISHAP_MODEL_KEY", " env-key\n", "MISHAP_MODEL_TIMEOUT", "9s", "OPENAI_API_KEY", "openai-key")
	fromFile := llm.Config{BaseURL: "http://file/v1", Model: "file-model", Key: "file-key", Timeout: 7 * time.Second, Retries: 5,
		Backoff: llm.DefaultBackoff, Prices: prices, MaxTokens: 1000, MaxCost: 0.5}
	fromEnv := fromFile
	fromEnv.BaseURL, fromEnv.Model, fromEnv.Key, fromEnv.Timeout = "http://env/v1", "env-model", "env-key", 9*time.Second
	flags := llm.Config{BaseURL: "http://flag/v1", Model: "flag-model", Key: "flag-key", Timeout: time.Second, Retries: 1,
		Backoff: 2, Prices: "/p.json", MaxTokens: 3, MaxCost: 4}
	for name, test := range map[string]struct {
		flags  llm.Config
		getenv func(string) string
		file   string
		want   llm.Config
	}{
		"nothing":    {getenv: env(), want: llm.Config{Timeout: llm.DefaultTimeout, Retries: llm.DefaultRetries, Backoff: llm.DefaultBackoff}},
		"file":       {getenv: env(), file: file, want: fromFile},
		"over file":  {getenv: all, file: file, want: fromEnv},
		"over all":   {flags: flags, getenv: all, file: file, want: flags},
		"no OpenAI":  {getenv: env("OPENAI_API_KEY", "openai-key"), file: file, want: fromFile},
		"OpenAI key": {flags: llm.Config{Model: "m"}, getenv: env("OPENAI_API_KEY", "openai-key"), want: llm.Config{Model: "m", Key: "openai-key", Timeout: llm.DefaultTimeout, Retries: 3, Backoff: llm.DefaultBackoff}},
		"no retries": {getenv: env(), file: write(t, "m.json", `{"model":"m","key":"k","retries":0}`),
			want: llm.Config{Model: "m", Key: "k", Timeout: llm.DefaultTimeout, Retries: llm.NoRetries, Backoff: llm.DefaultBackoff}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := llm.Load(test.flags, test.getenv, test.file)
			if err != nil {
				t.Fatal(err)
			}
			plain := func(c llm.Config) map[string]any {
				return map[string]any{"url": c.BaseURL, "model": c.Model, "key": string(c.Key), "timeout": c.Timeout, "retries": c.Retries,
					"backoff": c.Backoff, "prices": c.Prices, "budget": c.Budget()}
			}
			if d := cmp.Diff(plain(test.want), plain(got)); d != "" {
				t.Error(d)
			}
			if got.Enabled() != (got.Model != "") {
				t.Error("enabled without a model, or off with one")
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	const local = "http://localhost:1/v1"
	for name, test := range map[string]struct {
		flags  llm.Config
		getenv func(string) string
		file   string // its text
		want   string
	}{
		"URL alone":      {flags: llm.Config{BaseURL: local}, want: "no model; name one that it has (MISHAP_MODEL)"},
		"URL in file":    {file: `{"url":"http://u:p4ssw0rd@localhost:1/v1"}`, want: "http://localhost:1/v1 is given but no model"},
		"model alone":    {flags: llm.Config{Model: "m"}, want: "MISHAP_MODEL_URL"},
		"no URL":         {flags: llm.Config{Model: "m", BaseURL: "localhost:1"}, want: "none of http or https"},
		"odd URL":        {flags: llm.Config{Model: "m", BaseURL: "http://[::1?key=p4ssw0rd"}, want: "none of http or https"},
		"env timeout":    {getenv: env("MISHAP_MODEL_TIMEOUT", "30"), want: `MISHAP_MODEL_TIMEOUT is "30"; expected a time`},
		"env below 0":    {getenv: env("MISHAP_MODEL_TIMEOUT", "-3s"), want: "above 0"},
		"key with CR":    {flags: llm.Config{Model: "m", BaseURL: local, Key: "p4ssw0rd\rx"}, want: "check MISHAP_MODEL_KEY"},
		"timeout":        {flags: llm.Config{Model: "m", BaseURL: local, Timeout: -1}, want: "timeout"},
		"backoff":        {flags: llm.Config{Model: "m", BaseURL: local, Backoff: -1}, want: "pause"},
		"retries":        {flags: llm.Config{Model: "m", BaseURL: local, Retries: 21}, want: "expected 0 to 20"},
		"tokens":         {flags: llm.Config{Model: "m", BaseURL: local, MaxTokens: -1}, want: "tokens"},
		"cost":           {flags: llm.Config{Model: "m", BaseURL: local, MaxCost: math.NaN()}, want: "US dollars"},
		"unknown field":  {file: "{\n  \"model\": \"m\",\n  \"keys\": \"p4ssw0rd\"\n}", want: `m.json:3: found the unknown field "keys"; expected one of url, model, key, timeout, deadline, retries, prices, max_tokens, max_cost (did you mean key?)`},
		"case":           {file: `{"Model":"m"}`, want: `m.json:1: found the unknown field "Model"`},
		"twice":          {file: "{\"model\":\"m\",\n\"model\":\"n\"}", want: `m.json:2: found "model" a second time`},
		"wrong type":     {file: "{\n\"key\":\n 17}", want: `m.json:2: found "key" with a value that it cannot have; expected the key as text`},
		"null":           {file: `{"model":null}`, want: "the name of a model"},
		"blank":          {file: `{"model":" "}`, want: "the name of a model"},
		"file timeout":   {file: `{"timeout":30}`, want: "such as \"30s\""},
		"timeout 0":      {file: `{"timeout":"0s"}`, want: "above 0"},
		"file retries":   {file: `{"retries":1.5}`, want: "whole number"},
		"retries below":  {file: `{"retries":-1}`, want: "from 0"},
		"file tokens":    {file: `{"max_tokens":-1}`, want: "from 0"},
		"file cost":      {file: `{"max_cost":1e999}`, want: "US dollars"},
		"broken":         {file: "{\n\"model\": \"m\",\n", want: "m.json:2: found no JSON (the file breaks off)"},
		"misspelt":       {file: "{\n\"model\": m}", want: "m.json:2: found no JSON"},
		"array":          {file: `[]`, want: "no object"},
		"more":           {file: "{}\n{}", want: "m.json:2: found more after the end"},
		"empty":          {file: ` `, want: `an empty file; expected an object such as {"url"`},
		"not UTF-8":      {file: "{\"model\":\"\xff\"}", want: "UTF-8"},
		"no such prices": {file: `{"prices":7}`, want: "price file"},
	} {
		t.Run(name, func(t *testing.T) {
			file := ""
			if test.file != "" {
				file = write(t, "m.json", test.file)
			}
			if test.getenv == nil {
				test.getenv = env()
			}
			_, err := llm.Load(test.flags, test.getenv, file)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "p4ssw0rd") {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
	if _, err := llm.Load(llm.Config{}, env(), "nowhere.json"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("%v", err)
	}
	if _, err := llm.New(llm.Config{}); err == nil || !strings.Contains(err.Error(), "MISHAP_MODEL") {
		t.Errorf("%v", err)
	}
}

func TestSecret(t *testing.T) {
	s := llm.Secret(key)
	data, err := json.Marshal(map[string]any{"key": s, "in": struct{ K llm.Secret }{s}})
	if err != nil {
		t.Fatal(err)
	}
	shown := string(data)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%10s", "%T"} {
		shown += fmt.Sprintf(verb, s) + fmt.Sprintf(verb, []llm.Secret{s}) + fmt.Sprintf(verb, struct{ K llm.Secret }{s})
	}
	shown += s.String() + s.GoString()
	if strings.Contains(shown, "0123") || strings.Contains(shown, fmt.Sprintf("%x", key)) {
		t.Errorf("shows the key: %s", shown)
	}
	if !strings.Contains(shown, "[key]") || string(s) != key || llm.Secret("").String() != "" {
		t.Errorf("shows %s", shown)
	}
}

const priceFile = `{
  "small": {"input": 1, "output": 2},
  "large": {
    "input": 10.5,
    "output": 40
  }
}`

func TestPrices(t *testing.T) {
	p, err := llm.ReadPrices(write(t, "prices.json", priceFile))
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := p.Of("large"); !ok || got != (llm.Price{Input: 10.5, Output: 40}) || got.Cost(2e6, 1e6) != 61 {
		t.Errorf("%+v %v", got, ok)
	}
	if _, ok := (*llm.Prices)(nil).Of("large"); ok {
		t.Error("nil prices know a model")
	}
}

func TestPriceErrors(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"below 0":    {"{\n\"small\": {\"input\": 1,\n \"output\": -2}}", `p.json:3: found the price -2 for output of "small"; expected US dollars for a million tokens`},
		"text":       {"{\n\"small\":\n {\n\"input\": \"1\", \"output\": 2}}", `p.json:4: found the price "1" for input`},
		"null":       {`{"small": {"input": null, "output": 2}}`, "the price null"},
		"NaN":        {`{"small": {"input": NaN, "output": 2}}`, "no JSON"},
		"huge":       {`{"small": {"input": 1e999, "output": 2}}`, "the price 1e999"},
		"too dear":   {`{"small": {"input": 1e300, "output": 2}}`, "to a million"},
		"one only":   {"{\n\n\"small\": {\"input\": 1}}", `p.json:3: found no price for output of "small"`},
		"unknown":    {`{"small": {"input": 1, "output": 2, "cached": 3}}`, `the unknown field "cached"`},
		"number":     {`{"small": 3}`, "no object"},
		"twice":      {"{\"small\": {\"input\": 1, \"output\": 2},\n\"small\": {\"input\": 1, \"output\": 2}}", `p.json:2: found "small" a second time`},
		"broken off": {`{"small": {"input": 1,`, "the file breaks off"},
		"empty":      {"\n", "an empty file; expected an object such as"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := llm.ReadPrices(write(t, "p.json", test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
		})
	}
}

func TestBudgetCheck(t *testing.T) {
	path := write(t, "prices.json", priceFile)
	p, err := llm.ReadPrices(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := (llm.Budget{Tokens: 5}).Check("other", p); err != nil {
		t.Errorf("no limit in dollars: %v", err)
	}
	if err := (llm.Budget{Cost: 1}).Check("small", p); err != nil {
		t.Error(err)
	}
	want := path + `: found no price of the model "smal"; expected one, as a budget of 0.5 US dollars is given (it has large, small; did you mean small?)`
	if err := (llm.Budget{Cost: 0.5}).Check("smal", p); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := (llm.Budget{Cost: 1}).Check("small", nil); err == nil || !strings.Contains(err.Error(), "price file") {
		t.Errorf("%v", err)
	}
}
