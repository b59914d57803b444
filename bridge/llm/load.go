package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// Load puts a configuration together: what flags give counts first, then the
// environment (MISHAP_MODEL_URL, MISHAP_MODEL, MISHAP_MODEL_KEY,
// MISHAP_MODEL_TIMEOUT, MISHAP_MODEL_DEADLINE), then the file, "" for none; where none of them gives a key
// and no other server is asked than OpenAI's it is that of OPENAI_API_KEY. The error
// says what is wrong where.
func Load(flags Config, getenv func(string) string, file string) (Config, error) {
	var fromFile Config
	if file != "" {
		var err error
		if fromFile, err = readConfig(file); err != nil {
			return Config{}, err
		}
	}
	env := func(name string) string { return strings.TrimSpace(getenv(name)) }
	timeout, err := envTime(env, "MISHAP_MODEL_TIMEOUT")
	if err != nil {
		return Config{}, err
	}
	deadline, err := envTime(env, "MISHAP_MODEL_DEADLINE")
	if err != nil {
		return Config{}, err
	}
	c := Config{
		BaseURL:   cmp.Or(strings.TrimSpace(flags.BaseURL), env("MISHAP_MODEL_URL"), fromFile.BaseURL),
		Model:     cmp.Or(strings.TrimSpace(flags.Model), env("MISHAP_MODEL"), fromFile.Model),
		Key:       cmp.Or(flags.Key, Secret(env("MISHAP_MODEL_KEY")), fromFile.Key),
		Timeout:   cmp.Or(flags.Timeout, timeout, fromFile.Timeout),
		Deadline:  cmp.Or(flags.Deadline, deadline, fromFile.Deadline),
		Rest:      flags.Rest,
		Retries:   cmp.Or(flags.Retries, fromFile.Retries),
		Backoff:   flags.Backoff,
		Prices:    cmp.Or(flags.Prices, fromFile.Prices),
		MaxTokens: cmp.Or(flags.MaxTokens, fromFile.MaxTokens),
		MaxCost:   cmp.Or(flags.MaxCost, fromFile.MaxCost),
	}
	if c.Key == "" && c.Enabled() && cmp.Or(c.BaseURL, DefaultURL) == DefaultURL { // it is no other server's business
		c.Key = Secret(env("OPENAI_API_KEY"))
	}
	if err := c.check(); err != nil {
		return Config{}, err
	}
	return c.withDefaults(), nil
}

func envTime(env func(string) string, name string) (time.Duration, error) {
	text := env(name)
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%s is %s; expected a time above 0, such as 30s", name, quote(text))
	}
	return d, nil
}

// readWhole reads a small file; what says for what it is read.
func readWhole(file, what string) ([]byte, error) {
	data, err := input.ReadWhole(document.Disk{}, file, what)
	return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), err
}

const configText = `an object such as {"url": "http://localhost:11434/v1", "model": "…", "timeout": "30s"}`

// setting is a field of the configuration file.
type setting struct {
	name, expected string
	set            func(c *Config, value json.RawMessage) bool // false for a wrong value
}

var settings = []setting{
	{"url", "text such as \"http://localhost:11434/v1\"", func(c *Config, v json.RawMessage) bool { return text(v, &c.BaseURL) }},
	{"model", "the name of a model", func(c *Config, v json.RawMessage) bool { return text(v, &c.Model) }},
	{"key", "the key as text", func(c *Config, v json.RawMessage) bool { return text(v, (*string)(&c.Key)) }},
	{"timeout", "a time above 0, such as \"30s\"", func(c *Config, v json.RawMessage) bool { return setTime(&c.Timeout, v) }},
	{"deadline", "a time above 0, such as \"90s\"", func(c *Config, v json.RawMessage) bool { return setTime(&c.Deadline, v) }},
	{"retries", "a whole number from 0 to 20", setRetries},
	{"prices", "the name of a price file", func(c *Config, v json.RawMessage) bool { return text(v, &c.Prices) }},
	{"max_tokens", "a whole number from 0, 0 for no limit", func(c *Config, v json.RawMessage) bool {
		return decode(v, &c.MaxTokens) && c.MaxTokens >= 0
	}},
	{"max_cost", "US dollars, a number from 0, 0 for no limit", func(c *Config, v json.RawMessage) bool {
		return decode(v, &c.MaxCost) && c.MaxCost >= 0
	}},
}

func setTime(to *time.Duration, v json.RawMessage) bool {
	var s string
	if !text(v, &s) {
		return false
	}
	d, err := time.ParseDuration(s)
	*to = d
	return err == nil && d > 0
}

func setRetries(c *Config, v json.RawMessage) bool {
	if !decode(v, &c.Retries) || c.Retries < 0 || c.Retries > maxRetries {
		return false
	}
	if c.Retries == 0 {
		c.Retries = NoRetries // 0 of a Config is the default
	}
	return true
}

// decode also takes null for a wrong value, which encoding/json passes over.
func decode(v json.RawMessage, into any) bool {
	return string(bytes.TrimSpace(v)) != "null" && json.Unmarshal(v, into) == nil
}

func text(v json.RawMessage, into *string) bool {
	ok := decode(v, into)
	*into = strings.TrimSpace(*into)
	return ok && *into != ""
}

// readConfig reads a configuration file. Values are not shown in errors: one of
// them may be a key.
func readConfig(file string) (Config, error) {
	data, err := readWhole(file, configText)
	if err != nil {
		return Config{}, err
	}
	c, err := parseConfig(file, data)
	if err == nil && c.Prices != "" && !filepath.IsAbs(c.Prices) {
		c.Prices = filepath.Join(filepath.Dir(file), c.Prices)
	}
	return c, err
}

func parseConfig(file string, data []byte) (Config, error) {
	list, err := fields(file, data, 1, configText)
	if err != nil {
		return Config{}, err
	}
	var c Config
	for _, f := range list {
		i := slices.IndexFunc(settings, func(s setting) bool { return s.name == f.name })
		if i < 0 {
			return Config{}, &input.Error{File: file, Line: f.line, Found: "the unknown field " + quote(f.name), Expected: "one of " + settingNames(f.name)}
		}
		if !settings[i].set(&c, f.value) {
			return Config{}, &input.Error{File: file, Line: f.line, Found: quote(f.name) + " with a value that it cannot have", Expected: settings[i].expected}
		}
	}
	return c, nil
}

func settingNames(unknown string) string {
	var names []string
	for _, s := range settings {
		names = append(names, s.name)
	}
	all := strings.Join(names, ", ")
	if near := ontology.Nearest(unknown, names); near != "" {
		return all + " (did you mean " + near + "?)"
	}
	return all
}
