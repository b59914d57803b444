// Command architecture draws the packages of this module as rooms on floors, from what
// they import: ../../architecture.svg, which ARCHITECTURE.md shows. It is for those who
// work on mishap; a test fails where the picture is out of date.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
)

//go:generate go run . -o ../../architecture.svg

func main() {
	out := flag.String("o", "architecture.svg", "file to write")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "architecture:", err)
		os.Exit(2)
	}
}

func run(file string) error {
	picture, err := picture()
	if err != nil {
		return err
	}
	return os.WriteFile(file, picture, 0o644)
}

// picture draws the module that the working directory belongs to.
func picture() ([]byte, error) {
	packages, err := list()
	if err != nil {
		return nil, err
	}
	rooms, err := sortIntoRooms(packages)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	draw(&b, rooms)
	return b.Bytes(), nil
}
