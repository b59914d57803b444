package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const (
	moduleRoot  = "../.."
	readmeLines = 150
)

// A manual is a Markdown file of the repository.
type manual struct {
	path  string // from the root
	lines []string
}

func manuals(t *testing.T) []manual {
	t.Helper()
	var all []manual
	err := filepath.WalkDir(moduleRoot, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == ".git":
			return fs.SkipDir
		case filepath.Ext(path) != ".md":
			return nil
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(moduleRoot, path)
		all = append(all, manual{path: filepath.ToSlash(rel), lines: strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestReadmeIsShort(t *testing.T) {
	for _, x := range manuals(t) {
		if x.path == "README.md" && len(x.lines) > readmeLines {
			t.Errorf("README.md has %d lines, want at most %d: what is looked up stands in the manuals", len(x.lines), readmeLines)
		}
	}
}

var markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

func TestLinksLeadSomewhere(t *testing.T) {
	links := 0
	for _, x := range manuals(t) {
		for i, line := range x.lines {
			for _, m := range markdownLink.FindAllStringSubmatch(line, -1) {
				if strings.Contains(m[1], "://") || isIndented(line) {
					continue
				}
				links++
				if err := followLink(x.path, m[1]); err != nil {
					t.Errorf("%s:%d: %v", x.path, i+1, err)
				}
			}
		}
	}
	if links < 20 {
		t.Errorf("found %d links, want at least 20", links)
	}
}

func isIndented(line string) bool { return strings.HasPrefix(line, "    ") }

// followLink looks for the file that a link leads to, and for the heading in it.
func followLink(from, target string) error {
	file, heading, _ := strings.Cut(target, "#")
	path := filepath.Join(moduleRoot, filepath.Dir(from), file)
	if file == "" {
		path = filepath.Join(moduleRoot, from)
	}
	if heading == "" {
		_, err := os.Stat(path)
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, line := range strings.Split(string(data), "\n") {
		if title := strings.TrimLeft(line, "#"); title != line && headingAnchor(title) == heading {
			return nil
		}
	}
	return fmt.Errorf("%s has no heading #%s", path, heading)
}

var unanchored = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// headingAnchor is the anchor that a heading gets.
func headingAnchor(title string) string {
	return strings.ReplaceAll(unanchored.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), ""), " ", "-")
}

// shownCommand is a command in a block of its own: indented, or in a fence after $.
var shownCommand = regexp.MustCompile(`^(?:    |\$ )(?:… \| )?(?:mishap|go run ./cmd/mishap) (.*)$`)

func TestCommandsShownAreKnown(t *testing.T) {
	shown := 0
	for _, x := range manuals(t) {
		for i, line := range x.lines {
			m := shownCommand.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			shown++
			if err := parseCommand(splitWords(m[1])); err != nil {
				t.Errorf("%s:%d: %q: %v", x.path, i+1, strings.TrimSpace(line), err)
			}
		}
	}
	if shown < 60 {
		t.Errorf("found %d commands, want at least 60", shown)
	}
}

// splitWords splits a command line as a shell does, as far as the texts need it; what
// follows a redirection is left out.
func splitWords(line string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`"[^"]*"|'[^']*'|[^\s"']+`).FindAllString(line, -1) {
		if m == ">" || m == "<" || m == "|" {
			break
		}
		out = append(out, strings.Trim(m, `"'`))
	}
	return out
}

// parseCommand reads a command line without carrying it out, and looks for the sample
// files that it names.
func parseCommand(args []string) error {
	root := newRoot()
	c, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	if !c.Runnable() || c == root && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		return errors.New("no such command")
	}
	if err := c.ParseFlags(rest); err != nil && !errors.Is(err, pflag.ErrHelp) {
		return err
	}
	for _, arg := range args {
		if strings.HasPrefix(arg, "testdata/") {
			if _, err := os.Stat(filepath.Join(moduleRoot, arg)); err != nil {
				return err
			}
		}
	}
	return checkArgs(c)
}

func checkArgs(c *cobra.Command) error {
	if help, err := c.Flags().GetBool("help"); err == nil && help || c.Args == nil {
		return nil
	}
	return c.Args(c, c.Flags().Args())
}

func TestManualNamesEveryCommand(t *testing.T) {
	for _, x := range manuals(t) {
		if x.path != "cmd/mishap/MANUAL.md" {
			continue
		}
		table := strings.Join(x.lines[:30], "\n")
		for _, c := range newRoot().Commands() {
			if !c.Hidden && c.Name() != "help" && !strings.Contains(table, "`"+c.Name()) {
				t.Errorf("the table at the head of %s has no `%s`", x.path, c.Name())
			}
		}
	}
}

// TestReadmeIsTrue carries out what the README shows: files are written where a line
// before the block names them, and each command must print the lines below it. A line
// of … stands for any lines, one that ends in … for any ending.
func TestReadmeIsTrue(t *testing.T) {
	root, err := filepath.Abs(moduleRoot)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "testdata"), filepath.Join(dir, "testdata")); err != nil {
		t.Skip(err)
	}
	data, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands, named := 0, ""
	for i, part := range strings.Split(string(data), "```") {
		if i%2 == 0 {
			named = lastCode(part)
			continue
		}
		language, body, _ := strings.Cut(part, "\n")
		if language == "console" {
			commands += carryOut(t, dir, body)
		} else if strings.Contains(named, ".") && language != "go" {
			writeFile(t, filepath.Join(dir, named), body)
		}
	}
	if commands < 10 {
		t.Errorf("the README shows %d commands, want at least 10", commands)
	}
}

