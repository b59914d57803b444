package report

import (
	"fmt"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
)

// The sentences, phrases and units that reports are made of stand here, so that they can
// be read and improved as prose.

// Count writes a number with its noun: "1 step", "2 steps".
func Count(n int, noun string) string { return wording.Count(n, noun) }

// Clean strips control characters, so that a log cannot steer a terminal.
func Clean(s string) string { return wording.Clean(s) }

// tally counts the problems that a check found.
func tally(errors, warnings int) string {
	return Count(errors, "error") + ", " + Count(warnings, "warning")
}

// Moment is a step of a log with its time, in words.
func Moment(step int32, time string) string {
	if time == "" {
		return fmt.Sprintf("step %d", step)
	}
	return fmt.Sprintf("%s (step %d)", Clean(time), step)
}

const (
	vocabularyHead = "A rule concludes failure(Class, Step, Cause, Objects).\n\nFacts of the episode:\n"
	// denied is where a proof gets from that something is not so.
	denied = "there is none"
	// notShown says why a conclusion is no finding.
	notShown = ", but another finding explains it better or it follows from an earlier one"
)
