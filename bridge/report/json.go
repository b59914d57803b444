package report

import (
	"io"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
)

// JSON writes a report as indented JSON.
func JSON(w io.Writer, report any) error { return encode.Indented(w, report) }

// jsonLine writes a report as one line of JSON.
func jsonLine(w io.Writer, report any) error { return encode.Lines(w).Encode(report) }
