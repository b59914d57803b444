// Package process measures what memory this process has, for limits of what is asked of it.
package process

import "runtime/metrics"

// Used is how many bytes are in use, of what is known to be no rubbish: it lags behind by a
// collection.
func Used() int64 {
	return measured("/gc/heap/live:bytes") + measured("/memory/classes/heap/stacks:bytes")
}

// Total is how many bytes the runtime has of the system, as debug.SetMemoryLimit counts them.
func Total() int64 {
	return measured("/memory/classes/total:bytes") - measured("/memory/classes/heap/released:bytes")
}

func measured(name string) int64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
