package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// StreamWriter writes what is found in episodes that come as a stream, as it arises: lines of
// text, or with AsJSON one JSON object a line.
type StreamWriter struct {
	W      io.Writer
	Style  Style
	AsJSON bool
	Number func() int64 // numbers the lines of JSON; nil where they have no numbers
}

// change is the JSON form of what changed. Scripts rely on its field names.
type change struct {
	Seq     int64    `json:"seq,omitempty"`
	Change  string   `json:"change"`
	Episode string   `json:"episode"`
	Finding any      `json:"finding,omitempty"`
	Score   *Score   `json:"score,omitempty"`
	Report  *Episode `json:"report,omitempty"`
}

// Finding writes that a finding was found, changed or withdrawn.
func (s *StreamWriter) Finding(ep *episode.Episode, u engine.Update) error {
	f := NewFinding(ep, &u.Finding)
	return s.write(ep, string(u.Kind), &f, f)
}

// Threat writes that a threat was foreseen or averted.
func (s *StreamWriter) Threat(ep *episode.Episode, u engine.Update) error {
	t := NewThreat(ep, u.Threat)
	return s.write(ep, string(u.Kind), &t.Finding, t)
}

// Score writes that a scene is not as expected.
func (s *StreamWriter) Score(ep *episode.Episode, u engine.Update) error {
	score := &Score{u.Score, true}
	if s.AsJSON {
		return jsonLine(s.W, change{Seq: s.number(), Change: string(u.Kind), Episode: ep.ID, Score: score})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: ", ep.ID)
	score.deviates(&b, s.Style)
	_, err := io.WriteString(s.W, b.String())
	return err
}

func (s *StreamWriter) write(ep *episode.Episode, kind string, f *Finding, report any) error {
	if s.AsJSON {
		return jsonLine(s.W, change{Seq: s.number(), Change: kind, Episode: ep.ID, Finding: report})
	}
	_, err := fmt.Fprintf(s.W, "%s: %s %s at %s: %s\n", ep.ID, kind, f.Type, moment(f.Step, f.Time), f.Explanation)
	return err
}

// End writes the report of an episode that is over.
func (s *StreamWriter) End(res *engine.Result) error {
	out := NewEpisode(res)
	if s.AsJSON {
		return jsonLine(s.W, change{Seq: s.number(), Change: "finished", Episode: out.ID, Report: &out})
	}
	return out.Text(s.W, s.Style)
}

func (s *StreamWriter) number() int64 {
	if s.Number == nil {
		return 0
	}
	return s.Number()
}
