package datalog

import (
	"github.com/mishap-robotics/mishap/rules"
)

// sort is what the values of a register are.
type sort uint8

const (
	unsettled sort = iota
	decimals       // come before whole numbers in the standard order of terms
	integers
	symbols
)

func (s sort) String() string {
	switch s {
	case integers:
		return "a number"
	case decimals:
		return "a decimal"
	case symbols:
		return "a name"
	}
	return "anything"
}

// operand is a constant or a register.
type operand struct {
	reg   int32 // -1 for a constant
	value int64
	sort  sort // of a constant
}

func (o operand) constant() bool { return o.reg < 0 }

// kind tells the instructions apart.
type kind uint8

const (
	opScan    kind = iota // each fact that agrees
	opAnswers             // each answer of a tabled predicate
	opDemand              // each question that was asked of it
	opNot                 // go on where the block has no solution
	opOnce                // go on with the first solution of the block
	opCompare             // go on where the comparison holds
	opAmong               // go on where the first input is one of the others
	opAssign              // give a register the value of an expression
	opBetween             // each number between two
	opCall                // each answer of a predicate that the host gives
	opProve               // go on where a helper predicate holds, by code of its own
	opEither              // each branch in turn
	opIf                  // the first branch where the block has a solution, else the second
	opJump                // go on elsewhere
	opFail                // no solution this way
	opYield               // a solution of the code or of the block
	opTry                 // a condition of a clause is tried
	opHeld                // it held
	opDone                // a clause concluded
)

// instruction is a step of compiled code. Those that can succeed in several ways
// are choice points.
type instruction struct {
	kind  kind
	once  bool // its first success is enough
	later bool // it may look at facts of later steps than the one concluded of
	stays bool // an opNot that fails will fail whatever comes later
	next  int32
	entry int32 // of a block
	slot  int32 // of a scan in the frame
	ends  int32 // the opScan that is over where an opNot fails, plus 1; 0 for none

	pred     int32 // of a fact
	args     []argument
	side     side
	low      []limit // of the first argument
	high     []limit
	limits   []string // as written
	relation *relation
	builtin  *Builtin  // of the host
	proves   *code     // of the helper predicate
	input    []operand // of the tabled predicate, the host's or the helper; of an opAmong
	window   window

	branches []int32
	needs    []*needs // of each branch, of a code that runs at a step; nil elsewhere
	compare  comparison
	left     *expression
	right    *expression
	reg      int32

	clause *rules.Clause // that the instruction comes from
	goal   int           // of its body
	try    int32         // the opTry of an opHeld
	top    bool          // of the clause that the code is for
	text   *rules.Term   // the goal
	rows   float64       // expected
}

// mode is what a scan does with a column.
type mode uint8

const (
	ignore mode = iota // it may be anything
	fixed              // it is a constant
	given              // it is the value of a register
	bind               // it gives a register its value
	equal              // it is what an earlier column is
)

type argument struct {
	mode  mode
	wide  bool // a decimal, which takes two columns
	reg   int32
	value int64
	col   int
}

// limit is a bound of a step: the value of an expression, moved by add.
type limit struct {
	of  *expression
	add int64
}

type comparison uint8

const (
	less comparison = iota
	greater
	atMost
	atLeast
	same
	different
	before // in the standard order of terms
	after
	notAfter
	notBefore
)

var comparisons = map[string]comparison{
	"<": less, ">": greater, "=<": atMost, ">=": atLeast, "=:=": same, `=\=`: different,
	"==": same, `\==`: different, `\=`: different, "=": same,
	"@<": before, "@>": after, "@=<": notAfter, "@>=": notBefore,
}

// expression is arithmetic over registers.
type expression struct {
	op          byte // 0 for an operand; + - * / (integer division), m (mod), q (division), n (negation), d (a whole number as a decimal)
	sort        sort // decimals where it computes with them
	operand     operand
	left, right *expression
	text        *rules.Term
}

// code is a compiled body with what it concludes.
type code struct {
	number int // of the program's
	clause *rules.Clause
	ops    []instruction
	regs   int
	sorts  []sort
	inputs []input   // what is bound before it runs
	head   []operand // what it concludes
	names  []naming  // registers of names that the ontology does not have
	body   *sequence // for proofs
	scope  *scope
	scans  int
	finds  int
	calls  int
	ahead  bool    // it may look at facts of later steps than the one concluded of
	needs  needs   // facts without which it concludes nothing
	uneven *Reason // why its variables are not to be answered: some have a value that is lost
}

type naming struct {
	reg    int32
	number int // among the names of the program
	name   string
}

// input is an argument of the head that is bound before the code runs, at its
// place among the arguments.
type input struct {
	at  int
	arg operand
}

// sequence are goals that all hold, for proofs, in the order of the source.
type sequence struct {
	goals  []proven
	starts [][]bool // registers that have a value before each goal, where it is traced
	bound  []bool   // after the last
}

// proven is a goal of a proof.
type proven struct {
	goal     *rules.Term
	scope    *scope
	op       int32       // of a fact, an opEither or an opAnswers; -1
	pred     int         // of a fact, else -1
	negated  bool        // it has no solution
	clauses  []*instance // of a helper predicate, by branch
	branches []*sequence // of a disjunction
	inner    *sequence   // of a conjunction
	hidden   bool        // proofs do not show it
	answers  *relation
	builtin  bool // a predicate of the host answers it
}

// instance is one use of a clause.
type instance struct {
	clause *rules.Clause
	body   *sequence
}

// scope holds the variables of one use of a clause.
type scope struct {
	clause *rules.Clause
	vars   map[string]operand
}

// Node is a step of a proof: a goal with its values and what it rests on.
type Node struct {
	Goal     *rules.Term
	Clause   *rules.Clause // of a goal that a rule concludes
	Fact     int           // number of the fact predicate, -1 where it is no fact
	Row      []int32       // of the fact
	Negated  bool          // there is no proof of what is under \+
	InGo     bool          // a predicate that the host gives in Go answered it
	Children []*Node
}
