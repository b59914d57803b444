package audio_test

import (
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/mishap-robotics/mishap/bridge/audio"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// A glass, running water and somebody who speaks, mixed by other programs in a room that hums, are heard
// where they were put, and nothing else.
func TestSoundsOfOtherPrograms(t *testing.T) {
	for _, program := range []string{"sox", "soxi", "espeak-ng"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not there: it makes the sounds of this test, with sox and espeak-ng", program)
		}
	}
	dir := t.TempDir()
	run := func(program string, args ...string) string {
		t.Helper()
		cmd := exec.Command(program, args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s %v: %v", program, args, err)
		}
		return string(out)
	}
	form := []string{"-R", "-n", "-r", "22050", "-c", "1", "-b", "16"}
	made := func(file string, effects ...string) {
		run("sox", append(append(form[:len(form):len(form)], file), effects...)...)
	}
	made("room.wav", "synth", "20", "brownnoise", "gain", "-50")
	made("glass.wav", "synth", "0.6", "pluck", "1200", "gain", "-12")
	made("water.wav", "synth", "2.5", "whitenoise", "gain", "-30")
	run("espeak-ng", "-w", "said.wav", "Careful, the mug is falling off the table")
	run("sox", "said.wav", "-r", "22050", "-c", "1", "speech.wav", "silence", "1", "0.02", "1%", "norm", "-10")
	mix := []string{"-R", "-m", "-v", "1", "room.wav"}
	type put struct{ begin, end float64 }
	var times []put
	for i, file := range []string{"glass.wav", "water.wav", "speech.wav"} {
		at := 3 + 5*float64(i)
		placed := fmt.Sprintf("at%d.wav", i)
		run("sox", file, placed, "pad", fmt.Sprint(at))
		mix = append(mix, "-v", "1", placed)
		var length float64
		if _, err := fmt.Sscan(run("soxi", "-D", file), &length); err != nil {
			t.Fatal(err)
		}
		times = append(times, put{at, at + length})
	}
	run("sox", append(mix, "all.wav", "trim", "0", "20")...)

	sound, short, err := audio.ReadFile(document.Disk{}, filepath.Join(dir, "all.wav"))
	if err != nil || short != 0 {
		t.Fatalf("%d bytes are missing: %v", short, err)
	}
	for name, rule := range map[string]audio.Rule{"threshold": {Threshold: -45}, "background": {}} {
		segments := sound.Segments(rule)
		begun := map[int]bool{}
		for _, s := range segments {
			within := false
			for i, p := range times {
				begun[i] = begun[i] || math.Abs(s.Begin-p.begin) < 0.1
				within = within || s.Begin > p.begin-0.1 && s.End < p.end+0.2
			}
			if !within {
				t.Errorf("%s: nothing was put from %.2f to %.2f", name, s.Begin, s.End)
			}
		}
		if len(begun) < len(times) || !begun[0] || !begun[1] || !begun[2] {
			t.Errorf("%s: heard %s of what begins and ends at %v", name, spans(segments), times)
		}
	}
}
