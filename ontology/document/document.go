// Package document reads the files that knowledge is written in, ontologies and
// rules alike: those built into the binary and those of a user.
package document

import (
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Document is one file.
type Document struct {
	Name string // as messages show it
	Data []byte
	// Level is how many packs stand below the one that it is of. A label that terms of several
	// levels have means that of the highest.
	Level int
}

// Embedded lists the files at the root of an embedded file system, named as if
// they stood in a folder.
func Embedded(files embed.FS, folder string) []Document {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // the embedded folder is always readable
	}
	var out []Document
	for _, e := range entries {
		data, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		out = append(out, Document{Name: path.Join(folder, e.Name()), Data: data})
	}
	return out
}

// Read lists the files of a folder with one of the extensions, in order of
// name, or the one file that place is. It is an error if there is none; kind
// says in errors what was looked for.
func Read(fsys fs.FS, kind, place string, extensions ...string) ([]Document, error) {
	info, err := fs.Stat(fsys, place)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	files := []string{place}
	if info.IsDir() {
		files = nil
		entries, err := fs.ReadDir(fsys, place)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		for _, e := range entries {
			if (e.Type().IsRegular() || e.Type()&fs.ModeSymlink != 0) && slices.Contains(extensions, strings.ToLower(path.Ext(e.Name()))) {
				files = append(files, path.Join(place, e.Name()))
			}
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s %s: no file that ends in %s in the folder", kind, place, strings.Join(extensions, ", "))
		}
	}
	var out []Document
	for _, f := range files {
		data, err := readFile(fsys, f)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind, err)
		}
		out = append(out, Document{Name: f, Data: data})
	}
	return out, nil
}

// MaxFile is the largest document that is read, in bytes.
const MaxFile = 64 << 20

func readFile(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err == nil && len(data) > MaxFile {
		return nil, fmt.Errorf("%s has more than %d MiB, the most that are read", name, MaxFile>>20)
	}
	return data, err
}

// Disk is the file system of the machine. Its names are paths as os.Open takes them,
// not only those below a root, and so messages show them.
type Disk struct{}

// Open opens a file for reading.
func (Disk) Open(name string) (fs.File, error) { return os.Open(name) }

// Stat describes a file.
func (Disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// Merge puts a user's files beside others; a file with the base name of another
// replaces it.
func Merge(base, own []Document) []Document {
	var out []Document
	for _, s := range base {
		if !slices.ContainsFunc(own, func(t Document) bool { return filepath.Base(t.Name) == filepath.Base(s.Name) }) {
			out = append(out, s)
		}
	}
	return append(out, own...)
}
