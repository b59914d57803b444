//go:build !linux

package bench

import "time"

// ownTime runs something with the clock on the wall, where there is none of a thread.
func ownTime(run func(clock func() time.Duration)) { run(nil) }
