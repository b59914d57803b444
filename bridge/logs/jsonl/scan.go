package jsonl

import (
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/valyala/fastjson"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
)

// scanner reads a line in one pass where it is as the schema has it, which nearly all are.
// It gives up where anything else may be meant or is wrong: such lines are decoded, held to
// the schema, which says what is wrong, and decoded again. Goroutines do not share it.
type scanner struct {
	parser  fastjson.Parser
	names   map[string]string // texts that were read before
	texts   []string          // of lists, of which each is a piece
	nodes   []node            // of the line, as the edges are
	edges   [][3]string
	seen    observation
	number  []byte
	unknown []string
	read    scanned
	unfit   bool // the line is not for this pass
}

var scanners = sync.Pool{New: func() any { return &scanner{names: map[string]string{}} }}

// The longest texts that are taken without counting their characters, how many texts are
// remembered, and of how many there is room at once.
const (
	longestName   = 200
	longestAction = 500
	longestTime   = 100
	mostNames     = 1 << 12
	textsAtOnce   = 64
	longestLine   = 1 << 20 // the parser takes up to fifty times the memory
)

// scanned is a line of a step or of sensor events.
type scanned struct {
	step
	numbered bool     // it has a number
	timed    bool     // it has a time
	sensed   bool     // it has sensor events
	acts     bool     // it has what only a step has
	unknown  []string // fields that are not read, sorted
}

// isAside reports whether a line tells of sensor events, or of the time alone, and of nothing
// that a step has.
func (l *scanned) isAside() bool {
	return !l.acts && (l.sensed || l.timed && !l.numbered)
}

// scan reads a line; ok is false where it is to be read the longer way. It is good until the
// next is read.
func (s *scanner) scan(text []byte) (l *scanned, ok bool) {
	if len(text) > longestLine || !isPlain(text) {
		return nil, false
	}
	doc, err := s.parser.ParseBytes(text)
	if err != nil || doc.Type() != fastjson.TypeObject {
		return nil, false
	}
	l, s.unfit, s.unknown = &s.read, false, nil
	*l = scanned{}
	s.line(l, doc)
	if s.unfit || !l.numbered && !l.isAside() {
		return nil, false
	}
	slices.Sort(s.unknown)
	l.unknown = slices.Compact(s.unknown)
	return l, true
}

// isPlain reports whether a text is UTF-8 without escapes and control characters, of which
// the parser is no judge.
func isPlain(text []byte) bool {
	ascii := true
	for _, b := range text {
		if b < 0x20 || b == '\\' {
			return false
		}
		ascii = ascii && b < utf8.RuneSelf
	}
	return ascii || utf8.Valid(text)
}

func (s *scanner) line(l *scanned, doc *fastjson.Value) {
	s.object(doc, stepFields, func(name string, v *fastjson.Value) {
		switch name {
		case "step":
			l.Step, l.numbered = s.count(v), true
		case "time":
			l.Time, l.timed = s.time(v), true
		case "events":
			l.Events, l.sensed = s.events(v), true
		case "agent":
			l.Agent, l.acts = s.name(v), true
		case "sounds":
			l.Sounds, l.acts = s.list(v), true
		case "values":
			l.Values, l.acts = s.values(v), true
		case "action_id":
			l.ID, l.acts = s.name(v), true
		case "result":
			l.Result, l.acts = s.name(v), true
		case "status":
			l.Status, l.acts = s.name(v), true
			_, known := episode.ReadStatus(l.Status)
			s.unfit = s.unfit || !known
		case "action":
			l.Action, l.acts = s.text(v, longestAction), true
			s.unfit = s.unfit || utf8.RuneCountInString(l.Action) < 3
		case "observation":
			l.Observation, l.acts = s.observation(v), true
		}
	})
}

