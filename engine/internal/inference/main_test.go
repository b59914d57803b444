package inference_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often: the tests make much and keep little.
func TestMain(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}
