// Package alfred reads trajectories of the ALFRED data set, in the compact form
// (one JSON object a line) and as the original traj_data.json. A trajectory
// tells what the robot did, not what it saw: it is replayed through the action
// model, which refuses what cannot be done, and observed after each
// interaction.
package alfred

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// Trajectory is one trajectory in the compact form.
type Trajectory struct {
	ID            string         `json:"id"`
	TaskType      string         `json:"task_type"`
	Params        map[string]any `json:"params"`
	Goal          string         `json:"goal"`
	DirtyAndEmpty bool           `json:"dirty_and_empty"`
	Toggles       []Toggle       `json:"object_toggles"`
	SceneObjects  []string       `json:"scene_objects"`
	Plan          [][]string     `json:"high_level_plan"`
	Interactions  []Interaction  `json:"interactions"`
	line          int            `json:"-"`
}

// Toggle is the state in which the devices of a class start.
type Toggle struct {
	IsOn bool   `json:"isOn"`
	Type string `json:"objectType"`
}

// Interaction is one action of the robot. Objects are AI2-THOR ids:
// Class|x|y|z, with |Class_n behind it for a slice.
type Interaction struct {
	Action     string `json:"action"`
	Object     string `json:"object"`
	Receptacle string `json:"receptacle"`
	From       string `json:"from"` // class an object is first taken from
	High       int    `json:"high"`
}

// Suffix ends the names of files in the compact form; OriginalFile is the name
// of an original.
const (
	Suffix       = ".alfred.jsonl"
	OriginalFile = "traj_data.json"
)

// ReadFile reads the trajectories of a file, in either form, as episodes. One that is wrong does
// not hide the others, which are returned with the error.
func ReadFile(o *ontology.Ontology, fsys fs.FS, name string) ([]*episode.Episode, error) {
	ts, err := readTrajectories(fsys, name)
	errs := []error{err}
	var out []*episode.Episode
	for i := range ts {
		ep, err := Episode(o, name, &ts[i])
		if errs = append(errs, err); err == nil {
			out = append(out, ep)
		}
	}
	return out, input.Join(errs...)
}

// ReadTrajectories reads the trajectories of a file, in either form.
func ReadTrajectories(path string) ([]Trajectory, error) {
	return readTrajectories(document.Disk{}, path)
}

func readTrajectories(fsys fs.FS, name string) ([]Trajectory, error) {
	if strings.HasSuffix(input.Plain(name), Suffix) {
		f, err := input.Open(fsys, name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return readCompact(name, f)
	}
	data, err := input.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	t, err := readOriginal(name, data)
	if err != nil {
		return nil, err
	}
	return []Trajectory{t}, nil
}

// readCompact reads trajectories in the compact form.
func readCompact(file string, r io.Reader) ([]Trajectory, error) {
	seen := map[string]int{}
	return input.ReadRecords(file, r, func(n int, text []byte) (Trajectory, error) {
		t := Trajectory{line: n}
		if err := json.Unmarshal(text, &t); err != nil {
			return t, jsonError(file, n, text, err)
		}
		switch {
		case t.ID == "":
			return t, &input.Error{File: file, Line: n, Found: `no "id"`, Expected: "a trajectory with an id"}
		case len(t.Interactions) == 0:
			return t, &input.Error{File: file, Line: n, Found: `no "interactions"`, Expected: "at least one interaction"}
		case seen[t.ID] > 0:
			return t, &input.Error{File: file, Line: n, Found: fmt.Sprintf("trajectory %s again, as on line %d", input.Clip(t.ID), seen[t.ID]), Expected: "each id once"}
		}
		seen[t.ID] = n
		return t, nil
	})
}

func jsonError(file string, line int, text []byte, err error) error {
	found := "no JSON (" + input.Clip(err.Error()) + ")"
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && int(syntax.Offset) >= len(text):
		found = "no JSON (the line breaks off)"
	case errors.As(err, &kind):
		found = fmt.Sprintf("%s in field %q", kind.Value, kind.Field)
	}
	return &input.Error{File: file, Line: line, Found: found, Expected: "one trajectory as a JSON object"}
}

// original is the part of traj_data.json that is read.
type original struct {
	TaskID   string         `json:"task_id"`
	TaskType string         `json:"task_type"`
	Params   map[string]any `json:"pddl_params"`
	Scene    struct {
		DirtyAndEmpty bool     `json:"dirty_and_empty"`
		Toggles       []Toggle `json:"object_toggles"`
	} `json:"scene"`
	Annotations struct {
		Anns []struct {
			TaskDesc string `json:"task_desc"`
		} `json:"anns"`
	} `json:"turk_annotations"`
	Plan struct {
		High []struct {
			Discrete struct {
				Action string   `json:"action"`
				Args   []string `json:"args"`
			} `json:"discrete_action"`
			Planner struct {
				Receptacle []any `json:"coordinateReceptacleObjectId"`
			} `json:"planner_action"`
		} `json:"high_pddl"`
		Low []struct {
			API struct {
				Action     string `json:"action"`
				Object     string `json:"objectId"`
				Receptacle string `json:"receptacleObjectId"`
			} `json:"api_action"`
			High int `json:"high_idx"`
		} `json:"low_actions"`
	} `json:"plan"`
}

// readOriginal turns a traj_data.json into the compact form: of the low-level
// actions those that touch an object.
func readOriginal(file string, data []byte) (Trajectory, error) {
	var d original
	if err := json.Unmarshal(data, &d); err != nil {
		line := 1
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line += bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		}
		return Trajectory{}, jsonError(file, line, data, err)
	}
	t := Trajectory{ID: d.TaskID, TaskType: d.TaskType, Params: d.Params, DirtyAndEmpty: d.Scene.DirtyAndEmpty, Toggles: d.Scene.Toggles, line: 1}
	if len(d.Annotations.Anns) > 0 {
		t.Goal = d.Annotations.Anns[0].TaskDesc
	}
	for _, h := range d.Plan.High {
		t.Plan = append(t.Plan, append([]string{h.Discrete.Action}, h.Discrete.Args...))
	}
	picked := map[int]bool{}
	for _, l := range d.Plan.Low {
		if l.API.Object == "" {
			continue
		}
		in := Interaction{Action: l.API.Action, Object: l.API.Object, Receptacle: l.API.Receptacle, High: l.High}
		if in.Action == pickupObject && !picked[l.High] && l.High >= 0 && l.High < len(d.Plan.High) {
			if r := d.Plan.High[l.High].Planner.Receptacle; len(r) > 0 {
				in.From, _ = r[0].(string)
			}
			picked[l.High] = true
		}
		t.Interactions = append(t.Interactions, in)
	}
	if t.ID == "" || len(t.Interactions) == 0 {
		return t, &input.Error{File: file, Line: 1, Found: "no task_id or no interactions", Expected: "an ALFRED traj_data.json"}
	}
	return t, nil
}

func unknownAction(o *ontology.Ontology, file string, t *Trajectory, name string) error {
	var known []string
	for _, a := range o.Actions {
		if a.AlfredName != "" {
			known = append(known, a.AlfredName)
		}
	}
	return &input.Error{File: file, Line: t.line, Found: fmt.Sprintf("unknown action %q in %s%s", input.Clip(name), input.Clip(t.ID), ontology.Hint(name, known)),
		Expected: "an interaction of ALFRED"}
}
