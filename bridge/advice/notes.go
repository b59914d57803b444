package advice

import (
	"maps"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// mostNotes is how many sentences are remembered before all of them are forgotten: a line is read
// again and again while it is mapped, whole and in parts.
const mostNotes = 64

// notes are what is known of the things of a mapper, and the sentences that it read last.
type notes struct {
	objects  []NamedObject
	things   []knownThing
	read     map[string]*saidLine
	meanings map[string][]meant
}

// knownThing is a thing with what it is called.
type knownThing struct {
	NamedObject
	class  ontology.TermID
	plain  string       // its name without what joins words, in small letters
	labels []string     // of its class, in small letters
	called []calledName // the name of its class, and those
}

// calledName is a name by which a class may be called.
type calledName struct {
	plain   string // without what joins words
	first   byte   // its first letter
	several bool   // it has several words
}

// vocabulary is that of the mapper's ontology.
func (m *Mapper) vocabulary() *vocabulary {
	m.reading.Lock()
	defer m.reading.Unlock()
	if m.words == nil || m.words.of != m.Ontology {
		m.words = vocabularyOf(m.Ontology)
	}
	return m.words
}

// notes are those of the things that there are now.
func (m *Mapper) notes() *notes {
	m.reading.Lock()
	defer m.reading.Unlock()
	if n := m.last; n != nil && slices.Equal(n.objects, m.Objects) {
		return n
	}
	n := &notes{objects: slices.Clone(m.Objects), read: map[string]*saidLine{}, meanings: map[string][]meant{}}
	for _, o := range m.Objects {
		x := knownThing{NamedObject: o, plain: strings.ToLower(plainName(o.Name))}
		x.class, _ = m.Ontology.Lookup(o.Class)
		names := m.labels(x.class)
		for _, label := range names {
			x.labels = append(x.labels, strings.ToLower(label))
		}
		for _, name := range append([]string{o.Class}, names...) {
			if name == "" {
				continue
			}
			x.called = append(x.called, calledName{plainName(name), lower(name[0]), strings.Contains(name, " ")})
		}
		n.things = append(n.things, x)
	}
	m.last = n
	return n
}

func lower(b byte) byte {
	if 'A' <= b && b <= 'Z' {
		return b + 'a' - 'A'
	}
	return b
}

// readSentence finds the objects and the cues of a sentence, which nobody is to change.
func (m *Mapper) readSentence(text string) *saidLine {
	n := m.notes()
	m.reading.Lock()
	s := n.read[text]
	m.reading.Unlock()
	if s != nil {
		return s
	}
	s = m.readAnew(text)
	m.reading.Lock()
	defer m.reading.Unlock()
	if len(n.read) >= mostNotes {
		clear(n.read)
	}
	n.read[text] = s
	return s
}

// noted are the meanings of a line, found by a function where they are not remembered.
func (m *Mapper) noted(text string, find func() []meant) []meant {
	n := m.notes()
	m.reading.Lock()
	all, ok := n.meanings[text]
	m.reading.Unlock()
	if !ok {
		all = find()
		m.reading.Lock()
		if len(n.meanings) >= mostNotes {
			clear(n.meanings)
		}
		n.meanings[text] = all
		m.reading.Unlock()
	}
	return slices.Clone(all)
}

// clone is a sentence of its own.
func (s *saidLine) clone() *saidLine {
	out := *s
	out.mentions = slices.Clone(s.mentions)
	out.cues, out.at, out.told = maps.Clone(s.cues), maps.Clone(s.at), maps.Clone(s.told)
	out.placing = maps.Clone(s.placing)
	return &out
}
