package language

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/ontology"
)

// literal is a predicate with its arguments, as planners and programs write what is to be so.
type literal struct {
	denied bool
	name   string
	args   []string
}

var (
	literalToken = regexp.MustCompile(`[(),]|[!~¬]|&&?|∧|[^\s(),!~¬&∧]+`)
	logicalWord  = regexp.MustCompile(`(?i)^(?:and|&&?|∧|,|;|:goal|:init)$`)
)

// inWords writes a goal that a text states in predicates, "on(mug, table) and not open(fridge)" or
// "(and (on mug table) (not (open fridge)))", in words; other text is as it was.
func inWords(o *ontology.Ontology, text string) string {
	if !strings.Contains(text, "(") {
		return text
	}
	r := literals{in: literalToken.FindAllString(text, -1)}
	for r.at < len(r.in) {
		if !r.read(false) {
			return text
		}
	}
	if len(r.out) == 0 {
		return text
	}
	var said []string
	for _, l := range r.out {
		sentence, ok := l.inWords(o)
		if !ok {
			return text
		}
		if sentence != "" {
			said = append(said, sentence)
		}
	}
	return strings.Join(said, ". ")
}

type literals struct {
	in  []string
	at  int
	out []literal
}

func (r *literals) next() string {
	if r.at == len(r.in) {
		return ""
	}
	return r.in[r.at]
}

// read reads one literal, or several that are joined; false where it is none.
func (r *literals) read(denied bool) bool {
	w := r.next()
	switch {
	case w == "":
		return false
	case logicalWord.MatchString(w) && r.at > 0:
		r.at++
		return true
	case w == "!" || w == "~" || w == "¬" || strings.EqualFold(w, "not"):
		r.at++
		return r.read(!denied)
	case w == "(":
		return r.list(denied)
	case w == ")" || w == ",":
		return false
	}
	r.at++
	if r.next() != "(" { // a word of a sentence
		return false
	}
	r.at++
	l := literal{denied: denied, name: w}
	for {
		arg := r.next()
		if arg == "" || arg == "(" {
			return false
		}
		if r.at++; arg == ")" {
			break
		}
		if arg != "," {
			if len(l.args) > 0 && r.in[r.at-2] != "," && r.in[r.at-2] != "(" {
				l.args[len(l.args)-1] += " " + arg
				continue
			}
			l.args = append(l.args, strings.TrimPrefix(arg, "?"))
		}
	}
	r.out = append(r.out, l)
	return len(l.args) > 0
}

// list reads "(on mug table)", "(and …)" and "(not …)".
func (r *literals) list(denied bool) bool {
	r.at++
	w := r.next()
	switch {
	case w == "" || w == ")":
		return false
	case w == "(" || logicalWord.MatchString(w):
		if w != "(" {
			r.at++
		}
		for r.next() != ")" {
			if r.next() == "" || !r.read(denied) {
				return false
			}
		}
		r.at++
		return true
	case strings.EqualFold(w, "not"):
		r.at++
		if !r.read(!denied) || r.next() != ")" {
			return false
		}
		r.at++
		return true
	}
	l := literal{denied: denied, name: w}
	for r.at++; r.next() != ")"; r.at++ {
		if arg := r.next(); arg == "" || arg == "(" || arg == "," {
			return false
		}
		l.args = append(l.args, strings.TrimPrefix(r.next(), "?"))
	}
	r.at++
	r.out = append(r.out, l)
	return len(l.args) <= 3
}

// inWords is what a literal says, as a sentence; "" of one that tells nothing of a thing. ok is false
// where it may be no literal.
func (l literal) inWords(o *ontology.Ontology) (sentence string, ok bool) {
	is := " is "
	if l.denied {
		is = " is not "
	}
	args := slices.DeleteFunc(slices.Clone(l.args), func(arg string) bool {
		class := ReadNoun(o, strings.TrimRight(arg, "0123456789")).Class
		return len(l.args) > 1 && class != ontology.None && o.IsA(class, o.Core.Robot)
	})
	for i, arg := range args {
		args[i] = apartOfSynset(arg)
	}
	name := strings.Join(Words(l.name), " ")
	relation := RelationLabel(o, l.name)
	turned := relation != "" && o.ByInverseLabel(relation) != ontology.None && len(o.ByLabel(relation, o.Core.Relation)) == 0
	switch {
	case len(args) == 2 && turned:
		return args[1] + is + o.Label(o.ByInverseLabel(relation)) + " " + args[0], true
	case len(args) == 2 && relation != "":
		return args[0] + is + relation + " " + args[1], true
	case len(args) == 1 && turned && len(l.args) == 2: // "(holding robot mug)"
		return args[0] + is + "in the gripper", true
	case len(args) == 1:
		for _, on := range o.Words(ontology.Upon) { // "(ontable a)"
			if rest, begins := strings.CutPrefix(name, on); begins && ReadNoun(o, rest).Class != ontology.None {
				return args[0] + is + on + " the " + strings.TrimSpace(rest), true
			}
		}
		return args[0] + is + name, true
	case len(args) == 0:
		return "", len(l.args) > 0 || l.name != ""
	}
	return "", false
}

// apartOfSynset is the name of a thing without what WordNet has about its word, "apple 1" of
// "apple.n.01_1", or a simulator about its place, "Mug" of "Mug|-01.20|+00.91".
func apartOfSynset(name string) string {
	if class, pose, ok := strings.Cut(name, "|"); ok && class != "" && strings.ContainsAny(pose, "0123456789") && strings.Trim(pose, "+-.,|0123456789") == "" {
		return class
	}
	if !strings.Contains(name, ".") {
		return name // as most names are: nothing more is looked for
	}
	if m := synsetName.FindStringSubmatch(name); m != nil {
		return strings.TrimSpace(m[1] + " " + m[2])
	}
	return name
}

var synsetName = regexp.MustCompile(`^(.+)\.[nvasr]\.\d+(?:_(\d+))?$`)
