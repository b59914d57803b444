// Package logs finds the logs below a path and reads them, whatever their
// format.
package logs

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/logs/planfile"
	"github.com/mishap-robotics/mishap/bridge/logs/reflectlog"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
)

// Find lists the logs at or below a path, in lexical order: files in mishap's
// JSON Lines, ALFRED files and REFLECT folders. Plan files (*.plans.jsonl) hold
// no episodes and are passed over in folders. A path that holds no log is an error.
func Find(path string) ([]string, error) { return find(path, isLog) }

// FindAll lists the same with the plan files.
func FindAll(path string) ([]string, error) {
	return find(path, func(name string) bool { return isLog(name) || strings.HasSuffix(name, planfile.Suffix) })
}

func find(path string, wanted func(string) bool) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &input.Error{File: path, Found: input.Cause(err), Expected: "a log or a folder of logs"}
	}
	if !info.IsDir() {
		if strings.HasSuffix(path, planfile.Suffix) && !wanted(path) {
			return nil, &input.Error{File: path, Found: "a plan file", Expected: "a log; \"mishap foresee\" judges plans"}
		}
		if !wanted(path) {
			return nil, &input.Error{File: path, Found: "a file of unknown kind", Expected: "*.jsonl, *.alfred.jsonl, traj_data.json or a REFLECT folder"}
		}
		return []string{path}, nil
	}
	var out []string
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return &input.Error{File: p, Found: input.Cause(err), Expected: "a readable folder"}
		case d.IsDir() && isReflect(p):
			out = append(out, p)
			return fs.SkipDir
		case !d.IsDir() && wanted(p):
			out = append(out, p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, &input.Error{File: path, Found: "a folder without logs", Expected: "*.jsonl, *.alfred.jsonl, traj_data.json or REFLECT folders"}
	}
	return out, nil
}

// isReflect recognises a REFLECT folder by either of its files, so that one
// that lacks the other is an error and not passed over.
func isReflect(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, reflectlog.TaskFile))
	return err == nil || reflectlog.IsFolder(dir)
}

func isLog(path string) bool {
	name := filepath.Base(path)
	return name == alfred.OriginalFile || strings.HasSuffix(name, ".jsonl") && !strings.HasSuffix(name, planfile.Suffix)
}

// Read reads the episodes of one log that Find listed; those of a plan file have no
// steps.
func Read(o *ontology.Ontology, path string) ([]*episode.Episode, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &input.Error{File: path, Found: input.Cause(err), Expected: "a log"}
	}
	switch name := filepath.Base(path); {
	case info.IsDir():
		ep, err := reflectlog.ReadFolder(o, path)
		if err != nil {
			return nil, err
		}
		return []*episode.Episode{ep}, nil
	case strings.HasSuffix(name, alfred.Suffix) || name == alfred.OriginalFile:
		return alfred.ReadFile(o, path)
	case strings.HasSuffix(name, planfile.Suffix):
		return planfile.ReadFile(o, path)
	case strings.HasSuffix(name, ".jsonl"):
		return jsonl.ReadFile(o, path)
	}
	return nil, fmt.Errorf("%s: unknown kind of log", path)
}

// ReadAll reads all episodes of a log, or of the logs of a folder.
func ReadAll(o *ontology.Ontology, path string) ([]*episode.Episode, error) {
	files, err := Find(path)
	if err != nil {
		return nil, err
	}
	var out []*episode.Episode
	for _, f := range files {
		episodes, err := Read(o, f)
		if err != nil {
			return nil, err
		}
		out = append(out, episodes...)
	}
	return out, nil
}
