package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/live"
	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/try"
	"github.com/mishap-robotics/mishap/bridge/web"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/engine/record"
	"github.com/mishap-robotics/mishap/rules"
)

type serving struct {
	models          *modelFlags
	in              *logFlags
	of              *memoryFlags
	listen, results string
	follow          []string // files that are appended to
	watch           []string // addresses of robots
	against         []string // folders of rules that an episode is judged with, too
	window          int
	stream          bool // standard input is one
	keep            bool // what streams tell, and what people say of it, in the memory
}

func newServe(k *knowledge) *cobra.Command {
	s := &serving{in: &logFlags{whole: true}, of: &memoryFlags{}, models: &modelFlags{}}
	c := &cobra.Command{
		Use:   "serve [PATH…|-]",
		Short: "Show episodes as pages in a browser",
		Long: `Show episodes as pages in a browser: a list with filters, each episode on a timeline
with the scene at each step, findings with their proofs and why others were not made,
recovery, what mishap knows, and benchmarks. Everything comes from this program; pages
ask for nothing elsewhere. Programs find the same at /api/v1, see /api/v1/openapi.json.

PATH is a log as "mishap check" takes it; with --memory the episodes of a memory are
shown, too. The Live page shows what is found in streams of JSON Lines, and what is
foreseen, as it arises: for - that on standard input, with --follow that of a file which
is appended to, with --watch what a robot tells as "mishap watch" has it, and what is sent
to /api/v1/live/streams/NAME.

The server is reached from this machine alone. With --listen and another address everybody
needs the token of the address that is printed; it is drawn anew each time unless
$MISHAP_SERVE_TOKEN holds one.

Where a language model is named, it is asked about the recovery of each episode that is
opened, once as long as the episode stays among those looked at last; the page of a finding
tells what it said and what became of it.
` + modelHelp + `
Exit code: 0 when interrupted, 2 the call or an input is bad, or the port is in use.`,
		RunE: func(c *cobra.Command, args []string) error {
			paths := slices.DeleteFunc(slices.Clone(args), func(p string) bool { return p == "-" })
			s.stream = len(paths) < len(args)
			if len(s.watch) > 0 && s.in.mapped.file == "" {
				return errors.New(`--watch; expected --mapping FILE with it, "mishap mapping init" makes one of a recording`)
			}
			if len(args)+len(s.follow)+len(s.watch) == 0 && s.of.place == "" && os.Getenv(memoryVariable) == "" {
				return errors.New("nothing to show; expected a PATH, - for a stream, --follow FILE, --watch URL, or --memory DIR")
			}
			if s.keep && s.of.place == "" && os.Getenv(memoryVariable) == "" {
				return errors.New("--keep; expected --memory DIR with it")
			}
			if s.window != 0 && s.window < engine.MinWindow {
				return fmt.Errorf("--window %d; expected at least %d", s.window, engine.MinWindow)
			}
			return closing(s.models, s.run(c.Context(), k, paths))
		},
	}
	s.in.mapped.flags(c.Flags())
	s.of.where(c.Flags(), "whose episodes are shown")
	c.Flags().Float64Var(&s.in.noise, "noise", 0, "rate at which the robot's perception errs, for logs that do not state it")
	c.Flags().StringVar(&s.listen, "listen", "127.0.0.1:7474", "address to listen at; port 0 is any that is free")
	c.Flags().StringArrayVar(&s.against, "against", nil, "folder or file of rules as --rules has it, with which the Compare page judges an episode, too; may be given several times")
	c.Flags().StringVar(&s.results, "results", "", "folder of results of mishap bench (*.json), shown as benchmarks")
	c.Flags().StringArrayVar(&s.follow, "follow", nil, "file of JSON Lines that is appended to, shown as a stream; may be given several times")
	c.Flags().BoolVar(&s.keep, "keep", false, "add the episodes of streams to the memory, with what is said of them on the Live page; one of the same id is replaced")
	c.Flags().StringArrayVar(&s.watch, "watch", nil, "address of a robot as mishap watch takes it (ws://HOST:8765), shown as a stream; may be given several times")
	s.models.flags(c.Flags())
	s.models.planning(c.Flags())
	c.Flags().IntVar(&s.window, "window", 0, "lines of a stream after which what was seen and heard is forgotten; 0 is never")
	return c
}

// tokenVariable names the environment variable that holds the token.
const tokenVariable = "MISHAP_SERVE_TOKEN"

