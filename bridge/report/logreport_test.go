//go:build !js

package report

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
)

// Joined errors are told one to a line; one that says in its own words what it is an error
// of, and has its cause in brackets, is told as that.
func TestWriteErrors(t *testing.T) {
	full, code := errors.New("no room on the disk"), errors.New("full (13)")
	explained := fmt.Errorf("m.db: %w", fmt.Errorf("%w (%w)", full, code))
	for _, c := range []struct {
		err  error
		want []string
	}{
		{nil, nil},
		{full, []string{"no room on the disk"}},
		{errors.Join(full, code), []string{"no room on the disk", "full (13)"}},
		{explained, []string{"m.db: no room on the disk (full (13))"}},
		{errors.Join(nil, explained, errors.Join(code, full)), []string{"m.db: no room on the disk (full (13))", "full (13)", "no room on the disk"}},
	} {
		if got := WriteErrors(io.Discard, c.err); !slices.Equal(got, c.want) {
			t.Errorf("%v: told %q, want %q", c.err, got, c.want)
		}
	}
}
