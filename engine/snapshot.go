package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/inference"
	"github.com/mishap-robotics/mishap/engine/internal/inference/datalog"
	"github.com/mishap-robotics/mishap/engine/internal/snapshot"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// A snapshot is a header, a body and a SHA-256 of both. The header is the mark, the
// version, the digest of the ontology, the rules and the
// names of predicates in Go, and the length of the body.
const (
	snapshotMark    = "mishap monitor\n"
	snapshotVersion = 14
	snapshotHeader  = len(snapshotMark) + 2 + sha256.Size + 8
	// MaxSnapshot is the most bytes that Restore reads.
	MaxSnapshot = 256 << 20
)

// SnapshotError is a snapshot that cannot be read: Found tells what is wrong with it.
type SnapshotError struct{ Found string }

func (e *SnapshotError) Error() string {
	return "the snapshot of a monitor is not whole: " + e.Found + "; take an earlier one, or replay the episode from its first step"
}

// SnapshotVersionError is a snapshot of a version that this program does not read.
type SnapshotVersionError struct{ Version, Expected int }

func (e *SnapshotVersionError) Error() string {
	return fmt.Sprintf("the snapshot of a monitor is of version %d; expected version %d: use the program that wrote it, or replay the episode from its first step", e.Version, e.Expected)
}

// digestOf sums up knowledge when it is first asked for.
func digestOf(o *ontology.Ontology, p *rules.Program, builtins datalog.Builtins) func() [sha256.Size]byte {
	return sync.OnceValue(func() [sha256.Size]byte {
		a, b := o.Digest(), p.Digest()
		return sha256.Sum256(append(append(a[:], b[:]...), describe(builtins)...))
	})
}

// Snapshot writes all that the monitor holds, for Reasoner.Restore. It can be taken
// between any two steps; an episode that is finished has none. The monitor stays as it is.
// With a window its size is bounded.
func (m *Monitor) Snapshot(w io.Writer) error {
	if err := m.usable(); err != nil {
		return err
	}
	if m.finished {
		return ErrFinished
	}
	c := snapshot.NewWriter()
	m.snapshot(c)
	if err := c.Err(); err != nil {
		return fmt.Errorf("snapshot of a monitor: %w", err)
	}
	body := c.Bytes()
	out := make([]byte, 0, snapshotHeader+len(body)+sha256.Size)
	digest := m.reasoner.digest()
	out = append(out, snapshotMark...)
	out = binary.LittleEndian.AppendUint16(out, snapshotVersion)
	out = append(out, digest[:]...)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(body)))
	out = append(out, body...)
	sum := sha256.Sum256(out)
	_, err := w.Write(append(out, sum[:]...))
	return err
}

// Restore reads the snapshot of a monitor. What the monitor that it returns tells from
// then on is what the other would have told. The reasoner must have the ontology, the rules
// and predicates in Go of the names that the other had: else the error is ErrOtherKnowledge, and the episode has to be
// replayed. A snapshot that is damaged is a *SnapshotError, one of another version a
// *SnapshotVersionError. It reads no more than the snapshot where r is a bytes.Reader or
// the like that ends with it, and at most MaxSnapshot bytes. A nil observer is none.
func (r *Reasoner) Restore(from io.Reader, observer Observer) (*Monitor, error) {
	if err := r.usable(); err != nil {
		return nil, err
	}
	if from == nil {
		return nil, missing("reader of a snapshot")
	}
	body, err := r.snapshotBody(from)
	if err != nil {
		return nil, err
	}
	c := snapshot.NewReader(body)
	var ep episode.Episode
	var limits Limits
	codeHead(c, &ep, &ep.Plan, &limits)
	if err := c.Err(); err != nil {
		return nil, &SnapshotError{err.Error()}
	}
	if !(ep.Noise >= 0 && ep.Noise <= 1) || limits.Window < 0 {
		return nil, &SnapshotError{"its options are out of range"}
	}
	m := r.Watch(&ep, limits, observer)
	m.code(c)
	if c.Err() == nil && c.Left() > 0 {
		c.Fail("%d bytes too many", c.Left())
	}
	if err := c.Err(); err != nil {
		return nil, &SnapshotError{err.Error()}
	}
	return m, nil
}

