//go:build !js

package report

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/memory"
)

// Watcher checks episodes that come as a stream of JSON Lines, and writes what is found as
// it arises.
type Watcher struct {
	Reasoner *engine.Reasoner
	Out      StreamWriter
	Errors   io.Writer // what is told of rules and episodes, and does not end the stream
	Noise    float64   // of episodes that state none
	Window   int       // as in engine.Limits
	// Foresee tells what is foreseen, and nothing else.
	Foresee bool
	// Both tells what is foreseen beside what is found.
	Both bool
	// Listener is told what is found, in place of Out; nil where Out is to write it.
	Listener StreamListener
	// Showed is told of each finding when it shows, beside Out; nil tells nobody.
	Showed func(*episode.Episode, *engine.Finding)
	// Trigger is the scoring by which foresight is triggered for an episode; nil where it is
	// not.
	Trigger func(*episode.Episode) (engine.Scoring, error)
	// Over takes each episode that is over as it was read, with what was found in it; nil
	// keeps no steps.
	Over func(*episode.Episode, *engine.Result) error
	// State keeps how far the stream was taken, for a later one to go on; nil keeps nothing.
	State *StreamState

	// Found is true where anything was found, Odd where the reader warned of something,
	// Stopped where a rule did not come to its end.
	Found, Odd, Stopped bool

	monitor *engine.Monitor
	ep      *episode.Episode
	read    *episode.Episode // for Over
	within  context.Context  // of ep, see ofEpisode
	of      *episode.Episode // that within is of
	told    []string         // of rules that did not come to their end
}

// StreamListener is told of what comes in a stream of episodes, and of what is found in it.
// Its methods run in the goroutine that reads the stream.
type StreamListener interface {
	// Began is told of the header of an episode; the one before is over.
	Began(*episode.Episode)
	// Stepped is told of each step, before what came of it.
	Stepped(*episode.Episode, episode.Step)
	// Updated is told of each change in what is found and foreseen.
	Updated(*episode.Episode, engine.Update)
	// Warned is told of what is odd in the log, or was not understood.
	Warned(*episode.Episode, []episode.Warning)
	// Finished is told of an episode that is over, after its last updates.
	Finished(*engine.Result)
}

// Run takes in a stream until it ends. name is that of the stream in messages.
func (w *Watcher) Run(ctx context.Context, name string, in io.Reader) error {
	v := jsonl.Visitor{
		Begin:  func(ep *episode.Episode) error { return w.begin(ctx, ep) },
		Step:   func(st episode.Step) error { return w.step(ctx, st) },
		Sensed: func(events []episode.SensorEvent) error { return w.sense(ctx, events) },
		Ticked: func(at string) error { return w.tick(ctx, at) },
		Warned: w.warn,
	}
	in = input.Until(ctx, in)
	if w.State == nil {
		return w.run(ctx, name, in, v)
	}
	release, err := w.State.lock()
	if err != nil {
		return err
	}
	defer release()
	if err := w.State.resume(w); err != nil {
		return err
	}
	if err := w.score(); err != nil {
		return err
	}
	v.At, v.Taken = &w.State.at, w.State.taken
	err = w.run(ctx, name, &awaited{in, w.State}, v)
	if err == nil {
		w.State.at.Over = w.monitor == nil
		err = w.State.save()
	}
	return errors.Join(err, w.State.acknowledge())
}

func (w *Watcher) run(ctx context.Context, name string, in io.Reader, v jsonl.Visitor) error {
	if err := v.Stream(w.Reasoner.Ontology, name, in); err != nil {
		return err
	}
	return w.end(ctx)
}

func (w *Watcher) begin(ctx context.Context, ep *episode.Episode) error {
	if err := w.end(ctx); err != nil {
		return err
	}
	if ep.Noise == 0 {
		ep.Noise = w.Noise
	}
	w.ep = ep
	if w.Over != nil {
		read := *ep
		w.read = &read
	}
	w.monitor = w.Reasoner.Watch(ep, engine.Limits{Window: w.Window}, nil)
	if w.Foresee {
		if len(ep.Plan) == 0 {
			fmt.Fprintf(w.Errors, "%s: states no plan; expected one to foresee what comes of it\n", ep.ID)
		}
	}
	if w.Foresee || w.Both {
		w.monitor.EnableForesight()
	}
	if w.Listener != nil {
		w.Listener.Began(ep)
	}
	return w.score()
}

