package audio

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/dsp/window"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
)

// Segment is a stretch in which something is to be heard.
type Segment struct {
	Begin, End float64 // seconds
	Level      float64 // of its loudest frame, in dB of full scale (RMS)
	Centroid   float64 // mean frequency of its power, in Hz
	Flatness   float64 // geometric by arithmetic mean of its power: near 0 for tones, towards 1 for hiss
}

// Rule is how segments are found.
type Rule struct {
	// Threshold is the level above which something is to be heard, in dB of full scale
	// (REFLECT, section 3.1.1); 0 for Above.
	Threshold float64
	// Above is by how many dB some third of an octave must surpass its background, which is what
	// it is no louder than for a fifth of the 20 s around; 0 for DefaultAbove.
	Above float64
}

// DefaultAbove is by how many dB a band surpasses its background where something is heard.
const DefaultAbove = 10.0

// Numbers by which segments are found.
const (
	framesPerSecond = 50
	smoothed        = 5    // frames that a band is averaged over
	lowest          = 100  // Hz, where the first band begins
	floor           = -75  // dB of full scale, below which nothing is heard
	joined          = 0.25 // seconds between two segments that are one
	shortest        = 0.05 // seconds
	around          = 10   // seconds on either side, for the background
	quiet           = 0.2  // share of the time
	maxSeconds      = 12 * 60 * 60
)

// Analyzer hears what is in sound. Its memory grows by some 200 bytes a frame, of which there
// are 50 a second.
type Analyzer struct {
	rate   int
	fft    *fourier.FFT
	shape  []float64 // of the window
	rest   []float64
	bins   []int // where bands begin, each a third of an octave
	levels []float64
	bands  [][]float64 // power, by band and frame
	power  []float64   // of the frame, by bin
	sums   []spectrum
	coeff  []complex128
	frame  []float64
}

// spectrum is what is kept of a frame's.
type spectrum struct{ power, moment, flatness float64 }

// NewAnalyzer hears sound of so many samples a second.
func NewAnalyzer(rate int) *Analyzer {
	n := max(16, rate/framesPerSecond)
	a := &Analyzer{rate: rate, fft: fourier.NewFFT(n), shape: make([]float64, n), power: make([]float64, n/2+1), frame: make([]float64, n)}
	for i := range a.shape {
		a.shape[i] = 1
	}
	window.Hann(a.shape)
	width := float64(rate) / float64(n) // of a bin
	for f := float64(lowest); f < float64(rate)/2; f *= math.Cbrt(2) {
		if bin := int(math.Ceil(f / width)); bin < n/2 && (len(a.bins) == 0 || bin > a.bins[len(a.bins)-1]) {
			a.bins = append(a.bins, bin)
		}
	}
	if len(a.bins) == 0 {
		a.bins = []int{1}
	}
	a.bands = make([][]float64, len(a.bins))
	return a
}

// Write takes in samples.
func (a *Analyzer) Write(samples []float64) {
	n := a.fft.Len()
	a.rest = append(a.rest, samples...)
	from := 0
	for ; len(a.rest)-from >= n; from += n {
		a.take(a.rest[from : from+n])
	}
	a.rest = append(a.rest[:0], a.rest[from:]...)
}

func (a *Analyzer) take(samples []float64) {
	sum := 0.0
	for i, s := range samples {
		sum += s * s
		a.frame[i] = s * a.shape[i]
	}
	a.levels = append(a.levels, 10*math.Log10(sum/float64(len(samples))+1e-12))
	a.coeff = a.fft.Coefficients(a.coeff, a.frame)
	var of spectrum
	logs := 0.0
	scale := 1 / float64(len(samples)*len(samples))
	for i, c := range a.coeff {
		p := (real(c)*real(c) + imag(c)*imag(c)) * scale
		a.power[i] = p
		if i > 0 {
			of.power += p
			of.moment += p * a.fft.Freq(i) * float64(a.rate)
			logs += math.Log(p + 1e-20)
		}
	}
	if bins := float64(len(a.coeff) - 1); of.power > 0 {
		of.flatness = math.Exp(logs/bins) / (of.power / bins)
	}
	a.sums = append(a.sums, of)
	for k, from := range a.bins {
		to := len(a.power)
		if k+1 < len(a.bins) {
			to = a.bins[k+1]
		}
		p := 0.0
		for _, x := range a.power[from:to] {
			p += x
		}
		a.bands[k] = append(a.bands[k], p)
	}
}

