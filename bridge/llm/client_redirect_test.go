package llm_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/bridge/llm/llmtest"
)

// A redirect to another host is not followed: the question is not meant for it.
func TestRedirect(t *testing.T) {
	other := llmtest.New(t, llmtest.Always(llmtest.Text("yes")))
	s := llmtest.New(t, llmtest.Always(llmtest.Status(http.StatusTemporaryRedirect, "").With("Location", other.URL+"/chat/completions")))
	c, err := llm.New(llm.Config{BaseURL: s.URL, Model: "m", Retries: llm.NoRetries})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := c.Ask(context.Background(), llm.Question{Prompt: "is it a secret?"}); err == nil {
		t.Errorf("answered %q", a.Text)
	}
	if n := len(other.Requests()); n > 0 {
		t.Errorf("the other host was asked %d times", n)
	}
}
