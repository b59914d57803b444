// Package cdr decodes ROS 2 messages in CDR, the Common Data Representation of OMG's RTPS and
// DDS-XTypes, by the definitions that a recording carries: .msg files ("ros2msg") or IDL
// ("ros2idl"); and messages of ROS 1, which are alike without alignment, by theirs ("ros1msg").
package cdr

import (
	"fmt"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// DefinitionError is a definition that cannot be read.
type DefinitionError struct {
	Type     string // whose definition it is
	Line     int    // of all that was given, 0 where it concerns the whole
	Found    string
	Expected string
}

func (e *DefinitionError) Error() string {
	place := "definition of " + e.Type
	if e.Line > 0 {
		place += fmt.Sprintf(", line %d", e.Line)
	}
	return fmt.Sprintf("%s: found %s; expected %s", place, e.Found, e.Expected)
}

// shape is how often a field stands.
type shape uint8

const (
	single   shape = iota
	array          // as often as it says
	sequence       // as often as the message says
)

// field is one of a structure. Of what it holds, either sub is set or prim.
type field struct {
	name  string
	shape shape
	count uint32 // of an array; of a sequence at most, 0 for no bound
	prim  message.Packed
	text  bool
	sub   *structure
	ref   string // name of the type of sub, as written
	line  int
}

// structure is a message type.
type structure struct {
	name   string
	fields []field
	least  uint64 // bytes that one takes at least
	state  int8   // of linking: 0 not begun, 1 in it, 2 done
}

// limits of definitions, beyond which they are refused.
const (
	maxDefinition = 4 << 20 // bytes
	maxDepth      = 64      // types within types
	maxLeast      = 1 << 31 // bytes of one message
)

// types are those that definitions tell of, by name without "/msg/".
type types map[string]*structure

// plainName is a type's name as package/Type, whichever way it is written.
func plainName(name string) string {
	name = strings.ReplaceAll(strings.TrimPrefix(name, "::"), "::", "/")
	parts := strings.Split(name, "/")
	if len(parts) > 2 {
		return parts[0] + "/" + parts[len(parts)-1]
	}
	return name
}

// find is the type that a name in a structure means.
func (t types) find(name, within string) *structure {
	name = plainName(name)
	if s := t[name]; s != nil {
		return s
	}
	if pkg, _, ok := strings.Cut(within, "/"); ok && !strings.Contains(name, "/") {
		if s := t[pkg+"/"+name]; s != nil {
			return s
		}
	}
	if name == "Header" {
		return t["std_msgs/Header"]
	}
	if strings.Contains(name, "/") {
		return nil
	}
	var only *structure
	for full, s := range t {
		if strings.HasSuffix(full, "/"+name) {
			if only != nil {
				return nil
			}
			only = s
		}
	}
	return only
}

// addBuiltin adds what recordings may leave out.
func (t types) addBuiltin() {
	for _, name := range []string{"builtin_interfaces/Time", "builtin_interfaces/Duration"} {
		if t[name] == nil {
			t[name] = &structure{name: name, fields: []field{{name: "sec", prim: primitives["int32"]}, {name: "nanosec", prim: primitives["uint32"]}}}
		}
	}
}

// link finds the types of the fields of a structure, and what it takes at least: one without
// fields takes empty.
func (t types) link(s *structure, depth int, empty uint64) error {
	switch {
	case s.state == 2:
		return nil
	case s.state == 1:
		return &DefinitionError{Type: s.name, Found: "a type within itself", Expected: "types that do not recur"}
	case depth > maxDepth:
		return &DefinitionError{Type: s.name, Found: fmt.Sprintf("more than %d types within one another", maxDepth), Expected: "fewer"}
	}
	s.state = 1
	s.least = 0
	for i := range s.fields {
		f := &s.fields[i]
		if f.ref != "" {
			if f.sub = t.find(f.ref, s.name); f.sub == nil {
				return &DefinitionError{Type: s.name, Line: f.line, Found: fmt.Sprintf("the unknown type %q of %s", f.ref, f.name), Expected: "its definition with the others"}
			}
			if err := t.link(f.sub, depth+1, empty); err != nil {
				return err
			}
		}
		s.least += f.least()
		if s.least > maxLeast {
			return &DefinitionError{Type: s.name, Line: f.line, Found: "a type of more than 2 GiB", Expected: "a smaller one"}
		}
	}
	s.least = max(s.least, empty)
	s.state = 2
	return nil
}

// one is what one of a field takes at least.
func (f *field) one() uint64 {
	switch {
	case f.sub != nil:
		return f.sub.least
	case f.text:
		return 4
	}
	return uint64(f.prim.Size)
}

func (f *field) least() uint64 {
	switch f.shape {
	case array:
		return uint64(f.count) * f.one()
	case sequence:
		return 4
	}
	return f.one()
}

// primitives are how types of .msg files and IDL are written.
var primitives = map[string]message.Packed{
	"bool": {Kind: message.Bool, Size: 1}, "boolean": {Kind: message.Bool, Size: 1},
	"byte": {Kind: message.Uint, Size: 1}, "octet": {Kind: message.Uint, Size: 1}, "char": {Kind: message.Uint, Size: 1},
	"uint8": {Kind: message.Uint, Size: 1}, "int8": {Kind: message.Int, Size: 1},
	"uint16": {Kind: message.Uint, Size: 2}, "int16": {Kind: message.Int, Size: 2},
	"uint32": {Kind: message.Uint, Size: 4}, "int32": {Kind: message.Int, Size: 4},
	"uint64": {Kind: message.Uint, Size: 8}, "int64": {Kind: message.Int, Size: 8},
	"float32": {Kind: message.Float, Size: 4}, "float64": {Kind: message.Float, Size: 8},
	"float": {Kind: message.Float, Size: 4}, "double": {Kind: message.Float, Size: 8},
	"short": {Kind: message.Int, Size: 2}, "unsigned short": {Kind: message.Uint, Size: 2},
	"long": {Kind: message.Int, Size: 4}, "unsigned long": {Kind: message.Uint, Size: 4},
	"long long": {Kind: message.Int, Size: 8}, "unsigned long long": {Kind: message.Uint, Size: 8},
}

// setType tells a field what it holds, by the name of the type.
func (f *field) setType(name string) bool {
	if p, ok := primitives[name]; ok {
		f.prim = p
		return true
	}
	switch name {
	case "string":
		f.text = true
		return true
	case "wstring", "wchar", "long double": // written otherwise by each middleware
		return false
	}
	f.ref = name
	return true
}
