package recording

import "fmt"

// Problem is what of a recording cannot be read, or not as it stands.
type Problem struct {
	Topic    string // "" where it concerns no single one
	Place    Place
	Found    string
	Expected string
	More     int // further ones of the topic that are not kept
}

func (p Problem) String() string {
	text := p.Place.String()
	if p.Topic != "" {
		text = clip(p.Topic) + ", " + text
	}
	text += ": found " + p.Found
	if p.Expected != "" {
		text += "; expected " + p.Expected
	}
	if p.More > 0 {
		text += fmt.Sprintf(" (and %d more)", p.More)
	}
	return text
}

// maxProblems is how many problems are kept of each topic.
const maxProblems = 5

// Problems are those met so far, in the order of the file; of each topic the first few.
func (r *Reader) Problems() []Problem { return r.problems }

// report keeps a problem at the place that is read.
func (r *Reader) report(topic, found, expected string) {
	r.Report(Problem{Topic: topic, Place: r.place, Found: found, Expected: expected})
}

// Report keeps a problem that somebody else has with the recording.
func (r *Reader) Report(p Problem) {
	if r.kept[p.Topic]++; r.kept[p.Topic] <= maxProblems {
		r.problems = append(r.problems, p)
		return
	}
	for i := len(r.problems) - 1; i >= 0; i-- {
		if r.problems[i].Topic == p.Topic {
			r.problems[i].More++
			return
		}
	}
}

// clip shortens what a message quotes.
func clip(s string) string {
	const most = 100
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
