package cdr

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ParseIDL reads the definition of a message type in OMG IDL, with those of the types it
// holds after lines of equals signs and "IDL: package/msg/Type", as the encoding "ros2idl" of
// MCAP has them. Of IDL it knows what ROS 2 writes: modules, structures, enumerations, type
// definitions, constants and annotations. The error is a *DefinitionError.
func ParseIDL(name, text string) (*Decoder, error) {
	if len(text) > maxDefinition {
		return nil, &DefinitionError{Type: name, Found: "more than 4 MiB", Expected: "a shorter definition"}
	}
	p := &idlParser{name: name, types: types{}, aliases: map[string]field{}, constants: map[string]uint32{}}
	if err := p.scan(text); err != nil {
		return nil, err
	}
	for p.at < len(p.tokens) {
		if err := p.definition(nil); err != nil {
			return nil, err
		}
	}
	if err := p.resolve(); err != nil {
		return nil, err
	}
	root := p.types.find(name, "")
	if root == nil {
		return nil, &DefinitionError{Type: name, Found: "no structure of that name", Expected: "one"}
	}
	return newDecoder(p.types, root)
}

type token struct {
	text string
	line int
}

type idlParser struct {
	name      string
	tokens    []token
	at        int
	types     types
	aliases   map[string]field // by full name with "::"
	constants map[string]uint32
	depth     int
}

var idlToken = regexp.MustCompile(`^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*|::[A-Za-z_][A-Za-z0-9_:]*|[0-9][A-Za-z0-9_.+]*|[-{}()\[\]<>;,=:@|+*/~^&%.])`)

// scan makes tokens of a text. A string goes over several lines where it says so.
func (p *idlParser) scan(text string) error {
	for i, rest := range strings.Split(blankComments(text), "\n") {
		rest = strings.TrimSpace(rest)
		if strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "IDL:") || len(rest) > 2 && strings.Trim(rest, "=") == "" {
			continue
		}
		for rest != "" {
			t := idlToken.FindString(rest)
			if t == "" {
				return &DefinitionError{Type: p.name, Line: i + 1, Found: fmt.Sprintf("%q", clip(rest)), Expected: "IDL"}
			}
			p.tokens = append(p.tokens, token{t, i + 1})
			rest = strings.TrimSpace(rest[len(t):])
		}
	}
	return nil
}

// blankComments makes blanks of the comments in a text, except in strings.
func blankComments(text string) string {
	out := []byte(text)
	for i := 0; i < len(out); {
		end := i + 1
		switch rest := text[i:]; {
		case rest[0] == '"':
			for end < len(out) && out[end] != '"' {
				if out[end] == '\\' {
					end++
				}
				end++
			}
			end++
		case strings.HasPrefix(rest, "//"):
			if end = i + strings.IndexByte(rest, '\n'); end < i {
				end = len(out)
			}
			blank(out[i:end])
		case strings.HasPrefix(rest, "/*"):
			if n := strings.Index(rest[2:], "*/"); n >= 0 {
				end = i + n + 4
			} else {
				end = len(out)
			}
			blank(out[i:end])
		}
		i = end
	}
	return string(out)
}

func blank(b []byte) {
	for i := range b {
		if b[i] != '\n' {
			b[i] = ' '
		}
	}
}

func (p *idlParser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at].text
	}
	return ""
}

func (p *idlParser) next() string {
	t := p.peek()
	p.at++
	return t
}

func (p *idlParser) line() int {
	if len(p.tokens) == 0 {
		return 0
	}
	return p.tokens[min(p.at, len(p.tokens)-1)].line
}

func (p *idlParser) bad(expected string) error {
	found := "the end"
	if t := p.peek(); t != "" {
		found = fmt.Sprintf("%q", clip(t))
	}
	return &DefinitionError{Type: p.name, Line: p.line(), Found: found, Expected: expected}
}

func (p *idlParser) expect(text string) error {
	if p.peek() != text {
		return p.bad(fmt.Sprintf("%q", text))
	}
	p.at++
	return nil
}

func (p *idlParser) identifier() (string, error) {
	if t := p.peek(); t == "" || strings.Contains(t, "::") || !msgName.MatchString(strings.TrimLeft(t, "_")) {
		return "", p.bad("a name")
	}
	return p.next(), nil
}