// Seconds is how long the sound is.
func (a *Analyzer) Seconds() float64 { return a.seconds(len(a.levels)) }

func (a *Analyzer) seconds(frame int) float64 {
	return float64(frame) * float64(a.fft.Len()) / float64(a.rate)
}

// Segments are where something is to be heard, by a rule, in the order of time.
func (a *Analyzer) Segments(r Rule) []Segment {
	loud := make([]bool, len(a.levels))
	if r.Threshold != 0 {
		for i, l := range a.levels {
			loud[i] = l > r.Threshold
		}
	} else {
		for _, b := range a.bands {
			a.overBackground(loud, b, cmp.Or(r.Above, DefaultAbove))
		}
	}
	var out []Segment
	last := -1 // frame after the segment before
	for i := 0; i < len(loud); i++ {
		if !loud[i] {
			continue
		}
		end := i
		for end < len(loud) && loud[end] {
			end++
		}
		if len(out) > 0 && a.seconds(i-last) < joined {
			out[len(out)-1] = a.segment(int(math.Round(out[len(out)-1].Begin/a.seconds(1))), end)
		} else {
			out = append(out, a.segment(i, end))
		}
		i, last = end, end
	}
	return slices.DeleteFunc(out, func(s Segment) bool { return s.End-s.Begin < shortest })
}

// overBackground marks the frames in which a band surpasses its background.
func (a *Analyzer) overBackground(loud []bool, power []float64, above float64) {
	level := make([]float64, len(power))
	for i := range power {
		lo, hi := max(0, i-smoothed/2), min(len(power), i+smoothed/2+1)
		sum := 0.0
		for _, p := range power[lo:hi] {
			sum += p
		}
		level[i] = 10 * math.Log10(sum/float64(hi-lo)+1e-12)
	}
	var sorted []float64
	background := 0.0
	for i, l := range level {
		if i%framesPerSecond == 0 {
			sorted = append(sorted[:0], level[max(0, i-around*framesPerSecond):min(len(level), i+around*framesPerSecond)]...)
			slices.Sort(sorted)
			background = sorted[int(quiet*float64(len(sorted)))]
		}
		if l > max(background, floor)+above {
			loud[i] = true
		}
	}
}

// segment describes some frames.
func (a *Analyzer) segment(from, to int) Segment {
	s := Segment{Begin: a.seconds(from), End: a.seconds(to), Level: slices.Max(a.levels[from:to])}
	power, moment := 0.0, 0.0
	for _, of := range a.sums[from:to] {
		power += of.power
		moment += of.moment
		s.Flatness += of.flatness * of.power
	}
	if power > 0 {
		s.Centroid, s.Flatness = moment/power, s.Flatness/power
	}
	return s
}

// ReadFile hears what is in a WAV file. A file that breaks off is heard as far as it goes: short
// is how many bytes are missing then. The error is an *input.Error.
func ReadFile(fsys fs.FS, name string) (a *Analyzer, short int64, err error) {
	f, err := input.Open(fsys, name)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	r, err := NewReader(name, f)
	if err != nil {
		return nil, 0, err
	}
	a = NewAnalyzer(r.Rate)
	samples := make([]float64, 1<<12)
	for {
		n, err := r.Read(samples)
		a.Write(samples[:n])
		if errors.Is(err, io.EOF) {
			return a, r.Short, nil
		}
		if a.Seconds() > maxSeconds {
			return nil, 0, &input.Error{File: name, Found: "more than 12 h of sound", Expected: "less; cut it in parts"}
		}
		if err != nil {
			return nil, 0, err
		}
	}
}
