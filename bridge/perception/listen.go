package perception

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/audio"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
)

// heard is a sound of a sound file.
type heard struct {
	at    float64 // seconds after the first message
	label string
}

// listen hears what is in the sound files that the mapping names beside the recording. What
// cannot be read of them and of their scores is told.
func (p *reader) listen(fsys fs.FS, name string) {
	for i := range p.mapping.Audio {
		p.listenTo(fsys, name, &p.mapping.Audio[i])
	}
	slices.SortStableFunc(p.heard, func(a, b heard) int { return cmp.Compare(a.at, b.at) })
}

func (p *reader) listenTo(fsys fs.FS, name string, of *mapping.Audio) {
	beside := func(file string) string {
		return path.Join(path.Dir(filepath.ToSlash(name)), strings.ReplaceAll(file, "*", baseName(name)))
	}
	file := beside(of.File)
	sound, short, err := audio.ReadFile(fsys, file)
	if err != nil {
		p.odd = append(p.odd, err.Error())
		return
	}
	if short > 0 {
		p.odd = append(p.odd, fmt.Sprintf("%s breaks off: %d bytes of sound are missing", clip(file), short))
	}
	scores, err := p.scores(fsys, file, beside(of.Scores), of)
	if err != nil {
		lines := strings.Split(err.Error(), "\n")
		text := lines[0]
		if n := len(lines) - 1; n > 0 {
			text += fmt.Sprintf(" (and %d more)", n)
		}
		p.odd = append(p.odd, text)
	}
	if len(of.Names) > 0 {
		for i := range scores {
			scores[i].Labels = named(scores[i].Labels, of.Names)
		}
	}
	segments := sound.Segments(audio.Rule{Threshold: of.Threshold, Above: of.Above})
	unknown := 0
	for _, s := range segments {
		label, _, ok := audio.Label(p.onto, s, scores, of.MinScore, of.Margin)
		if !ok {
			unknown++
			continue
		}
		p.heard = append(p.heard, heard{of.Start + s.Begin, label})
	}
	if unknown > 0 {
		p.odd = append(p.odd, fmt.Sprintf("%s: %d of %d sounds have no label that is sure enough", clip(file), unknown, len(segments)))
	}
}

// scores are what a classifier says of a sound file: what it wrote in a file beside that, or a
// model.
func (p *reader) scores(fsys fs.FS, file, written string, of *mapping.Audio) ([]audio.Score, error) {
	if of.Model == "" {
		return audio.ReadScores(fsys, written)
	}
	from := func(name string) string {
		if path.IsAbs(name) {
			return name
		}
		return path.Join(path.Dir(filepath.ToSlash(p.mapping.File())), name)
	}
	m, err := audio.ReadModel(fsys, from(of.Model), from(of.Labels), of.Rate, of.Window)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	return m.Scores(fsys, file)
}

// named are scores by the names that a mapping has for labels.
func named(scores map[string]float64, names map[string]string) map[string]float64 {
	out := make(map[string]float64, len(scores))
	for label, score := range scores {
		if name, known := names[label]; known {
			label = name
		}
		if label != "" {
			out[label] = max(out[label], score)
		}
	}
	return out
}

// listenUntil tells the sounds that were to be heard until so many seconds after the first
// message.
func (p *reader) listenUntil(seconds float64) {
	for len(p.heard) > 0 && p.heard[0].at <= seconds {
		p.hear(p.heard[0].label)
		p.heard = p.heard[1:]
	}
}
