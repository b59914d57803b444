// Package decimal has the numbers that quantities are measured in: decimals with six
// places, exact in sums and the same on every machine.
package decimal

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Decimal is a number in millionths.
type Decimal int64

// One is the number 1.
const One Decimal = 1_000_000

// places are how many digits stand after the point.
const places = 6

// Max is the greatest number that there is, some 2.3 million million; its negative is the
// least.
const Max Decimal = 1<<61 - 1

// The errors of arithmetic.
var (
	ErrRange = errors.New("a number beyond 2.3 million million")
	ErrZero  = errors.New("division by zero")
	ErrNone  = errors.New("no number")
)

// Of is a whole number as a decimal.
func Of(n int64) (Decimal, error) { return Mul(Decimal(n), One*One) }

// FromFloat rounds a number to six places.
func FromFloat(f float64) (Decimal, error) {
	switch f *= float64(One); {
	case f != f:
		return 0, fmt.Errorf("%w (NaN)", ErrNone)
	case math.Abs(f) > float64(Max)*(1-1e-15):
		return 0, ErrRange
	}
	return Decimal(math.RoundToEven(f)), nil
}

// Parse reads a number such as 9.5, -3 or 1e-3, and rounds it to six places.
func Parse(text string) (Decimal, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || strings.ContainsAny(text, "xXpP_") {
		return 0, ErrNone
	}
	return FromFloat(f)
}

// Float is the nearest floating-point number.
func (d Decimal) Float() float64 { return float64(d) / float64(One) }

// Whole is the number without what stands after the point, and whether that was nothing.
func (d Decimal) Whole() (int64, bool) { return int64(d / One), d%One == 0 }

// String writes the number without more places than it has, and with one at least: 9.5,
// 8.0.
func (d Decimal) String() string {
	s := d.Short()
	if strings.IndexByte(s, '.') < 0 {
		s += ".0"
	}
	return s
}

// Short writes the number without more places than it has: 9.5, 8.
func (d Decimal) Short() string {
	n, sign := uint64(d), ""
	if d < 0 {
		n, sign = uint64(-d), "-"
	}
	rest := fmt.Sprintf("%0*d", places, n%uint64(One))
	return strings.TrimSuffix(sign+strconv.FormatUint(n/uint64(One), 10)+"."+strings.TrimRight(rest, "0"), ".")
}

func within(d Decimal) (Decimal, error) {
	if d > Max || d < -Max {
		return 0, ErrRange
	}
	return d, nil
}

// Add and Sub are sum and difference.
func Add(a, b Decimal) (Decimal, error) { return within(a + b) }
func Sub(a, b Decimal) (Decimal, error) { return within(a - b) }

// Mul is the product, rounded towards zero.
func Mul(a, b Decimal) (Decimal, error) {
	high, low := bits.Mul64(size(a), size(b))
	if high >= uint64(One) {
		return 0, ErrRange
	}
	q, _ := bits.Div64(high, low, uint64(One))
	return signed(q, (a < 0) != (b < 0))
}

// Div is the quotient, rounded towards zero.
func Div(a, b Decimal) (Decimal, error) {
	if b == 0 {
		return 0, ErrZero
	}
	high, low := bits.Mul64(size(a), uint64(One))
	if high >= size(b) {
		return 0, ErrRange
	}
	q, _ := bits.Div64(high, low, size(b))
	return signed(q, (a < 0) != (b < 0))
}

func size(d Decimal) uint64 {
	if d < 0 {
		return uint64(-d)
	}
	return uint64(d)
}

func signed(n uint64, negative bool) (Decimal, error) {
	if n > uint64(Max) {
		return 0, ErrRange
	}
	if negative {
		return -Decimal(n), nil
	}
	return Decimal(n), nil
}

// Words is the number in two parts, neither of which is the least of 32 bits.
func (d Decimal) Words() (high, low int32) { return int32(d >> 31), int32(d & (1<<31 - 1)) }

// FromWords is the number of two parts.
func FromWords(high, low int32) Decimal { return Decimal(high)<<31 | Decimal(low) }
