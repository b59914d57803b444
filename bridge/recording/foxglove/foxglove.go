// Package foxglove has the messages of Foxglove's that mishap writes, in JSON, as Foxglove,
// Lichtblick and Rerun show them. The JSON Schemas are those of npm's @foxglove/schemas 2.1.0.
package foxglove

import (
	_ "embed"
	"slices"
)

//go:embed log.schema.json
var logSchema []byte

//go:embed scene_update.schema.json
var sceneUpdateSchema []byte

// The types of messages.
const (
	LogType         = "foxglove.Log"
	SceneUpdateType = "foxglove.SceneUpdate"
)

// Schema is the JSON Schema of a type of message, nil where there is none.
func Schema(messageType string) []byte {
	switch messageType {
	case LogType:
		return slices.Clone(logSchema)
	case SceneUpdateType:
		return slices.Clone(sceneUpdateSchema)
	}
	return nil
}

// Time is a time or a duration.
type Time struct {
	Sec  uint64 `json:"sec"`
	Nsec uint64 `json:"nsec"`
}

// Nanoseconds is a time given in nanoseconds.
func Nanoseconds(at uint64) Time { return Time{at / 1e9, at % 1e9} }

// The levels of log messages.
const (
	Info    = 2
	Warning = 3
	Error   = 4
)

// Log is a log message.
type Log struct {
	Timestamp Time   `json:"timestamp"`
	Level     int    `json:"level"`
	Message   string `json:"message"`
	Name      string `json:"name"`
	File      string `json:"file"`
	Line      int    `json:"line"`
}

// SceneUpdate tells how a scene of three dimensions changes.
type SceneUpdate struct {
	Deletions []Deletion `json:"deletions"`
	Entities  []Entity   `json:"entities"`
}

// Deletion takes the entity of an id away.
type Deletion struct {
	Timestamp Time   `json:"timestamp"`
	Type      int    `json:"type"` // 0: the one of the id
	ID        string `json:"id"`
}

// Entity is a thing of a scene: it takes the place of one of the same id.
type Entity struct {
	Timestamp   Time       `json:"timestamp"`
	FrameID     string     `json:"frame_id"`
	ID          string     `json:"id"`
	Lifetime    Time       `json:"lifetime"` // 0 is for ever
	FrameLocked bool       `json:"frame_locked"`
	Metadata    []KeyValue `json:"metadata"`
	Arrows      []struct{} `json:"arrows"`
	Cubes       []Cube     `json:"cubes"`
	Spheres     []struct{} `json:"spheres"`
	Cylinders   []struct{} `json:"cylinders"`
	Lines       []struct{} `json:"lines"`
	Triangles   []struct{} `json:"triangles"`
	Texts       []Text     `json:"texts"`
	Models      []struct{} `json:"models"`
}

// NewEntity is an entity of nothing yet.
func NewEntity(at uint64, frame, id string) Entity {
	none := []struct{}{}
	return Entity{Timestamp: Nanoseconds(at), FrameID: frame, ID: id, Metadata: []KeyValue{}, Arrows: none, Cubes: []Cube{}, Spheres: none, Cylinders: none, Lines: none, Triangles: none, Texts: []Text{}, Models: none}
}

// KeyValue is what is said of an entity.
type KeyValue struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// Cube is a box; sizes are in metres.
type Cube struct {
	Pose  Pose   `json:"pose"`
	Size  Vector `json:"size"`
	Color Color  `json:"color"`
}

// Text is a text in the scene.
type Text struct {
	Pose           Pose    `json:"pose"`
	Billboard      bool    `json:"billboard"` // turned to who looks
	FontSize       float64 `json:"font_size"` // metres
	ScaleInvariant bool    `json:"scale_invariant"`
	Color          Color   `json:"color"`
	Text           string  `json:"text"`
}

// Pose is where something is and how it is turned.
type Pose struct {
	Position    Vector     `json:"position"`
	Orientation Quaternion `json:"orientation"`
}

// Vector is a point or a size, in metres.
type Vector struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
}

// Quaternion is how something is turned.
type Quaternion struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	Z float64 `json:"z"`
	W float64 `json:"w"`
}

// Color has parts from 0 to 1.
type Color struct {
	R float64 `json:"r"`
	G float64 `json:"g"`
	B float64 `json:"b"`
	A float64 `json:"a"`
}
