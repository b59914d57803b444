package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Take takes in a stream of JSON Lines until it ends. The name is that of the stream on the
// page; the error is what it broke off with, which the page tells too.
func (l *Live) Take(ctx context.Context, name string, in io.Reader) error {
	s, err := l.open(name)
	if err != nil {
		return err
	}
	return l.watch(ctx, s, in)
}

// followInterval is how often a file is looked at for more.
const followInterval = 200 * time.Millisecond

// Follow takes in a file of JSON Lines that is there, and what is appended to it, until the
// context ends. Where another file takes its place, or it is cut off, that is a stream
// anew; so is what comes after a break. It is an error where there is no such file.
func (l *Live) Follow(ctx context.Context, path string) error {
	t, err := openTail(ctx, path)
	if err != nil {
		return err
	}
	for ctx.Err() == nil {
		if err := l.Take(ctx, path, t); errors.Is(err, errStreams) {
			t.close()
			return err
		}
		if t, err = t.next(); err != nil {
			return nil // the context is over
		}
	}
	t.close()
	return nil
}

// tail reads a file, and what is appended to it.
type tail struct {
	ctx  context.Context
	path string
	file *os.File
	at   int64 // bytes that were read
}

func openTail(ctx context.Context, path string) (*tail, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, fmt.Errorf("%s: a folder; expected a file of JSON Lines that is appended to", path)
	}
	return &tail{ctx: ctx, path: path, file: f}, nil
}

func (t *tail) close() { t.file.Close() }

// Read waits for what is appended. The end is that of a file whose place another has taken.
func (t *tail) Read(p []byte) (int, error) {
	for {
		n, err := t.file.Read(p)
		t.at += int64(n)
		if n > 0 || err != nil && !errors.Is(err, io.EOF) {
			return n, err
		}
		switch replaced, cut := t.replaced(); {
		case replaced:
			return 0, io.EOF
		case cut:
			return 0, fmt.Errorf("the file was cut off after %d bytes had been read", t.at)
		}
		if err := t.wait(); err != nil {
			return 0, err
		}
	}
}

// replaced reports that another file is in the place of this one, or that it is shorter than
// what was read of it. A file that is gone may come back.
func (t *tail) replaced() (other, cut bool) {
	now, err := os.Stat(t.path)
	if err != nil {
		return false, false
	}
	own, err := t.file.Stat()
	return err == nil && !os.SameFile(now, own), err == nil && own.Size() < t.at
}

func (t *tail) wait() error {
	select {
	case <-t.ctx.Done():
		return t.ctx.Err()
	case <-time.After(followInterval):
		return nil
	}
}

// next waits until the file is another one, or is cut off, and opens it from its beginning.
func (t *tail) next() (*tail, error) {
	for {
		if other, cut := t.replaced(); other || cut {
			if again, err := openTail(t.ctx, t.path); err == nil {
				t.close()
				return again, nil
			}
		}
		if err := t.wait(); err != nil {
			t.close()
			return nil, err
		}
	}
}

// inlet is the reader of a stream that comes by several requests.
type inlet struct {
	sending sync.Mutex // of one request at a time

	mu      sync.Mutex
	changed sync.Cond
	data    []byte // not read yet
	idle    bool   // the reader waits: all that came before is judged
	ended   bool   // nothing more comes
	err     error  // with which it ended
	gone    bool   // nobody reads any more
	broke   error  // why
	quiet   *time.Timer
}

// maxQuiet is how long a stream by HTTP stays open when nothing comes.
const maxQuiet = time.Hour

func newInlet() *inlet {
	i := &inlet{}
	i.changed.L = &i.mu
	i.quiet = time.AfterFunc(maxQuiet, func() { i.end(fmt.Errorf("nothing came for %v", maxQuiet)) })
	return i
}

// Read is called by the watcher.
func (i *inlet) Read(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for len(i.data) == 0 {
		if i.idle = true; i.ended {
			if i.err != nil {
				return 0, i.err
			}
			return 0, io.EOF
		}
		i.changed.Broadcast()
		i.changed.Wait()
	}
	i.idle = false
	n := copy(p, i.data)
	i.data = i.data[n:]
	return n, nil
}

// give hands over whole lines and waits until they are judged. The error is what the stream
// broke off with.
func (i *inlet) give(lines []byte) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.quiet.Reset(maxQuiet)
	i.data, i.idle = lines, false
	i.changed.Broadcast()
	for !i.gone && !(i.idle && len(i.data) == 0) {
		i.changed.Wait()
	}
	if i.gone && i.broke == nil {
		return errEnded
	}
	return i.broke
}

var errEnded = &status{409, "the stream was ended meanwhile"}

// end ends the stream, nil for as it should.
func (i *inlet) end(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.ended {
		i.ended, i.err = true, err
	}
	i.changed.Broadcast()
}

// leave is called when nobody reads any more.
func (i *inlet) leave(err error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.quiet.Stop()
	i.ended, i.gone, i.broke = true, true, err
	i.changed.Broadcast()
}

// inlet is that of a stream by HTTP, which begins where it is not open.
func (l *Live) inlet(name string) (*inlet, error) {
	l.mu.Lock()
	in := l.inlets[name]
	l.mu.Unlock()
	if in != nil {
		return in, nil
	}
	s, err := l.open(name)
	if err != nil {
		return nil, err
	}
	in = newInlet()
	l.mu.Lock()
	l.inlets[name] = in
	l.mu.Unlock()
	go func() {
		err := l.watch(l.ctx, s, in)
		l.mu.Lock()
		delete(l.inlets, name)
		l.mu.Unlock()
		in.leave(err)
	}()
	return in, nil
}

// errBusy is that of a stream which another request sends to.
var errBusy = &status{409, "another request is sending to this stream; expected one at a time"}

// send takes in the lines of a request; the last may lack its end. It counts those that were
// judged.
func (l *Live) send(name string, body io.Reader) (lines int, err error) {
	in, err := l.inlet(name)
	if err != nil {
		return 0, err
	}
	if !in.sending.TryLock() {
		return 0, errBusy
	}
	defer in.sending.Unlock()
	var rest []byte // of a line that is not whole
	chunk := make([]byte, 32<<10)
	for {
		n, failed := body.Read(chunk)
		whole := 0
		if end := bytes.LastIndexByte(chunk[:n], '\n'); end >= 0 {
			whole = len(rest) + end + 1
		}
		rest = append(rest, chunk[:n]...)
		if errors.Is(failed, io.EOF) && len(rest) > whole {
			rest = append(rest, '\n')
			whole = len(rest)
		}
		if whole > 0 {
			if err := in.give(rest[:whole:whole]); err != nil {
				return lines, err
			}
			lines += bytes.Count(rest[:whole], []byte("\n"))
			rest = append([]byte(nil), rest[whole:]...)
		}
		if errors.Is(failed, io.EOF) {
			return lines, nil
		}
		if failed != nil {
			return lines, failed
		}
	}
}

// endStream ends a stream by HTTP, and waits until what is left of it is judged.
func (l *Live) endStream(name string) error {
	l.mu.Lock()
	in := l.inlets[name]
	l.mu.Unlock()
	if in == nil {
		return &status{404, "there is no such stream open; expected one that lines were sent to"}
	}
	in.end(nil)
	in.mu.Lock()
	defer in.mu.Unlock()
	for !in.gone {
		in.changed.Wait()
	}
	return in.broke
}
