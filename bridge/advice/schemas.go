package advice

import (
	"bytes"
	"embed"
	"encoding/json"

	"github.com/mishap-robotics/mishap/bridge/llm"
)

//go:embed schemas/*.schema.json
var schemas embed.FS

// answerSchema is the JSON Schema of an answer, by the name of its file; models are told
// it without the blanks that make it readable.
func answerSchema(name string) *llm.Schema {
	text, err := schemas.ReadFile("schemas/" + name + ".schema.json")
	if err != nil {
		panic(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		panic("schemas/" + name + ".schema.json: " + err.Error())
	}
	return &llm.Schema{Name: name, JSON: compact.Bytes()}
}
