package audio_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	goaudio "github.com/go-audio/audio"
	"github.com/go-audio/wav"

	"github.com/mishap-robotics/mishap/bridge/audio"
	"github.com/mishap-robotics/mishap/ontology"
)

const rate = 16_000

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func decibels(db float64) float64 { return math.Pow(10, db/20) }

// room is so many seconds of white noise at a level.
func room(seconds, db float64) []float64 {
	rng := rand.New(rand.NewPCG(5, 6))
	out := make([]float64, int(seconds*rate))
	for i := range out {
		out[i] = decibels(db) * rng.NormFloat64()
	}
	return out
}

// ring adds a tone that fades, as of a glass that is struck, from a time on.
func ring(to []float64, at, hertz, db, fade float64) {
	for i := int(at * rate); i < len(to); i++ {
		t := float64(i)/rate - at
		to[i] += decibels(db) * math.Sqrt2 * math.Exp(-t/fade) * math.Sin(2*math.Pi*hertz*t)
	}
}

// hiss adds noise, as of running water, between two times.
func hiss(to []float64, from, until, db float64) {
	rng := rand.New(rand.NewPCG(7, 8))
	for i := int(from * rate); i < int(until*rate); i++ {
		to[i] += decibels(db) * rng.NormFloat64()
	}
}

func heard(samples []float64, r audio.Rule) []audio.Segment {
	a := audio.NewAnalyzer(rate)
	for chunk := range slices.Chunk(samples, 777) {
		a.Write(chunk)
	}
	return a.Segments(r)
}

// spans are segments as begin-end, to a tenth of a second.
func spans(segments []audio.Segment) string {
	var out []string
	for _, s := range segments {
		out = append(out, fmt.Sprintf("%.1f-%.1f", s.Begin, s.End))
	}
	return strings.Join(out, " ")
}

// In a quiet room either rule hears a glass, water and a thump where they are.
func TestSegments(t *testing.T) {
	in := room(12, -65)
	ring(in, 1, 3000, -20, 0.05)
	hiss(in, 4, 6, -30)
	ring(in, 8, 150, -15, 0.04)
	for _, tt := range []struct {
		name string
		rule audio.Rule
		want string
	}{
		{"threshold", audio.Rule{Threshold: -50}, "1.0-1.2 4.0-6.0 8.0-8.2"},
		{"background", audio.Rule{}, "1.0-1.2 4.0-6.0 8.0-8.2"},
		{"a threshold above all", audio.Rule{Threshold: -5}, ""},
	} {
		got := heard(in, tt.rule)
		if spans(got) != tt.want {
			t.Errorf("%s: %s; want %s", tt.name, spans(got), tt.want)
		}
		if len(got) != 3 {
			continue
		}
		for i, hertz := range []float64{3000, 4000, 150} {
			if math.Abs(got[i].Centroid-hertz) > 0.1*hertz {
				t.Errorf("%s: the centroid of sound %d is %.0f Hz, not %.0f", tt.name, i, got[i].Centroid, hertz)
			}
		}
		if got[0].Flatness > 0.1 || got[1].Flatness < 0.4 || got[2].Flatness > 0.1 {
			t.Errorf("%s: flatness of a ring %.2f, of hiss %.2f, of a thump %.2f", tt.name, got[0].Flatness, got[1].Flatness, got[2].Flatness)
		}
	}
}

// In noise nearly as loud as the sounds, which gets louder, the background rule hears them still;
// no threshold does without hearing the noise.
func TestSegmentsInNoise(t *testing.T) {
	in := room(60, -40)
	louder := func(at float64) float64 { return 15 * at / 60 } // dB
	for i := range in {
		in[i] *= decibels(louder(float64(i) / rate))
	}
	var times []float64
	for at := 5.0; at < 58; at += 7 {
		ring(in, at, 400*math.Pow(1.5, float64(len(times)%6)), -36+louder(at), 0.2)
		times = append(times, at)
	}
	right := func(segments []audio.Segment) (hits, wrong int) {
		for _, s := range segments {
			if i := slices.IndexFunc(times, func(at float64) bool { return math.Abs(s.Begin-at) < 0.1 }); i >= 0 && s.End-s.Begin < 1 {
				hits++
			} else {
				wrong++
			}
		}
		return hits, wrong
	}
	if hits, wrong := right(heard(in, audio.Rule{})); hits != len(times) || wrong > 0 {
		t.Errorf("background: %d of %d sounds, %d that are none", hits, len(times), wrong)
	}
	for db := -40.0; db < -15; db++ {
		if hits, wrong := right(heard(in, audio.Rule{Threshold: db})); hits == len(times) && wrong == 0 {
			t.Errorf("a threshold of %v dB hears all: the noise is none", db)
		}
	}
	if got := heard(room(30, -30), audio.Rule{}); len(got) > 0 {
		t.Errorf("heard in noise alone: %s", spans(got))
	}
	if got := heard(make([]float64, 5*rate), audio.Rule{}); len(got) > 0 {
		t.Errorf("heard in silence: %s", spans(got))
	}
}

