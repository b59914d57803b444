package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/mishap-robotics/mishap/bridge/pack"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/rules"
)

// The exit codes, part of the contract with scripts.
const (
	exitFound       = 1 // at least one failure was found
	exitBad         = 2 // the call or an input is bad
	exitUnrecovered = 3 // a failure has no verified plan of recovery, or a run was not completed
)

// exit is an error that only sets the exit code; what there is to say has been said.
type exit struct{ code int }

func (e exit) Error() string { return "" }

func exitCode(err error) (code int, silent bool) {
	var e exit
	if errors.As(err, &e) {
		return e.code, true
	}
	return exitBad, false
}

// knowledge is the flags that say which ontology and rules are used.
type knowledge struct {
	ontologies, ruleDirs []string
	simulations          []string
	onlyOntology         bool
	onlyRules            bool
	interpret            bool
	packs                []string
	onlyPack             bool
	stack                *pack.Stack // of packs, once it is read
}

func (k *knowledge) flags(c *cobra.Command) {
	f := c.PersistentFlags()
	f.StringArrayVar(&k.ontologies, "ontology", nil, "folder or file of ontology documents (.ttl, .nt, .owl) added to the built-in ones; one of the same name replaces its twin")
	f.StringArrayVar(&k.ruleDirs, "rules", nil, "folder or file of rules (.pl) added to the built-in ones; one of the same name replaces its twin")
	f.BoolVar(&k.onlyOntology, "only-ontology", false, "use the --ontology documents in place of all built-in ones but the vocabulary and the roles")
	f.BoolVar(&k.onlyRules, "only-rules", false, "use the --rules files in place of all built-in ones")
	f.StringArrayVar(&k.packs, "pack", nil, "pack of a domain, a folder with a pack.ttl, in place of what is built in; what it builds on is read with it")
	f.BoolVar(&k.onlyPack, "only-pack", false, "let the --pack build on the core alone, whatever it says")
	f.BoolVar(&k.interpret, "interpret", false, "interpret all rules instead of compiling them; they conclude the same, more slowly")
}

func (k *knowledge) loadOntology() (*ontology.Ontology, error) {
	if len(k.ontologies) == 0 && !k.onlyOntology && !k.hasPacks() {
		return ontology.Default(), nil
	}
	documents, err := k.documents()
	if err != nil {
		return nil, err
	}
	o, _, err := ontology.Parse(documents)
	if err == nil && k.stack != nil {
		o.Judging(k.stack.Domains())
	}
	return o, err
}

func (k *knowledge) documents() ([]document.Document, error) {
	base, err := k.base(ontology.Shipped, (*pack.Stack).Ontology)
	if err != nil {
		return nil, err
	}
	return collect("ontology", base, ontology.Language(), k.ontologies, k.onlyOntology, ontology.ReadDir)
}

func (k *knowledge) loadRules() (*rules.Program, error) {
	if len(k.ruleDirs) == 0 && !k.onlyRules && !k.hasPacks() {
		return rules.Default(), nil
	}
	documents, err := k.ruleDocuments()
	if err != nil {
		return nil, err
	}
	return rules.Load(documents)
}

func (k *knowledge) ruleDocuments() ([]document.Document, error) {
	base, err := k.base(rules.Shipped, (*pack.Stack).Rules)
	if err != nil {
		return nil, err
	}
	return collect("rules", base, nil, k.ruleDirs, k.onlyRules, rules.ReadDir)
}

// hasPacks reports whether packs take the place of what is built in.
func (k *knowledge) hasPacks() bool { return len(k.packs) > 0 || k.onlyPack }

// base is what is built in, or the parts of the packs that take its place.
func (k *knowledge) base(shipped func() []document.Document, parts func(*pack.Stack) []document.Document) ([]document.Document, error) {
	if !k.hasPacks() {
		return shipped(), nil
	}
	if err := k.readPacks(); err != nil {
		return nil, err
	}
	return parts(k.stack), nil
}

// readPacks reads the packs, once.
func (k *knowledge) readPacks() error {
	switch {
	case k.stack != nil:
		return nil
	case len(k.packs) == 0:
		return errors.New("--only-pack needs at least one --pack")
	}
	var err error
	k.stack, err = pack.Load(k.packs, k.onlyPack)
	return err
}

// collect puts the documents at the places that a flag names beside the
// built-in ones, or in place of them all but the language they are written in.
func collect(flag string, shipped, language []document.Document, places []string, only bool, read func(string) ([]document.Document, error)) ([]document.Document, error) {
	out := shipped
	if only {
		if len(places) == 0 {
			return nil, fmt.Errorf("--only-%s needs at least one --%s", flag, flag)
		}
		out = language
	}
	for _, place := range places {
		own, err := read(place)
		if err != nil {
			return nil, err
		}
		out = document.Merge(out, own)
	}
	return out, nil
}

// What rules ask of a memory is known where there is none, and has no answers.
func (k *knowledge) reasoner(with ...engine.Option) (*engine.Reasoner, error) {
	return k.asked(nil, with...)
}

// asked makes a reasoner of which goals are asked.
func (k *knowledge) asked(goals []*rules.Term, with ...engine.Option) (*engine.Reasoner, error) {
	o, err := k.loadOntology()
	if err != nil {
		return nil, err
	}
	p, err := k.loadRules()
	if err != nil {
		return nil, err
	}
	if len(with) == 0 {
		var none *memory.Memory
		with = none.BuiltinsFor(p, goals...)
	}
	r, err := engine.New(o, p, with...)
	if err != nil {
		return nil, err
	}
	if k.interpret {
		return r.Interpreting(), nil
	}
	for _, rule := range r.Compiled().Rules() {
		if rule.Reason != nil {
			fmt.Fprintf(stderr, "%s: this rule is interpreted, which is slower: %s\n", rule.Reason.Pos, rule.Reason.Text)
		}
	}
	return r, nil
}

// orForce says of a file that is there already how to overwrite it.
func orForce(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; --force overwrites it", err)
	}
	return err
}

// What is written to standard output and standard error; the progress bar alone is drawn
// past it.
var (
	stdout = report.NewOutput(os.Stdout, colours())
	stderr = report.NewOutput(os.Stderr, false)
)

// colours reports whether standard output is a terminal and NO_COLOR is unset.
func colours() bool {
	return os.Getenv("NO_COLOR") == "" && term.IsTerminal(int(os.Stdout.Fd()))
}

// style is that of standard output.
func style() report.Style { return stdout.Style() }

func newRoot() *cobra.Command {
	k := &knowledge{}
	root := &cobra.Command{
		Use:           "mishap",
		Short:         "Say what went wrong in a robot's episode, what caused it and how to recover",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.CompletionOptions.HiddenDefaultCmd = true
	k.flags(root)
	root.AddCommand(newCheck(k), newForesee(k), newRecover(k), newExperience(k), newDiff(k), newOntology(k), newRules(k), newExplain(k), newGoal(k), newNarrate(k), newSummarize(k), newQuery(k), newREPL(k), newScript(k), newSPARQL(k), newExport(k), newPlan(k), newSchema(), newSim(k), newPerceive(k), newAnnotate(k), newSounds(k), newWatch(k), newMapping(k), newRun(k), newBench(k), newPrompts(), newReport(k), newServe(k), newMemory(k), newPack(k))
	return root
}
