package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/url"
	"strings"
	"time"
)

// What a Config that leaves them out means.
const (
	DefaultURL     = "https://api.openai.com/v1"
	DefaultTimeout = 30 * time.Second
	// DefaultDeadline bounds a question with all its calls.
	DefaultDeadline = 90 * time.Second
	DefaultRetries  = 3
	DefaultBackoff  = 500 * time.Millisecond
)

// NoRetries as Config.Retries asks every question once only.
const NoRetries = -1

// Secret is a key. It prints as [key]; string(s) is the key itself.
type Secret string

// String hides the key.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// GoString hides the key.
func (s Secret) GoString() string { return fmt.Sprintf("%q", s.String()) }

// Format hides the key under every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// MarshalJSON hides the key.
func (s Secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.String()) }

// Config says which model to ask, where and how. The zero value asks none.
type Config struct {
	BaseURL string // of the API, such as http://localhost:11434/v1; DefaultURL where ""
	Model   string // "" for none
	Key     Secret // "" for servers that ask for none
	// Timeout bounds one call, not the pauses between calls; DefaultTimeout where 0.
	Timeout time.Duration
	// Deadline bounds a question with its repeated calls and the pauses between them;
	// DefaultDeadline where 0, or Timeout where that is longer.
	Deadline time.Duration
	// Rest is how long a server is left alone that did not answer three questions in a
	// row; DefaultRest where 0.
	Rest time.Duration
	// Retries is how often a call that failed is repeated; DefaultRetries where 0,
	// none where NoRetries.
	Retries int
	// Backoff is about the first pause before a call is repeated; every further one
	// is twice as long. DefaultBackoff where 0.
	Backoff   time.Duration
	Prices    string  // price file, see ReadPrices; "" for none
	MaxTokens int     // of a recovery; 0 for no limit
	MaxCost   float64 // of a recovery in US dollars; 0 for no limit
}

// Enabled tells whether a model is configured.
func (c Config) Enabled() bool { return c.Model != "" }

// Budget is what a recovery may use.
func (c Config) Budget() Budget { return Budget{Tokens: c.MaxTokens, Cost: c.MaxCost} }

// Server is the address of the API without what may be secret in it.
func (c Config) Server() string {
	u, err := url.Parse(c.BaseURL)
	switch {
	case c.BaseURL == "":
		return DefaultURL
	case err != nil || u.Host == "":
		return "(no URL)"
	}
	shown := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return newRedactor(c.Key, u).cleanError(shown.String())
}

// String hides the key, also one that stands in the URL.
func (c Config) String() string {
	if !c.Enabled() {
		return "no model"
	}
	return c.Model + " at " + c.Server()
}

// GoString hides the key.
func (c Config) GoString() string { return fmt.Sprintf("llm.Config(%q)", c.String()) }

// MarshalJSON hides the key, also one that stands in the URL.
func (c Config) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"url": c.Server(), "model": c.Model, "key": c.Key})
}

// check says what of a configuration cannot be.
func (c Config) check() error {
	switch {
	case c.Model == "" && c.BaseURL != "":
		return fmt.Errorf("the model's server %s is given but no model; name one that it has (MISHAP_MODEL)", c.Server())
	case c.Model == "":
		return nil
	case c.BaseURL == "" && c.Key == "":
		return fmt.Errorf("the model %q is named without a server or a key; give the server's URL (MISHAP_MODEL_URL, such as http://localhost:11434/v1), or for %s a key (MISHAP_MODEL_KEY)", c.Model, DefaultURL)
	case c.Timeout < 0:
		return fmt.Errorf("the model's timeout is %v; expected a time above 0, such as 30s", c.Timeout)
	case c.Deadline < 0:
		return fmt.Errorf("the deadline of a question to the model is %v; expected a time above 0, such as 90s", c.Deadline)
	case c.Rest < 0:
		return fmt.Errorf("a model's server that does not answer is to be left alone for %v; expected a time above 0, such as 30s", c.Rest)
	case c.Retries < NoRetries || c.Retries > maxRetries:
		return fmt.Errorf("the model's calls are to be repeated %d times; expected 0 to %d", c.Retries, maxRetries)
	case c.Backoff < 0:
		return fmt.Errorf("the pause between the model's calls is %v; expected a time above 0", c.Backoff)
	case c.MaxTokens < 0:
		return fmt.Errorf("the model's budget is %d tokens; expected a number from 0, 0 for no limit", c.MaxTokens)
	case c.MaxCost < 0 || math.IsNaN(c.MaxCost) || math.IsInf(c.MaxCost, 0):
		return fmt.Errorf("the model's budget is %v US dollars; expected a number from 0, 0 for no limit", c.MaxCost)
	case strings.ContainsFunc(string(c.Key), func(r rune) bool { return r < ' ' || r > '~' }):
		return errors.New("the model's key has characters that no key has; check MISHAP_MODEL_KEY")
	}
	_, err := c.address()
	return err
}

const maxRetries = 20

// address is the parsed URL of the API.
func (c Config) address() (*url.URL, error) {
	text := c.BaseURL
	if text == "" {
		text = DefaultURL
	}
	u, err := url.Parse(text)
	// The text is not shown: it may hold a key, and what does not parse cannot be
	// taken apart.
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("the URL of the model's server (MISHAP_MODEL_URL) is none of http or https; expected one such as http://localhost:11434/v1")
	}
	return u, nil
}

// withDefaults fills in what is left out.
func (c Config) withDefaults() Config {
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Deadline == 0 {
		c.Deadline = max(DefaultDeadline, c.Timeout)
	}
	if c.Rest == 0 {
		c.Rest = DefaultRest
	}
	if c.Retries == 0 {
		c.Retries = DefaultRetries
	}
	if c.Backoff == 0 {
		c.Backoff = DefaultBackoff
	}
	return c
}
