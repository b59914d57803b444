package live

import (
	"testing"

	"github.com/mishap-robotics/mishap/bridge/recording"
	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// Whatever a server says, it is taken in without a fault.
func FuzzClient(f *testing.F) {
	f.Add(`{"op":"advertise","channels":[{"id":7,"topic":"/a","encoding":"json","schemaName":"a/B","schema":"{}"}]}`, []byte("\x01\x01\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00{}"))
	f.Add(`{"op":"advertise","channels":[{"id":7,"topic":"/a","encoding":"cdr","schemaName":"std_msgs/msg/String","schema":"string data"}]}`, []byte("\x01\x01\x00\x00\x00\x05\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x02\x00\x00\x00a\x00"))
	f.Add(`{"op":"unadvertise","channelIds":[7]}`, []byte{2})
	f.Fuzz(func(t *testing.T, said string, data []byte) {
		c := &Client{Topics: []string{"/a"}, Tell: func(string) {}, told: map[string]int{}, of: map[uint32]*recording.Channel{}, ids: map[uint32]uint32{}}
		for range 2 {
			if answer, err := c.operation([]byte(said)); answer != nil && len(c.of) == 0 {
				t.Errorf("asked for %s, %v", answer, err)
			}
			if m := c.binary(data); m != nil {
				var to message.Message
				_ = m.Channel.Decode(&to, m.Data)
			}
		}
	})
}
