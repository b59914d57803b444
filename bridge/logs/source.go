// Package logs finds the logs below a path and reads them, whatever their
// format.
package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/bridge/logs/alfred"
	"github.com/mishap-robotics/mishap/bridge/logs/jsonl"
	"github.com/mishap-robotics/mishap/bridge/logs/nquads"
	"github.com/mishap-robotics/mishap/bridge/logs/planfile"
	"github.com/mishap-robotics/mishap/bridge/logs/problemplan"
	"github.com/mishap-robotics/mishap/bridge/logs/protocolrun"
	"github.com/mishap-robotics/mishap/bridge/logs/reflectlog"
	"github.com/mishap-robotics/mishap/bridge/logs/virtualhome"
	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

// Error is a log that cannot be read: file, line, what was found, what was expected.
// Where an action of the log is unknown it wraps an *episode.UnknownActionError.
type Error = input.Error

// Find lists the logs at or below a path, in lexical order: files in mishap's
// JSON Lines (or as a JSON array, in a .json file), ALFRED files, recordings (MCAP, bags of ROS) and REFLECT folders, plain
// or compressed (.gz, .zst). Where there is nothing at the path, it is a pattern, in which *, ?,
// [a-z] and {a,b} match within a name and ** any folders. Plan files (*.plans.jsonl) hold
// no episodes and are passed over in folders. A path that holds no log is an error. Where
// folders below it cannot be read, the error tells of them, and the others are listed.
func Find(path string) ([]string, error) { return FindFS(document.Disk{}, path) }

// FindFS is Find in a file system, such as one that a program embeds.
func FindFS(fsys fs.FS, path string) ([]string, error) { return findMatching(fsys, path, isLog) }

// FindAll lists the same with the plan files.
func FindAll(path string) ([]string, error) {
	return findMatching(document.Disk{}, path, func(name string) bool { return isLog(name) || isPlanFile(name) })
}

// findMatching finds what stands at a path, or where nothing does at the paths that match
// it.
func findMatching(fsys fs.FS, path string, wanted func(string) bool) ([]string, error) {
	_, err := fs.Stat(fsys, path)
	if !errors.Is(err, fs.ErrNotExist) || !strings.ContainsAny(path, "*?[{") {
		return find(fsys, path, wanted)
	}
	paths, err := doublestar.Glob(fsys, path)
	if err != nil {
		return nil, &Error{File: path, Found: "a pattern that cannot be read (" + err.Error() + ")", Expected: "such as runs/*.jsonl or runs/**/*.gz", Err: err}
	}
	slices.Sort(paths)
	var out []string
	for _, p := range paths {
		found, err := find(fsys, p, wanted)
		if err != nil && len(found) == 0 {
			continue // what matches and is no log
		}
		out = append(out, found...)
	}
	if len(out) == 0 {
		return nil, &Error{File: path, Found: "no log that matches", Expected: "a log, a folder of logs or a pattern that logs match"}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func find(fsys fs.FS, path string, wanted func(string) bool) ([]string, error) {
	info, err := fs.Stat(fsys, path)
	if err != nil {
		return nil, &Error{File: path, Found: input.Cause(err), Expected: "a log or a folder of logs", Err: err}
	}
	if !info.IsDir() {
		if isPlanFile(path) && !wanted(path) {
			return nil, &Error{File: path, Found: "a plan file", Expected: "a log; \"mishap foresee\" judges plans"}
		}
		if !wanted(path) && !isArrayFile(path) {
			return nil, &Error{File: path, Found: "a file of unknown kind", Expected: "*.jsonl, *.json, *.alfred.jsonl, traj_data.json, *.nq, *.nt, *.mcap, *.bag, *.db3, one of these as .gz or .zst, or a REFLECT folder"}
		}
		return []string{path}, nil
	}
	if virtualhome.IsFolder(fsys, path) && wanted(filepath.Join(path, problemplan.File)) {
		return []string{path}, nil
	}
	var out []string
	var errs []error
	err = fs.WalkDir(fsys, path, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			errs = append(errs, &Error{File: p, Found: input.Cause(err), Expected: "a readable folder", Err: err})
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() && (reflectlog.IsFolder(fsys, p) || recording.IsFolder(fsys, p)):
			out = append(out, p)
			return fs.SkipDir
		case !d.IsDir() && (wanted(p) || isArrayFile(p) && jsonl.IsArray(fsys, p)):
			out = append(out, p)
		}
		return nil
	})
	if err = errors.Join(append(errs, err)...); err != nil {
		return out, err
	}
	if len(out) == 0 {
		return nil, &Error{File: path, Found: "a folder without logs", Expected: "*.jsonl, *.alfred.jsonl, traj_data.json, *.mcap, *.bag, *.db3 or REFLECT folders"}
	}
	return out, nil
}

