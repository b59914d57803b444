// Package audio tells what is heard in recorded sound: where something is to be heard, how it
// sounds, and, by the scores that a classifier wrote beside it, what it is (REFLECT, section
// 3.1.1).
package audio

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
)

// Reader reads sound from a WAV file: in whole numbers of 8 to 32 bits or in floating point,
// of any number of channels.
type Reader struct {
	Rate int // samples a second

	file     string
	in       *bufio.Reader
	left     int64 // bytes of the samples, -1 where only the end of the file tells
	channels int
	size     int // bytes of a sample of a channel
	float    bool
	frame    []byte
	// Short is how many bytes are missing where the file breaks off, 0 where it does not.
	Short int64
}

// The formats of samples in a WAV file.
const (
	formatPCM        = 1
	formatFloat      = 3
	formatExtensible = 0xfffe
)

// limits of what is taken for sound.
const (
	minRate, maxRate = 1000, 768_000
	maxChannels      = 64
)

// NewReader reads a WAV file up to its samples; file is its name in messages. The error is an
// *input.Error.
func NewReader(file string, in io.Reader) (*Reader, error) {
	r := &Reader{file: file, in: bufio.NewReaderSize(in, 1<<16)}
	bad := func(found string, err error) (*Reader, error) {
		return nil, &input.Error{File: file, Found: found, Expected: "sound in a WAV file (RIFF, 8 to 32 bits or floating point)", Err: err}
	}
	var head [12]byte
	if n, err := io.ReadFull(r.in, head[:]); err != nil && n == 0 && errors.Is(err, io.EOF) {
		return bad("an empty file", input.ErrEmpty)
	} else if string(head[:4]) != "RIFF" || string(head[8:]) != "WAVE" {
		return bad(fmt.Sprintf("a file that begins with %q", head[:min(n, 4)]), nil)
	}
	for {
		var chunk [8]byte
		if _, err := io.ReadFull(r.in, chunk[:]); err != nil {
			return bad("no samples before the end of the file", nil)
		}
		length := int64(binary.LittleEndian.Uint32(chunk[4:]))
		switch string(chunk[:4]) {
		case "fmt ":
			if found := r.format(length); found != "" {
				return bad(found, nil)
			}
		case "data":
			if r.Rate == 0 {
				return bad("samples before their format", nil)
			}
			r.left = length
			if length == 0 || length == math.MaxUint32 { // as programs write that do not know it yet
				r.left = -1
			}
			return r, nil
		default:
			if _, err := io.CopyN(io.Discard, r.in, length+length%2); err != nil {
				return bad("no samples before the end of the file", nil)
			}
		}
	}
}

// format reads the format of the samples; found says what is wrong with it.
func (r *Reader) format(length int64) (found string) {
	if length < 16 || length > 1<<16 {
		return fmt.Sprintf("a format of %d bytes", length)
	}
	b := make([]byte, length+length%2)
	if _, err := io.ReadFull(r.in, b); err != nil {
		return "the end of the file in the format"
	}
	kind, bits := binary.LittleEndian.Uint16(b), int(binary.LittleEndian.Uint16(b[14:]))
	r.channels, r.Rate = int(binary.LittleEndian.Uint16(b[2:])), int(min(binary.LittleEndian.Uint32(b[4:]), math.MaxInt32))
	if kind == formatExtensible && len(b) >= 26 {
		kind = binary.LittleEndian.Uint16(b[24:])
	}
	r.float = kind == formatFloat
	switch {
	case kind != formatPCM && kind != formatFloat:
		return fmt.Sprintf("sound in the format %d", kind)
	case r.channels < 1 || r.channels > maxChannels:
		return fmt.Sprintf("%d channels", r.channels)
	case r.Rate < minRate || r.Rate > maxRate:
		return fmt.Sprintf("%d samples a second", r.Rate)
	case r.float && bits != 32 && bits != 64, !r.float && bits != 8 && bits != 16 && bits != 24 && bits != 32:
		return fmt.Sprintf("samples of %d bits", bits)
	}
	r.size = bits / 8
	r.frame = make([]byte, r.size*r.channels)
	return ""
}

// Read reads samples from -1 to 1, each the mean of the channels. At the end n is 0 and the error
// io.EOF; other errors are *input.Errors.
func (r *Reader) Read(samples []float64) (n int, err error) {
	for n < len(samples) {
		if r.left >= 0 && r.left < int64(len(r.frame)) {
			break
		}
		got, err := io.ReadFull(r.in, r.frame)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			if r.left > 0 {
				r.Short = r.left - int64(got)
			}
			r.left = 0
			break
		}
		if err != nil {
			return n, &input.Error{File: r.file, Found: "a read error (" + err.Error() + ")", Expected: "a readable file", Err: err}
		}
		if r.left > 0 {
			r.left -= int64(len(r.frame))
		}
		sum := 0.0
		for c := range r.channels {
			sum += r.sample(r.frame[c*r.size:])
		}
		samples[n] = sum / float64(r.channels)
		n++
	}
	if n == 0 && len(samples) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (r *Reader) sample(b []byte) float64 {
	f := 0.0
	switch {
	case r.float && r.size == 4:
		f = float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case r.float:
		f = math.Float64frombits(binary.LittleEndian.Uint64(b))
	case r.size == 1:
		return (float64(b[0]) - 128) / (1 << 7)
	case r.size == 2:
		return float64(int16(binary.LittleEndian.Uint16(b))) / (1 << 15)
	case r.size == 3:
		return float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) / (1 << 31)
	default:
		return float64(int32(binary.LittleEndian.Uint32(b))) / (1 << 31)
	}
	if math.IsNaN(f) {
		return 0
	}
	return max(-1, min(f, 1))
}
