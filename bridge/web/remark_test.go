package web

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/ontology"
)

// What is said of findings is told to all, kept with the episode once it is over and each time
// anew, and shown with it.
func TestRemarksAreKept(t *testing.T) {
	h, live := servedLive(t)
	ctx := context.Background()
	m, err := memory.Open(ctx, ontology.Default(), t.TempDir(), memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	library := NewLibrary(reasoner(), logs.Reader{Ontology: ontology.Default()})
	library.Memory = m
	live.Keep = func(ctx context.Context, res *engine.Result, remarks []record.Remark) error {
		defer library.Replaced(res.Episode.ID)
		return m.Add(ctx, memory.Run{Episode: res.Episode, Conclusions: record.Conclusions{Result: res, Remarks: remarks}, Replace: true})
	}
	if _, err := live.send("robot", bytes.NewReader(sampleLog(t, "dropped-heard-only"))); err != nil {
		t.Fatal(err)
	}
	say := func(key, body string) (int, string) {
		r, err := http.Post(h.URL+"/api/v1/live/findings/"+key, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(text)
	}
	f := LiveFinding{}
	for _, one := range live.snapshot().Episodes[0].Findings { // one that stands
		if one.State == string(engine.Found) {
			f = one
		}
	}
	withdrawn := live.snapshot().Episodes[0].Findings[0]
	if f.Key == "" || withdrawn.Key == f.Key {
		t.Fatalf("%+v and %+v: this test shows nothing", f, withdrawn)
	}
	for _, tt := range []struct {
		key, body string
		want      int
	}{
		{f.Key, `{"acknowledged": true}`, 200},
		{f.Key, `{"text": " wet hands "}`, 200},
		{withdrawn.Key, `{"text": "a false alarm"}`, 200},
		{f.Key, `{"text": "  "}`, 400},
		{f.Key, `{"text": "` + strings.Repeat("x", longestLive+1) + `"}`, 400},
		{f.Key, `what`, 400},
		{"none", `{"acknowledged": true}`, 404},
	} {
		if code, text := say(tt.key, tt.body); code != tt.want {
			t.Errorf("%s: %d %s, want %d", tt.body, code, text, tt.want)
		}
	}
	if err := live.endStream("robot"); err != nil {
		t.Fatal(err)
	}
	if code, text := say(f.Key, `{"text": "seen again"}`); code != 200 {
		t.Errorf("after the end: %d %s", code, text)
	}
	id := live.snapshot().Episodes[0].ID
	j, err := library.judged(ctx, keyOf("", id))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range j.now().Remarks {
		got = append(got, fmt.Sprintf("%d %v %s", r.Finding, r.Acknowledged, r.Text))
	}
	if want := []string{"0 false " + withdrawn.Type + ": a false alarm", "1 true ", "1 false wet hands", "1 false seen again"}; !slices.Equal(got, want) {
		t.Errorf("kept are %q, want %q", got, want)
	}
	_, page, _ := get(t, httptest.NewServer((&Server{Library: library, Loopback: true}).Handler()).URL+"/episodes/"+keyOf("", id))
	if !strings.Contains(page, "wet hands") {
		t.Error("the page does not show what was said")
	}
	for range mostRemarks {
		say(f.Key, `{"text": "and on"}`)
	}
	if code, _ := say(f.Key, `{"text": "and on"}`); code != 409 {
		t.Errorf("one too many: %d", code)
	}
}