// ofEpisode is a context in which rules may ask of the present episode what its header and
// plan say, and what came before it.
func (w *Watcher) ofEpisode(ctx context.Context) context.Context {
	if w.of != w.ep {
		header := *w.ep
		header.Steps = nil // rules ask for them by their facts, which are those of the step they are at
		w.within, w.of = memory.DuringEpisode(ctx, w.Reasoner.Ontology, &header), w.ep
	}
	return w.within
}

// score lets the score trigger foresight in the present episode, where it is to.
func (w *Watcher) score() error {
	if w.Trigger == nil || w.monitor == nil {
		return nil
	}
	s, err := w.Trigger(w.ep)
	if err != nil {
		return err
	}
	return w.monitor.EnableScore(s)
}

func (w *Watcher) step(ctx context.Context, st episode.Step) error {
	if w.Over != nil {
		w.read.Steps = append(w.read.Steps, st)
	}
	updates, err := w.monitor.Step(w.ofEpisode(ctx), st)
	if w.Listener != nil {
		w.Listener.Stepped(w.ep, st)
	}
	return w.taken(updates, err)
}

// sense takes in what sensors told of after the last step.
func (w *Watcher) sense(ctx context.Context, events []episode.SensorEvent) error {
	if w.Over != nil {
		last := &w.read.Steps[len(w.read.Steps)-1]
		last.Events = append(last.Events, events...)
	}
	return w.taken(w.monitor.Sense(w.ofEpisode(ctx), events...))
}

// tick lets the clock go on to a time at which nothing happened.
func (w *Watcher) tick(ctx context.Context, at string) error {
	if w.Over != nil {
		w.read.Until = at
	}
	return w.taken(w.monitor.Tick(w.ofEpisode(ctx), at))
}

// taken tells of the updates of a call of the monitor.
func (w *Watcher) taken(updates []engine.Update, err error) error {
	if w.Foresee && err != nil {
		return err
	}
	if failed := w.write(updates); failed != nil {
		return failed
	}
	return w.tolerate(err)
}

// warn adds what the reader warns of to the episode.
func (w *Watcher) warn(warnings []episode.Warning) {
	w.Odd = true
	for _, odd := range warnings {
		w.ep.Warn(odd.Line, odd.Msg)
	}
	if w.Listener != nil {
		w.Listener.Warned(w.ep, warnings)
	}
}

// tolerate says once of each rule that it did not come to its end, and lets the others go
// on; any other error ends the stream.
func (w *Watcher) tolerate(err error) error {
	var limit *engine.LimitError
	if !errors.As(err, &limit) {
		return err
	}
	w.Stopped = true
	for _, e := range parts(err) {
		if text := e.Error(); !slices.Contains(w.told, text) {
			w.told = append(w.told, text)
			fmt.Fprintln(w.Errors, text)
		}
	}
	return nil
}

// end finishes the episode before another begins or the stream ends.
func (w *Watcher) end(ctx context.Context) error {
	if w.monitor == nil || w.Foresee {
		return nil
	}
	res, updates, err := w.monitor.Finish(w.ofEpisode(ctx))
	if err := w.tolerate(err); err != nil {
		return fmt.Errorf("episode %s: %w", w.ep.ID, err)
	}
	w.monitor = nil
	w.Found = w.Found || len(res.Findings)+res.Forgotten > 0
	if err := w.write(updates); err != nil {
		return err
	}
	if w.Listener != nil {
		w.Listener.Finished(res)
	} else if err := w.Out.End(res); err != nil {
		return err
	}
	if w.Over == nil {
		return nil
	}
	w.read.Warnings = w.ep.Warnings
	return w.Over(w.read, res)
}

// write writes what is found, or what is foreseen and averted, and scenes that deviate.
func (w *Watcher) write(updates []engine.Update) error {
	for _, u := range updates {
		w.Found = w.Found || u.Threat != nil
		var err error
		switch {
		case w.Foresee && u.Threat == nil && u.Score == nil:
		case w.Listener != nil:
			w.Listener.Updated(w.ep, u)
		case u.Score != nil:
			err = w.Out.Score(w.ep, u)
		case u.Threat != nil:
			err = w.Out.Threat(w.ep, u)
		default:
			err = w.Out.Finding(w.ep, u)
			if w.Showed != nil && u.Kind == engine.Found {
				w.Showed(w.ep, &u.Finding)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
