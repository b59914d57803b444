package datalog

import (
	"errors"
	"math"
)

// The errors of arithmetic.
var (
	errOverflow = errors.New("a result of more than 64 bits")
	errZero     = errors.New("division by zero")
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
