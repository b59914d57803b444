package bench

import "os"

// Size is whole where the environment asks for the long sets (MISHAP_LONG=1), which
// take minutes, and part where a draw from them has to do.
func Size(whole, part int) int {
	if os.Getenv("MISHAP_LONG") != "" {
		return whole
	}
	return part
}