func isLog(path string) bool {
	name := filepath.Base(input.Plain(path))
	return name == alfred.OriginalFile || nquads.IsFile(name) || isRecording(path) || strings.HasSuffix(name, ".jsonl") && !isPlanFile(name)
}

// isRecording reports whether a file is a robot's recording; those in SQLite are not read
// compressed.
func isRecording(path string) bool {
	plain := input.Plain(path)
	return strings.HasSuffix(plain, recording.Suffix) || strings.HasSuffix(plain, recording.Bag1Suffix) || strings.HasSuffix(path, recording.BagSuffix)
}

func isPlanFile(path string) bool {
	name := filepath.Base(input.Plain(path))
	return strings.HasSuffix(name, planfile.Suffix) || name == problemplan.File
}

// isArrayFile reports whether a file may hold what else stands on lines as a JSON array.
func isArrayFile(path string) bool { return strings.HasSuffix(input.Plain(path), ".json") }

// Reader reads logs.
type Reader struct {
	Ontology *ontology.Ontology
	// Mapping says what the topics of recordings are; nil for what is recognised in each.
	Mapping *mapping.Mapping
}

// Read reads the episodes of one log that Find listed; those of a plan file have no
// steps. The error is an *Error, or joins several: where each line is an episode, one that is
// wrong does not hide the others, which are returned with it.
func (r Reader) Read(path string) ([]*episode.Episode, error) {
	return r.ReadFS(document.Disk{}, path)
}

// Read is Reader.Read by what is recognised in recordings.
func Read(o *ontology.Ontology, path string) ([]*episode.Episode, error) {
	return Reader{Ontology: o}.Read(path)
}

// ReadFS is Read in a file system.
func ReadFS(o *ontology.Ontology, fsys fs.FS, path string) ([]*episode.Episode, error) {
	return Reader{Ontology: o}.ReadFS(fsys, path)
}

// ReadFS is Read in a file system.
func (r Reader) ReadFS(fsys fs.FS, path string) ([]*episode.Episode, error) {
	o := r.Ontology
	info, err := fs.Stat(fsys, path)
	if err != nil {
		return nil, &Error{File: path, Found: input.Cause(err), Expected: "a log", Err: err}
	}
	switch name := filepath.Base(input.Plain(path)); {
	case info.IsDir() && virtualhome.IsFolder(fsys, path):
		return virtualhome.ReadFolder(o, fsys, path)
	case !info.IsDir() && isRecording(path), info.IsDir() && recording.IsFolder(fsys, path):
		ep, err := perception.ReadFile(o, fsys, path, r.Mapping)
		if err != nil {
			return nil, err
		}
		return []*episode.Episode{ep}, nil
	case info.IsDir():
		ep, err := reflectlog.ReadFolder(o, fsys, path)
		if err != nil {
			return nil, err
		}
		return []*episode.Episode{ep}, nil
	case strings.HasSuffix(name, alfred.Suffix) || name == alfred.OriginalFile:
		return alfred.ReadFile(o, fsys, path)
	case strings.HasSuffix(name, ".jsonl") && problemplan.IsFile(fsys, path):
		return problemplan.ReadFile(o, fsys, path)
	case name == problemplan.File:
		return jsonl.ReadFile(o, fsys, path)
	case isPlanFile(name):
		return planfile.ReadFile(o, fsys, path)
	case strings.HasSuffix(name, ".jsonl") && protocolrun.IsFile(fsys, path):
		return protocolrun.ReadFile(o, fsys, path)
	case nquads.IsFile(name):
		return collect(nquads.Episodes(o, fsys, path))
	case strings.HasSuffix(name, ".jsonl"), isArrayFile(name):
		return jsonl.ReadFile(o, fsys, path)
	}
	return nil, &Error{File: path, Found: "a file of unknown kind", Expected: "a log that Find lists"}
}

