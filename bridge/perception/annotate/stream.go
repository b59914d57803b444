package annotate

import (
	"sync"

	"github.com/mishap-robotics/mishap/bridge/perception"
	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/foxglove"
	"github.com/mishap-robotics/mishap/bridge/report"
)

// Stream makes the messages of what is found while a robot goes on. Its methods may be called by
// several goroutines.
type Stream struct {
	mu sync.Mutex
	a  annotator
}

// NewStream is a stream of which nothing is known yet.
func NewStream() *Stream { return &Stream{a: annotator{about: map[string][]string{}}} }

// Channels are those of the messages, each without a message.
func Channels() []recording.Channel {
	channel := func(topic, messageType string, schema []byte) recording.Channel {
		return recording.Channel{Topic: topic, Type: messageType, Encoding: "json", SchemaEncoding: "jsonschema", Schema: schema}
	}
	return []recording.Channel{
		channel(FindingsTopic, FindingType, findingSchema),
		channel(LogTopic, foxglove.LogType, foxglove.Schema(foxglove.LogType)),
		channel(SceneTopic, foxglove.SceneUpdateType, foxglove.Schema(foxglove.SceneUpdateType)),
	}
}

// mostMoments is how many moments are known by their steps, the last ones.
const mostMoments = 1000

// Moment gives the messages of a moment: what is remembered.
func (s *Stream) Moment(m perception.Moment) []recording.Addition {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.a.moments {
		s.a.moments[i].Things = nil // of those before only the times are asked for
	}
	if n := len(s.a.moments) - mostMoments + 1; n > 0 {
		s.a.moments = append(s.a.moments[:0], s.a.moments[n:]...)
	}
	s.a.moments = append(s.a.moments, m)
	s.a.scene(&m)
	return s.taken()
}

// Finding gives the messages of a finding, with the last scene once more, in which its things
// are red.
func (s *Stream) Finding(f *report.Finding) []recording.Addition {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.a.finding(f)
	s.a.blame(f)
	if n := len(s.a.moments); n > 0 {
		s.a.scene(&s.a.moments[n-1])
	}
	return s.taken()
}

func (s *Stream) taken() []recording.Addition {
	out := s.a.out
	s.a.out = nil
	return out
}
