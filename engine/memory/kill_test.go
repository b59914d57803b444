package memory_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/ontology"
)

// childFolder names the folder to which a child of the test adds until it is killed.
const childFolder = "MISHAP_TEST_MEMORY"

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		addUntilKilled(folder)
	}
	os.Exit(m.Run())
}

// addUntilKilled adds two episodes at a time and says when they are acknowledged.
func addUntilKilled(folder string) {
	t := &testing.T{}
	m, err := memory.Open(context.Background(), ontology.Default(), folder, memory.Options{})
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	a, b := run(t, "", noon), run(t, "", noon)
	fmt.Println("ready")
	for i := 0; ; i++ {
		a.Episode.ID, b.Episode.ID = fmt.Sprintf("%d-%d-a", os.Getpid(), i), fmt.Sprintf("%d-%d-b", os.Getpid(), i)
		err := m.Add(context.Background(), a, b)
		for errors.Is(err, memory.ErrBusy) { // on a slow disk the other may be first for long
			err = m.Add(context.Background(), a, b)
		}
		if err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		fmt.Println(a.Episode.ID, b.Episode.ID)
	}
}

// A process that is killed at any moment leaves a memory in which all that it acknowledged
// is whole, and what it did not is there wholly or not at all.
func TestKilled(t *testing.T) {
	times := 8
	if os.Getenv("MISHAP_LONG") != "" {
		times = 200
	}
	folder := t.TempDir()
	begun := open(t, folder)
	if err := begun.Add(t.Context(), run(t, "0-a", noon), run(t, "0-b", noon)); err != nil {
		t.Fatal(err)
	}
	if err := begun.Close(); err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]bool{}
	for round := range times {
		child := exec.Command(os.Args[0], "-test.run", "XXX")
		child.Env = append(os.Environ(), childFolder+"="+folder)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(out)
		if !lines.Scan() || lines.Text() != "ready" {
			t.Fatalf("the child says %q", lines.Text())
		}
		// At any moment, but not before it came as far as it is to, however busy the machine is.
		kill := func() {
			time.AfterFunc(time.Duration(rand.IntN(40_000))*time.Microsecond, func() { child.Process.Kill() })
		}
		left := (round + 1) % 3
		if left == 0 {
			kill()
		}
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "error") {
				t.Fatal(lines.Text())
			}
			if fields := strings.Fields(lines.Text()); len(fields) == 2 { // else the line breaks off
				acknowledged[fields[0]], acknowledged[fields[1]] = true, true
				if left--; left == 0 {
					kill()
				}
			}
		}
		child.Wait()
	}
	m := open(t, folder)
	there := map[string]bool{}
	for e, err := range m.List(t.Context(), memory.Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		there[e.ID] = true
	}
	want := run(t, "", noon).Episode
	for id := range there {
		ep, err := m.Episode(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		want.ID = id
		if diff := cmp.Diff(want, ep); diff != "" {
			t.Fatalf("%s is not whole:\n%s", id, diff)
		}
		if other := strings.TrimRight(id, "ab") + map[bool]string{true: "b", false: "a"}[strings.HasSuffix(id, "a")]; !there[other] {
			t.Errorf("%s was added together with %s, which is not there", id, other)
		}
	}
	for id := range acknowledged {
		if !there[id] {
			t.Errorf("%s was acknowledged and is not there", id)
		}
	}
	t.Logf("killed %d times: %d episodes acknowledged, %d there", times, len(acknowledged), len(there))
	if len(acknowledged) < times {
		t.Errorf("only %d were acknowledged", len(acknowledged))
	}
}

// Two processes that write at the same time wait for each other, and nothing is lost.
func TestTwoProcessesWrite(t *testing.T) {
	folder := t.TempDir()
	open(t, folder).Close()
	said := make(chan string)
	var children []*exec.Cmd
	for range 2 {
		child := exec.Command(os.Args[0], "-test.run", "XXX")
		child.Env = append(os.Environ(), childFolder+"="+folder)
		out, err := child.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, child)
		go func() {
			for lines := bufio.NewScanner(out); lines.Scan(); {
				said <- lines.Text()
			}
			said <- ""
		}()
	}
	acknowledged := map[string]bool{}
	by := map[string]int{}
	for ended := 0; ended < len(children); {
		line := <-said
		fields := strings.Fields(line)
		switch {
		case line == "":
			ended++
		case strings.HasPrefix(line, "error"):
			t.Error(line)
			by["failed"] = len(children)
		case len(fields) == 2:
			acknowledged[fields[0]], acknowledged[fields[1]] = true, true
			by[strings.Split(fields[0], "-")[0]]++
		}
		if len(by) >= len(children) || by["failed"] > 0 { // each has written beside the other
			for _, child := range children {
				child.Process.Kill()
			}
		}
	}
	for _, child := range children {
		child.Wait()
	}
	m := open(t, folder)
	for id := range acknowledged {
		if _, err := m.Episode(t.Context(), id); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	if len(acknowledged) < 4 {
		t.Errorf("%d episodes", len(acknowledged))
	}
}
