package perception

import (
	"fmt"
	"math"

	"github.com/mishap-robotics/mishap/bridge/perception/mapping"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// agreed is how far the clocks of a robot's computers may be from one another, in seconds: more
// than a detector takes for a picture.
const agreed = 5.0

// clocked is by how much the stamps of a topic are after the times at which its messages were
// recorded, in seconds, by the first that has one.
type clocked struct {
	topic string
	ahead float64
}

// compareClocks tells of a topic whose stamps are by another clock than those of the first
// that has any. A transform's stamp is that of a frame that may have stood there for long.
func (p *reader) compareClocks(s *source, m *recording.Message, root message.Value) {
	if p.stamped[m.Channel] || s.As == mapping.Transforms || s.As == mapping.Intrinsics {
		return
	}
	at := stamp(root.Field("header").Field("stamp"))
	if at == 0 {
		at = stamp(root.Field("timestamp"))
	}
	if at == 0 {
		return
	}
	p.stamped[m.Channel] = true
	ahead := (float64(at) - float64(m.LogTime)) / 1e9
	if p.clocks == nil {
		p.clocks = &clocked{m.Channel.Topic, ahead}
		return
	}
	if by := ahead - p.clocks.ahead; math.Abs(by) > agreed {
		way := "after"
		if by < 0 {
			way = "before"
		}
		p.ep.Warn(0, problem(m, fmt.Sprintf("stamps that are %.1f s %s those of %s", math.Abs(by), way, clip(p.clocks.topic)), fmt.Sprintf("clocks that agree to %v s; what belongs together by its stamps is not found", agreed)).String())
	}
}
