package report

import (
	"fmt"
	"io"
	"math"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
)

// Sounds is what is to be heard in a sound file.
type Sounds struct {
	File     string  `json:"file"`
	Seconds  float64 `json:"seconds"`
	Segments []Sound `json:"segments"`
}

// Sound is a stretch in which something is to be heard.
type Sound struct {
	Begin    float64 `json:"begin"` // seconds
	End      float64 `json:"end"`
	Level    float64 `json:"level"`    // dB of full scale
	Centroid float64 `json:"centroid"` // Hz
	Flatness float64 `json:"flatness"`
	Label    string  `json:"label,omitempty"`
	Score    float64 `json:"score,omitempty"`
}

// JSON writes the sounds as one object.
func (s *Sounds) JSON(w io.Writer) error {
	out := *s
	out.Segments = []Sound{}
	round := func(x float64, digits int) float64 {
		p := math.Pow10(digits)
		return math.Round(x*p) / p
	}
	out.Seconds = round(out.Seconds, 2)
	for _, g := range s.Segments {
		g.Begin, g.End, g.Level, g.Centroid, g.Flatness, g.Score = round(g.Begin, 2), round(g.End, 2), round(g.Level, 1), round(g.Centroid, 0), round(g.Flatness, 3), round(g.Score, 4)
		out.Segments = append(out.Segments, g)
	}
	return encode.Indented(w, &out)
}

// Text writes the sounds for people, one a line.
func (s *Sounds) Text(w io.Writer) error {
	for _, g := range s.Segments {
		label := ""
		if g.Label != "" {
			label = fmt.Sprintf("  %s (%.2f)", g.Label, g.Score)
		}
		if _, err := fmt.Fprintf(w, "%8.2f to %8.2f s  %6.1f dB  %5.0f Hz  flatness %.2f%s\n", g.Begin, g.End, g.Level, g.Centroid, g.Flatness, label); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "sounds: %d in %.1f s\n", len(s.Segments), s.Seconds)
	return err
}
