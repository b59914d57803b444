package input

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// MaxExpanded is how much is read of a compressed file, in bytes once expanded.
const MaxExpanded = 4 << 30

// maxWindow is the memory that expanding a Zstandard file may take, in bytes.
const maxWindow = 64 << 20

// compressed gives, by the ending of a file's name, how the file is expanded.
var compressed = map[string]func(io.Reader) (io.ReadCloser, error){
	".gz": func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
	".zst": func(r io.Reader) (io.ReadCloser, error) {
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	},
}

// Plain is the name of a file without the ending that tells how it is compressed.
func Plain(name string) string {
	if ending := path.Ext(name); compressed[ending] != nil {
		return strings.TrimSuffix(name, ending)
	}
	return name
}

// Stored is the name under which a file is there: its own, or that of it compressed. Where
// it is there in no form, it is its own.
func Stored(fsys fs.FS, name string) string {
	if _, err := fs.Stat(fsys, name); err == nil {
		return name
	}
	for _, ending := range slices.Sorted(maps.Keys(compressed)) {
		if _, err := fs.Stat(fsys, name+ending); err == nil {
			return name + ending
		}
	}
	return name
}

// expanded reads a compressed file.
type expanded struct {
	io.Reader
	close func() error
}

func (e *expanded) Close() error { return e.close() }

// expand reads a file as its name says that it is compressed.
func expand(name string, f fs.File) (io.ReadCloser, error) {
	open := compressed[path.Ext(name)]
	if open == nil {
		return f, nil
	}
	r, err := open(f)
	if err != nil {
		f.Close()
		return nil, &Error{File: name, Found: fmt.Sprintf("no %s data (%v)", path.Ext(name)[1:], err), Expected: "a whole compressed file", Err: err}
	}
	return &expanded{
		Reader: io.MultiReader(io.LimitReader(damaged{r}, MaxExpanded), tooLong{r}),
		close:  func() error { return errors.Join(r.Close(), f.Close()) },
	}, nil
}

// ErrDamaged is what reading a compressed file ends with that breaks off or is not as it
// was written. What was read until then is good.
var ErrDamaged = errors.New("the compressed file is damaged or breaks off")

// damaged reads compressed data, whose errors are all ErrDamaged.
type damaged struct{ r io.Reader }

func (d damaged) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return n, err
}

// tooLong is the error of whatever follows what may be read.
type tooLong struct{ r io.Reader }

func (t tooLong) Read([]byte) (int, error) {
	if n, _ := t.r.Read(make([]byte, 1)); n > 0 {
		return 0, fmt.Errorf("more than %d GiB once expanded", MaxExpanded>>30)
	}
	return 0, io.EOF
}