func (s *scanner) observation(v *fastjson.Value) *observation {
	o := &s.seen
	*o = observation{}
	s.object(v, observationFields, func(name string, v *fastjson.Value) {
		switch name {
		case "complete":
			o.Complete = v.Type() == fastjson.TypeTrue
			s.unfit = s.unfit || !o.Complete && v.Type() != fastjson.TypeFalse
		case "nodes":
			nodes := s.array(v)
			o.Nodes = slices.Grow(s.nodes[:0], len(nodes))
			for _, item := range nodes {
				o.Nodes = append(o.Nodes, s.node(item))
			}
			s.nodes = o.Nodes
		case "edges":
			edges := s.array(v)
			o.Edges = slices.Grow(s.edges[:0], len(edges))
			for _, item := range edges {
				o.Edges = append(o.Edges, s.edge(item))
			}
			s.edges = o.Edges
		}
	})
	return o
}

func (s *scanner) edge(v *fastjson.Value) (e [3]string) {
	words := s.array(v)
	s.unfit = s.unfit || len(words) != len(e)
	for i := 0; i < len(e) && !s.unfit; i++ {
		e[i] = s.name(words[i])
	}
	return e
}

func (s *scanner) node(v *fastjson.Value) (n node) {
	s.object(v, nodeFields, func(name string, v *fastjson.Value) {
		switch name {
		case "id":
			n.ID = s.name(v)
		case "class":
			n.Class = s.name(v)
		case "states":
			n.States = s.list(v)
		case "properties":
			n.Properties = s.list(v)
		case "values":
			n.Values = s.values(v)
		}
	})
	s.unfit = s.unfit || n.ID == ""
	return n
}

func (s *scanner) events(v *fastjson.Value) []sensed {
	var out []sensed
	for _, item := range s.array(v) {
		var e sensed
		if item.Type() == fastjson.TypeString {
			out = append(out, sensed{Kind: s.name(item)})
			continue
		}
		s.object(item, eventFields, func(name string, v *fastjson.Value) {
			switch name {
			case "kind":
				e.Kind = s.name(v)
			case "object":
				e.Object = s.name(v)
			case "value":
				number := s.float(v)
				e.Value = &number
			case "unit":
				e.Unit = s.name(v)
			case "time":
				e.Time = s.time(v)
			}
		})
		s.unfit = s.unfit || e.Kind == ""
		out = append(out, e)
	}
	return out
}

// values reads what was measured; units tells whether it may be in units of its own.
func (s *scanner) values(v *fastjson.Value) readings {
	var out readings
	s.object(v, nil, func(name string, v *fastjson.Value) {
		r := scene.Reading{Quantity: name}
		s.unfit = s.unfit || name == "" || len(name) > longestName
		if v.Type() == fastjson.TypeObject {
			measured := false
			s.object(v, nil, func(name string, v *fastjson.Value) {
				switch name {
				case "value":
					r.Number, measured = s.float(v), true
				case "unit":
					r.Unit = s.name(v)
				default:
					s.unfit = true
				}
			})
			s.unfit = s.unfit || !measured
		} else {
			r.Number = s.float(v)
		}
		out = append(out, r)
	})
	slices.SortFunc(out, func(a, b scene.Reading) int { return strings.Compare(a.Quantity, b.Quantity) })
	return out
}

// known are the fields of an object that are read.
type known map[string]knownField

type knownField struct {
	name  string
	place int // in a set of those that were met
}

func knownFields(names ...string) known {
	out := known{}
	for i, name := range names {
		out[name] = knownField{name, i}
	}
	return out
}

var (
	stepFields        = knownFields("step", "time", "action", "agent", "sounds", "events", "values", "action_id", "status", "result", "observation")
	observationFields = knownFields("complete", "nodes", "edges")
	nodeFields        = knownFields("id", "class", "states", "properties", "values")
	eventFields       = knownFields("kind", "object", "value", "unit", "time")
)

// object visits the fields of an object that are read, and notes the others; with nil all are
// read. It is not for this pass where a name stands twice.
func (s *scanner) object(v *fastjson.Value, fields known, visit func(name string, v *fastjson.Value)) {
	o, err := v.Object()
	if err != nil {
		s.unfit = true
		return
	}
	met, names := 0, []string(nil)
	o.Visit(func(key []byte, v *fastjson.Value) {
		if s.unfit {
			return
		}
		if field, ok := fields[string(key)]; ok {
			s.unfit = met&(1<<field.place) != 0
			met |= 1 << field.place
			visit(field.name, v)
			return
		}
		name := s.intern(key)
		s.unfit = slices.Contains(names, name) || len(names) == 16
		names = append(names, name)
		if fields == nil {
			visit(name, v)
			return
		}
		s.other(name, fields, v)
	})
}

