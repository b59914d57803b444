package web

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"
)

// The wording of the pages stands in words.json, so that it can be read and improved as
// prose. Scripts find it in the page.
//
//go:embed words.json
var wordsJSON []byte

var words = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	if err := json.Unmarshal(wordsJSON, &out); err != nil {
		panic(fmt.Sprintf("words.json: %v", err)) // it is embedded, and a test reads it
	}
	return out
})

// word is the wording for a key. A key without one is shown as it is, and a test looks for
// those.
func word(key string) string {
	if w, ok := words()[key]; ok {
		return w
	}
	return key
}