// written is a WAV file by another library.
func written(t testing.TB, samples []float64, bits, channels int) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a.wav")
	f, err := os.Create(path)
	must(t, err)
	e := wav.NewEncoder(f, rate, bits, channels, 1)
	buf := &goaudio.IntBuffer{Format: &goaudio.Format{NumChannels: channels, SampleRate: rate}, SourceBitDepth: bits}
	for _, s := range samples {
		for c := range channels {
			v := int(math.Round(s * float64(int(1)<<(bits-1)-1) * float64(c) / float64(max(1, channels-1)))) // from silent to loud
			if channels == 1 {
				v = int(math.Round(s * float64(int(1)<<(bits-1)-1)))
			}
			if bits == 8 {
				v += 128
			}
			buf.Data = append(buf.Data, v)
		}
	}
	must(t, e.Write(buf))
	must(t, e.Close())
	must(t, f.Close())
	data, err := os.ReadFile(path)
	must(t, err)
	return data
}

func samplesOf(t testing.TB, data []byte) (out []float64, r *audio.Reader) {
	t.Helper()
	r, err := audio.NewReader("a.wav", bytes.NewReader(data))
	must(t, err)
	buf := make([]float64, 100)
	for {
		n, err := r.Read(buf)
		out = append(out, buf[:n]...)
		if errors.Is(err, io.EOF) {
			return out, r
		}
		must(t, err)
	}
}

func TestRead(t *testing.T) {
	in := make([]float64, 1000)
	ring(in, 0, 440, -6, 1)
	for _, tt := range []struct {
		bits, channels int
		within         float64
	}{{8, 1, 0.01}, {16, 1, 1e-4}, {16, 2, 1e-4}, {24, 1, 1e-6}, {32, 1, 1e-8}} {
		got, r := samplesOf(t, written(t, in, tt.bits, tt.channels))
		if len(got) != len(in) || r.Rate != rate || r.Short != 0 {
			t.Fatalf("%+v: %d samples at %d", tt, len(got), r.Rate)
		}
		for i := range in {
			if math.Abs(got[i]-in[i]/float64(tt.channels)) > tt.within {
				t.Fatalf("%+v: sample %d is %v, not %v", tt, i, got[i], in[i]/float64(tt.channels))
			}
		}
	}
}

// file is a WAV file of single samples, by its format.
func file(kind, channels, bits uint16, hertz, length uint32, extra []byte, samples ...byte) []byte {
	head := binary.LittleEndian.AppendUint16(nil, kind)
	head = binary.LittleEndian.AppendUint16(head, channels)
	head = binary.LittleEndian.AppendUint32(head, hertz)
	head = append(head, 0, 0, 0, 0, 0, 0)
	head = append(binary.LittleEndian.AppendUint16(head, bits), extra...)
	out := []byte("RIFF\x00\x00\x00\x00WAVELIST\x03\x00\x00\x00abc\x00fmt ")
	out = append(binary.LittleEndian.AppendUint32(out, uint32(len(head))), head...)
	out = append(out, "data"...)
	return append(binary.LittleEndian.AppendUint32(out, length), samples...)
}

func TestReadOddFiles(t *testing.T) {
	one := binary.LittleEndian.AppendUint32(nil, math.Float32bits(0.5))
	guid := append([]byte{22, 0, 32, 0, 0, 0, 0, 0, 3, 0}, make([]byte, 14)...)
	for _, tt := range []struct {
		name  string
		data  []byte
		want  string
		short int64
	}{
		{"floating point", file(3, 1, 32, rate, 4, nil, one...), "[0.5]", 0},
		{"extensible", file(0xfffe, 1, 32, rate, 4, guid, one...), "[0.5]", 0},
		{"no length", file(1, 1, 16, rate, math.MaxUint32, nil, 0, 0x40, 0, 0xc0), "[0.5 -0.5]", 0},
		{"a length of 0", file(1, 1, 16, rate, 0, nil, 0, 0x40), "[0.5]", 0},
		{"breaks off", file(1, 1, 16, rate, 8, nil, 0, 0x40, 1), "[0.5]", 5},
		{"what comes after", file(1, 1, 16, rate, 2, nil, 0, 0x40, 1, 2, 3, 4), "[0.5]", 0},
		{"too loud", file(3, 1, 32, rate, 8, nil, append(binary.LittleEndian.AppendUint32(nil, math.Float32bits(7)), 0, 0, 0xc0, 0x7f)...), "[1 0]", 0},
	} {
		got, r := samplesOf(t, tt.data)
		if fmt.Sprint(got) != tt.want || r.Short != tt.short {
			t.Errorf("%s: %v, %d missing; want %s, %d", tt.name, got, r.Short, tt.want, tt.short)
		}
	}
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "found an empty file"},
		{"no WAV", []byte("OggS and so on and on"), `found a file that begins with "OggS"`},
		{"no samples", []byte("RIFF\x00\x00\x00\x00WAVE"), "found no samples before the end of the file"},
		{"no format", []byte("RIFF\x00\x00\x00\x00WAVEdata\x00\x00\x00\x00"), "found samples before their format"},
		{"compressed", file(85, 1, 16, rate, 4, nil), "found sound in the format 85"},
		{"no channels", file(1, 0, 16, rate, 4, nil), "found 0 channels"},
		{"12 bits", file(1, 1, 12, rate, 4, nil), "found samples of 12 bits"},
		{"slow", file(1, 1, 16, 2, 4, nil), "found 2 samples a second"},
		{"a long format", []byte("RIFF\x00\x00\x00\x00WAVEfmt \xff\xff\xff\xff"), "found a format of 4294967295 bytes"},
	} {
		if _, err := audio.NewReader("a.wav", bytes.NewReader(tt.data)); err == nil || !strings.Contains(err.Error(), "a.wav: "+tt.want) {
			t.Errorf("%s: %v\nwant %s", tt.name, err, tt.want)
		}
	}
}

