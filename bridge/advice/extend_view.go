package advice

// The variables of dependencies besides those that each action binds.
const (
	toolVar  = "?tool"
	otherVar = "?other"
)

// parameters are the variables that plans fill in.
func (n NewAction) parameters() []string {
	return []string{"?target", "?destination"}[:n.Parameters]
}

// fixed are the variables that are bound wherever the action is carried out.
func (x *extension) fixed() []string {
	return append(x.out.Action.parameters(), "?agent", "?gripper")
}

var variableWords = map[string]string{
	"?target":      "what the action is done to",
	"?destination": "the second object that the action names",
	"?agent":       "the robot",
	"?gripper":     "its gripper",
	toolVar:        "what the gripper holds meanwhile, other than the target; always with ?tool inside ?gripper",
	otherVar:       "anything else than the target",
}

func variables(names []string) []string {
	var out []string
	for _, v := range names {
		out = append(out, v+": "+variableWords[v])
	}
	return out
}

func (x *extension) effectsView(refused *refusedAnswer) any {
	return effectsData{Action: quoted(x.out.Action.Name), About: x.about(), Variables: variables(x.fixed()), Relations: x.lexicon.relationTexts(x.lexicon.given()),
		States: x.lexicon.stateLines(x.lexicon.passing()), Examples: x.lexicon.examples(true), Refused: refused}
}

func (x *extension) dependenciesView(refused *refusedAnswer) any {
	d := dependenciesData{Action: quoted(x.out.Action.Name), About: x.about(), Variables: variables(append(x.fixed(), toolVar, otherVar)),
		Relations: x.lexicon.relationTexts(x.lexicon.needed()), States: x.lexicon.stateLines(x.lexicon.states()), Properties: x.lexicon.names(x.lexicon.properties()), Classes: x.lexicon.names(x.lexicon.groups()),
		Examples: x.lexicon.examples(false), Refused: refused}
	for _, e := range x.effects {
		d.Effects = append(d.Effects, x.lexicon.text(e.pattern))
	}
	return d
}

func (x *extension) about() string {
	if blank(x.out.Action.About) {
		return ""
	}
	return sentence(x.out.Action.About)
}

type example struct {
	Kind  string       `json:"kind"`
	Facts []statedFact `json:"facts"`
}
