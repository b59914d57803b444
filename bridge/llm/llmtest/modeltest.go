// Package llmtest is a server for tests that speaks the chat completions of
// OpenAI-compatible servers and misbehaves as told.
package llmtest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// Request is what a client sent.
type Request struct {
	Number         int // from 1, in the order of arrival
	Model          string
	System, Prompt string
	Images         []string        // the URLs
	Schema         bool            // a structured answer is asked for
	SchemaName     string          // of that
	SchemaJSON     json.RawMessage // of that
	MaxTokens      int             // by either of its names; 0 for none
	Key            string          // of the header, without "Bearer "
	Path, Query    string
	Body           []byte
}

// Server answers chat completions.
type Server struct {
	// URL is the base URL of the API.
	URL string

	http   *httptest.Server
	closed chan struct{} // lets go of answers that hang
	once   sync.Once

	mu       sync.Mutex
	requests []Request
}

// New starts a server that is closed with the test; answer is called for each
// request, by several goroutines at once where several requests arrive.
func New(t testing.TB, answer func(Request) Response) *Server {
	t.Helper()
	s := &Server{closed: make(chan struct{})}
	s.http = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q, err := s.read(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer(q).serve(&call{w, r, s.closed, q})
	}))
	s.URL = s.http.URL + "/v1"
	t.Cleanup(s.Close)
	return s
}

// Close ends every answer on its way and waits for that. It may be called again.
func (s *Server) Close() {
	s.once.Do(func() {
		close(s.closed)
		s.http.CloseClientConnections()
		s.http.Close()
	})
}

// Requests are those seen so far.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// body is the part of a request that is looked at.
type body struct {
	Model    string `json:"model"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	MaxTokens           int `json:"max_tokens"`
	MaxCompletionTokens int `json:"max_completion_tokens"`
	ResponseFormat      *struct {
		JSONSchema struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
}

// read notes a request.
func (s *Server) read(r *http.Request) (Request, error) {
	data, err := io.ReadAll(r.Body)
	if err != nil {
		return Request{}, err
	}
	var b body
	if err := json.Unmarshal(data, &b); err != nil {
		return Request{}, err
	}
	q := Request{Model: b.Model, MaxTokens: max(b.MaxTokens, b.MaxCompletionTokens), Body: data, Path: r.URL.Path, Query: r.URL.RawQuery,
		Key: strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")}
	if f := b.ResponseFormat; f != nil {
		q.Schema, q.SchemaName, q.SchemaJSON = true, f.JSONSchema.Name, f.JSONSchema.Schema
	}
	for _, m := range b.Messages {
		text, images := content(m.Content)
		if m.Role == "system" {
			q.System += text
		} else {
			q.Prompt += text
		}
		q.Images = append(q.Images, images...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q.Number = len(s.requests) + 1
	s.requests = append(s.requests, q)
	return q, nil
}

// content takes a message apart, which is text or a list of parts.
func content(raw json.RawMessage) (text string, images []string) {
	if json.Unmarshal(raw, &text) == nil {
		return text, nil
	}
	var parts []struct {
		Text     string `json:"text"`
		ImageURL struct {
			URL string `json:"url"`
		} `json:"image_url"`
	}
	if json.Unmarshal(raw, &parts) != nil {
		return "", nil
	}
	for _, p := range parts {
		text += p.Text
		if p.ImageURL.URL != "" {
			images = append(images, p.ImageURL.URL)
		}
	}
	return text, images
}