// snapshotBody reads a snapshot as far as it is the same for all.
func (r *Reasoner) snapshotBody(from io.Reader) ([]byte, error) {
	head := make([]byte, snapshotHeader)
	n, err := io.ReadFull(from, head)
	switch {
	case n == 0 && err == io.EOF:
		return nil, &SnapshotError{"it is empty"}
	case err == io.ErrUnexpectedEOF && bytes.HasPrefix(head[:n], []byte(snapshotMark)[:min(n, len(snapshotMark))]):
		return nil, &SnapshotError{fmt.Sprintf("it ends after %d bytes", n)}
	case err != nil && err != io.ErrUnexpectedEOF:
		return nil, err
	case !bytes.HasPrefix(head, []byte(snapshotMark)):
		return nil, &SnapshotError{fmt.Sprintf("it does not begin with %q, as those that a monitor writes do", snapshotMark)}
	}
	rest := head[len(snapshotMark):]
	if v := int(binary.LittleEndian.Uint16(rest)); v != snapshotVersion {
		return nil, &SnapshotVersionError{v, snapshotVersion}
	}
	if digest := r.digest(); !bytes.Equal(rest[2:2+sha256.Size], digest[:]) {
		return nil, fmt.Errorf("the snapshot of a monitor was %w: use the ontology, the rules and the predicates in Go that it was made with, or replay the episode from its first step", ErrOtherKnowledge)
	}
	size := binary.LittleEndian.Uint64(rest[2+sha256.Size:])
	if size > MaxSnapshot {
		return nil, &SnapshotError{fmt.Sprintf("it says that it has %d bytes; expected at most %d", size, MaxSnapshot)}
	}
	var body bytes.Buffer // grows with what is there, whatever was said
	body.Write(head)
	if got, err := io.CopyN(&body, from, int64(size)+sha256.Size); err == io.EOF {
		return nil, &SnapshotError{fmt.Sprintf("it ends after %d of %d bytes", int64(snapshotHeader)+got, uint64(snapshotHeader)+size+sha256.Size)}
	} else if err != nil {
		return nil, err
	}
	data := body.Bytes()
	end := len(data) - sha256.Size
	if sum := sha256.Sum256(data[:end]); !bytes.Equal(sum[:], data[end:]) {
		return nil, &SnapshotError{"its checksum is another"}
	}
	return data[snapshotHeader:end], nil
}

// codeHead codes what a monitor begins with.
func codeHead(c *snapshot.Codec, ep *episode.Episode, given *[]episode.Action, limits *Limits) {
	c.Section("episode", func() {
		snapshot.Header(c, ep)
		snapshot.Plan(c, given)
		for _, d := range []*time.Duration{&limits.Time, &limits.Planning} {
			nanoseconds := int64(*d)
			snapshot.Int(c, &nanoseconds)
			*d = time.Duration(nanoseconds)
		}
		for _, n := range []*int{&limits.Inferences, &limits.Bytes, &limits.Window, &limits.Nodes, &limits.Details, &limits.Name,
			&limits.Objects, &limits.Planned, &limits.Warnings, &limits.Memory} {
			snapshot.Int(c, n)
		}
	})
}

func (m *Monitor) snapshot(c *snapshot.Codec) {
	codeHead(c, m.ep, &m.given, &m.limits)
	m.withLines(func() { m.code(c) })
}

// code codes what the monitor has taken in, and what it has found.
func (m *Monitor) code(c *snapshot.Codec) {
	m.tracker.Snapshot(c)
	if c.Err() != nil {
		return
	}
	m.index.Snapshot(c)
	c.Section("lines", func() {
		snapshot.Steps(c, &m.raw)
		if m.noisy != nil {
			m.noisy.Snapshot(c)
		}
	})
	c.Section("findings", func() {
		m.snapshotFindings(c)
		m.snapshotSettled(c)
		m.snapshotForgotten(c)
		m.snapshotThreats(c)
		snapshot.Within(c, &m.replanned, 0, m.tracker.Trace().Len()+1)
		snapshot.Within(c, &m.last, -1, MaxStep+1)
		c.Flags(&m.forewarns)
	})
	c.Section("pending", func() { m.snapshotPending(c) })
}