// The label of a segment is the sound that the classifier is surest of, in its words; words
// for one sound do not stand against one another.
func TestLabel(t *testing.T) {
	o := ontology.Default()
	fsys := fstest.MapFS{"a.jsonl": {Data: []byte(`{"start": 0, "end": 1, "scores": {"glass breaking": 0.2, "water running": 0.1}}
{"start": 1, "end": 2, "scores": {"glass breaking": 0.8, "shatter": 0.75, "water running": 0.3, "polka": 0.99}}

{"start": 2, "end": 3, "scores": {"glass breaking": 0.5, "water running": 0.45}}
{"start": 9}
{"start": 5, "end": 4, "scores": {}}
no JSON
`)}}
	scores, err := audio.ReadScores(fsys, "a.jsonl")
	for _, want := range []string{"a.jsonl:5: found scores without start and end", "a.jsonl:6: found scores from 5 to 4", "a.jsonl:7: found no scores"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	if len(scores) != 3 {
		t.Fatalf("%d scores", len(scores))
	}
	for _, tt := range []struct {
		begin, end, least, margin float64
		want                      string
	}{
		{1.1, 1.5, 0.3, 0.1, "glass breaking 0.80 true"},
		{0.5, 1.5, 0.3, 0.1, "glass breaking 0.50 true"},
		{0.2, 0.5, 0.3, 0.1, "glass breaking 0.20 false"}, // not sure of it
		{2.2, 2.5, 0.3, 0.1, " 0.50 false"},               // nor of which
		{7, 8, 0, 0, " 0.00 false"},                       // nobody scored it
	} {
		label, score, ok := audio.Label(o, audio.Segment{Begin: tt.begin, End: tt.end}, scores, tt.least, tt.margin)
		if got := fmt.Sprintf("%s %.2f %v", label, score, ok); got != tt.want {
			t.Errorf("%v to %v: %s; want %s", tt.begin, tt.end, got, tt.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(file(1, 2, 16, rate, 8, nil, 1, 2, 3, 4, 5, 6, 7, 8))
	f.Add(file(3, 1, 64, rate, 8, nil, 1, 2, 3, 4, 5, 6, 7, 8))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, short, err := audio.ReadFile(fstest.MapFS{"a.wav": {Data: data}}, "a.wav")
		if err != nil {
			if !strings.Contains(err.Error(), "expected") {
				t.Error(err)
			}
			return
		}
		if short < 0 {
			t.Errorf("%d bytes short", short)
		}
		for _, r := range []audio.Rule{{}, {Threshold: -50}} {
			end := 0.0
			for _, s := range a.Segments(r) {
				if s.Begin < end || s.End <= s.Begin || s.End > a.Seconds()+1e-6 || math.IsNaN(s.Centroid+s.Flatness+s.Level) {
					t.Errorf("%+v", s)
				}
				end = s.End
			}
		}
	})
}

func FuzzScores(f *testing.F) {
	f.Add(`{"start": 0, "end": 1, "scores": {"glass breaking": 0.2}}`)
	f.Fuzz(func(t *testing.T, text string) {
		scores, _ := audio.ReadScores(fstest.MapFS{"a.jsonl": {Data: []byte(text)}}, "a.jsonl")
		audio.Label(ontology.Default(), audio.Segment{Begin: 0, End: 1}, scores, 0, 0)
	})
}

// BenchmarkAnalyze hears a minute of sound.
func BenchmarkAnalyze(b *testing.B) {
	in := room(60, -40)
	for b.Loop() {
		heard(in, audio.Rule{})
	}
}
