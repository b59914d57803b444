package jsonl

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/mishap-robotics/mishap/engine/scene"
)

func (n *node) scene() scene.Node {
	return scene.Node{ID: n.ID, Class: n.Class, States: n.States, Properties: n.Properties, Values: scene.Readings(n.Values)}
}

// readings are what was measured, as lines have it: {"temperature": 9.5} or, in a unit,
// {"temperature": {"value": 282.65, "unit": "K"}}.
type readings scene.Readings

type inUnit struct {
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
}

// UnmarshalJSON reads them in the order of their names.
func (r *readings) UnmarshalJSON(data []byte) error {
	var texts map[string]json.RawMessage
	if err := json.Unmarshal(data, &texts); err != nil {
		return err
	}
	*r = nil
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		var v inUnit
		into := any(&v.Value)
		if bytes.HasPrefix(bytes.TrimSpace(texts[name]), []byte("{")) {
			into = &v
		}
		if err := json.Unmarshal(texts[name], into); err != nil {
			return err
		}
		*r = append(*r, scene.Reading{Quantity: name, Number: v.Value, Unit: v.Unit})
	}
	return nil
}

// MarshalJSON writes them as they are read.
func (r readings) MarshalJSON() ([]byte, error) {
	out := map[string]any{}
	for _, v := range r {
		if out[v.Quantity] = v.Number; v.Unit != "" {
			out[v.Quantity] = inUnit{v.Number, v.Unit}
		}
	}
	return json.Marshal(out)
}
