// Package svg writes pictures that can be read in print and by those who tell few
// colours apart. Sizes are in pixels; widths of texts are estimated generously, since
// the viewer picks the font.
package svg

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"
)

// glyph is the width of a character of 11 pixels.
const glyph = 6.8

const style = `<style>
text { font-family: "DejaVu Sans", Verdana, Arial, sans-serif; font-size: 11px; fill: #222 }
.title { font-size: 14px; font-weight: bold }
.head { font-size: 12px; font-weight: bold }
.note { font-size: 10px; fill: #444 }
.value { font-size: 12px }
.axis { stroke: #444; stroke-width: 1 }
.grid { stroke: #ddd; stroke-width: 1 }
.edge { stroke: #fff; stroke-width: 1 }
.frame { stroke: #444; stroke-width: 1 }
</style>
<defs>
<pattern id="impossible" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#eee"/><rect width="2" height="6" fill="#ccc"/></pattern>
<pattern id="hatched" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="6" height="6" fill="#fde3c2"/><rect width="2" height="6" fill="#d9822b"/></pattern>
</defs>
`

// Write writes a picture of a size with a title that readers aloud say.
func Write(w io.Writer, title string, width, height float64, body *Drawing) error {
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]s" height="%[2]s" viewBox="0 0 %[1]s %[2]s" role="img">`+"\n"+
		"<title>%[3]s</title>\n%[4]s"+`<rect width="100%%" height="100%%" fill="#fff"/>`+"\n%[5]s</svg>\n",
		Px(math.Ceil(width)), Px(math.Ceil(height)), Escape(title), style, body.String())
	return err
}

// Drawing collects elements.
type Drawing struct{ bytes.Buffer }

// Text writes a text at its baseline.
func (d *Drawing) Text(x, y float64, attributes, s string) {
	fmt.Fprintf(d, "<text x=\"%s\" y=\"%s\"%s>%s</text>\n", Px(x), Px(y), spaced(attributes), Escape(s))
}

// Slanted writes the head of a narrow column.
func (d *Drawing) Slanted(x, y float64, s string) {
	fmt.Fprintf(d, "<text transform=\"translate(%s %s) rotate(-45)\">%s</text>\n", Px(x), Px(y), Escape(s))
}

// Rect draws a rectangle.
func (d *Drawing) Rect(x, y, w, h float64, attributes string) {
	fmt.Fprintf(d, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"%s/>\n", Px(x), Px(y), Px(w), Px(h), spaced(attributes))
}

// Line draws a line.
func (d *Drawing) Line(x1, y1, x2, y2 float64, attributes string) {
	fmt.Fprintf(d, "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"%s/>\n", Px(x1), Px(y1), Px(x2), Px(y2), spaced(attributes))
}

func spaced(attributes string) string {
	if attributes == "" {
		return ""
	}
	return " " + attributes
}

// Px is a length to a tenth, so that platforms agree on every digit.
func Px(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// Escape makes a text safe between tags and in attributes.
func Escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}

// TextWidth is about the width of a text.
func TextWidth(s string) float64 { return glyph * float64(utf8.RuneCountInString(s)) }

// Widest is about the width of the widest of several texts.
func Widest(list []string) float64 {
	w := 0.0
	for _, s := range list {
		w = max(w, TextWidth(s))
	}
	return w
}
