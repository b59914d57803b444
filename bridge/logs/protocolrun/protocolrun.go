// Package protocolrun reads runs of liquid-handling robots, as analyses of their protocols have
// them: JSON Lines, each a run with what stands on the deck and the commands that were given,
// by the names of the robot's HTTP API. What a command, a piece of labware or a module is about
// is in the ontology alone.
package protocolrun

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// run is a line. What came of the run and of its commands is not read, but for the volume of
// the tips that were picked up.
type run struct {
	Run      string     `json:"run"`
	Robot    string     `json:"robot"`
	Labware  []labware  `json:"labware"`
	Pipettes []pipette  `json:"pipettes"`
	Modules  []module   `json:"modules"`
	Commands *[]command `json:"commands"`
}

type labware struct {
	ID       string      `json:"id"`
	Depth    json.Number `json:"depth"`
	Capacity json.Number `json:"capacity"`
	Tiprack  bool        `json:"tiprack"`
}

type pipette struct {
	ID   string `json:"id"`
	Name string `json:"pipetteName"`
}

type module struct {
	ID    string `json:"id"`
	Model string `json:"model"`
}

type command struct {
	N      int                        `json:"n"`
	Action string                     `json:"action"`
	Params map[string]json.RawMessage `json:"params"`
	Result struct {
		TipVolume *float64 `json:"tipVolume"`
	} `json:"result"`
}

// IsFile reports whether the first line of a file is a run.
func IsFile(fsys fs.FS, name string) bool {
	f, err := input.Open(fsys, name)
	if err != nil {
		return false
	}
	defer f.Close()
	var first struct {
		Run      json.RawMessage `json:"run"`
		Commands json.RawMessage `json:"commands"`
	}
	return json.NewDecoder(io.LimitReader(f, input.MaxLine)).Decode(&first) == nil && first.Run != nil && first.Commands != nil
}

// ReadFile reads the runs of a file, compressed or not.
func ReadFile(o *ontology.Ontology, fsys fs.FS, name string) ([]*episode.Episode, error) {
	f, err := input.Open(fsys, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(o, name, f)
}

// Read reads runs; file is the name that messages show. A line that is wrong gives a
// *logs.Error, joined with those of other lines; the runs of the rest are returned with it.
func Read(o *ontology.Ontology, file string, r io.Reader) ([]*episode.Episode, error) {
	ids := map[string]bool{}
	return input.ReadRecords(file, r, func(n int, text []byte) (*episode.Episode, error) {
		l := line{onto: o, file: file, n: n}
		ep, err := l.read(text)
		if err != nil {
			return nil, err
		}
		if ids[ep.ID] {
			return nil, l.fail(fmt.Sprintf("a second run %q", input.Clip(ep.ID)), "each run once")
		}
		ids[ep.ID] = true
		return ep, nil
	})
}

// line is a line that is being read.
type line struct {
	onto  *ontology.Ontology
	file  string
	n     int
	named map[string]bool // things that were declared
	ep    *episode.Episode
}

func (l *line) fail(found, expected string) error {
	return &input.Error{File: l.file, Line: l.n, Found: found, Expected: expected}
}

func (l *line) read(text []byte) (*episode.Episode, error) {
	var r run
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&r); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return nil, l.fail(fmt.Sprintf("a %s for %q", wrong.Value, wrong.Field), "a run with text \"run\", lists \"labware\", \"pipettes\", \"modules\" and \"commands\"")
		}
		return nil, l.fail("text that is no such object ("+err.Error()+")", `one JSON object with "run" and "commands"`)
	}
	if r.Run == "" || r.Commands == nil {
		return nil, l.fail("a run without \"run\" or \"commands\"", "both, and \"labware\", \"pipettes\" and \"modules\"")
	}
	l.ep = &episode.Episode{ID: r.Run, Source: l.file, Robot: r.Robot, Unplanned: true}
	l.named = map[string]bool{}
	l.deck(&r)
	for i := range *r.Commands {
		if err := l.command(&(*r.Commands)[i]); err != nil {
			return nil, err
		}
	}
	return l.ep, nil
}

// deck declares what there is. The words for what things are, and for what is measured of
// them, are those of the notation, which the ontology has as labels.
func (l *line) deck(r *run) {
	for _, p := range r.Pipettes {
		l.thing(p.ID, p.Name)
	}
	for _, m := range r.Modules {
		l.thing(m.ID, m.Model)
	}
	for _, w := range r.Labware {
		class := "labware"
		if w.Tiprack {
			class = "tiprack"
		}
		l.thing(w.ID, class)
		for _, v := range []struct {
			quantity string
			number   json.Number
		}{{"depth", w.Depth}, {"capacity", w.Capacity}} {
			if v.number != "" && w.ID != "" {
				l.ep.Scene = append(l.ep.Scene, episode.Fact{Subject: w.ID, Relation: v.quantity, Object: v.number.String(), Line: l.n})
			}
		}
	}
}

// thing declares a thing by its name.
func (l *line) thing(name, class string) {
	if name != "" && !l.named[name] {
		l.named[name] = true
		l.ep.Things = append(l.ep.Things, episode.Thing{Name: name, Classes: []string{class}, Line: l.n})
	}
}

