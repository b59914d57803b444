package model_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/model"
	"github.com/mishap-robotics/mishap/bridge/model/modeltest"
)

// A redirect to another host is not followed: the question is not meant for it.
func TestRedirect(t *testing.T) {
	other := modeltest.New(t, modeltest.Always(modeltest.Text("yes")))
	s := modeltest.New(t, modeltest.Always(modeltest.Status(http.StatusTemporaryRedirect, "").With("Location", other.URL+"/chat/completions")))
	c, err := model.New(model.Config{BaseURL: s.URL, Model: "m", Retries: model.NoRetries})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := c.Ask(context.Background(), model.Question{Prompt: "is it a secret?"}); err == nil {
		t.Errorf("answered %q", a.Text)
	}
	if n := len(other.Requests()); n > 0 {
		t.Errorf("the other host was asked %d times", n)
	}
}
