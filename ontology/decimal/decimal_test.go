package decimal_test

import (
	"errors"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/mishap-robotics/mishap/ontology/decimal"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"9.5": "9.5", "8": "8.0", "-3.25": "-3.25", "1e-3": "0.001", "0.1234567": "0.123457", "-0": "0.0", "-0.0000001": "0.0",
		"2000000000000": "2000000000000.0",
	} {
		if d, err := decimal.Parse(text); err != nil || d.String() != want {
			t.Errorf("%q: %s, %v, want %s", text, d, err, want)
		}
	}
	for text, want := range map[string]error{
		"": decimal.ErrNone, "nine": decimal.ErrNone, "NaN": decimal.ErrNone, "0x1p4": decimal.ErrNone, "1_000": decimal.ErrNone,
		"Inf": decimal.ErrRange, "1e300": decimal.ErrRange, "1e999": decimal.ErrRange, "-3e12": decimal.ErrRange,
	} {
		if d, err := decimal.Parse(text); !errors.Is(err, want) {
			t.Errorf("%q: %s, %v, want %v", text, d, err, want)
		}
	}
	if _, err := decimal.FromFloat(math.NaN()); !errors.Is(err, decimal.ErrNone) {
		t.Errorf("NaN: %v", err)
	}
}

func draw(t *rapid.T, name string) decimal.Decimal {
	return decimal.Decimal(rapid.Int64Range(-int64(decimal.Max), int64(decimal.Max)).Draw(t, name))
}

// TestArithmetic compares with numbers of any size.
func TestArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := draw(t, "a"), draw(t, "b")
		if rapid.Bool().Draw(t, "small") {
			a, b = a>>30, b>>35
		}
		x, y, one := big.NewInt(int64(a)), big.NewInt(int64(b)), big.NewInt(int64(decimal.One))
		most := big.NewInt(int64(decimal.Max))
		check := func(name string, got decimal.Decimal, err error, want *big.Int) {
			switch {
			case new(big.Int).Abs(want).Cmp(most) > 0:
				if !errors.Is(err, decimal.ErrRange) {
					t.Fatalf("%s of %s and %s: %s, %v, want %v", name, a, b, got, err, decimal.ErrRange)
				}
			case err != nil || want.Cmp(big.NewInt(int64(got))) != 0:
				t.Fatalf("%s of %s and %s: %d, %v, want %s", name, a, b, got, err, want)
			}
		}
		sum, err := decimal.Add(a, b)
		check("sum", sum, err, new(big.Int).Add(x, y))
		difference, err := decimal.Sub(a, b)
		check("difference", difference, err, new(big.Int).Sub(x, y))
		product, err := decimal.Mul(a, b)
		check("product", product, err, new(big.Int).Quo(new(big.Int).Mul(x, y), one))
		if b != 0 {
			quotient, err := decimal.Div(a, b)
			check("quotient", quotient, err, new(big.Int).Quo(new(big.Int).Mul(x, one), y))
		}
	})
	if _, err := decimal.Div(decimal.One, 0); !errors.Is(err, decimal.ErrZero) {
		t.Errorf("1 / 0: %v", err)
	}
}

func TestText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t, "d") >> 10
		if got, err := decimal.Parse(d.String()); err != nil || got != d {
			t.Fatalf("%s reads back as %s, %v", d, got, err)
		}
		high, low := draw(t, "e").Words()
		if high == math.MinInt32 || low < 0 {
			t.Fatalf("words %d %d", high, low)
		}
		if h, l := d.Words(); decimal.FromWords(h, l) != d {
			t.Fatalf("%s comes back as %s", d, decimal.FromWords(h, l))
		}
	})
}
