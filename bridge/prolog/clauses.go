package prolog

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	iso "github.com/ichiban/prolog/engine"
)

// clauseEnd finds the full stop that ends the first term of a text, and the offset after
// it; ok is false where the text ends before. Begin is where the term begins, past blanks and
// comments.
func clauseEnd(text string) (begin, end int, ok bool) {
	begin = -1
	symbol := false // the character before is of a symbol
	at := 0
	for at < len(text) {
		c, size := utf8.DecodeRuneInString(text[at:])
		rest := text[at+size:]
		switch {
		case c == '%':
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				at += n
			} else {
				at = len(text) - size
			}
			symbol = false
		case !symbol && c == '/' && strings.HasPrefix(rest, "*"):
			n := strings.Index(rest[1:], "*/")
			if n < 0 {
				return begin, len(text), false
			}
			at += n + len("**/")
			symbol = false
		case unicode.IsSpace(c):
			symbol = false
		case c == '.' && !symbol && (rest == "" || strings.IndexByte(" \t\r\n\f\v%", rest[0]) >= 0):
			return max(begin, 0), at + size, begin >= 0
		default:
			if begin < 0 {
				begin = at
			}
			symbol = strings.ContainsRune(`+-*/\^<>=~:.?@#&$`, c)
			switch {
			case c == '\'' || c == '"' || c == '`':
				n := quotedEnd(rest, byte(c))
				if n < 0 {
					return begin, len(text), false
				}
				at += n
			case c == '0' && strings.HasPrefix(rest, "'") && !follows(text[:at]):
				at += characterEnd(rest)
			}
		}
		at += size
	}
	return begin, len(text), false
}

// quotedEnd is the length of what is in quotation marks, with the one that ends it; -1 where
// none does.
func quotedEnd(text string, mark byte) int {
	for n := 0; n < len(text); n++ {
		switch text[n] {
		case '\\':
			n++
		case mark:
			return n + 1 // of two marks, which stand for one, each ends a text
		}
	}
	return -1
}

// characterEnd is the length of what follows the 0 of a character such as 0'a.
func characterEnd(text string) int {
	_, size := utf8.DecodeRuneInString(text[1:])
	switch {
	case strings.HasPrefix(text, `'\`) && len(text) > 2, strings.HasPrefix(text, "'''"):
		_, more := utf8.DecodeRuneInString(text[2:])
		return 2 + more
	}
	return 1 + size
}

// follows reports whether a name or number goes on after a text.
func follows(text string) bool {
	c, _ := utf8.DecodeLastRuneInString(text)
	return c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c)
}

// SyntaxError is text that is no term, with its line from 1, or 0 where lines tell nothing.
type SyntaxError struct {
	File  string // "" for a goal
	Line  int
	Found string
}

func (e *SyntaxError) Error() string {
	text := fmt.Sprintf("found %s; expected a term and a full stop", e.Found)
	switch {
	case e.File != "":
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, text)
	case e.Line > 0:
		return fmt.Sprintf("line %d: %s", e.Line, text)
	}
	return text
}

// counter tells how far a text was read.
type counter struct {
	*strings.Reader
	lines int
}

func (c *counter) ReadRune() (r rune, size int, err error) {
	r, size, err = c.Reader.ReadRune()
	if r == '\n' {
		c.lines++
	}
	return r, size, err
}

// term reads a term with its full stop. Line is where the text begins.
func (i *Interpreter) term(file, text string, line int) (t iso.Term, vars []iso.ParsedVariable, err error) {
	read := &counter{Reader: strings.NewReader(text + "\n")} // a full stop needs something after it
	defer func() {
		if r := recover(); r != nil {
			t, err = nil, &SyntaxError{file, line, "a term that cannot be read"}
		}
	}()
	p := iso.NewParser(i.vm, read)
	t, err = p.Term()
	if err == nil {
		return t, p.Vars, nil
	}
	at := line
	if line > 0 {
		at += min(read.lines, strings.Count(strings.TrimSpace(text), "\n"))
	}
	if _, _, whole := clauseEnd(text); !whole {
		return nil, nil, &SyntaxError{file, line, "the end of the text within a term"}
	}
	return nil, nil, &SyntaxError{file, at, foundIn(err)}
}

// foundIn is what a reader stumbled on, in words.
func foundIn(err error) string {
	text := err.Error()
	switch {
	case errors.Is(err, io.EOF):
		return "the end of the text within a term"
	case strings.HasPrefix(text, "unexpected token: "):
		token := strings.TrimPrefix(text, "unexpected token: ")
		kind, value, _ := strings.Cut(strings.TrimSuffix(token, ")"), "(")
		switch value {
		case "":
			return kind
		case ".":
			return "the full stop within a term"
		}
		return fmt.Sprintf("%q, where the term cannot go on", value)
	}
	return text
}
