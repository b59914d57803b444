package bench

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// ownTime runs something on a thread of its own and with a clock that tells the processor
// time of that thread: what else runs on the machine does not count, nor does what is
// collected of memory on other threads.
func ownTime(run func(clock func() time.Duration)) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	run(func() time.Duration {
		var ts unix.Timespec
		if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &ts) != nil {
			return 0
		}
		return time.Duration(ts.Nano())
	})
}
