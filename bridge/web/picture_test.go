package web

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// What of a page may differ from its golden picture: fonts and versions of the browser do not
// draw alike, but a page that lost its style, a part or its colours looks otherwise as a whole.
const (
	blockSize = 20   // of the pixels that are one in a golden picture
	tolerance = 0.04 // of the brightest, on average over all of them
	outliers  = 0.10 // share of them that may differ by more than a quarter
)

// golden compares what is in view with a picture of it, made small and grey.
func (b *browser) golden(t *testing.T, name string) {
	t.Helper()
	var data []byte
	b.run(t, chromedp.Evaluate(`scrollTo(0, 0)`, nil), chromedp.CaptureScreenshot(&data))
	full, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	got := shrunk(full)
	path := filepath.Join("testdata", "pages", name+".png")
	if *update {
		var out bytes.Buffer
		if err := png.Encode(&out, got); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if mean, far := difference(got, want); mean > tolerance || far > outliers {
		t.Errorf("%s looks otherwise than its golden picture: %.3f on average, %.0f %% of it by far; MISHAP_SHOTS=DIR keeps what it looks like, -update takes it for golden", name, mean, 100*far)
	}
}

// shrunk is a picture in grey, of which each pixel is the average of a block.
func shrunk(full image.Image) *image.Gray {
	size := full.Bounds().Size().Div(blockSize)
	out := image.NewGray(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			sum := 0
			for dy := range blockSize {
				for dx := range blockSize {
					sum += int(color.GrayModel.Convert(full.At(x*blockSize+dx, y*blockSize+dy)).(color.Gray).Y)
				}
			}
			out.SetGray(x, y, color.Gray{Y: uint8(sum / blockSize / blockSize)})
		}
	}
	return out
}

// difference is that of two pictures: on average, and the share of pixels that are far apart;
// of two sizes it is the greatest.
func difference(a, b image.Image) (mean, far float64) {
	if a.Bounds() != b.Bounds() {
		return 1, 1
	}
	size := a.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			grey := func(p image.Image) float64 { return float64(color.GrayModel.Convert(p.At(x, y)).(color.Gray).Y) / 255 }
			d := math.Abs(grey(a) - grey(b))
			mean += d
			if d > 0.25 {
				far++
			}
		}
	}
	n := float64(size.X * size.Y)
	return mean / n, far / n
}

// Pages that lost their style, or a half, are told apart from golden pictures; those that are
// drawn a little otherwise are not.
func TestDifference(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "pages", "*.png"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d pictures, %v", len(files), err)
	}
	for _, path := range files {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		ink := func(change func(grey uint8, x, y int) uint8) image.Image {
			out := image.NewGray(want.Bounds())
			for y := range out.Rect.Dy() {
				for x := range out.Rect.Dx() {
					out.SetGray(x, y, color.Gray{Y: change(color.GrayModel.Convert(want.At(x, y)).(color.Gray).Y, x, y)})
				}
			}
			return out
		}
		bad := func(p image.Image) bool { mean, far := difference(p, want); return mean > tolerance || far > outliers }
		if bad(ink(func(g uint8, x, y int) uint8 { return uint8(min(255, int(g)+(x*7+y*13)%9)) })) {
			t.Errorf("%s: a little noise makes another picture of it", path)
		}
		if !bad(ink(func(g uint8, _, _ int) uint8 { return 255 - g })) {
			t.Errorf("%s: it is the same in the other theme", path)
		}
	}
}
