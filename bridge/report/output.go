package report

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
)

// Output writes reports to a file or a terminal. What came from a log reaches no terminal
// raw: control characters other than the end of a line and the tabulator, and characters
// that turn the direction of writing, are shown as \u and four digits, which JSON, Turtle
// and N-Quads read back as the same character. It keeps the first error of writing, so
// that nothing is lost in silence where a caller does not look. Goroutines may share it.
type Output struct {
	w     io.Writer
	mark  string // begins what sets text off; no log can hold it
	style Style

	mu   sync.Mutex
	rest []byte // of a character that is not whole yet
	err  error
}

// AbandonFiles takes away files that are not written to their end, and lets none be written
// any more: for a program that is about to end whatever it does.
func AbandonFiles() { encode.Abandon() }

// NewOutput writes to w; with colour its style sets text off.
func NewOutput(w io.Writer, colour bool) *Output {
	o := &Output{w: w}
	if colour {
		c := Colour()
		o.mark = "\x1b" + rand.Text()
		for to, code := range map[*string]string{&o.style.Bold: c.Bold, &o.style.Red: c.Red, &o.style.Green: c.Green, &o.style.Yellow: c.Yellow, &o.style.Reset: c.Reset} {
			*to = o.mark + code[1:]
		}
	}
	return o
}

// Style sets off text that is written to the output, and to no other.
func (o *Output) Style() Style { return o.style }

// Err is the first error of writing, nil for none.
func (o *Output) Err() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// Write writes text. After an error it writes nothing more.
func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return 0, o.err
	}
	text := append(o.rest, p...)
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if b := text[len(text)-back]; utf8.RuneStart(b) {
			if !utf8.FullRune(text[len(text)-back:]) {
				whole = len(text) - back
			}
			break
		}
	}
	shown := o.shown(text[:whole])
	o.rest = bytes.Clone(text[whole:])
	if _, o.err = o.w.Write(shown); o.err != nil {
		return 0, o.err
	}
	return len(p), nil
}

// shown is a text as a terminal may get it.
func (o *Output) shown(text []byte) []byte {
	if !bytes.ContainsFunc(text, hidden) && utf8.Valid(text) {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	for len(text) > 0 {
		if o.mark != "" && bytes.HasPrefix(text, []byte(o.mark)) {
			out, text = append(out, '\x1b'), text[len(o.mark):]
			continue
		}
		r, n := utf8.DecodeRune(text)
		if hidden(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
		text = text[n:]
	}
	return out
}

// hidden reports whether a character steers a terminal, or the direction of what is
// around it, rather than being seen.
func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r == '\u2028' || r == '\u2029':
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
