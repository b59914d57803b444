// Command mishap reads what a robot did and saw and says what went wrong.
package main

import (
	"fmt"
	"os"
)

func main() { os.Exit(run(os.Args[1:])) }

// run carries out a command line and gives the exit code.
func run(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	err := root.Execute()
	if err == nil {
		return 0
	}
	code, silent := exitCode(err)
	if !silent {
		fmt.Fprintln(os.Stderr, "mishap: "+err.Error())
	}
	return code
}
