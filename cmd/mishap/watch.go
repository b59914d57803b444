package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/live"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/annotate"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

func newWatch(k *knowledge) *cobra.Command {
	var by mapped
	var format string
	var once bool
	var noise float64
	var window int
	var save string
	var before time.Duration
	var record, origins []string
	var address string
	c := &cobra.Command{
		Use:   "watch ws://HOST:8765 --mapping FILE",
		Short: "Watch a robot through foxglove_bridge, and say what goes wrong as it does",
		Long: `Watch a robot by the Foxglove WebSocket protocol, as foxglove_bridge and Foxglove's SDK
serve it, and say what goes wrong as it does: as "mishap check -" does of a stream. The
topics of the mapping are subscribed to. A connection that is lost is made anew; with
--once the end of the connection is that of the episode.

With --serve ADDRESS what is found, and the things that are remembered, are published by
the same protocol, on the topics that "mishap annotate" writes, for Foxglove or
Lichtblick.

With --save DIR the messages of the seconds before a failure shows (--before) are written
to that folder as MCAP; --record names topics that are kept for that alone.

Exit code: 0 no failure found, 1 at least one, 2 the call, the mapping or the first
connection is bad, or it was interrupted.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "jsonl" {
				return fmt.Errorf("--format %q; expected text or jsonl", format)
			}
			if window != 0 && window < engine.MinWindow {
				return fmt.Errorf("--window %d; expected at least %d", window, engine.MinWindow)
			}
			if before <= 0 {
				return fmt.Errorf("--before %v; expected more than 0s", before)
			}
			if save == "" && len(record) > 0 {
				return errors.New("--record; expected --save DIR with it")
			}
			if by.file == "" {
				return errors.New(`no mapping; name one with --mapping, "mishap mapping init" makes one of a recording`)
			}
			r, err := k.reasoner()
			if err != nil {
				return err
			}
			reader, err := by.reader(r.Ontology)
			if err != nil {
				return err
			}
			tell := func(text string) { complain(fmt.Errorf("%s: %s", args[0], text)) }
			robot := &live.Client{URL: args[0], Reconnect: !once, Tell: tell}
			for _, t := range reader.Mapping.Topics {
				robot.Topics = append(robot.Topics, t.Topic)
			}
			robot.Topics = append(robot.Topics, record...)
			ctx, cancel := context.WithCancel(c.Context())
			defer cancel()
			if err := robot.Connect(ctx); err != nil {
				return err
			}
			defer robot.Close()
			w := &report.Watcher{Reasoner: r, Out: report.StreamWriter{W: stdout, Style: style(), AsJSON: format == "jsonl"}, Errors: stderr, Noise: noise, Window: window}
			told := annotate.NewStream()
			publish := func([]recording.Addition) {}
			if address != "" {
				listening, err := net.Listen("tcp", address)
				if err != nil {
					return fmt.Errorf("--serve %s: %w", address, err)
				}
				server := live.NewServer("mishap", annotate.Channels(), origins)
				publish = func(all []recording.Addition) {
					for _, m := range all {
						server.Publish(m)
					}
				}
				tell("what is found is served at ws://" + listening.Addr().String())
				serving := &http.Server{Handler: server, ReadHeaderTimeout: 10 * time.Second}
				go serving.Serve(listening)
				defer serving.Close()
			}
			var ring *live.Ring
			var source perception.Source = robot
			if save != "" {
				ring = live.NewRing(robot, before)
				source = ring
			}
			w.Showed = func(ep *episode.Episode, f *engine.Finding) {
				shown := report.NewFinding(ep, f)
				publish(told.Finding(&shown))
				if ring == nil {
					return
				}
				if file, err := ring.Save(save, f.Type); err != nil {
					complain(err)
				} else if file != "" {
					tell("kept in " + file)
				}
			}
			lines, done := robotLines(r.Ontology, args[0], source, reader.Mapping, func(m perception.Moment) { publish(told.Moment(m)) }, tell)
			err = w.Run(c.Context(), args[0], lines)
			lines.Close()
			cancel()
			<-done
			for _, t := range robot.Missing() {
				tell("the robot has not told of the topic " + t)
			}
			if err == nil && w.Found {
				return exit{exitFound}
			}
			return cmp.Or(err, c.Context().Err())
		},
	}
	by.flags(c.Flags())
	c.Flags().StringVar(&format, "format", "text", "text or jsonl")
	c.Flags().BoolVar(&once, "once", false, "end where the connection ends, and do not connect again")
	c.Flags().Float64Var(&noise, "noise", 0, "rate at which the robot's perception errs")
	c.Flags().IntVar(&window, "window", 0, "steps after which what was seen and heard is forgotten; 0 is never")
	c.Flags().StringVar(&address, "serve", "", "address to publish what is found at, such as 127.0.0.1:8766")
	c.Flags().StringArrayVar(&origins, "origin", []string{"localhost:*", "127.0.0.1:*", "*.foxglove.dev"}, "hosts of pages that may connect to --serve, with *")
	c.Flags().StringVar(&save, "save", "", "folder to write the messages before a failure to, as MCAP")
	c.Flags().DurationVar(&before, "before", 30*time.Second, "how long before a failure messages are kept, with --save")
	c.Flags().StringArrayVar(&record, "record", nil, "topic that is kept beside those of the mapping, with --save")
	return c
}

// robotLines is what a robot tells, perceived, as a stream of JSON Lines. It is over, and done
// closed, when the robot is; one who reads no more closes it.
func robotLines(o *ontology.Ontology, name string, robot perception.Source, m *mapping.Mapping, perceived func(perception.Moment), tell func(string)) (lines *io.PipeReader, done <-chan struct{}) {
	lines, to := io.Pipe()
	over := make(chan struct{})
	go func() {
		defer close(over)
		write := func(line []byte, err error) error {
			if err == nil {
				_, err = to.Write(line)
			}
			return err
		}
		to.CloseWithError(perception.Live(o, name, robot, m,
			func(ep *episode.Episode) error { return write(jsonl.AppendHeader(nil, ep)) },
			func(st *episode.Step, m perception.Moment) error {
				perceived(m)
				return write(jsonl.AppendStep(nil, st))
			}, tell))
	}()
	return lines, over
}
