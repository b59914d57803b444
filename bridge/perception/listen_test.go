package perception_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/ontology"
)

// rings is a WAV file of eight seconds in which something rings at some times.
func rings(times ...float64) []byte {
	const rate = 8000
	out := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00")
	out = binary.LittleEndian.AppendUint32(out, rate)
	out = append(out, "\x00\x00\x00\x00\x02\x00\x10\x00data"...)
	out = binary.LittleEndian.AppendUint32(out, 8*2*rate)
	for i := range 8 * rate {
		v := 0.0
		for _, at := range times {
			if t := float64(i)/rate - at; t >= 0 {
				v += 0.3 * math.Exp(-20*t) * math.Sin(2*math.Pi*1500*t)
			}
		}
		out = binary.LittleEndian.AppendUint16(out, uint16(int16(32767*v)))
	}
	return out
}

// What is to be heard in a sound file beside the recording is heard in the action during which
// it is, by the scores of a classifier.
func TestListen(t *testing.T) {
	o := ontology.Default()
	run := recorded(t, seenAt(0, "map", detected("map", "mug", "7", 0, 0, 0, 1)),
		action(1, "(pick_up, Mug)", "started"), action(2, "(pick_up, Mug)", "ended"),
		action(3.5, "(put_on, Mug, Table)", "started"), action(5, "(put_on, Mug, Table)", "ended"), seenAt(6.5, "map"))
	const scores = `{"start": 3, "end": 4, "scores": {"smash": 0.9, "polka": 0.95}}
{"start": 5, "end": 6, "scores": {"glass breaking": 0.2}}
odd
`
	const head = "mapping: 1\ntopics:\n- {topic: /seen, as: detections}\n- {topic: /act, as: actions}\naudio:\n"
	for _, tt := range []struct {
		name, audio string
		wav         []byte
		sounds      string // by line
		warnings    []string
	}{
		{"beside it", "- {file: '*.wav', scores: '*.jsonl', min_score: 0.3, start: 1}", rings(3.2, 5.5), "[] [] [smash]",
			[]string{"runs/a.wav: 1 of 2 sounds have no label that is sure enough", "runs/a.jsonl:3: found no scores"}},
		{"by another name", "- {file: a.wav, scores: ../runs/a.jsonl, start: 1, threshold: -40, names: {polka: cup drops}}", rings(3.2), "[] [] [cup drops]", nil},
		{"in the first action", "- {file: '*.wav', scores: '*.jsonl', start: -2}", rings(3.5), "[] [smash] []", nil},
		{"too faint", "- {file: '*.wav', scores: '*.jsonl', threshold: -3}", rings(3.2), "[] [] []", nil},
		{"no model", "- {file: '*.wav', model: gone.onnx, labels: gone.txt}", rings(3.2), "[] [] []", []string{"gone.txt: found no such file", "1 of 1 sounds have no label"}},
		{"not there", "- {file: none.wav, scores: '*.jsonl'}", nil, "[] [] []", []string{"runs/none.wav: found no such file"}},
		{"no WAV", "- {file: '*.mcap', scores: '*.jsonl'}", nil, "[] [] []", []string{`runs/a.mcap: found a file that begins with "\x89MCA"`}},
		{"no scores", "- {file: '*.wav', scores: none.jsonl}", rings(3.2), "[] [] []", []string{"runs/none.jsonl: found", "1 of 1 sounds have no label"}},
		{"breaks off", "- {file: '*.wav', scores: '*.jsonl'}", rings(3.2)[:30_000], "[] [] []", []string{"runs/a.wav breaks off: 98044 bytes of sound are missing"}},
	} {
		m, err := mapping.Parse("robot.yaml", []byte(head+tt.audio+"\n"))
		must(t, err)
		fsys := fstest.MapFS{"runs/a.mcap": {Data: run}, "runs/a.wav": {Data: tt.wav}, "runs/a.jsonl": {Data: []byte(scores)}}
		ep, err := perception.ReadFile(o, fsys, "runs/a.mcap", m)
		must(t, err)
		var got []string
		for i := range ep.Steps {
			got = append(got, fmt.Sprintf("[%s]", strings.Join(ep.Steps[i].Sounds, ", ")))
		}
		if s := strings.Join(got, " "); s != tt.sounds {
			t.Errorf("%s: %s; want %s", tt.name, s, tt.sounds)
		}
		told := fmt.Sprint(ep.Warnings)
		for _, w := range tt.warnings {
			if !strings.Contains(told, w) {
				t.Errorf("%s: %s\nwant %s", tt.name, told, w)
			}
		}
	}
}
