package ontology

import (
	"regexp"
	"slices"

	"github.com/mishap-robotics/mishap/ontology/decimal"
)

var duration = regexp.MustCompile(`^P(?:(\d+(?:\.\d+)?)W)?(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$`)

// ParseDuration reads a duration as ISO 8601 writes it, such as PT10M or P1DT12H, in
// seconds. Months and years, which are of no fixed length, are none.
func ParseDuration(text string) (decimal.Decimal, bool) {
	parts := duration.FindStringSubmatch(text)
	if parts == nil {
		return 0, false
	}
	var total decimal.Decimal
	found := false
	for i, seconds := range []decimal.Decimal{7 * 86400, 86400, 3600, 60, 1} {
		if parts[i+1] == "" {
			continue
		}
		n, err := decimal.Parse(parts[i+1])
		if err != nil {
			return 0, false
		}
		if n, err = decimal.Mul(n, seconds*decimal.One); err != nil {
			return 0, false
		}
		if total, err = decimal.Add(total, n); err != nil {
			return 0, false
		}
		found = true
	}
	return total, found
}

// Measured reports whether the process rests on a measurement.
func (p *Process) Measured() bool {
	return slices.ContainsFunc(p.When, func(w Pattern) bool { return w.Measure.Operator != NoOperator })
}

// HasMeasuredProcesses reports whether some process rests on a measurement.
func (o *Ontology) HasMeasuredProcesses() bool { return o.measured }

// HasTimedProcesses reports whether some process takes its time.
func (o *Ontology) HasTimedProcesses() bool { return o.timed }
