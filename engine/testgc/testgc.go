// Package testgc is for tests that make much garbage and keep little.
package testgc

import (
	"os"
	"runtime/debug"
)

// CollectLess has a test binary collect its garbage less often, unless GOGC says how often.
func CollectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
