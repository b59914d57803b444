package recording

import (
	"fmt"
	"math"

	"github.com/valyala/fastjson"

	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// jsonDecoder decodes messages in JSON.
type jsonDecoder struct{ parser fastjson.Parser }

func (d *jsonDecoder) Decode(m *message.Message, data []byte) error {
	m.Reset()
	v, err := d.parser.ParseBytes(data)
	if err != nil {
		return &fault{found: fmt.Sprintf("no JSON (%s)", clip(err.Error())), expected: "a message in JSON"}
	}
	return addJSON(m, "", v)
}

var errTooMany = &fault{found: fmt.Sprintf("more than %d values", message.MaxValues), expected: "a smaller message"}

func addJSON(m *message.Message, name string, v *fastjson.Value) (err error) {
	if m.Len() > message.MaxValues {
		return errTooMany
	}
	switch v.Type() {
	case fastjson.TypeNull:
		m.AddBits(name, message.Null, 0)
	case fastjson.TypeTrue:
		m.AddBits(name, message.Bool, 1)
	case fastjson.TypeFalse:
		m.AddBits(name, message.Bool, 0)
	case fastjson.TypeString:
		m.AddData(name, message.Text, v.GetStringBytes())
	case fastjson.TypeNumber:
		addJSONNumber(m, name, v)
	case fastjson.TypeArray:
		elements := v.GetArray()
		begun := m.Begin(name, message.Array, len(elements))
		for _, e := range elements {
			if err == nil {
				err = addJSON(m, "", e)
			}
		}
		m.End(begun)
	case fastjson.TypeObject:
		o := v.GetObject()
		begun := m.Begin(name, message.Object, o.Len())
		o.Visit(func(key []byte, e *fastjson.Value) {
			if err == nil {
				err = addJSON(m, string(key), e)
			}
		})
		m.End(begun)
	}
	return err
}

// addJSONNumber keeps whole numbers as such, which times in nanoseconds need.
func addJSONNumber(m *message.Message, name string, v *fastjson.Value) {
	if i, err := v.Int64(); err == nil {
		m.AddBits(name, message.Int, uint64(i))
		return
	}
	if u, err := v.Uint64(); err == nil {
		m.AddBits(name, message.Uint, u)
		return
	}
	m.AddBits(name, message.Float, math.Float64bits(v.GetFloat64()))
}