// command reads a command as a step: what it is given to first, where or with what next, then
// the words among its parameters; its numbers are values.
func (l *line) command(c *command) error {
	if c.Action == "" || c.N <= 0 {
		return l.fail(fmt.Sprintf("command %d without \"n\" from 1 or \"action\"", len(l.ep.Steps)+1), "both")
	}
	if k := len(l.ep.Steps); k > 0 && l.ep.Steps[k-1].Index >= c.N {
		return l.fail(fmt.Sprintf("command %d after command %d", c.N, l.ep.Steps[k-1].Index), "ascending \"n\"")
	}
	st := episode.Step{Index: c.N, Action: episode.Action{Name: c.Action}, Line: l.n, ID: strconv.Itoa(c.N), Observation: episode.Observation{Missing: true}}
	if err := episode.CheckAction(l.onto, c.Action); err != nil {
		l.ep.Warn(l.n, err.Error()+"; what it does is not judged")
	}
	l.arguments(&st, c)
	l.values(&st, c)
	l.ep.Steps = append(l.ep.Steps, st)
	return nil
}

// arguments finds what a command is about.
func (l *line) arguments(st *episode.Step, c *command) {
	var things []string
	for _, key := range []string{"pipetteId", "moduleId", "labwareId"} {
		if id := text(c.Params[key]); id != "" {
			things = append(things, id)
		}
	}
	if model := text(c.Params["model"]); model != "" && len(things) == 0 { // it is given a name by which it is meant later
		name := fmt.Sprintf("%s %d", model, c.N)
		l.thing(name, model)
		things = append(things, name)
	}
	gives := c.Params["pipetteId"] != nil || c.Params["moduleId"] != nil || c.Params["labwareId"] != nil || c.Params["model"] != nil
	known := text(c.Params["pipetteId"]) != "" || c.Params["pipetteId"] == nil
	if gives && (!known || len(things) == 0) {
		things = append([]string{""}, things...) // which it is is not said
	}
	if place := l.place(c); place != "" && len(things) < 2 {
		if len(things) == 0 {
			things = append(things, "")
		}
		things = append(things, place)
	}
	for _, word := range l.words(c) {
		for len(things) < 2 {
			things = append(things, "")
		}
		things = append(things, word)
	}
	for i, name := range things {
		switch {
		case i == 0:
			st.Action.Target = name
		case i == 1:
			st.Action.Destination = name
		case i == 2:
			st.Action.Further = name
		default:
			st.Action.Further += ", " + name
		}
	}
}

// place is where something is brought: a module, another piece of labware, a slot or another
// area of the deck.
func (l *line) place(c *command) string {
	for _, key := range []string{"location", "newLocation"} {
		var at map[string]json.RawMessage
		if json.Unmarshal(c.Params[key], &at) != nil {
			continue
		}
		for _, kind := range []string{"moduleId", "labwareId", "slotName", "addressableAreaName"} {
			if id := text(at[kind]); id != "" {
				if kind == "slotName" || kind == "addressableAreaName" {
					l.thing(id, kind)
				}
				return id
			}
		}
	}
	return ""
}

// words are those that configure a command, each as a thing of the kind of its parameter.
func (l *line) words(c *command) []string {
	var with map[string]json.RawMessage
	if json.Unmarshal(c.Params["configurationParams"], &with) != nil {
		return nil
	}
	var out []string
	for _, key := range []string{"style", "primaryNozzle", "backLeftNozzle", "frontRightNozzle"} {
		if word := text(with[key]); word != "" {
			name := key + " " + strings.ReplaceAll(word, ",", " ")
			l.thing(name, key)
			out = append(out, name)
		}
	}
	return out
}

// values reads the numbers among the parameters of a command. The place in a well is how far
// below its top or above its bottom it is, in mm.
func (l *line) values(st *episode.Step, c *command) {
	names := make([]string, 0, len(c.Params))
	for name := range c.Params {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if n, ok := number(c.Params[name]); ok {
			st.Values = append(st.Values, scene.Reading{Quantity: name, Number: n})
		}
	}
	if c.Result.TipVolume != nil {
		st.Values = append(st.Values, scene.Reading{Quantity: "tipVolume", Number: *c.Result.TipVolume})
	}
	var well struct {
		Origin string  `json:"origin"`
		Z      float64 `json:"z"`
	}
	if json.Unmarshal(c.Params["wellLocation"], &well) == nil && well.Origin != "" {
		z := well.Z
		if well.Origin == "top" {
			z = outwards(-z)
		}
		st.Values = append(st.Values, scene.Reading{Quantity: "z from " + well.Origin, Number: z})
	}
}

// outwards rounds a depth to a millionth of a millimetre so that what lies deeper than
// another depth still does.
func outwards(depth float64) float64 {
	at, err := strconv.ParseFloat(strconv.FormatFloat(depth, 'f', 6, 64), 64)
	if err == nil && at < depth {
		at = math.Round((at+1e-6)*1e6) / 1e6
	}
	return at
}

// text is a text, "" for anything else.
func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func number(raw json.RawMessage) (float64, bool) {
	var n float64
	if len(raw) == 0 || raw[0] == 'n' || json.Unmarshal(raw, &n) != nil {
		return 0, false
	}
	return n, true
}
