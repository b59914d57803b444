package rules

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tokNone tokenKind = iota
	tokEOF
	tokAtom
	tokQuoted
	tokVar
	tokInt
	tokDecimal
	tokPunct // ( ) [ ] | ,
	tokEnd   // the full stop after a clause
)

type token struct {
	kind  tokenKind
	text  string
	pos   Pos
	glued bool // directly followed by an opening parenthesis
}

func (t token) describe() string {
	switch t.kind {
	case tokEOF:
		return foundEOF
	case tokEnd:
		return foundFullStop
	}
	return strconv.Quote(t.text)
}

func (p *parser) here() Pos { return Pos{p.file, p.line, p.off - p.start + 1} }

// next scans a token.
func (p *parser) next() {
	p.skipSpace()
	pos := p.here()
	if p.off >= len(p.src) {
		p.tok = token{kind: tokEOF, pos: pos}
		return
	}
	c := p.src[p.off]
	kind, text := tokAtom, ""
	switch {
	case strings.IndexByte("()[]|,", c) >= 0:
		kind, text = tokPunct, string(c)
		p.off++
	case c == '!' || c == ';':
		text = string(c)
		p.off++
	case c == '.' && p.endsClause():
		kind, text = tokEnd, "."
		p.off++
	case c >= '0' && c <= '9':
		kind, text = p.number()
	case c == '_' || c >= 'A' && c <= 'Z':
		kind, text = tokVar, p.scan(isAlphanumeric)
	case c >= 'a' && c <= 'z':
		text = p.scan(isAlphanumeric)
	case c == '\'':
		kind, text = tokQuoted, p.quoted()
	case strings.IndexByte(symbolChars, c) >= 0:
		text = p.scan(func(c byte) bool { return strings.IndexByte(symbolChars, c) >= 0 })
	default:
		r, _ := utf8.DecodeRuneInString(p.src[p.off:])
		p.fail(pos, msgCharacter, r)
	}
	p.tok = token{kind: kind, text: text, pos: pos, glued: p.off < len(p.src) && p.src[p.off] == '('}
}

// number scans an integer, or a decimal: digits on both sides of a point.
func (p *parser) number() (tokenKind, string) {
	text := p.scan(isDigit)
	if p.off+1 < len(p.src) && p.src[p.off] == '.' && isDigit(p.src[p.off+1]) {
		p.off++
		return tokDecimal, text + "." + p.scan(isDigit)
	}
	return tokInt, text
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (p *parser) endsClause() bool {
	n := p.off + 1
	return n >= len(p.src) || strings.IndexByte(" \t\r\n%", p.src[n]) >= 0
}

func (p *parser) scan(ok func(byte) bool) string {
	from := p.off
	for p.off < len(p.src) && ok(p.src[p.off]) {
		p.off++
	}
	return p.src[from:p.off]
}

func (p *parser) skipSpace() {
	for p.off < len(p.src) {
		switch c := p.src[p.off]; {
		case c == '\n':
			p.off++
			p.line++
			p.start = p.off
		case c == ' ' || c == '\t' || c == '\r':
			p.off++
		case c == '%':
			for p.off < len(p.src) && p.src[p.off] != '\n' {
				p.off++
			}
		case strings.HasPrefix(p.src[p.off:], "/*"):
			p.skipComment()
		default:
			return
		}
	}
}

func (p *parser) skipComment() {
	pos := p.here()
	end := -1
	if !p.open { // else it has been looked for
		end = strings.Index(p.src[p.off+2:], "*/")
	}
	if end < 0 {
		p.open = true
		p.fail(pos, msgComment)
	}
	text := p.src[p.off : p.off+end+4]
	p.line += strings.Count(text, "\n")
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		p.start = p.off + i + 1
	}
	p.off += len(text)
}

// quoted reads a quoted atom; a doubled quote and the usual escapes stand for
// themselves.
func (p *parser) quoted() string {
	pos := p.here()
	var b strings.Builder
	for p.off++; p.off < len(p.src) && p.src[p.off] != '\n'; p.off++ {
		switch c := p.src[p.off]; c {
		case '\'':
			if p.off+1 >= len(p.src) || p.src[p.off+1] != '\'' {
				p.off++
				return b.String()
			}
			p.off++
			b.WriteByte('\'')
		case '\\':
			p.off++
			p.escape(&b)
		default:
			b.WriteByte(c)
		}
	}
	p.fail(pos, msgQuoted)
	return ""
}

func (p *parser) escape(b *strings.Builder) {
	if p.off >= len(p.src) {
		return
	}
	switch c := p.src[p.off]; c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case '\\', '\'', '"':
		b.WriteByte(c)
	case 'x':
		end := strings.IndexByte(p.src[p.off:], '\\')
		if end < 2 {
			p.fail(p.here(), msgEscape)
		}
		n, err := strconv.ParseUint(p.src[p.off+1:p.off+end], 16, 21)
		if err != nil || !utf8.ValidRune(rune(n)) {
			p.fail(p.here(), msgEscape)
		}
		b.WriteRune(rune(n))
		p.off += end
	default:
		p.fail(p.here(), msgUnknownEsc, c)
	}
}

func invalidUTF8(s string) int {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}
