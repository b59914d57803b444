package message

import (
	"fmt"
	"strconv"
	"strings"
)

// Path leads from a value to one within it: names of fields, indices of elements, and the
// first element with a field of a text, as results[0].hypothesis.score or
// metadata[key=class].value. The zero value leads to the value itself.
type Path struct {
	text  string
	parts []part
}

type part struct {
	name  string // "" for an element
	index int
	equal string // what the field of an element is where it is sought by that
}

// ParsePath reads a path.
func ParsePath(text string) (Path, error) {
	p := Path{text: text}
	bad := fmt.Errorf("path %q; expected such as results[0].hypothesis.score", text)
	for rest := text; rest != ""; {
		end := strings.IndexAny(rest[1:], ".[") + 1
		if rest[0] == '[' { // a text that is sought may have any of these
			end = strings.IndexByte(rest, ']') + 1
		}
		if end == 0 {
			end = len(rest)
		}
		piece := rest[:end]
		switch {
		case piece[0] == '[':
			inner, closed := strings.CutSuffix(piece[1:], "]")
			if key, text, sought := strings.Cut(inner, "="); sought && closed && key != "" {
				p.parts = append(p.parts, part{name: key, index: -1, equal: text})
				break
			}
			i, err := strconv.Atoi(inner)
			if err != nil || i < 0 || !closed {
				return Path{}, bad
			}
			p.parts = append(p.parts, part{index: i})
		case piece[0] == '.' && len(p.parts) > 0 && len(piece) > 1:
			p.parts = append(p.parts, part{name: piece[1:]})
		case piece[0] != '.' && len(p.parts) == 0 && !strings.Contains(piece, "]"):
			p.parts = append(p.parts, part{name: piece})
		default:
			return Path{}, bad
		}
		rest = rest[end:]
	}
	return p, nil
}

func (p Path) String() string { return p.text }

// At is the value that a path leads to, absent where there is none.
func (v Value) At(p Path) Value {
	for _, part := range p.parts {
		switch {
		case part.index < 0:
			v = v.with(part.name, part.equal)
		case part.name != "":
			v = v.Field(part.name)
		default:
			v = v.Index(part.index)
		}
	}
	return v
}

// with is the first element of an array whose field of a name is a text.
func (v Value) with(name, text string) Value {
	for e := range v.Elements() {
		if s, ok := e.Field(name).Text(); ok && s == text {
			return e
		}
	}
	return Value{}
}