// Source is what a log holds, as it is read.
type Source struct {
	Episodes iter.Seq2[*episode.Episode, error]
	// Count is how many episodes there are, 0 where that shows only as they are read.
	Count int
}

// Open reads a log that Find listed: one in N-Quads or N-Triples episode by episode, as they
// are asked for, and others as a whole.
func (r Reader) Open(path string) Source { return r.OpenFS(document.Disk{}, path) }

// OpenFS is Open in a file system.
func (r Reader) OpenFS(fsys fs.FS, path string) Source {
	if info, err := fs.Stat(fsys, path); err == nil && !info.IsDir() && nquads.IsFile(filepath.Base(input.Plain(path))) {
		return Source{Episodes: nquads.Episodes(r.Ontology, fsys, path)}
	}
	return SourceOf(r.ReadFS(fsys, path))
}

// SourceOf is one of episodes that were read, and of what was wrong with others.
func SourceOf(episodes []*episode.Episode, err error) Source {
	return Source{Count: len(episodes), Episodes: func(yield func(*episode.Episode, error) bool) {
		if err != nil && !yield(nil, err) {
			return
		}
		for _, ep := range episodes {
			if !yield(ep, nil) {
				return
			}
		}
	}}
}

// collect is what a sequence yields.
func collect(all iter.Seq2[*episode.Episode, error]) ([]*episode.Episode, error) {
	var out []*episode.Episode
	var errs []error
	for ep, err := range all {
		if err != nil {
			errs = append(errs, err)
		} else {
			out = append(out, ep)
		}
	}
	return out, input.Join(errs...)
}

// Episodes reads the episodes of all logs at or below a path of a file system, one log
// after the other. A log that cannot be read gives its error and does not hide the
// others.
func Episodes(o *ontology.Ontology, fsys fs.FS, path string) iter.Seq2[*episode.Episode, error] {
	return func(yield func(*episode.Episode, error) bool) {
		files, err := FindFS(fsys, path)
		if err != nil && !yield(nil, err) {
			return
		}
		for _, f := range files {
			for ep, err := range (Reader{Ontology: o}).OpenFS(fsys, f).Episodes {
				if !yield(ep, err) {
					return
				}
			}
		}
	}
}

// ReadAll reads all episodes of a log, or of the logs of a folder.
func (r Reader) ReadAll(path string) ([]*episode.Episode, error) {
	files, err := Find(path)
	if err != nil {
		return nil, err
	}
	var out []*episode.Episode
	for _, f := range files {
		episodes, err := r.Read(f)
		if err != nil {
			return nil, err
		}
		out = append(out, episodes...)
	}
	return out, nil
}

// ReadAll reads all episodes by what is recognised in recordings.
func ReadAll(o *ontology.Ontology, path string) ([]*episode.Episode, error) {
	return Reader{Ontology: o}.ReadAll(path)
}

// ReadOne reads the only episode of a log or of the logs of a folder, or where id is not ""
// the one of that id.
func (r Reader) ReadOne(path, id string) (*episode.Episode, error) {
	files, err := Find(path)
	if err != nil {
		return nil, err
	}
	var ids []string // some
	all, found := 0, 0
	var out *episode.Episode
	for _, f := range files {
		for ep, err := range r.Open(f).Episodes {
			if err != nil {
				return nil, err
			}
			if all++; len(ids) <= someNames {
				ids = append(ids, ep.ID)
			}
			if id == "" || ep.ID == id {
				found++
				out = ep
			}
		}
	}
	switch {
	case found == 1:
		return out, nil
	case found == 0:
		return nil, fmt.Errorf("%s has no episode %q; expected one of %s", path, id, Some(ids))
	case id != "":
		return nil, fmt.Errorf("%s holds %d episodes %q; expected one file", path, found, id)
	}
	return nil, fmt.Errorf("%s holds %d episodes; expected --episode with one of %s", path, all, Some(ids))
}

// ReadOne is Reader.ReadOne by what is recognised in recordings.
func ReadOne(o *ontology.Ontology, path, id string) (*episode.Episode, error) {
	return Reader{Ontology: o}.ReadOne(path, id)
}

// someNames is how many names a message lists.
const someNames = 8

// Some lists the first of many names, for a message.
func Some(names []string) string {
	if len(names) > someNames {
		return strings.Join(names[:someNames], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
