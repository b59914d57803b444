package datalog

import (
	"errors"
	"fmt"
	"math"

	"github.com/mishap-robotics/mishap/ontology/decimal"
	"github.com/mishap-robotics/mishap/rules"
)

// The errors of arithmetic.
var (
	errOverflow = errors.New("a result of more than 64 bits")
	errZero     = errors.New("division by zero")
	errWhole    = errors.New("decimals where whole numbers are needed; divide them by /")
)

// Arithmetic computes + - * / (integer division), m (mod, with the sign of b) and n
// (negation of a). A result that 64 bits do not hold is an error.
func Arithmetic(op byte, a, b int64) (int64, error) {
	out, ok := int64(0), true
	switch op {
	case '+':
		out = a + b
		ok = (out > a) == (b > 0)
	case '-':
		out = a - b
		ok = (out < a) == (b > 0)
	case '*':
		out, ok = product(a, b)
	case 'n':
		out, ok = -a, a != math.MinInt64
	case '/', 'm':
		return divided(op, a, b)
	}
	if !ok {
		return 0, errOverflow
	}
	return out, nil
}

func product(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	out := a * b
	lowest := a == -1 && b == math.MinInt64 || b == -1 && a == math.MinInt64
	return out, !lowest && out/b == a
}

func divided(op byte, a, b int64) (int64, error) {
	switch {
	case b == 0:
		return 0, errZero
	case op == '/' && a == math.MinInt64 && b == -1:
		return 0, errOverflow
	case op == '/':
		return a / b, nil
	}
	rest := a % b
	if rest != 0 && (rest < 0) != (b < 0) {
		rest += b
	}
	return rest, nil
}

// Decimals computes + - * q (division) and n (negation of a) of decimals. Whole division
// of them is an error, and so is a result beyond their range.
func Decimals(op byte, a, b decimal.Decimal) (out decimal.Decimal, err error) {
	switch op {
	case '+':
		out, err = decimal.Add(a, b)
	case '-':
		out, err = decimal.Sub(a, b)
	case '*':
		out, err = decimal.Mul(a, b)
	case 'q':
		out, err = decimal.Div(a, b)
	case 'n':
		out = -a
	default:
		err = errWhole
	}
	if errors.Is(err, decimal.ErrZero) {
		err = errZero
	}
	return out, err
}

// saturated is a sum, or the nearest number that 64 bits hold.
func saturated(a, b int64) int64 {
	out, err := Arithmetic('+', a, b)
	switch {
	case err == nil:
		return out
	case b > 0:
		return math.MaxInt64
	}
	return math.MinInt64
}

// expression compiles arithmetic.
func (b *builder) expression(s *scope, t *rules.Term) *expression {
	if t.Kind == rules.Compound {
		op := map[string]byte{"+2": '+', "-2": '-', "*2": '*', "/2": 'q', "//2": '/', "mod2": 'm', "-1": 'n'}[fmt.Sprint(t.Name, len(t.Args))]
		if op == 0 {
			b.refuse(t.Pos, "%s is no arithmetic", t)
		}
		e := &expression{op: op, left: b.expression(s, t.Args[0]), text: t}
		e.sort = e.left.sort
		if len(t.Args) == 2 {
			e.right = b.expression(s, t.Args[1])
			if op == 'q' {
				e.left = b.asDecimal(e.left)
			}
			e.left, e.right = b.alike(e.left, e.right)
			e.sort = e.left.sort
		}
		if e.sort == decimals && (op == '/' || op == 'm') {
			b.refuse(t.Pos, "%s divides decimals as whole numbers", t)
		}
		return e
	}
	o := b.operand(s, t)
	switch {
	case !b.has(o):
		b.refuse(t.Pos, "%s has no value where one is needed", t)
	case b.sortOf(o) == symbols || b.sortOf(o) == unsettled:
		b.refuse(t.Pos, "%s is no number", t)
	}
	return &expression{operand: o, sort: b.sortOf(o), text: t}
}

// alike makes decimals of both where one computes with them.
func (b *builder) alike(x, y *expression) (*expression, *expression) {
	if x.sort == decimals || y.sort == decimals {
		return b.asDecimal(x), b.asDecimal(y)
	}
	return x, y
}

// asDecimal is a number as a decimal.
func (b *builder) asDecimal(e *expression) *expression {
	switch {
	case e.sort == decimals:
		return e
	case e.op != 0 || !e.operand.constant():
		return &expression{op: 'd', sort: decimals, left: e, text: e.text}
	}
	d, err := decimal.Of(e.operand.value)
	if err != nil {
		b.refuse(b.clause.Pos, "%s is %v", e.text, err)
	}
	return &expression{operand: operand{reg: -1, value: int64(d), sort: decimals}, sort: decimals, text: e.text}
}

// decimalOperand is a value as a decimal where it is a whole number.
func (b *builder) decimalOperand(o operand, t *rules.Term) operand {
	if b.sortOf(o) != integers {
		return o
	}
	e := b.asDecimal(&expression{operand: o, sort: integers, text: t})
	if e.op == 0 {
		return e.operand
	}
	reg := b.register(decimals)
	b.emit(instruction{kind: opAssign, reg: reg, left: e, text: t})
	b.bound[reg] = true
	return operand{reg: reg}
}
