package recording

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/mishap-robotics/mishap/bridge/recording/message"
)

// protobufDecoder decodes messages in Protocol Buffers by their descriptor.
type protobufDecoder struct {
	of protoreflect.MessageDescriptor
}

// newProtobuf reads a FileDescriptorSet, as MCAP has it for a schema.
func newProtobuf(name string, set []byte) (*protobufDecoder, error) {
	var files descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(set, &files); err != nil {
		return nil, &fault{found: fmt.Sprintf("no descriptors of protobuf (%s)", plain(err)), expected: "a FileDescriptorSet"}
	}
	known, err := protodesc.FileOptions{AllowUnresolvable: false}.NewFiles(&files)
	if err != nil {
		return nil, &fault{found: fmt.Sprintf("descriptors of protobuf that do not fit (%s)", plain(err)), expected: fmt.Sprintf("all files that %s needs", clip(name))}
	}
	d, err := known.FindDescriptorByName(protoreflect.FullName(name))
	if err != nil {
		return nil, &fault{found: fmt.Sprintf("no %s in the descriptors", clip(name)), expected: "its own"}
	}
	of, ok := d.(protoreflect.MessageDescriptor)
	if !ok {
		return nil, &fault{found: fmt.Sprintf("that %s is no message", clip(name)), expected: "one"}
	}
	return &protobufDecoder{of}, nil
}

// plain is an error of the library, which puts signs into its texts that show nothing.
func plain(err error) string {
	return clip(strings.ReplaceAll(err.Error(), "\u00a0", " "))
}

func (d *protobufDecoder) Decode(m *message.Message, data []byte) error {
	m.Reset()
	of := dynamicpb.NewMessage(d.of)
	if err := (proto.UnmarshalOptions{AllowPartial: true, DiscardUnknown: true, RecursionLimit: 100}).Unmarshal(data, of); err != nil {
		return &fault{found: fmt.Sprintf("a %s that cannot be read (%s)", d.of.FullName(), plain(err)), expected: "one as its descriptor says"}
	}
	return addMessage(m, "", of)
}

// addMessage adds the fields of a message; those that are not set have their defaults, but
// messages and what is optional are absent.
func addMessage(m *message.Message, name string, of protoreflect.Message) error {
	if m.Len() > message.MaxValues {
		return errTooMany
	}
	var fields []protoreflect.FieldDescriptor
	all := of.Descriptor().Fields()
	for i := range all.Len() {
		if f := all.Get(i); !f.HasPresence() || of.Has(f) {
			fields = append(fields, f)
		}
	}
	begun := m.Begin(name, message.Object, len(fields))
	for _, f := range fields {
		if err := addField(m, f, of.Get(f)); err != nil {
			return err
		}
	}
	m.End(begun)
	return nil
}

func addField(m *message.Message, f protoreflect.FieldDescriptor, v protoreflect.Value) (err error) {
	name := string(f.Name())
	switch {
	case f.IsList():
		list := v.List()
		begun := m.Begin(name, message.Array, list.Len())
		for i := 0; i < list.Len() && err == nil; i++ {
			err = addOne(m, "", f, list.Get(i))
		}
		m.End(begun)
	case f.IsMap():
		begun := m.Begin(name, message.Object, v.Map().Len())
		var keys []protoreflect.MapKey
		v.Map().Range(func(k protoreflect.MapKey, _ protoreflect.Value) bool {
			keys = append(keys, k)
			return true
		})
		slices.SortFunc(keys, func(a, b protoreflect.MapKey) int { return cmp.Compare(a.String(), b.String()) })
		for _, k := range keys {
			if err == nil {
				err = addOne(m, k.String(), f.MapValue(), v.Map().Get(k))
			}
		}
		m.End(begun)
	default:
		err = addOne(m, name, f, v)
	}
	return err
}

func addOne(m *message.Message, name string, f protoreflect.FieldDescriptor, v protoreflect.Value) error {
	if m.Len() > message.MaxValues {
		return errTooMany
	}
	switch f.Kind() {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		return addMessage(m, name, v.Message())
	case protoreflect.BoolKind:
		bit := uint64(0)
		if v.Bool() {
			bit = 1
		}
		m.AddBits(name, message.Bool, bit)
	case protoreflect.StringKind:
		m.AddData(name, message.Text, []byte(v.String()))
	case protoreflect.BytesKind:
		m.AddData(name, message.Bytes, v.Bytes())
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		m.AddBits(name, message.Float, math.Float64bits(v.Float()))
	case protoreflect.EnumKind:
		if e := f.Enum().Values().ByNumber(v.Enum()); e != nil {
			m.AddData(name, message.Text, []byte(e.Name()))
		} else {
			m.AddBits(name, message.Int, uint64(int64(v.Enum())))
		}
	case protoreflect.Uint32Kind, protoreflect.Uint64Kind, protoreflect.Fixed32Kind, protoreflect.Fixed64Kind:
		m.AddBits(name, message.Uint, v.Uint())
	default:
		m.AddBits(name, message.Int, uint64(v.Int()))
	}
	return nil
}
