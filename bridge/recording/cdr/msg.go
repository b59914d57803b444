package cdr

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ParseMsg reads the definition of a message type in .msg syntax, with those of the types
// it holds after lines of equals signs and "MSG: package/Type", as the encoding "ros2msg" of MCAP
// has them. The error is a *DefinitionError.
func ParseMsg(name, text string) (*Decoder, error) {
	all, root, err := parseMsg(name, text)
	if err != nil {
		return nil, err
	}
	return newDecoder(all, root)
}

// ParseROS1 is ParseMsg of a message of ROS 1, as bags and the encoding "ros1msg" of MCAP have
// their definitions. Its times and durations have the fields sec and nsec.
func ParseROS1(name, text string) (*Decoder, error) {
	all, root, err := parseMsg(name, text)
	if err != nil {
		return nil, err
	}
	all["time"] = &structure{name: "time", fields: []field{{name: "sec", prim: primitives["uint32"]}, {name: "nsec", prim: primitives["uint32"]}}}
	all["duration"] = &structure{name: "duration", fields: []field{{name: "sec", prim: primitives["int32"]}, {name: "nsec", prim: primitives["int32"]}}}
	if err := all.link(root, 0, 0); err != nil {
		return nil, err
	}
	return &Decoder{root: root, ros1: true}, nil
}

func parseMsg(name, text string) (types, *structure, error) {
	if len(text) > maxDefinition {
		return nil, nil, &DefinitionError{Type: name, Found: "more than 4 MiB", Expected: "a shorter definition"}
	}
	all := types{}
	s := &structure{name: plainName(name)}
	root := s
	all[s.name] = s
	divided := false
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		switch {
		case len(line) >= 3 && strings.Trim(line, "=") == "":
			divided = true
			continue
		case divided && strings.HasPrefix(line, "MSG:"):
			divided = false
			s = &structure{name: plainName(strings.TrimSpace(line[len("MSG:"):]))}
			if all[s.name] == nil {
				all[s.name] = s
			}
			continue
		case divided && line != "":
			return nil, nil, &DefinitionError{Type: name, Line: i + 1, Found: fmt.Sprintf("%q", clip(line)), Expected: "MSG: package/Type"}
		}
		f, ok, err := msgField(line)
		if err != nil {
			err.Type, err.Line = s.name, i+1
			return nil, nil, err
		}
		if ok {
			f.line = i + 1
			s.fields = append(s.fields, f)
		}
	}
	return all, root, nil
}

var (
	msgType  = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9_/]*)(<=(\d+))?(\[(<=)?(\d*)\])?$`)
	msgName  = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*$`)
	constant = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]*\s*=`)
)

// msgField reads a line of a .msg file; ok is false where it tells of no field.
func msgField(line string) (f field, ok bool, bad *DefinitionError) {
	if line == "" || line[0] == '#' {
		return f, false, nil
	}
	typ, rest, _ := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	rest = strings.TrimSpace(rest)
	if constant.MatchString(rest) {
		return f, false, nil
	}
	f.name, _, _ = strings.Cut(rest, " ") // a default value and comments follow
	f.name, _, _ = strings.Cut(f.name, "#")
	m := msgType.FindStringSubmatch(typ)
	if m == nil || !msgName.MatchString(f.name) {
		return f, false, &DefinitionError{Found: fmt.Sprintf("%q", clip(line)), Expected: "such as float64[] data"}
	}
	if !f.setType(m[1]) {
		return f, false, &DefinitionError{Found: "the type " + m[1] + " of " + f.name, Expected: "a type that is always written alike"}
	}
	if m[4] == "" {
		return f, true, nil
	}
	f.shape = sequence
	if m[6] != "" {
		n, err := strconv.ParseUint(m[6], 10, 31)
		if err != nil {
			return f, false, &DefinitionError{Found: "an array of " + clip(m[6]), Expected: "at most 2,147,483,647"}
		}
		f.count = uint32(n)
		if m[5] == "" {
			f.shape = array
		}
	}
	return f, true, nil
}

// clip shortens what a message quotes.
func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