var inlineCode = regexp.MustCompile("`([^`]+)`:?\\s*$")

// lastCode is what a paragraph ends with in code, as the name of a file.
func lastCode(paragraph string) string {
	if m := inlineCode.FindStringSubmatch(paragraph); m != nil {
		return m[1]
	}
	return ""
}

func writeFile(t *testing.T, file, body string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
		t.Fatal(err)
	}
}

// carryOut runs the commands of a block and compares what they print.
func carryOut(t *testing.T, dir, block string) (commands int) {
	t.Helper()
	for _, part := range strings.Split("\n"+block, "\n$ mishap ")[1:] {
		line, want, _ := strings.Cut(part, "\n")
		c := exec.Command("mishap", splitWords(line)...)
		c.Dir = dir
		out, err := c.Output()
		var failed *exec.ExitError
		if err != nil && (!errors.As(err, &failed) || failed.ExitCode() == exitBad) {
			t.Errorf("mishap %s: %v", line, err)
		} else if at := notPrinted(string(out), want); at != "" {
			t.Errorf("mishap %s does not print %q where the README has it, but\n%s", line, at, out)
		}
		commands++
	}
	return commands
}

// notPrinted is the first line shown that is not printed where it should be.
func notPrinted(printed, shown string) string {
	lines := strings.Split(printed, "\n")
	anywhere := false
	for _, want := range strings.Split(strings.TrimSuffix(shown, "\n"), "\n") {
		if want == "…" || want == "" {
			anywhere = true
			continue
		}
		for anywhere && len(lines) > 0 && !printedAs(lines[0], want) {
			lines = lines[1:]
		}
		if len(lines) == 0 || !printedAs(lines[0], want) {
			return want
		}
		lines, anywhere = lines[1:], false
	}
	return ""
}

func printedAs(line, want string) bool {
	start, cut := strings.CutSuffix(want, "…")
	return line == want || cut && strings.HasPrefix(line, start)
}

func TestPictureInReadmeIsTrue(t *testing.T) {
	c := exec.Command("mishap", "diff", "testdata/episodes/consequence.jsonl", "--at", "4", "--format", "svg")
	c.Dir = moduleRoot
	now, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(moduleRoot, "testdata/finding.svg"))
	if err != nil {
		t.Fatal(err)
	}
	if string(now) != string(kept) {
		t.Error("testdata/finding.svg is drawn otherwise now; the README has the command that writes it")
	}
}

// The README gives what is recovered of the possible and of all, as the benchmark has it.
func TestReadmeHasBothDenominators(t *testing.T) {
	var result struct {
		Sets []struct {
			Name               string
			Episodes, Possible int
			Methods            []struct {
				Name      string
				Completed int
			}
		}
	}
	data, err := os.ReadFile(filepath.Join(moduleRoot, "testdata/bench/recover.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &result); err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(moduleRoot, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"RECOVER pairs":          "completes all of the %[2]d that nothing proves impossible, %[1]d of all %[3]d",
		"RoboFail re-enactments": "%[1]d of %[2]d and of all %[3]d",
	}
	for _, set := range result.Sets {
		said, ok := want[set.Name]
		if !ok {
			continue
		}
		delete(want, set.Name)
		completed := set.Methods[len(set.Methods)-1].Completed // of mishap
		if said = fmt.Sprintf(said, completed, set.Possible, set.Episodes); !strings.Contains(string(readme), said) {
			t.Errorf("%s: the README lacks %q", set.Name, said)
		}
	}
	for name := range want {
		t.Errorf("the benchmark has no set %q", name)
	}
}