func (s *serving) run(ctx context.Context, k *knowledge, paths []string) error {
	open := s.of.keeper
	if os.Getenv(memoryVariable) != "" {
		open = s.of.opened
	}
	past, err := open(ctx, k, !s.keep)
	if err != nil {
		return err
	}
	defer past.close()
	r := past.reasoner
	reader, err := s.in.reader(r.Ontology)
	if err != nil {
		return err
	}
	library := web.NewLibrary(r, reader)
	library.Noise, library.Memory = s.in.noise, past.memory
	if err := s.models.advise(&library.Planner); err != nil {
		return err
	}
	streams := web.NewLive(ctx, r)
	streams.Noise, streams.Window = s.in.noise, s.window
	if s.keep {
		streams.Keep = func(ctx context.Context, res *engine.Result, remarks []record.Remark) error {
			run := concluded(r, res.Episode, res)
			run.Remarks, run.Replace = remarks, true
			defer library.Replaced(res.Episode.ID)
			return past.memory.Add(ctx, run)
		}
	}
	bench, err := k.bench(past.memory)
	if err != nil {
		return err
	}
	server := &web.Server{Library: library, Live: streams, Bench: bench, Log: log.New(stderr, "mishap serve: ", 0)}
	if server.Results, err = benchmarkResults(s.results); err != nil {
		return err
	}
	if server.Tests, err = k.ruleTests(r.Ontology); err != nil {
		return err
	}
	if server.Others, err = s.others(k, past); err != nil {
		return err
	}
	follow, err := s.streams(streams)
	if err != nil {
		return err
	}
	watch, err := s.robots(ctx, streams, reader)
	if err != nil {
		return err
	}
	on, err := net.Listen("tcp", s.listen)
	if err != nil {
		return fmt.Errorf("--listen %s: %w; expected an address of this machine with a port that is free, for example 127.0.0.1:0", s.listen, err)
	}
	address, query := on.Addr().(*net.TCPAddr), ""
	if server.Loopback = address.IP.IsLoopback(); !server.Loopback {
		if server.Token = os.Getenv(tokenVariable); server.Token == "" {
			server.Token = rand.Text()
		}
		query = "?token=" + server.Token
	}
	fmt.Fprintf(stdout, "http://%s/%s\n", shownAddress(address), query)
	follow(ctx)
	watch()
	loaded := make(chan error, 1)
	if len(paths) > 0 {
		go func() { loaded <- library.Load(ctx, paths) }()
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(ctx, on) }()
	for {
		select {
		case err := <-loaded:
			if err != nil && library.Memory == nil {
				on.Close()
				return err
			}
			complain(err)
			loaded = nil
		case err := <-served:
			return err
		}
	}
}

// bench is where rules, Turtle and logs are tried out beside what is known, with the past of
// a memory where there is one.
func (k *knowledge) bench(past *memory.Memory) (*try.Bench, error) {
	b := &try.Bench{Predicates: memory.PredicatesFor, Options: func(p *rules.Program) []engine.Option { return past.BuiltinsFor(p) }}
	var err error
	if b.Ontology, err = k.documents(); err != nil {
		return nil, err
	}
	if b.Rules, err = k.ruleDocuments(); err != nil {
		return nil, err
	}
	if k.stack != nil {
		b.Domains = k.stack.Domains()
	}
	return b, nil
}

// streams looks at the files that are followed, and gives what takes in all streams that the
// flags name. What breaks one is told on the page, and on standard error.
func (s *serving) streams(to *web.Live) (begin func(context.Context), err error) {
	for _, path := range s.follow {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return nil, fmt.Errorf("--follow %w; expected a file that is appended to", err)
		case info.IsDir():
			return nil, fmt.Errorf("--follow %s: a folder; expected a file that is appended to", path)
		}
	}
	return func(ctx context.Context) {
		tell := func(err error) {
			if ctx.Err() == nil {
				complain(err)
			}
		}
		if s.stream {
			go func() { tell(to.Take(ctx, "standard input", os.Stdin)) }()
		}
		for _, path := range s.follow {
			go func() { tell(to.Follow(ctx, path)) }()
		}
	}, nil
}

// others are the sets of rules that the flags name, each beside what is known.
func (s *serving) others(k *knowledge, past *keeper) (out []web.RuleSet, err error) {
	for _, place := range s.against {
		other := *k
		other.ruleDirs = append(slices.Clone(k.ruleDirs), place)
		var with []engine.Option
		if past.memory != nil {
			with = past.memory.Builtins()
		}
		r, err := other.reasoner(with...)
		if err != nil {
			return nil, fmt.Errorf("--against %s: %w", place, err)
		}
		out = append(out, web.RuleSet{Name: place, Reasoner: r})
	}
	return out, nil
}

// robots connects to the robots that the flags name, and gives what takes in what they tell.
func (s *serving) robots(ctx context.Context, to *web.Live, reader logs.Reader) (begin func(), err error) {
	var robots []*live.Client
	for _, address := range s.watch {
		robot := &live.Client{URL: address, Reconnect: true, Tell: func(text string) { complain(fmt.Errorf("%s: %s", address, text)) }}
		for _, t := range reader.Mapping.Topics {
			robot.Topics = append(robot.Topics, t.Topic)
		}
		if err := robot.Connect(ctx); err != nil {
			return nil, err
		}
		context.AfterFunc(ctx, func() { robot.Close() })
		robots = append(robots, robot)
	}
	return func() {
		for _, robot := range robots {
			lines, _ := robotLines(reader.Ontology, robot.URL, robot, reader.Mapping, func(perception.Moment) {}, robot.Tell)
			go func() {
				defer robot.Close()
				defer lines.Close()
				if err := to.Take(ctx, robot.URL, lines); err != nil && ctx.Err() == nil {
					complain(err)
				}
			}()
		}
	}, nil
}

// shownAddress is where a browser on this machine finds the server.
func shownAddress(a *net.TCPAddr) string {
	if a.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", a.Port)
	}
	return a.String()
}

// benchmarkResults reads the results in a folder, by name; none of no folder.
func benchmarkResults(folder string) (map[string][]byte, error) {
	if folder == "" {
		return nil, nil
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("--results %s: no *.json; expected results as mishap bench writes them", folder)
	}
	out := map[string][]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		out[strings.TrimSuffix(filepath.Base(file), ".json")] = data
	}
	return out, err
}