// annotations passes over annotations, as @verbatim(language="comment", text="…").
func (p *idlParser) annotations() error {
	for p.peek() == "@" {
		p.at += 2
		if p.peek() != "(" {
			continue
		}
		depth := 0
		for {
			switch p.next() {
			case "(":
				depth++
			case ")":
				depth--
			case "":
				return p.bad("\")\"")
			}
			if depth == 0 {
				break
			}
		}
	}
	return nil
}

func (p *idlParser) definition(within []string) error {
	if err := p.annotations(); err != nil {
		return err
	}
	if p.depth++; p.depth > maxDepth {
		return &DefinitionError{Type: p.name, Line: p.line(), Found: fmt.Sprintf("more than %d modules within one another", maxDepth), Expected: "fewer"}
	}
	defer func() { p.depth-- }()
	switch t := p.next(); t {
	case "module":
		return p.module(within)
	case "struct":
		return p.structure(within)
	case "enum":
		return p.enum(within)
	case "typedef":
		return p.typedef(within)
	case "const":
		return p.constant(within)
	case ";":
		return nil
	}
	p.at--
	return p.bad("module, struct, enum, typedef or const")
}

func (p *idlParser) module(within []string) error {
	name, err := p.identifier()
	if err != nil {
		return err
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	within = append(within[:len(within):len(within)], name)
	for p.peek() != "}" {
		if err := p.definition(within); err != nil {
			return err
		}
	}
	p.at++
	return p.expect(";")
}

func scoped(within []string, name string) string {
	return strings.Join(append(within[:len(within):len(within)], name), "::")
}

func (p *idlParser) structure(within []string) error {
	name, err := p.identifier()
	if err != nil {
		return err
	}
	if p.peek() == ":" {
		return p.bad("\"{\": structures that extend others are not read")
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	s := &structure{name: plainName(scoped(within, name))}
	for p.peek() != "}" {
		fields, err := p.members(within)
		if err != nil {
			return err
		}
		s.fields = append(s.fields, fields...)
	}
	p.at++
	// rosidl gives an empty structure a member that says nothing.
	if len(s.fields) == 1 && s.fields[0].name == "structure_needs_at_least_one_member" {
		s.fields = nil
	}
	if p.types[s.name] == nil {
		p.types[s.name] = s
	}
	return p.expect(";")
}

// members reads "type name, name[3];".
func (p *idlParser) members(within []string) ([]field, error) {
	if err := p.annotations(); err != nil {
		return nil, err
	}
	f, err := p.typeSpec(within)
	if err != nil {
		return nil, err
	}
	var out []field
	for {
		g := f
		if err := p.declarator(&g, within); err != nil {
			return nil, err
		}
		out = append(out, g)
		if p.peek() != "," {
			return out, p.expect(";")
		}
		p.at++
	}
}

// declarator reads a name and what follows it in brackets; several dimensions are one
// array, row by row.
func (p *idlParser) declarator(f *field, within []string) (err error) {
	f.line = p.line()
	if f.name, err = p.identifier(); err != nil {
		return err
	}
	for p.peek() == "[" {
		p.at++
		if f.shape == sequence {
			return p.bad("no array of sequences")
		}
		n, err := p.number(within)
		if err != nil {
			return err
		}
		all := uint64(n)
		if f.shape == array {
			all *= uint64(f.count)
		}
		if all > maxLeast {
			return p.bad("a smaller array")
		}
		f.shape, f.count = array, uint32(all)
		if err := p.expect("]"); err != nil {
			return err
		}
	}
	return nil
}

func (p *idlParser) number(within []string) (uint32, error) {
	t := p.peek()
	if n, err := strconv.ParseUint(t, 0, 31); err == nil {
		p.at++
		return uint32(n), nil
	}
	for i := len(within); i >= 0; i-- {
		if n, ok := p.constants[scoped(within[:i], strings.TrimPrefix(t, "::"))]; ok {
			p.at++
			return n, nil
		}
	}
	return 0, p.bad("a number")
}

func (p *idlParser) typeSpec(within []string) (f field, err error) {
	t := p.next()
	switch t {
	case "sequence":
		if err := p.expect("<"); err != nil {
			return f, err
		}
		if p.depth++; p.depth > maxDepth {
			return f, p.bad("fewer types within one another")
		}
		defer func() { p.depth-- }()
		if f, err = p.typeSpec(within); err != nil {
			return f, err
		}
		if f.shape != single {
			return f, p.bad("no sequence of arrays or sequences")
		}
		f.shape, f.count = sequence, 0
		return f, p.closeBound(&f.count, within)
	case "string":
		f.text = true
		if p.peek() == "<" {
			p.at++
			if _, err := p.number(within); err != nil { // the length of the text tells
				return f, err
			}
			return f, p.expect(">")
		}
		return f, nil
	case "unsigned", "long", "short":
		for p.peek() == "long" || p.peek() == "short" || p.peek() == "double" {
			t += " " + p.next()
		}
	}
	if t == "" || !msgName.MatchString(strings.TrimLeft(strings.ReplaceAll(strings.ReplaceAll(t, "::", ""), " ", ""), "_")) {
		p.at--
		return f, p.bad("a type")
	}
	if !f.setType(t) {
		return f, &DefinitionError{Type: p.name, Line: p.line(), Found: "the type " + t, Expected: "a type that is always written alike"}
	}
	if f.ref != "" {
		f = p.named(f, within)
	}
	return f, nil
}

// closeBound reads what may follow within a sequence or string: ", 10>".
func (p *idlParser) closeBound(n *uint32, within []string) (err error) {
	if p.peek() == "," {
		p.at++
		if *n, err = p.number(within); err != nil {
			return err
		}
	}
	return p.expect(">")
}

// named is what a name means as a type: what was defined for it, else a structure that may
// be defined later.
func (p *idlParser) named(f field, within []string) field {
	for i := len(within); i >= 0; i-- {
		full := scoped(within[:i], strings.TrimPrefix(f.ref, "::"))
		if a, ok := p.aliases[full]; ok {
			return a
		}
	}
	return f
}

func (p *idlParser) typedef(within []string) error {
	fields, err := p.members(within)
	if err != nil {
		return err
	}
	for _, f := range fields {
		p.aliases[scoped(within, f.name)] = f
	}
	return nil
}

// enum reads an enumeration: its values are written as 32-bit numbers.
func (p *idlParser) enum(within []string) error {
	name, err := p.identifier()
	if err != nil {
		return err
	}
	if err := p.expect("{"); err != nil {
		return err
	}
	for {
		if err := p.annotations(); err != nil {
			return err
		}
		if _, err := p.identifier(); err != nil {
			return err
		}
		if p.peek() != "," {
			break
		}
		p.at++
	}
	p.aliases[scoped(within, name)] = field{prim: primitives["uint32"]}
	if err := p.expect("}"); err != nil {
		return err
	}
	return p.expect(";")
}

// constant reads "const type NAME = value;", of which whole numbers may bound arrays.
func (p *idlParser) constant(within []string) error {
	if _, err := p.typeSpec(within); err != nil {
		return err
	}
	name, err := p.identifier()
	if err != nil {
		return err
	}
	if err := p.expect("="); err != nil {
		return err
	}
	if n, err := strconv.ParseUint(p.peek(), 0, 31); err == nil {
		p.constants[scoped(within, name)] = uint32(n)
	}
	for p.peek() != ";" {
		if p.next() == "" {
			return p.bad("\";\"")
		}
	}
	p.at++
	return nil
}

// resolve looks up again the names of types that were defined after they were used.
func (p *idlParser) resolve() error {
	for _, s := range p.types {
		within := strings.Split(s.name, "/")
		within = within[:len(within)-1]
		for i := range s.fields {
			f := &s.fields[i]
			if f.ref == "" {
				continue
			}
			for _, scope := range [][]string{within, append(within[:len(within):len(within)], "msg")} {
				g := p.named(*f, scope)
				if g.ref == f.ref {
					continue
				}
				if g.shape != single && f.shape != single {
					return &DefinitionError{Type: s.name, Line: f.line, Found: "an array of arrays", Expected: "one array"}
				}
				if f.shape != single {
					g.shape, g.count = f.shape, f.count
				}
				g.name, g.line = f.name, f.line
				*f = g
				break
			}
		}
	}
	return nil
}
