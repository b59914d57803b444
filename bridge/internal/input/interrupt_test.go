package input_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
)

func TestUntil(t *testing.T) {
	text := bytes.Repeat([]byte("a line\n"), 10_000)
	for name, r := range map[string]io.Reader{
		"whole": bytes.NewReader(text), "bytewise": iotest.OneByteReader(bytes.NewReader(text)), "error with data": iotest.DataErrReader(bytes.NewReader(text)),
	} {
		if got, err := io.ReadAll(input.Until(context.Background(), r)); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
	failing := iotest.TimeoutReader(iotest.HalfReader(bytes.NewReader(text)))
	if _, err := io.ReadAll(input.Until(context.Background(), failing)); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("error %v, want that of the reader", err)
	}
}

// A pipe that is idle does not keep a reader from ending.
func TestUntilIsInterrupted(t *testing.T) {
	idle, other := io.Pipe()
	defer other.Close()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() {
		ended <- input.EachLine("stream", input.Until(ctx, idle), func(int, []byte) error { return nil })
	}()
	if _, err := other.Write([]byte("{}\n")); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that it was cancelled", err)
	}
}
