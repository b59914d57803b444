package datalog_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
)

// exact computes with numbers of any size; nil for a division by zero.
func exact(op byte, a, b int64) *big.Int {
	x, y, out := big.NewInt(a), big.NewInt(b), new(big.Int)
	switch op {
	case '+':
		return out.Add(x, y)
	case '-':
		return out.Sub(x, y)
	case '*':
		return out.Mul(x, y)
	case 'n':
		return out.Neg(x)
	}
	if b == 0 {
		return nil
	}
	if op == '/' {
		return out.Quo(x, y)
	}
	if out.Rem(x, y); out.Sign()*y.Sign() < 0 {
		out.Add(out, y)
	}
	return out
}

// Arithmetic is exact, or an error: no number wraps.
func TestArithmeticIsExact(t *testing.T) {
	edges := []int64{0, 1, -1, 2, -2, 3, math.MaxInt32, math.MinInt32, math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, math.MinInt64 + 1, math.MaxInt64 / 2, 3037000500}
	check := func(fail func(string, ...any), op byte, a, b int64) {
		got, err := datalog.Arithmetic(op, a, b)
		want := exact(op, a, b)
		if fits := want != nil && want.IsInt64(); fits != (err == nil) {
			fail("%d %c %d: error %v, exactly %v", a, op, b, err, want)
		} else if fits && got != want.Int64() {
			fail("%d %c %d = %d, want %v", a, op, b, got, want)
		}
	}
	for _, op := range []byte("+-*/mn") {
		for _, a := range edges {
			for _, b := range edges {
				check(t.Errorf, op, a, b)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		check(t.Fatalf, rapid.SampledFrom([]byte("+-*/mn")).Draw(t, "op"), rapid.Int64().Draw(t, "a"), rapid.Int64().Draw(t, "b"))
	})
}
