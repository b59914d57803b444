package rules

// ArgKind is what an argument of a fact is.
type ArgKind uint8

// The kinds of arguments. Steps and numbers are integers, values are decimals, everything
// else is a name.
const (
	AnyArg ArgKind = iota
	StepArg
	NumberArg
	ObjectArg
	ClassArg
	StateArg
	RelationArg
	ActionArg
	PropertyArg
	ConditionArg
	SoundArg
	WordArg
	ValueArg    // a decimal
	QuantityArg // what is measured
	EventArg    // a kind of sensor event
)

var kindNames = [...]string{"Any", "Step", "Number", "Object", "Class", "State", "Relation", "Action", "Property", "Condition", "Sound", "Word", "Value", "Quantity", "Event"}

func (k ArgKind) String() string { return kindNames[k] }

// Integer reports whether values of the kind are whole numbers.
func (k ArgKind) Integer() bool { return k == StepArg || k == NumberArg }

// Numeric reports whether values of the kind are numbers, whole ones or decimals.
func (k ArgKind) Numeric() bool { return k.Integer() || k == ValueArg }

// Predicate is a predicate that rules are written in and none defines: of facts, or one
// that a host gives in Go.
type Predicate struct {
	Name string
	Args []ArgKind
	Doc  string
	InGo bool // a host gives it
	// Inputs are how many arguments, from the first, must have a value where it is called:
	// of facts none.
	Inputs int
}

// Indicator is the predicate's name and arity.
func (p *Predicate) Indicator() Indicator { return Indicator{p.Name, len(p.Args)} }
