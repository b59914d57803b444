package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/sashabaranov/go-openai"

	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// EmbeddingServer says where and what to ask.
type EmbeddingServer struct {
	URL   string // of the API, such as http://localhost:11434/v1
	Model string
	Key   string // "" for servers that ask for none; it is never shown
	// Timeout bounds one request; DefaultTimeout where 0.
	Timeout time.Duration
}

// DefaultEmbeddingTimeout bounds one request.
const DefaultEmbeddingTimeout = 10 * time.Second

// EmbeddingClient asks for each text once. Goroutines may share it.
type EmbeddingClient struct {
	server EmbeddingServer
	api    *openai.Client
	redact redactor

	mu   sync.Mutex
	kept map[string][]float64
}

// NewEmbedder makes a client. The error says what of the server is missing; nothing is
// asked yet.
func NewEmbedder(s EmbeddingServer) (*EmbeddingClient, error) {
	u, err := url.Parse(s.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("embedding server %q; expected a URL such as http://localhost:11434/v1", s.URL)
	}
	if s.Model == "" {
		return nil, errors.New("no embedding model was named; expected the name of one that the server has")
	}
	if s.Timeout == 0 {
		s.Timeout = DefaultEmbeddingTimeout
	}
	config := openai.DefaultConfig(s.Key)
	config.BaseURL = s.URL
	config.HTTPClient = &wire{most: maxVectors, client: http.Client{CheckRedirect: stays}}
	return &EmbeddingClient{server: s, api: openai.NewClientWithConfig(config), redact: newRedactor(Secret(s.Key), u), kept: map[string][]float64{}}, nil
}

// Embed gives the vectors of the texts of nodes. The error tells what the server
// did instead.
func (c *EmbeddingClient) Embed(ctx context.Context, nodes []scene.Node) ([][]float64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var missing []string
	asked := map[string]bool{}
	for _, n := range nodes {
		if text := n.Text(); c.kept[text] == nil && !asked[text] {
			asked[text] = true
			missing = append(missing, text)
		}
	}
	if len(missing) > 0 {
		if err := c.ask(ctx, missing); err != nil {
			return nil, &embeddingError{err, clip(c.redact.cleanError(err.Error()))}
		}
	}
	out := make([][]float64, len(nodes))
	for i, n := range nodes {
		out[i] = c.kept[n.Text()]
	}
	return out, nil
}

func (c *EmbeddingClient) ask(ctx context.Context, texts []string) error {
	ctx, cancel := context.WithTimeout(ctx, c.server.Timeout)
	defer cancel()
	answer, err := c.api.CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{Input: texts, Model: openai.EmbeddingModel(c.server.Model)})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("embedding server %s: no answer within %v: %w", c.server.URL, c.server.Timeout, context.DeadlineExceeded)
	case isUnreadable(err):
		return fmt.Errorf("embedding server %s: its answer cannot be read: %w; expected JSON with finite numbers of single precision", c.server.URL, err)
	case err != nil:
		return fmt.Errorf("embedding server %s: %w", c.server.URL, err)
	case len(answer.Data) != len(texts):
		return fmt.Errorf("embedding server %s: %d embeddings for %d texts; expected one for each", c.server.URL, len(answer.Data), len(texts))
	}
	vectors := make([][]float64, len(texts))
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= len(texts) || vectors[d.Index] != nil || len(d.Embedding) == 0 {
			return fmt.Errorf("embedding server %s: an embedding with the index %d and %d numbers; expected one for each of %d texts", c.server.URL, d.Index, len(d.Embedding), len(texts))
		}
		v := make([]float64, len(d.Embedding))
		for i, x := range d.Embedding {
			v[i] = float64(x)
		}
		vectors[d.Index] = v
	}
	if err := discrepancy.CheckVectors(vectors); err != nil {
		return fmt.Errorf("embedding server %s: %w", c.server.URL, err)
	}
	for i, text := range texts {
		c.kept[text] = vectors[i]
	}
	return nil
}

// isUnreadable reports whether an answer is no JSON, or has what is no number of single
// precision.
func isUnreadable(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &kind)
}

// embeddingError is what a server did instead, told without the key, which servers echo.
type embeddingError struct {
	err  error
	text string
}

func (e *embeddingError) Error() string { return e.text }

func (e *embeddingError) Unwrap() error { return e.err }

// FallbackEmbedder turns to another embedder for good once the first has failed, so that
// no two scores of a run rest on different embeddings after that.
type FallbackEmbedder struct {
	first, other discrepancy.Embedder
	mu           sync.Mutex
	failed       error
}

// NewFallbackEmbedder asks the first embedder until it fails, then the other.
func NewFallbackEmbedder(first, other discrepancy.Embedder) *FallbackEmbedder {
	return &FallbackEmbedder{first: first, other: other}
}

// Failed is the error with which the first embedder failed, nil where it has not.
func (e *FallbackEmbedder) Failed() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.failed
}

// Embed gives the vectors of the first embedder, else those of the other.
func (e *FallbackEmbedder) Embed(ctx context.Context, nodes []scene.Node) ([][]float64, error) {
	if e.Failed() == nil {
		vectors, err := e.first.Embed(ctx, nodes)
		if err == nil || ctx.Err() != nil {
			return vectors, err
		}
		e.mu.Lock()
		if e.failed == nil {
			e.failed = err
		}
		e.mu.Unlock()
	}
	return e.other.Embed(ctx, nodes)
}
