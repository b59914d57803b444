package pack

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
)

// ExpectSuffix is what the name of a file ends in that says what is found in a sample log of
// the same name.
const ExpectSuffix = ".expect"

// Sample is what became of a sample log.
type Sample struct {
	Log        string
	Err        error    // it could not be judged
	Unexpected []string // what was found and is not expected, as "EPISODE: CLASS at STEP"
	Missing    []string // what is expected and was not found
	Unchecked  bool     // nothing says what is to be found
}

// Passed reports whether all is as expected.
func (s *Sample) Passed() bool { return s.Err == nil && len(s.Unexpected)+len(s.Missing) == 0 }

// TestSamples judges the sample logs of a pack: logs are checked, plans carried out in the
// action model.
func (p *Pack) TestSamples(ctx context.Context, r *engine.Reasoner) []Sample {
	var out []Sample
	for _, place := range p.Samples {
		files, err := logs.FindAll(place)
		if err != nil {
			out = append(out, Sample{Log: place, Err: err})
		}
		for _, f := range files {
			out = append(out, testSample(ctx, r, f))
		}
	}
	return out
}

func testSample(ctx context.Context, r *engine.Reasoner, log string) Sample {
	s := Sample{Log: log}
	episodes, err := logs.Read(r.Ontology, log)
	if err != nil {
		s.Err = err
		return s
	}
	want, err := expected(log)
	if s.Unchecked = errors.Is(err, fs.ErrNotExist); err != nil && !s.Unchecked {
		s.Err = err
		return s
	}
	for _, ep := range episodes {
		found, err := found(ctx, r, ep)
		if err != nil {
			s.Err = fmt.Errorf("%s: %w", log, err)
			return s
		}
		for _, f := range found {
			if i := slices.Index(want, f); i >= 0 {
				want = slices.Delete(want, i, i+1)
			} else if !s.Unchecked {
				s.Unexpected = append(s.Unexpected, f)
			}
		}
		if len(found) == 0 {
			want = slices.DeleteFunc(want, func(w string) bool { return w == ep.ID+": nothing" })
		}
	}
	s.Missing = want
	return s
}

// found lists the findings of an episode, as an expectation writes them.
func found(ctx context.Context, r *engine.Reasoner, ep *episode.Episode) ([]string, error) {
	var out []string
	add := func(class string, step int32) {
		out = append(out, fmt.Sprintf("%s: %s at %d", ep.ID, class, step))
	}
	if len(ep.Steps) == 0 {
		_, faults, err := r.CheckPlan(ctx, ep)
		for i := range faults {
			add(faults[i].Type, faults[i].Step)
		}
		return out, err
	}
	result, err := r.Check(ctx, ep)
	if err != nil {
		return nil, err
	}
	for i := range result.Findings {
		add(result.Findings[i].Type, result.Findings[i].Step)
	}
	return out, nil
}

var expectation = regexp.MustCompile(`^(.+): (?:nothing|(\w+) at (\d+))$`)

// expected reads what is to be found in a log, from the file beside it.
func expected(log string) ([]string, error) {
	name := filepath.ToSlash(log)
	base, _, _ := strings.Cut(filepath.Base(name), ".")
	file := filepath.Join(filepath.Dir(name), base+ExpectSuffix)
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out []string
	lines := bufio.NewScanner(bytes.NewReader(data))
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || text[0] == '#' {
			continue
		}
		if !expectation.MatchString(text) {
			return nil, &logs.Error{File: file, Line: n, Found: strconv.Quote(text), Expected: "for example \"wrong-desk: WrongDeskFailure at 2\", or \"clean: nothing\""}
		}
		out = append(out, text)
	}
	return out, lines.Err()
}