// snapshotPending codes what the monitor has still to do of the lines that it was given.
func (m *Monitor) snapshotPending(c *snapshot.Codec) {
	p := &m.pending
	snapshot.Steps(c, &p.lines)
	snapshot.Within(c, &p.stage, int(done), int(diagnose)+1)
	c.Flags(&p.stepped, &p.warns, &p.untold, &p.ended)
	snapshot.List(c, &p.sizes, func(s *size) {
		snapshot.Int(c, &s.step)
		snapshot.Int(c, &s.bytes)
	})
	snapshot.Int(c, &p.held)
	refused := 0 // actions of the plan
	var e *LimitError
	if errors.As(p.refused, &e) {
		refused = e.Value
	}
	if snapshot.Int(c, &refused); refused > 0 {
		p.refused = m.limits.refusedPlan(refused)
	}
}

func (m *Monitor) snapshotFindings(c *snapshot.Codec) {
	snapshot.List(c, &m.findings, func(f *Finding) { f.Code(c, m.reasoner.rules) })
	if c.Reading() {
		m.concluded = map[int32][]Conclusion{}
	}
	steps := slices.Sorted(maps.Keys(m.concluded))
	snapshot.List(c, &steps, func(step *int32) {
		snapshot.Int(c, step)
		conclusions := m.concluded[*step]
		snapshot.List(c, &conclusions, func(con *Conclusion) {
			inference.CodeConclusion(c, m.reasoner.rules, con)
			if c.Reading() && con.Step != *step {
				c.Fail("a conclusion on step %d stands among those on step %d", con.Step, *step)
			}
		})
		if c.Reading() {
			m.concluded[*step] = conclusions
		}
	})
}

// snapshotForgotten codes what is left of what a window let go of.
func (m *Monitor) snapshotForgotten(c *snapshot.Codec) {
	f := &m.forgotten
	snapshot.Within(c, &f.before, 0, math.MaxInt32)
	for _, steps := range []*[]int32{&f.found, &f.warned} {
		last := int32(0)
		snapshot.List(c, steps, func(step *int32) {
			snapshot.After(c, step, last)
			last = *step
		})
		if c.Reading() && !slices.IsSorted(*steps) {
			c.Fail("what was forgotten is out of order")
		}
	}
	snapshot.Within(c, &f.given, 0, len(m.ep.Warnings)+1)
	if len(f.warned) > len(m.ep.Warnings)-f.given {
		c.Fail("there are more steps with warnings than warnings")
	}
}

// snapshotSettled codes which rules need not be asked anew of which steps.
func (m *Monitor) snapshotSettled(c *snapshot.Codec) {
	rules := len(m.reasoner.rules.FailureRules())
	asked := map[int32][]bool{} // whether nothing later matters; where anything may the rule is asked anew
	for _, st := range m.settled.steps {
		if st.unasked {
			continue
		}
		stays := slices.Repeat([]bool{true}, rules)
		for _, r := range st.rests {
			stays[r.rule] = false
		}
		asked[st.step] = stays
	}
	snapshot.Map(c, &asked, func(step *int32) { snapshot.Int(c, step) }, func(stays *[]bool) {
		if c.Reading() {
			c.Take(rules)
			*stays = make([]bool, rules)
		}
		if len(*stays) != rules {
			c.Fail("%d rules were asked; there are %d", len(*stays), rules)
			return
		}
		for i := 0; i < rules; i += 8 {
			var byBit [8]*bool
			for bit := range min(8, rules-i) {
				byBit[bit] = &(*stays)[i+bit]
			}
			c.Flags(byBit[:min(8, rules-i)]...)
		}
	})
	if asked == nil {
		c.Fail("what was asked of which steps is missing")
	}
	if !c.Reading() {
		return
	}
	m.settled = newSettled()
	for step, stays := range asked {
		st := settledStep{step: step}
		for i := range stays {
			if !stays[i] {
				st.rests = append(st.rests, ruleRest{int32(i), onEvery})
			}
		}
		m.settled.steps = append(m.settled.steps, st)
	}
}

func (m *Monitor) snapshotThreats(c *snapshot.Codec) {
	c.Text(&m.alarmed)
	for _, threats := range []*[]Threat{&m.warned, &m.foreseen.threats} {
		snapshot.List(c, threats, func(t *Threat) { t.Code(c, m.reasoner.rules) })
	}
	for _, hashes := range []*map[int]uint64{&m.foreseen.futures.troubles, &m.foreseen.futures.values} {
		snapshot.Map(c, hashes, func(k *int) { snapshot.Int(c, k) }, c.Hash)
	}
}
