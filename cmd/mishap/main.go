// Command mishap reads what a robot did and saw and says what went wrong.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/mishap-robotics/mishap/bridge/report"
)

func main() {
	collectLater()
	os.Exit(run(os.Args[1:]))
}

// collectLater puts the first garbage collection off until the heap is of 64 MB, which to
// read the ontology and the rules does not take: it would cost as much again. After that
// collections are as always, and so they are where the environment says.
func collectLater() {
	const usual, start = 100, 16 * 100 // of a least heap of 4 MB
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(start)
	first := new([16]byte)
	runtime.SetFinalizer(first, func(*[16]byte) { debug.SetGCPercent(usual) })
}

// patience is how long an interrupted command has to end by itself: what reasons, simulates
// or measures does; what reads a file or an ontology may not.
const patience = 120 * time.Millisecond

// abandon ends the program where an interrupted command does not.
func abandon() {
	time.Sleep(patience)
	report.AbandonFiles()
	fmt.Fprintln(os.Stderr, "mishap: interrupted")
	os.Exit(exitBad)
}

// run carries out a command line and gives the exit code.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	defer context.AfterFunc(ctx, abandon)()
	root := newRoot()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	if lost := stdout.Err(); lost != nil {
		fmt.Fprintln(stderr, "mishap: standard output: "+lost.Error())
		return exitBad
	}
	if err == nil {
		return 0
	}
	code, silent := exitCode(err)
	if !silent {
		fmt.Fprintln(stderr, "mishap: "+err.Error())
	}
	return code
}
