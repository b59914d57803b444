package pack

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// template is a small pack, in which NAME stands for the name of the one that is made of it.
//
//go:embed all:template
var template embed.FS

var packName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)

// Create makes a folder with a pack of a few lines that is to be built upon, and lists the
// files. Its name is the last part of the folder. A folder that is there is left alone: the
// error is fs.ErrExist.
func Create(folder string) ([]string, error) {
	name := filepath.Base(folder)
	if !packName.MatchString(name) {
		return nil, fmt.Errorf("pack %q; expected a name of letters, digits, - and _, beginning with a letter", name)
	}
	if _, err := os.Stat(folder); err == nil {
		return nil, fmt.Errorf("%s: %w", folder, fs.ErrExist)
	}
	var out []string
	err := fs.WalkDir(template, "template", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(folder, strings.ReplaceAll(strings.TrimPrefix(p, "template"), "NAME", name))
		if d.IsDir() {
			return os.MkdirAll(to, 0o777)
		}
		data, err := template.ReadFile(p)
		if err != nil {
			return err
		}
		out = append(out, to)
		return os.WriteFile(to, []byte(strings.ReplaceAll(string(data), "NAME", name)), 0o666)
	})
	return out, err
}
