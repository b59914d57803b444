package annotate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/annotate"
	"github.com/mishap-robotics/mishap/bridge/perception/render"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/foxglove"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// message is one of a recording.
type message struct {
	topic string
	at    uint64
	data  []byte
}

// messages are those of a recording in JSON, each of which its schema allows.
func messages(t testing.TB, data []byte) (out []message) {
	t.Helper()
	r, err := recording.NewReader("a.mcap", bytes.NewReader(data))
	must(t, err)
	schemas := map[string]*jsonschema.Schema{}
	for {
		m, err := r.Next()
		if errors.Is(err, io.EOF) {
			if p := r.Problems(); len(p) > 0 {
				t.Errorf("problems: %v", p)
			}
			return out
		}
		must(t, err)
		s := schemas[m.Channel.Type]
		if s == nil {
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(m.Channel.Schema))
			must(t, err)
			c := jsonschema.NewCompiler()
			must(t, c.AddResource(m.Channel.Type, doc))
			s = c.MustCompile(m.Channel.Type)
			schemas[m.Channel.Type] = s
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(m.Data))
		must(t, err)
		if err := s.Validate(doc); err != nil {
			t.Fatalf("%s: %v: %s", m.Channel.Topic, err, m.Data)
		}
		out = append(out, message{m.Channel.Topic, m.LogTime, slices.Clone(m.Data)})
	}
}

// A mug that is dropped in the second action is told at the time of that action, in
// words and in the scene, and the messages of the recording stay.
func TestWrite(t *testing.T) {
	o := ontology.Default()
	ep, err := jsonl.ReadFile(o, document.Disk{}, "../../../testdata/episodes/dropping-obj.jsonl")
	must(t, err)
	var log bytes.Buffer
	must(t, render.Write(&log, o, ep[0], render.Noise{}, 1))
	path := filepath.Join(t.TempDir(), "run.mcap")
	must(t, os.WriteFile(path, log.Bytes(), 0o600))

	var moments []perception.Moment
	read, err := perception.Follow(o, document.Disk{}, path, nil, func(m perception.Moment) { moments = append(moments, m) })
	must(t, err)
	if len(moments) != len(read.Steps) {
		t.Fatalf("%d moments of %d steps", len(moments), len(read.Steps))
	}
	for i, m := range moments {
		if m.Step != read.Steps[i].Index || m.Frame != "map" || i > 0 && m.Time <= moments[i-1].Time {
			t.Errorf("moment %d: step %d at %d in %q; the step is %d", i, m.Step, m.Time, m.Frame, read.Steps[i].Index)
		}
	}
	r, err := engine.New(o, rules.Default())
	must(t, err)
	res, err := r.Check(context.Background(), read)
	must(t, err)
	findings := report.NewEpisode(res).Findings
	if len(findings) == 0 || len(findings[0].Objects) == 0 {
		t.Fatal("nothing was found")
	}
	f := &findings[0]
	in, err := recording.Open(document.Disk{}, path)
	must(t, err)
	defer in.Close()
	var out bytes.Buffer
	must(t, annotate.Write(&out, in, moments, findings))

	was, is := messages(t, log.Bytes()), messages(t, out.Bytes())
	own := slices.DeleteFunc(slices.Clone(is), func(m message) bool { return strings.HasPrefix(m.topic, "/mishap/") })
	if !slices.EqualFunc(was, own, func(a, b message) bool { return a.topic == b.topic && a.at == b.at && bytes.Equal(a.data, b.data) }) {
		t.Errorf("the copy has %d messages of the recording's %d, or others", len(own), len(was))
	}
	when := moments[slices.IndexFunc(moments, func(m perception.Moment) bool { return m.Step == int(f.Step) })].Time
	told, said := 0, 0
	red := map[string]uint64{} // when each thing first is
	for _, m := range is {
		switch m.topic {
		case annotate.FindingsTopic:
			var got report.Finding
			must(t, json.Unmarshal(m.data, &got))
			if got.Type == f.Type && m.at == when {
				told++
			}
		case annotate.LogTopic:
			var got foxglove.Log
			must(t, json.Unmarshal(m.data, &got))
			if m.at == when && got.Level == foxglove.Error && strings.Contains(got.Message, f.Explanation) && strings.HasPrefix(got.File, "rules/") && got.Line > 0 {
				said++
			}
		case annotate.SceneTopic:
			var got foxglove.SceneUpdate
			must(t, json.Unmarshal(m.data, &got))
			for _, e := range got.Entities {
				if c := e.Cubes[0].Color; c.R > c.B && red[e.ID] == 0 {
					red[e.ID] = m.at
				}
			}
		}
	}
	if told != 1 || said != 1 {
		t.Errorf("%s was told %d times and said %d times at %d; expected once", f.Type, told, said, when)
	}
	if len(red) == 0 {
		t.Error("nothing in the scene is red")
	}
	for name, at := range red {
		i := slices.IndexFunc(findings, func(f report.Finding) bool { return slices.Contains(f.Objects, name) })
		if i < 0 || at < when {
			t.Errorf("%s is red from %d on; no finding is about it then", name, at)
		}
	}
}
