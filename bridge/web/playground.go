package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/mishap-robotics/mishap/bridge/try"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// Playground is the Try page as static files, where a worker judges in the browser.
type Playground struct {
	Module []byte // the reasoner as WebAssembly, compressed with gzip
	Loader []byte // wasm_exec.js of the Go that compiled it
	logs   []file
}

// AddLog adds a log of JSON Lines that the page offers; the first is shown at first.
func (p *Playground) AddLog(name, text string) { p.logs = append(p.logs, file{name, text}) }

// Files are the files of the page by name, all in one folder.
func (p *Playground) Files() (map[string][]byte, error) {
	var page bytes.Buffer
	l := (&Server{}).layout("", word("page.try"), map[string]string{"worker": "yes"})
	if err := templates().ExecuteTemplate(&page, "playground.html", l); err != nil {
		return nil, err
	}
	known := filesOf(&try.Bench{Ontology: ontology.Shipped(), Rules: rules.Shipped()})
	data, err := json.Marshal(struct {
		knowledgeFiles
		Logs []file `json:"logs"`
	}{known, p.logs})
	if err != nil {
		return nil, fmt.Errorf("files.json: %w", err)
	}
	out := map[string][]byte{"index.html": page.Bytes(), "files.json": data, "mishap.wasm.gz": p.Module, "wasm_exec.js": p.Loader}
	for _, name := range []string{"app.css", "icon.svg", "viewer.js", "editor.js", "try.js", "worker.js"} {
		out[name] = []byte(source(name))
	}
	for name := range maps.Keys(out) {
		if len(out[name]) == 0 {
			return nil, fmt.Errorf("%s is empty", name)
		}
	}
	return out, nil
}
