package recording

import (
	"encoding/binary"
	"io"

	"github.com/foxglove/mcap/go/mcap"
)

// maxSummary is how much of the summary of a recording is read, in bytes.
const maxSummary = 64 << 20

// summary takes the schemas and channels that stand at the end of a recording, where it has
// an end: then a chunk that is lost does not take those of others with it. in is left
// where it was.
func (r *Reader) summary(in io.ReadSeeker) error {
	const footer = 9 + 8 + 8 + 4
	here, err := in.Seek(0, io.SeekCurrent)
	if err != nil {
		return nil // it cannot be sought in after all
	}
	tail := make([]byte, footer+len(mcap.Magic))
	end, err := in.Seek(-int64(len(tail)), io.SeekEnd)
	if err == nil {
		_, err = io.ReadFull(in, tail)
	}
	if err == nil && mcap.OpCode(tail[0]) == mcap.OpFooter && string(tail[footer:]) == string(mcap.Magic) {
		start := binary.LittleEndian.Uint64(tail[9:])
		if start > uint64(here) && start < uint64(end) && uint64(end)-start <= maxSummary {
			r.summarised(in, int64(start), int(uint64(end)-start))
		}
	}
	_, err = in.Seek(here, io.SeekStart)
	return err
}

func (r *Reader) summarised(in io.ReadSeeker, start int64, size int) {
	if _, err := in.Seek(start, io.SeekStart); err != nil {
		return
	}
	rest := make([]byte, size)
	n, _ := io.ReadFull(in, rest)
	rest = rest[:n]
	for len(rest) >= 9 {
		op, length := mcap.OpCode(rest[0]), binary.LittleEndian.Uint64(rest[1:])
		if length > uint64(len(rest)-9) {
			break
		}
		if op == mcap.OpSchema || op == mcap.OpChannel {
			r.place = Place{Offset: start + int64(n-len(rest)), Inner: -1}
			r.take(op, rest[9:9+length])
		}
		rest = rest[9+length:]
	}
}
