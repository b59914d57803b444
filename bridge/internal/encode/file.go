package encode

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File writes a file whole or not at all: until it is complete it stands beside under
// another name. A file that is there already is left as it is, with fs.ErrExist, unless it
// is to be overwritten; a symbolic link is neither followed nor replaced. What is no file, such as
// a pipe or a device, is written to.
func File(path string, overwrite bool, data []byte) (err error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return special(path, data)
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
	return replace(path, overwrite, data)
}

// replace puts a new file in the place of one that may be there.
func replace(path string, overwrite bool, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name()) // no half of a file is left
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	if overwrite {
		return os.Rename(f.Name(), path)
	}
	if err := os.Link(f.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path) // where there are no links
}

func special(path string, data []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
