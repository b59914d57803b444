package recovery

import (
	"slices"
	"strings"
)

// Shortcoming says what stands against a plan that is not verified.
func (p *Proposal) Shortcoming() string {
	if p == nil {
		return ""
	}
	if len(p.Violated) == 0 {
		return "in the end this would not hold: " + strings.Join(p.Unmet, "; ")
	}
	return strings.Join(append(slices.Clip(p.Violated), p.Unmet...), "; ")
}