// other notes a field that is not read, and looks at what stands in it.
func (s *scanner) other(name string, fields known, v *fastjson.Value) {
	_, alike := fields[strings.ToLower(name)] // which decoding takes for the field
	_, unlike := others[name]
	s.unfit = s.unfit || alike || unlike || name == "mishap" || utf8.RuneCountInString(name) != len(name)
	s.unfit = s.unfit || otherNames[name] // which decode gives that of the schema
	s.unknown = append(s.unknown, name)
	s.pass(v)
}

// pass looks at what is not read: numbers must be such.
func (s *scanner) pass(v *fastjson.Value) {
	switch v.Type() {
	case fastjson.TypeNumber:
		s.digits(v)
	case fastjson.TypeArray:
		for _, item := range v.GetArray() {
			s.pass(item)
		}
	case fastjson.TypeObject:
		v.GetObject().Visit(func(_ []byte, v *fastjson.Value) { s.pass(v) })
	}
}

func (s *scanner) array(v *fastjson.Value) []*fastjson.Value {
	list, err := v.Array()
	s.unfit = s.unfit || err != nil
	return list
}

func (s *scanner) list(v *fastjson.Value) []string {
	items := s.array(v)
	if len(items) == 0 {
		return []string{}
	}
	if cap(s.texts)-len(s.texts) < len(items) {
		s.texts = make([]string, 0, max(textsAtOnce, len(items)))
	}
	from := len(s.texts)
	for _, item := range items {
		s.texts = append(s.texts, s.name(item))
	}
	return s.texts[from:len(s.texts):len(s.texts)]
}

func (s *scanner) name(v *fastjson.Value) string {
	name := s.text(v, longestName)
	s.unfit = s.unfit || name == ""
	return name
}

func (s *scanner) text(v *fastjson.Value, longest int) string {
	return s.intern(s.bytes(v, longest))
}

func (s *scanner) bytes(v *fastjson.Value, longest int) []byte {
	text, err := v.StringBytes()
	if err != nil || len(text) > longest {
		s.unfit = true
		return nil
	}
	return text
}

// intern is the one copy of a text that is kept.
func (s *scanner) intern(text []byte) string {
	if name, ok := s.names[string(text)]; ok {
		return name
	}
	if len(s.names) == mostNames {
		clear(s.names)
	}
	name := string(text)
	if len(name) <= longestAction {
		s.names[name] = name
	}
	return name
}

// time keeps the digits of a number. Hardly any comes twice.
func (s *scanner) time(v *fastjson.Value) timeText {
	if v.Type() == fastjson.TypeNumber {
		return timeText(s.digits(v))
	}
	return timeText(s.bytes(v, longestTime))
}

func (s *scanner) float(v *fastjson.Value) float64 {
	number, err := strconv.ParseFloat(string(s.digits(v)), 64)
	s.unfit = s.unfit || err != nil
	return number
}

// count reads a number of a step.
func (s *scanner) count(v *fastjson.Value) int {
	n, err := strconv.Atoi(string(s.digits(v)))
	s.unfit = s.unfit || err != nil || n < 0 || n > 2_000_000_000
	return n
}

// digits are a number as it stands: one that JSON has, of no more than 24 characters and
// without an exponent.
func (s *scanner) digits(v *fastjson.Value) []byte {
	if v.Type() != fastjson.TypeNumber {
		s.unfit = true
		return nil
	}
	s.number = v.MarshalTo(s.number[:0])
	whole, fraction, split := strings.Cut(strings.TrimPrefix(string(s.number), "-"), ".")
	s.unfit = s.unfit || len(s.number) > 24 || !areDigits(whole) || len(whole) > 1 && whole[0] == '0' || split && !areDigits(fraction)
	return s.number
}

func areDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return text != ""
}
