package llm_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/engine/discrepancy"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

var nodes = []scene.Node{
	{ID: "Mug-1", Class: "Mug", States: []string{"clean"}},
	{ID: "Mug-2", Class: "Mug", States: []string{"dirty"}},
	{ID: "Mug-3", Class: "Mug", States: []string{"clean"}},
}

// serve answers each request with what answer makes of its texts.
func serve(t *testing.T, answer func(w http.ResponseWriter, texts []string)) (llm.EmbeddingServer, *atomic.Int32) {
	var asked atomic.Int32
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if got := r.Header.Get("Authorization"); got != "Bearer secret-key" {
			t.Errorf("authorization %q", got)
		}
		var body struct {
			Input []string `json:"input"`
			Model string   `json:"model"`
		}
		data, _ := io.ReadAll(r.Body)
		if err := json.Unmarshal(data, &body); err != nil || body.Model != "small" || r.URL.Path != "/v1/embeddings" {
			t.Errorf("%s %s: %v", r.URL.Path, data, err)
		}
		answer(w, body.Input)
	}))
	t.Cleanup(s.Close)
	return llm.EmbeddingServer{URL: s.URL + "/v1", Model: "small", Key: "secret-key", Timeout: 10 * time.Second}, &asked
}

func vectors(list ...string) string {
	var data []string
	for i, v := range list {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, v))
	}
	return `{"object":"list","data":[` + strings.Join(data, ",") + `]}`
}

func TestEmbed(t *testing.T) {
	server, asked := serve(t, func(w http.ResponseWriter, texts []string) {
		if len(texts) != 2 || texts[0] != "clean Mug" || texts[1] != "dirty Mug" {
			t.Errorf("asked for %q, want each text once", texts)
		}
		fmt.Fprint(w, vectors("[1,0]", "[0.6,0.8]"))
	})
	c, err := llm.NewEmbedder(server)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		got, err := c.Embed(context.Background(), nodes)
		if err != nil {
			t.Fatal(err)
		}
		if cos := discrepancy.Cosine(got[0], got[1]); cos < 0.599 || cos > 0.601 {
			t.Errorf("cosine %v, want 0.6", cos)
		}
		if got[0][0] != got[2][0] {
			t.Error("one text, two embeddings")
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the server was asked %d times, want once", n)
	}
}

func TestBadServers(t *testing.T) {
	tests := []struct {
		name, want string
		answer     func(w http.ResponseWriter, texts []string)
	}{
		{"refuses", "status code: 500", func(w http.ResponseWriter, _ []string) { http.Error(w, "overloaded", http.StatusInternalServerError) }},
		{"no JSON", "embedding server http", func(w http.ResponseWriter, _ []string) { fmt.Fprint(w, "<html>") }},
		{"too few", "1 embeddings for 2 texts", func(w http.ResponseWriter, _ []string) { fmt.Fprint(w, vectors("[1,0]")) }},
		{"other lengths", "expected one length", func(w http.ResponseWriter, _ []string) { fmt.Fprint(w, vectors("[1,0]", "[1]")) }},
		{"zeros", "no direction", func(w http.ResponseWriter, _ []string) { fmt.Fprint(w, vectors("[1,0]", "[0,0]")) }},
		{"NaN", "expected JSON with finite numbers", func(w http.ResponseWriter, _ []string) { fmt.Fprint(w, vectors("[1,0]", "[NaN,1]")) }},
		{"infinite", "expected JSON with finite numbers", func(w http.ResponseWriter, _ []string) { fmt.Fprint(w, vectors("[1,0]", "[Infinity,1]")) }},
		{"too great", "expected JSON with finite numbers", func(w http.ResponseWriter, _ []string) { fmt.Fprint(w, vectors("[1,0]", "[1e999,1]")) }},
		{"too great for single precision", "expected JSON with finite numbers", func(w http.ResponseWriter, _ []string) { fmt.Fprint(w, vectors("[1,0]", "[1e39,1]")) }},
		{"null", "0 numbers", func(w http.ResponseWriter, _ []string) { fmt.Fprint(w, vectors("[1,0]", "null")) }},
		{"null among numbers", "no direction", func(w http.ResponseWriter, _ []string) { fmt.Fprint(w, vectors("[1,0]", "[null,0]")) }},
		{"nothing", "0 numbers", func(w http.ResponseWriter, _ []string) { fmt.Fprint(w, vectors("[]", "[1]")) }},
		{"one index twice", "an embedding with the index 0", func(w http.ResponseWriter, _ []string) {
			fmt.Fprint(w, strings.ReplaceAll(vectors("[1,0]", "[0,1]"), `"index":1`, `"index":0`))
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server, _ := serve(t, tt.answer)
			c, err := llm.NewEmbedder(server)
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Embed(context.Background(), nodes)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), server.URL) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), "secret-key") {
				t.Error("the error shows the key")
			}
		})
	}
}

