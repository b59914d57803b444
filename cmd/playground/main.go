//go:build !js

// Playground writes the Try page with the reasoner compiled to WebAssembly: static files that
// any server of files can show, and that judge in the browser what is written there. It is run
// from the repository, by go run ./cmd/playground -o DIR.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/web"
)

func main() {
	out := flag.String("o", "", "folder that is written")
	samples := flag.String("samples", filepath.Join("testdata", "episodes"), "folder of logs (*.jsonl) that the page begins with")
	flag.Parse()
	if err := write(*out, *samples); err != nil {
		fmt.Fprintln(os.Stderr, "playground:", err)
		os.Exit(2)
	}
}

func write(folder, samples string) error {
	if folder == "" || flag.NArg() > 0 {
		return fmt.Errorf("found %q; expected -o DIR, and nothing else", os.Args[1:])
	}
	logs, err := filepath.Glob(filepath.Join(samples, "*.jsonl"))
	if err == nil && len(logs) == 0 {
		err = fmt.Errorf("%s: no *.jsonl; expected logs that the page begins with", samples)
	}
	if err != nil {
		return err
	}
	p := web.Playground{}
	for _, path := range logs {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p.AddLog(strings.TrimSuffix(filepath.Base(path), ".jsonl"), string(text))
	}
	if p.Module, err = module(); err != nil {
		return err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return err
	}
	if p.Loader, err = os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js")); err != nil {
		return err
	}
	files, err := p.Files()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%s: %d files, of which the reasoner has %.1f MB\n", folder, len(files), float64(len(p.Module))/1e6)
	return nil
}

// module is this command compiled to WebAssembly, compressed.
func module() ([]byte, error) {
	work, err := os.MkdirTemp("", "playground")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	file := filepath.Join(work, "mishap.wasm")
	c := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", file, "github.com/mishap-robotics/mishap/cmd/playground")
	c.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
	if told, err := c.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, told)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(data); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
