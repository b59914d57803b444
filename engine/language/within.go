package language

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

var (
	// printed tells lines of a program from sentences.
	printed = regexp.MustCompile(`[\[\](){}<>=_|#]|['"]\pL[^'"]*['"]|\pL[/.:]\pL|\p{Ll}\p{Lu}`)

	quoted   = regexp.MustCompile(`'([^']{3,})'|"([^"]{3,})"`)
	grouped  = regexp.MustCompile(`\([^()]{3,}\)`)
	listed   = regexp.MustCompile(`\[([^\[\]]{3,})\]`)
	source   = regexp.MustCompile(`^(?:\[[^\[\]]*\]\s*)+:?\s*(\S.*)$`) // "[bt_navigator]: …"
	lastCall = regexp.MustCompile(`([\pL_][\pL\pN_-]*) ?\(([^()]*)\)[^()]*$`)
	words    = regexp.MustCompile(`[\pL][\pL\pN]*(?:[_-][\pL\pN]+)+`) // "PICK_SHAMPOO_1", in a line of others
)

// mostParts is how many parts of a line are read in search of an action.
const mostParts = 12

// within reads the action that a line of a program tells of among other things: in quotes or brackets,
// after the node that says it, in what a path ends with, by an identifier. It is taken only where
// it names what it acts on.
func (a *Actions) within(text string, depth int) (episode.Action, bool) {
	if depth > 0 || !printed.MatchString(text) {
		return episode.Action{}, false
	}
	var fallback episode.Action
	name, args, _ := a.call(strings.Trim(text, "/.;: "))
	for _, part := range parts(text) {
		if part == name && len(args) > 0 || a.isThing != nil && a.isThing(part) {
			continue // with its arguments it is not known, and a thing is no action
		}
		action, known := a.read(part, deepest-1)
		if known && (a.isThingNamed(action.Target) || a.moves(action)) {
			return action, true
		}
		if known && action.Target == "" && fallback.Name == "" && quoted.MatchString(text) {
			fallback = action // "stage 'open hand'"
		}
		if action, ok := a.verbFirst(part); ok {
			return action, true
		}
	}
	if action, ok := a.verbFirst(text); ok || fallback.Name == "" {
		return action, ok
	}
	return fallback, true
}

// moves reports whether an action is the robot's move: where it goes needs no class.
func (a *Actions) moves(action episode.Action) bool {
	move := a.onto.Roles.Move
	return move != nil && action.Name == move.Name && action.Target != ""
}

// parts are what a line may tell an action by, those that say it most plainly first.
func parts(text string) []string {
	var out []string
	add := func(part string) {
		if part = strings.TrimSpace(part); part != "" && part != text && len(out) < mostParts && !slices.Contains(out, part) {
			out = append(out, part)
		}
	}
	for _, m := range quoted.FindAllStringSubmatch(text, mostParts) {
		add(m[1] + m[2])
	}
	if m := source.FindStringSubmatch(text); m != nil {
		add(m[1])
	}
	if m := lastCall.FindStringSubmatch(text); m != nil {
		if strings.Contains(m[2], ",") || !strings.Contains(m[2], " ") {
			add(m[1] + "(" + m[2] + ")")
		} else {
			add("(" + m[1] + " " + m[2] + ")")
		}
	}
	for _, m := range grouped.FindAllString(text, mostParts) {
		add(m)
	}
	for _, m := range listed.FindAllStringSubmatch(text, mostParts) {
		add(m[1])
	}
	for _, arrow := range []string{"-->", "->", "=>", ">>", "<<", " > "} {
		before, _, _ := strings.Cut(text, arrow)
		add(before)
	}
	for _, m := range words.FindAllString(text, mostParts) {
		add(m)
	}
	return out
}

// verbFirst reads a call whose name begins with an action on anything and goes on with more than is
// known: "PickObjectInImage(label=mug-1)".
func (a *Actions) verbFirst(text string) (episode.Action, bool) {
	name, args, ok := a.call(strings.TrimRight(strings.TrimPrefix(text, "/"), ".;: "))
	args = slices.DeleteFunc(args, func(arg string) bool { return a.acts(arg) || isNumber(arg) })
	if !ok || len(args) == 0 || len(args) > 2 {
		return episode.Action{}, false
	}
	names := a.spellings(name)
	in := strings.Fields(names[len(names)-1])
	for n := len(in) - 1; n > 0; n-- {
		if !a.onto.IsWord(in[n], ontology.Calling) || slices.ContainsFunc(in[n:], a.isVerb) {
			continue // a flap that is lifted is another thing than the tank
		}
		for _, args := range [][]string{args, args[:1]} {
			if action, ok := a.readCall(strings.Join(in[:n], "_") + "(" + strings.Join(args, ", ") + ")"); ok && a.isThingNamed(action.Target) {
				return action, true
			}
		}
	}
	return episode.Action{}, false
}

// isThingNamed reports whether a text is the name of a thing, by its class or because the log has it.
func (a *Actions) isThingNamed(text string) bool {
	return text != "" && (ReadName(a.onto, text).Class != ontology.None || a.isThing != nil && a.isThing(text))
}
