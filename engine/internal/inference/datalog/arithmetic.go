package datalog

import (
	"errors"
	"math"

	"github.com/mishap-robotics/mishap/ontology/decimal"
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
