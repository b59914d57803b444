package input

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// EachObject is EachLine for a file whose objects may also stand in a JSON array, on as
// many lines as they like: then visit is called with each element and the line on which
// it begins. What follows an element that is no JSON is visited as one.
func EachObject(file string, r io.Reader, visit func(n int, text []byte) error) error {
	in := bufio.NewReaderSize(r, 1<<16)
	if !beginsArray(in) {
		return EachLine(file, in, visit)
	}
	data, damage := whole(file, in, "an episode")
	if damage != nil && !errors.Is(damage, ErrDamaged) {
		return damage
	}
	if !utf8.Valid(data) {
		return &Error{File: file, Found: "bytes that are not UTF-8", Expected: "UTF-8 text"}
	}
	if err := eachElement(file, data, visit); err != nil {
		return err
	}
	return damage
}

// beginsArray reports whether the first sign of a text that is not blank opens an array.
func beginsArray(in *bufio.Reader) bool {
	head, _ := in.Peek(512)
	head = bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	return len(head) > 0 && head[0] == '['
}

func eachElement(file string, data []byte, visit func(n int, text []byte) error) error {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	dec := json.NewDecoder(bytes.NewReader(data))
	if _, err := dec.Token(); err != nil { // the bracket
		return &Error{File: file, Line: 1, Found: "no JSON (" + err.Error() + ")", Expected: "an array of objects"}
	}
	if !dec.More() {
		return &Error{File: file, Line: 1, Found: "an empty array", Expected: "an episode"}
	}
	line, counted := 1, 0
	for dec.More() {
		from := int(dec.InputOffset())
		from += len(data[from:]) - len(bytes.TrimLeft(data[from:], ", \t\r\n"))
		line, counted = line+bytes.Count(data[counted:from], []byte("\n")), from
		var element json.RawMessage
		if err := dec.Decode(&element); err != nil {
			return visit(line, bytes.TrimSpace(data[from:]))
		}
		if err := visit(line, element); err != nil {
			return err
		}
	}
	return nil
}
