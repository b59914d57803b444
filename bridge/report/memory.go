//go:build !js

package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mishap-robotics/mishap/engine/memory"
)

// MemoryEntries writes the episodes of a memory as a table with a header line.
func MemoryEntries(w io.Writer, entries []memory.Entry) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, "EPISODE\tSTART\tROBOT\tSITE\tTASK\tSTEPS\tFAILURES\tLABELS")
	for _, e := range entries {
		start := "-"
		if !e.Start.IsZero() {
			start = e.Start.Format(time.RFC3339)
		}
		cells := []string{e.ID, start, e.Robot, e.Site, e.Task, fmt.Sprint(e.Steps), fmt.Sprint(e.Findings), strings.Join(e.Labels, ", ")}
		for i := range cells {
			if cells[i] = clean(cells[i]); cells[i] == "" {
				cells[i] = "-"
			}
		}
		fmt.Fprintln(t, strings.Join(cells, "\t"))
	}
	return t.Flush()
}

// MemoryStats writes how much a memory holds.
func MemoryStats(w io.Writer, s memory.Stats) error {
	_, err := fmt.Fprintf(w, "%s, %s, %s, %s\n", count(s.Episodes, "episode"), count(s.Findings, "failure"), count(s.Quads, "quad"), count(s.Terms, "term"))
	if err == nil && s.Bytes > 0 { // of a server nobody knows
		_, err = fmt.Fprintf(w, "%.1f MB, %.0f bytes a quad\n", float64(s.Bytes)/1e6, s.BytesPerQuad)
	}
	if err == nil && !s.First.IsZero() {
		_, err = fmt.Fprintf(w, "from %s to %s\n", s.First.Format(time.RFC3339), s.Last.Format(time.RFC3339))
	}
	return err
}
