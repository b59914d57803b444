// Package encode sets JSON encoders up in one way: as people read it, without the
// escapes that only browsers need.
package encode

import (
	"encoding/json"
	"io"
)

// Indented writes a value as indented JSON.
func Indented(w io.Writer, v any) error {
	enc := Lines(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Lines is an encoder that writes each value as one line.
func Lines(w io.Writer) *json.Encoder {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc
}
