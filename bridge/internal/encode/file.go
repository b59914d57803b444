package encode

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// File writes a file whole or not at all: until it is complete it stands beside under
// another name. A file that is there already is left as it is, with fs.ErrExist, unless it
// is to be overwritten; a symbolic link is neither followed nor replaced. What is no file, such as
// a pipe or a device, is written to.
func File(path string, overwrite bool, data []byte) error {
	return Stream(path, overwrite, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Stream is File of what write writes, for what is too large to be held.
func Stream(path string, overwrite bool, write func(io.Writer) error) error {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return special(path, write)
	}
	switch link, err := os.Lstat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case link.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s is a symbolic link; expected the name of a file", path)
	case link.IsDir():
		return fmt.Errorf("%s is a folder; expected the name of a file", path)
	case !overwrite:
		return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist}
	}
	return replace(path, overwrite, write)
}

// unfinished are the files that are being written, under the names that they have until
// they are complete.
var unfinished = struct {
	sync.Mutex
	names map[string]bool
}{names: map[string]bool{}}

// Abandon takes away what is not complete, and lets no file be written any more: for a
// program that is about to end.
func Abandon() {
	unfinished.Lock() // for good
	for name := range unfinished.names {
		os.Remove(name)
	}
}

// begin opens a file that is to stand beside another until it is complete.
func begin(path string) (*os.File, error) {
	unfinished.Lock()
	defer unfinished.Unlock()
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err == nil {
		unfinished.names[f.Name()] = true
	}
	return f, err
}

// replace puts a new file in the place of one that may be there.
func replace(path string, overwrite bool, write func(io.Writer) error) error {
	f, err := begin(path)
	if err != nil {
		return err
	}
	err = write(f)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	unfinished.Lock()
	defer unfinished.Unlock()
	delete(unfinished.names, f.Name())
	if err == nil {
		err = put(f.Name(), path, overwrite)
	}
	if err != nil {
		os.Remove(f.Name()) // no half of a file is left
	}
	return err
}

// put gives a complete file its name.
func put(name, path string, overwrite bool) error {
	if overwrite {
		return os.Rename(name, path)
	}
	if err := os.Link(name, path); err == nil || errors.Is(err, fs.ErrExist) {
		return errors.Join(err, os.Remove(name))
	}
	return os.Rename(name, path) // where there are no links
}

func special(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}
