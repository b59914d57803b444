package recording

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// openChunk makes the records of a chunk those that are read next. whole is false where the
// file breaks off in it; then they are as far as they go.
func (r *Reader) openChunk(body []byte, whole bool) {
	const head = 8 + 8 + 8 + 4 + 4 // times, size, checksum, length of the compression's name
	if len(body) < head || len(body) < head+int(binary.LittleEndian.Uint32(body[28:]))+8 {
		if whole {
			r.report("", fmt.Sprintf("a chunk of %d bytes", len(body)), "one with times, size, checksum and compression")
		}
		return
	}
	size, checksum := binary.LittleEndian.Uint64(body[16:]), binary.LittleEndian.Uint32(body[24:])
	from := head + int(binary.LittleEndian.Uint32(body[28:]))
	compression := string(body[head:from])
	stored := binary.LittleEndian.Uint64(body[from:])
	data := body[from+8:]
	if size > MaxChunk {
		r.report("", fmt.Sprintf("a chunk of %d bytes once expanded", size), fmt.Sprintf("at most %d", MaxChunk))
		return
	}
	if whole && stored != uint64(len(data)) {
		r.report("", fmt.Sprintf("a chunk that says it has %d bytes of records", stored), fmt.Sprintf("%d, as there are", len(data)))
		data = data[:min(stored, uint64(len(data)))]
	}
	records, err := r.expand(compression, data, int(size))
	if err != nil && whole {
		r.report("", "a chunk that cannot be expanded ("+err.Error()+")", "records compressed by zstd or lz4, or not at all")
	}
	r.unsure = false
	if sum := crc32.ChecksumIEEE(records); whole && err == nil && checksum != 0 && sum != checksum {
		r.report("", fmt.Sprintf("a chunk whose checksum is %08x", sum), fmt.Sprintf("%08x; its messages are left out", checksum))
		r.unsure = true
	}
	r.chunk, r.place.Inner = records, 0
}

// expand gives the records of a chunk, before an error as far as they go, and no more than
// the chunk says.
func (r *Reader) expand(compression string, data []byte, size int) ([]byte, error) {
	var in io.Reader
	switch mcap.CompressionFormat(compression) {
	case mcap.CompressionNone:
		if len(data) > size {
			return data[:size], fmt.Errorf("it says %d bytes, and is longer", size)
		}
		return data, nil
	case mcap.CompressionZSTD:
		if r.zstd == nil {
			d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(MaxChunk))
			if err != nil {
				return nil, err
			}
			r.zstd = d
		}
		if err := r.zstd.Reset(bytes.NewReader(data)); err != nil {
			return nil, err
		}
		in = r.zstd
	case mcap.CompressionLZ4:
		if r.lz4 == nil {
			r.lz4 = lz4.NewReader(nil)
		}
		r.lz4.Reset(bytes.NewReader(data))
		in = r.lz4
	default:
		return nil, fmt.Errorf("compression %q", clip(compression))
	}
	return r.fill(in, size)
}

// fill reads so many bytes, in memory that grows with what there is.
func (r *Reader) fill(in io.Reader, size int) ([]byte, error) {
	const step = 1 << 20
	out := r.expanded[:0]
	defer func() { r.expanded = out }()
	for len(out) < size {
		n := min(size, max(step, 2*len(out), cap(out)))
		if n > cap(out) {
			out = append(make([]byte, 0, n), out...)
		}
		had := len(out)
		got, err := io.ReadFull(in, out[had:n])
		out = out[:had+got]
		if err != nil {
			return out, fmt.Errorf("%w after %d of %d bytes", err, len(out), size)
		}
	}
	if n, _ := in.Read(make([]byte, 1)); n > 0 {
		return out, fmt.Errorf("it says %d bytes, and is longer", size)
	}
	return out, nil
}