// A key that a server echoes, or that is in its URL, is in no error.
func TestEmbeddingKeyNeverShows(t *testing.T) {
	const key = "Quite-Secret/123456"
	for name, echo := range map[string]string{"as it is": key, "in capitals": strings.ToUpper(key), "in hexadecimal": hex.EncodeToString([]byte(key))} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error": {"message": "no such key: `+echo+`\u001b[31m", "code": "invalid"}}`, http.StatusUnauthorized)
		}))
		t.Cleanup(s.Close)
		c, err := llm.NewEmbedder(llm.EmbeddingServer{URL: s.URL + "/v1?key=" + url.QueryEscape(key), Model: "small", Key: key})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Embed(context.Background(), nodes)
		if err == nil || strings.Contains(strings.ToLower(err.Error()), strings.ToLower(echo)) || strings.Contains(err.Error(), "Quite-Secret") || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%s: error %v, want one without the key", name, err)
		}
	}
}

func TestDownAndSlow(t *testing.T) {
	done := make(chan struct{})
	slow, _ := serve(t, func(http.ResponseWriter, []string) { <-done })
	defer close(done)
	slow.Timeout = 20 * time.Millisecond
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	for name, tt := range map[string]struct {
		server llm.EmbeddingServer
		want   string
	}{
		"slow": {slow, "no answer within 20ms"},
		"down": {llm.EmbeddingServer{URL: down.URL, Model: "small"}, "connection refused"},
	} {
		c, err := llm.NewEmbedder(tt.server)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Embed(context.Background(), nodes); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", name, err, tt.want)
		}
	}
}

func TestNew(t *testing.T) {
	for _, s := range []llm.EmbeddingServer{{Model: "small"}, {URL: "localhost:80", Model: "small"}, {URL: "ftp://x/v1", Model: "small"}, {URL: "http://localhost/v1"}} {
		if _, err := llm.NewEmbedder(s); err == nil {
			t.Errorf("%+v: no error", s)
		}
	}
}

// embedServer embeds as it likes.
type embedServer struct{ embed func() ([][]float64, error) }

func (f embedServer) Embed(context.Context, []scene.Node) ([][]float64, error) { return f.embed() }

func TestFallbackEmbedder(t *testing.T) {
	calls := 0
	first := embedServer{func() ([][]float64, error) {
		if calls++; calls == 2 {
			return nil, fmt.Errorf("gone")
		}
		return [][]float64{{1}}, nil
	}}
	e := llm.NewFallbackEmbedder(first, discrepancy.FromOntology(ontology.Default()))
	for i, want := range []int{1, 0, 0} {
		got, err := e.Embed(context.Background(), nodes[:1])
		if err != nil {
			t.Fatal(err)
		}
		if mine := len(got[0]) == 1; mine != (want == 1) {
			t.Errorf("call %d: the first embedder answers: %v", i, mine)
		}
		if failed := e.Failed(); (failed == nil) != (want == 1) || failed != nil && failed.Error() != "gone" {
			t.Errorf("call %d: failed with %v", i, failed)
		}
	}
	if calls != 2 {
		t.Errorf("the first was asked %d times", calls)
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	e = llm.NewFallbackEmbedder(embedServer{func() ([][]float64, error) { return nil, context.Canceled }}, first)
	if _, err := e.Embed(cancelled, nodes); err == nil || e.Failed() != nil {
		t.Errorf("error %v, failed with %v; want an error that is no failure", err, e.Failed())
	}
}
