package prolog

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
)

// mostHistory is how many goals are remembered.
const mostHistory = 1000

// History is the goals that were entered, in a file, one to a line.
type History struct {
	Path string
	own  []string // of this session
	had  []string // from before
}

// HistoryPath is where the history stands: in the user's folder of states, else in that of
// configurations.
func HistoryPath() (string, error) {
	folder := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(folder) {
		var err error
		if folder, err = os.UserConfigDir(); err != nil {
			return "", err
		}
	}
	return filepath.Join(folder, "mishap", "repl_history"), nil
}

// Load lists the goals from before; without a file there are none.
func (h *History) Load() []string {
	h.had = h.read()
	return slices.Clone(h.had)
}

func (h *History) read() []string {
	data, err := os.ReadFile(h.Path)
	if err != nil || len(data) == 0 {
		return nil
	}
	return last(strings.Split(strings.TrimSuffix(string(data), "\n"), "\n"))
}

func last(goals []string) []string { return goals[max(0, len(goals)-mostHistory):] }

// Add remembers a goal. The file is written whole or not at all; what another session has
// added meanwhile stays.
func (h *History) Add(goal string) error {
	goal = OneLine(goal)
	if all := append(h.had, h.own...); len(all) > 0 && all[len(all)-1] == goal {
		return nil
	}
	h.own = append(h.own, goal)
	if err := os.MkdirAll(filepath.Dir(h.Path), 0o700); err != nil {
		return err
	}
	all := last(append(h.read(), goal))
	return encode.File(h.Path, true, []byte(strings.Join(all, "\n")+"\n"))
}

// OneLine is a goal with its lines one after the other, without the comments at their ends.
func OneLine(goal string) string {
	var out []string
	for line := range strings.Lines(goal) {
		out = append(out, strings.TrimSpace(withoutComment(line)))
	}
	return strings.TrimSpace(strings.Join(out, " "))
}

// withoutComment is a line up to a % that is in no quotation marks.
func withoutComment(line string) string {
	for n := 0; n < len(line); n++ {
		switch c := line[n]; c {
		case '\'', '"', '`':
			end := quotedEnd(line[n+1:], c)
			if end < 0 {
				return line
			}
			n += end
		case '%':
			return line[:n]
		}
	}
	return line
}
