package labelled_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/mishap-robotics/mishap/bridge/bench/labelled"
	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// The logs of ten teams, each with its own names, clock, camera and arms: what goes wrong
// is found first and alone, and nothing where nothing does.
func TestHomeLogs(t *testing.T) {
	const logs = "../../../testdata/logs/home"
	check(t, logs, logs+"/truth.jsonl", &labelled.LabelScore{
		Episodes: 76, Read: 76, Failing: 52, Found: 52, Class: 52, Time: 52, Objects: 52, FirstRight: 52, Clean: 24,
	})
}

// The logs of a robot arm in the form of REFLECT: no alarm where nothing goes wrong, and as
// much found as has been before.
func TestArmLogs(t *testing.T) {
	const logs = "../../../testdata/logs/arm"
	check(t, logs, logs, &labelled.LabelScore{
		Episodes: 81, Read: 81, Failing: 54, Found: 53, Class: 53, Time: 53, Objects: 53, FirstRight: 53, Clean: 27,
	})
}

// Logs that rules and reader were fitted to, of both folders: those in measured once they had
// been measured. Every seventeenth set, all where the environment asks for the long sets.
func TestFittedAndMeasuredLogs(t *testing.T) {
	const logs = "../../../testdata/logs/"
	// Of the sets of one size: every failure found, with its class, time and things, first of all.
	allOfHome := labelled.LabelScore{
		Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 10, Time: 10, Objects: 10, FirstRight: 10, Clean: 7,
	}
	allOfArm := labelled.LabelScore{
		Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 15, Time: 15, Objects: 15, FirstRight: 15, Clean: 7,
	}
	for i, of := range []struct {
		logs, truth string
		want        labelled.LabelScore
	}{
		{"fitted/arm", "", labelled.LabelScore{
			Episodes: 20, Read: 20, Failing: 13, Found: 13, Class: 13, Time: 13, Objects: 13, FirstRight: 13, Clean: 7,
		}},
		{"fitted/home", "/truth.jsonl", labelled.LabelScore{
			Episodes: 15, Read: 15, Failing: 9, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 6,
		}},
		{"measured/arm", "", labelled.LabelScore{
			Episodes: 20, Read: 20, Failing: 13, Found: 12, Class: 12, Time: 12, Objects: 12, FirstRight: 12, Clean: 7,
		}},
		{"measured/home", "/truth.jsonl", labelled.LabelScore{
			Episodes: 15, Read: 15, Failing: 9, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 6,
		}},
		{"later/arm", "", labelled.LabelScore{
			Episodes: 30, Read: 30, Failing: 20, Found: 20, Class: 19, Time: 19, Objects: 19, FirstRight: 19, Clean: 10, Extra: 1,
		}},
		{"later/home", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 24, Failing: 16, Found: 15, Class: 15, Time: 15, Objects: 15, FirstRight: 15, Clean: 8,
		}},
		{"latest/home", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 24, Failing: 16, Found: 14, Class: 14, Time: 13, Objects: 13, FirstRight: 13, Clean: 8, Extra: 2,
		}},
		{"further/arm", "", labelled.LabelScore{
			Episodes: 34, Read: 34, Failing: 24, Found: 24, Class: 22, Time: 22, Objects: 22, FirstRight: 22, Clean: 10, Extra: 2,
		}},
		{"further/home", "/truth.jsonl", labelled.LabelScore{
			Episodes: 36, Read: 36, Failing: 24, Found: 24, Class: 22, Time: 22, Objects: 22, FirstRight: 22, Clean: 12, Extra: 2,
		}},
		{"newest/arm", "", allOfArm},
		{"fifth/arm-a", "", allOfArm},
		{"fifth/arm-b", "", allOfArm},
		{"fifth/home-a", "/truth.jsonl", labelled.LabelScore{
			Episodes: 18, Read: 18, Failing: 12, Found: 11, Class: 11, Time: 10, Objects: 10, FirstRight: 10, Clean: 6, Extra: 1,
		}},
		{"fifth/home-b", "/truth.jsonl", labelled.LabelScore{
			Episodes: 18, Read: 18, Failing: 12, Found: 12, Class: 12, Time: 12, Objects: 12, FirstRight: 12, Clean: 6,
		}},
		{"sixth/arm-c", "", allOfArm},
		{"sixth/arm-d", "", allOfArm},
		{"sixth/home-c", "/truth.jsonl", labelled.LabelScore{
			Episodes: 18, Read: 18, Failing: 12, Found: 12, Class: 12, Time: 12, Objects: 12, FirstRight: 12, Clean: 6,
		}},
		{"seventh/arm-e", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 13, Time: 13, Objects: 13, FirstRight: 13, Clean: 7, Extra: 2,
		}},
		{"seventh/home-e", "/truth.jsonl", labelled.LabelScore{
			Episodes: 18, Read: 18, Failing: 12, Found: 11, Class: 8, Time: 8, Objects: 8, FirstRight: 8, Clean: 6, Extra: 3,
		}},
		{"eighth/arm-g", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 14, Time: 14, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"eighth/home-g", "/truth.jsonl", labelled.LabelScore{
			Episodes: 18, Read: 18, Failing: 12, Found: 12, Class: 12, Time: 12, Objects: 12, FirstRight: 12, Clean: 6,
		}},
		{"ninth/arm-h", "", allOfArm},
		{"ninth/home-h", "/truth.jsonl", labelled.LabelScore{
			Episodes: 18, Read: 18, Failing: 12, Found: 12, Class: 11, Time: 11, Objects: 11, FirstRight: 11, Clean: 6, Extra: 2,
		}},
		{"tenth/arm-m", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 15, Time: 13, Objects: 13, FirstRight: 13, Clean: 7, Extra: 2,
		}},
		{"tenth/arm-n", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 13, Class: 11, Time: 10, Objects: 10, FirstRight: 10, Clean: 7, Extra: 4,
		}},
		{"tenth/home-m", "/truth.jsonl", labelled.LabelScore{
			Episodes: 18, Read: 18, Failing: 12, Found: 11, Class: 11, Time: 11, Objects: 11, FirstRight: 11, Clean: 6, Extra: 1,
		}},
		{"tenth/home-n", "/truth.jsonl", labelled.LabelScore{
			Episodes: 18, Read: 18, Failing: 12, Found: 10, Class: 10, Time: 10, Objects: 10, FirstRight: 10, Clean: 6, Alarmed: 1,
		}},
		{"eleventh/arm-o", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 13, Class: 12, Time: 11, Objects: 11, FirstRight: 11, Clean: 7, Extra: 3,
		}},
		{"eleventh/arm-p", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 13, Class: 8, Time: 5, Objects: 5, FirstRight: 5, Clean: 7, Alarmed: 1, Extra: 11,
		}},
		{"eleventh/home-o", "/truth.jsonl", labelled.LabelScore{
			Episodes: 18, Read: 18, Failing: 12, Found: 9, Class: 8, Time: 8, Objects: 8, FirstRight: 8, Clean: 6, Extra: 1,
		}},
		{"eleventh/home-p", "/truth.jsonl", labelled.LabelScore{
			Episodes: 18, Read: 18, Failing: 12, Found: 10, Class: 9, Time: 9, Objects: 8, FirstRight: 8, Clean: 6, Extra: 2,
		}},
		{"twelfth/arm-q", "", allOfArm},
		{"twelfth/arm-s", "", allOfArm},
		{"twelfth/arm-t", "", allOfArm},
		{"twelfth/arm-v", "", allOfArm},
		{"twelfth/arm-w", "", allOfArm},
		{"twelfth/home-q", "/truth.jsonl", allOfHome},
		{"twelfth/home-r", "/truth.jsonl", labelled.LabelScore{
			Episodes: 18, Read: 18, Failing: 12, Found: 12, Class: 12, Time: 12, Objects: 12, FirstRight: 12, Clean: 6,
		}},
		{"twelfth/home-v", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"twelfth/home-w", "/truth.jsonl", allOfHome},
		{"thirteenth/arm-x", "", allOfArm},
		{"thirteenth/arm-y", "", allOfArm},
		{"thirteenth/arm-k", "", allOfArm},
		{"thirteenth/arm-c1", "", allOfArm},
		{"thirteenth/home-x", "/truth.jsonl", allOfHome},
		{"thirteenth/home-y", "/truth.jsonl", allOfHome},
		{"thirteenth/home-u", "/truth.jsonl", allOfHome},
		{"thirteenth/home-z", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"thirteenth/home-k", "/truth.jsonl", allOfHome},
		{"thirteenth/home-l", "/truth.jsonl", allOfHome},
		{"thirteenth/home-c1", "/truth.jsonl", allOfHome},
		{"thirteenth/home-c2", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 8, Class: 7, Time: 7, Objects: 7, FirstRight: 7, Clean: 7, Extra: 1,
		}},
		{"thirteenth/arm-d1", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 14, Time: 14, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"thirteenth/home-d1", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"fourteenth/arm-e1", "", allOfArm},
		{"fourteenth/arm-f1", "", allOfArm},
		{"fourteenth/home-e1", "/truth.jsonl", allOfHome},
		{"fourteenth/home-f1", "/truth.jsonl", allOfHome},
		{"fourteenth/arm-g1", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 15, Time: 15, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"fourteenth/arm-h1", "", allOfArm},
		{"fourteenth/arm-i1", "", allOfArm},
		{"fourteenth/arm-k1", "", allOfArm},
		{"fourteenth/home-g1", "/truth.jsonl", labelled.LabelScore{
			Episodes: 16, Read: 16, Failing: 10, Found: 10, Class: 10, Time: 10, Objects: 10, FirstRight: 10, Clean: 6,
		}},
		{"fourteenth/home-h1", "/truth.jsonl", allOfHome},
		{"fourteenth/home-i1", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 10, Time: 9, Objects: 9, FirstRight: 9, Clean: 7, Extra: 1,
		}},
		{"fourteenth/home-j1", "/truth.jsonl", allOfHome},
		{"fourteenth/home-k1", "/truth.jsonl", allOfHome},
		{"fourteenth/home-l1", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7, Extra: 3,
		}},
		{"fifteenth/arm-m1", "", allOfArm},
		{"fifteenth/arm-n1", "", allOfArm},
		{"fifteenth/arm-o1", "", allOfArm},
		{"fifteenth/arm-p1", "", allOfArm},
		{"fifteenth/arm-q1", "", allOfArm},
		{"fifteenth/home-m1", "/truth.jsonl", allOfHome},
		{"fifteenth/home-n1", "/truth.jsonl", allOfHome},
		{"fifteenth/home-o1", "/truth.jsonl", allOfHome},
		{"fifteenth/home-p1", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"fifteenth/home-q1", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7, Extra: 1,
		}},
		{"fifteenth/home-r1", "/truth.jsonl", allOfHome},
		{"fifteenth/home-s1", "/truth.jsonl", allOfHome},
		{"fifteenth/home-t1", "/truth.jsonl", allOfHome},
		{"fifteenth/home-u1", "/truth.jsonl", allOfHome},
		{"fifteenth/home-v1", "/truth.jsonl", allOfHome},
		{"fifteenth/home-w1", "/truth.jsonl", allOfHome},
		{"fifteenth/home-x1", "/truth.jsonl", allOfHome},
		{"fifteenth/home-y1", "/truth.jsonl", allOfHome},
		{"fifteenth/home-z1", "/truth.jsonl", allOfHome},
		{"sixteenth/arm-r1", "", allOfArm},
		{"sixteenth/arm-s1", "", allOfArm},
		{"sixteenth/home-a2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-b2", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7, Extra: 1,
		}},
		{"sixteenth/home-c2", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 10, Time: 9, Objects: 9, FirstRight: 9, Clean: 7, Extra: 1,
		}},
		{"sixteenth/home-d2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-e2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-f2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-g2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-h2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-i2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-j2", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7, Extra: 1,
		}},
		{"sixteenth/home-k2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-l2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-m2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-n2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-o2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-p2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-q2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-s2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-t2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-u2", "/truth.jsonl", allOfHome},
		{"sixteenth/home-v2", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7, Extra: 1,
		}},
		{"seventeenth/home-w2", "/truth.jsonl", allOfHome},
		{"seventeenth/home-x2", "/truth.jsonl", allOfHome},
		{"seventeenth/home-z2", "/truth.jsonl", allOfHome},
		{"seventeenth/arm-t1", "", allOfArm},
		{"seventeenth/home-a3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-b3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-d3", "/truth.jsonl", allOfHome},
		{"seventeenth/arm-u1", "", allOfArm},
		{"seventeenth/home-c3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-e3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-f3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-g3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-h3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-i3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-j3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-k3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-l3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-m3", "/truth.jsonl", allOfHome},
		{"seventeenth/home-n3", "/truth.jsonl", allOfHome},
		{"eighteenth/home-o3", "/truth.jsonl", allOfHome},
		{"eighteenth/home-p3", "/truth.jsonl", allOfHome},
		{"eighteenth/home-q3", "/truth.jsonl", allOfHome},
		{"eighteenth/home-r3", "/truth.jsonl", allOfHome},
		{"eighteenth/home-s3", "/truth.jsonl", allOfHome},
		{"eighteenth/home-t3", "/truth.jsonl", allOfHome},
		{"eighteenth/home-u3", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"eighteenth/arm-v1", "", allOfArm},
		{"eighteenth/home-v3", "/truth.jsonl", allOfHome},
		{"eighteenth/home-w3", "/truth.jsonl", allOfHome},
		{"eighteenth/home-x3", "/truth.jsonl", allOfHome},
		{"eighteenth/home-y3", "/truth.jsonl", allOfHome},
		{"eighteenth/arm-w1", "", allOfArm},
		{"eighteenth/home-z3", "/truth.jsonl", allOfHome},
		{"eighteenth/home-a4", "/truth.jsonl", allOfHome},
		{"eighteenth/home-b4", "/truth.jsonl", allOfHome},
		{"eighteenth/arm-x1", "", allOfArm},
		{"eighteenth/home-c4", "/truth.jsonl", allOfHome},
		{"eighteenth/home-d4", "/truth.jsonl", allOfHome},
		{"eighteenth/home-e4", "/truth.jsonl", allOfHome},
		{"nineteenth/home-f4", "/truth.jsonl", allOfHome},
		{"nineteenth/home-g4", "/truth.jsonl", allOfHome},
		{"nineteenth/home-h4", "/truth.jsonl", allOfHome},
		{"nineteenth/home-i4", "/truth.jsonl", allOfHome},
		{"nineteenth/home-j4", "/truth.jsonl", allOfHome},
		{"nineteenth/arm-y1", "", allOfArm},
		{"nineteenth/arm-z1", "", allOfArm},
		{"nineteenth/home-l4", "/truth.jsonl", allOfHome},
		{"nineteenth/home-k4", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 10, Time: 10, Objects: 10, FirstRight: 10, Clean: 7, Extra: 1,
		}},
		{"nineteenth/home-m4", "/truth.jsonl", allOfHome},
		{"nineteenth/arm-ya", "", allOfArm},
		{"nineteenth/arm-yb", "", allOfArm},
		{"nineteenth/arm-yc", "", allOfArm},
		{"nineteenth/home-n4", "/truth.jsonl", allOfHome},
		{"nineteenth/home-o4", "/truth.jsonl", allOfHome},
		{"nineteenth/home-p4", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"nineteenth/home-q4", "/truth.jsonl", allOfHome},
		{"nineteenth/arm-yd", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 14, Time: 14, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"twentieth/arm-ye", "", allOfArm},
		{"twentieth/arm-yf", "", allOfArm},
		{"twentieth/arm-yg", "", allOfArm},
		{"twentieth/arm-yh", "", allOfArm},
		{"twentieth/arm-yi", "", allOfArm},
		{"twentieth/arm-yj", "", allOfArm},
		{"twentieth/arm-yk", "", allOfArm},
		{"twentieth/arm-yl", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 14, Time: 14, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"twentieth/arm-ym", "", allOfArm},
		{"twentieth/arm-yn", "", allOfArm},
		{"twentieth/arm-yo", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 14, Time: 14, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"twentieth/arm-yp", "", allOfArm},
		{"twentieth/arm-yq", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 15, Time: 14, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"twentieth/arm-yr", "", allOfArm},
		{"twentieth/arm-ys", "", allOfArm},
		{"twentieth/arm-yt", "", allOfArm},
		{"twentieth/home-a5", "/truth.jsonl", allOfHome},
		{"twentieth/home-b5", "/truth.jsonl", allOfHome},
		{"twentieth/home-c5", "/truth.jsonl", allOfHome},
		{"twentieth/home-d5", "/truth.jsonl", allOfHome},
		{"twentieth/home-e5", "/truth.jsonl", allOfHome},
		{"twentieth/home-f5", "/truth.jsonl", allOfHome},
		{"twentieth/home-g5", "/truth.jsonl", allOfHome},
		{"twentieth/home-h5", "/truth.jsonl", allOfHome},
		{"twentieth/home-i5", "/truth.jsonl", allOfHome},
		{"twentieth/home-j5", "/truth.jsonl", allOfHome},
		{"twentieth/home-k5", "/truth.jsonl", allOfHome},
		{"twentieth/home-l5", "/truth.jsonl", allOfHome},
		{"twentieth/home-m5", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"twentieth/home-n5", "/truth.jsonl", allOfHome},
		{"twentieth/home-o5", "/truth.jsonl", allOfHome},
		{"twentieth/home-p5", "/truth.jsonl", allOfHome},
		{"twentieth/home-q5", "/truth.jsonl", allOfHome},
		{"twentieth/home-r4", "/truth.jsonl", allOfHome},
		{"twentieth/home-r5", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 10, Time: 10, Objects: 10, FirstRight: 10, Clean: 7, Alarmed: 1, Extra: 1,
		}},
		{"twentieth/home-s4", "/truth.jsonl", allOfHome},
		{"twentieth/home-s5", "/truth.jsonl", allOfHome},
		{"twentieth/home-t4", "/truth.jsonl", allOfHome},
		{"twentieth/home-t5", "/truth.jsonl", allOfHome},
		{"twentieth/home-u4", "/truth.jsonl", allOfHome},
		{"twentieth/home-u5", "/truth.jsonl", allOfHome},
		{"twentieth/home-v4", "/truth.jsonl", allOfHome},
		{"twentieth/home-v5", "/truth.jsonl", allOfHome},
		{"twentieth/home-w4", "/truth.jsonl", allOfHome},
		{"twentieth/home-x4", "/truth.jsonl", allOfHome},
		{"twentieth/home-y4", "/truth.jsonl", allOfHome},
		{"twentieth/home-z4", "/truth.jsonl", allOfHome},
		{"twentyfirst/arm-yu", "", allOfArm},
		{"twentyfirst/arm-yv", "", allOfArm},
		{"twentyfirst/arm-yw", "", allOfArm},
		{"twentyfirst/arm-yx", "", allOfArm},
		{"twentyfirst/arm-yy", "", allOfArm},
		{"twentyfirst/arm-yz", "", allOfArm},
		{"twentyfirst/arm-za", "", allOfArm},
		{"twentyfirst/arm-zb", "", allOfArm},
		{"twentyfirst/arm-zc", "", allOfArm},
		{"twentyfirst/home-a6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-b6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-c6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-d6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-e6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-f6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-g6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-h6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-i6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-j6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-k6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-l6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-m6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-n6", "/truth.jsonl", allOfHome},
		{"twentyfirst/arm-zd", "", allOfArm},
		{"twentyfirst/home-o6", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"twentyfirst/home-p6", "/truth.jsonl", allOfHome},
		{"twentyfirst/home-q6", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"twentysecond/arm-ze", "", allOfArm},
		{"twentysecond/arm-zf", "", allOfArm},
		{"twentysecond/arm-zg", "", allOfArm},
		{"twentysecond/arm-zh", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 14, Time: 14, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"twentysecond/arm-zi", "", allOfArm},
		{"twentysecond/arm-zj", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 15, Time: 15, Objects: 15, FirstRight: 15, Clean: 7, Extra: 2,
		}},
		{"twentysecond/arm-zk", "", allOfArm},
		{"twentysecond/home-a7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-b7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-c7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-d7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-e7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-f7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-g7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-h7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-i7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-j7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-k7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-l7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-m7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-n7", "/truth.jsonl", allOfHome},
		{"twentysecond/home-o7", "/truth.jsonl", allOfHome},
		{"twentythird/arm-zl", "", allOfArm},
		{"twentythird/arm-zm", "", allOfArm},
		{"twentythird/arm-zn", "", allOfArm},
		{"twentythird/home-p7", "/truth.jsonl", allOfHome},
		{"twentythird/home-q7", "/truth.jsonl", allOfHome},
		{"twentythird/home-r7", "/truth.jsonl", allOfHome},
		{"twentythird/home-s7", "/truth.jsonl", allOfHome},
		{"twentythird/home-t7", "/truth.jsonl", allOfHome},
		{"twentythird/home-u7", "/truth.jsonl", allOfHome},
		{"twentyfourth/arm-zp", "", allOfArm},
		{"twentyfourth/arm-zq", "", allOfArm},
		{"twentyfourth/home-v7", "/truth.jsonl", allOfHome},
		{"twentyfourth/home-w7", "/truth.jsonl", allOfHome},
		{"twentyfourth/home-x7", "/truth.jsonl", allOfHome},
		{"twentyfourth/home-y7", "/truth.jsonl", allOfHome},
		{"twentyfourth/arm-zr", "", allOfArm},
		{"twentyfourth/arm-zs", "", allOfArm},
		{"twentyfourth/home-a8", "/truth.jsonl", allOfHome},
		{"twentyfourth/home-b8", "/truth.jsonl", allOfHome},
		{"twentyfourth/home-c8", "/truth.jsonl", allOfHome},
		{"twentyfourth/home-z7", "/truth.jsonl", allOfHome},
		{"twentyfourth/arm-zt", "", allOfArm},
		{"twentyfourth/arm-zu", "", allOfArm},
		{"twentyfourth/arm-zv", "", allOfArm},
		{"twentyfourth/home-d8", "/truth.jsonl", allOfHome},
		{"twentyfourth/home-e8", "/truth.jsonl", allOfHome},
		{"twentyfourth/arm-zw", "", allOfArm},
		{"twentyfourth/arm-zx", "", allOfArm},
		{"twentyfourth/home-f8", "/truth.jsonl", allOfHome},
		{"twentyfourth/home-g8", "/truth.jsonl", allOfHome},
		{"twentyfourth/home-h8", "/truth.jsonl", allOfHome},
		{"twentyfifth/arm-aaa", "", allOfArm},
		{"twentyfifth/arm-aab", "", allOfArm},
		{"twentyfifth/arm-aac", "", allOfArm},
		{"twentyfifth/arm-aad", "", allOfArm},
		{"twentyfifth/arm-aae", "", allOfArm},
		{"twentyfifth/arm-aaf", "", allOfArm},
		{"twentyfifth/arm-aag", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 15, Time: 15, Objects: 15, FirstRight: 15, Clean: 7, Extra: 1,
		}},
		{"twentyfifth/arm-zy", "", allOfArm},
		{"twentyfifth/arm-zz", "", allOfArm},
		{"twentyfifth/home-i8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-j8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-k8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-l8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-m8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-n8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-o8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-p8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-q8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-r8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-s8", "/truth.jsonl", allOfHome},
		{"twentyfifth/arm-aah", "", allOfArm},
		{"twentyfifth/arm-aai", "", allOfArm},
		{"twentyfifth/arm-aaj", "", allOfArm},
		{"twentyfifth/home-t8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-u8", "/truth.jsonl", allOfHome},
		{"twentyfifth/home-v8", "/truth.jsonl", allOfHome},
		{"twentysixth/arm-aak", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 15, Time: 15, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"twentysixth/arm-aal", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 15, Time: 15, Objects: 15, FirstRight: 15, Clean: 7, Extra: 1,
		}},
		{"twentysixth/arm-aam", "", allOfArm},
		{"twentysixth/home-w8", "/truth.jsonl", allOfHome},
		{"twentysixth/home-x8", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 10, Time: 10, Objects: 10, FirstRight: 10, Clean: 7, Extra: 1,
		}},
		{"twentysixth/home-y8", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 8, Clean: 7, Extra: 1,
		}},
		{"notations/agents", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 24, Failing: 12, Found: 11, Class: 10, Time: 10, Objects: 10, FirstRight: 10, Clean: 12, Extra: 1,
		}},
		{"notations/robots", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 24, Failing: 12, Found: 11, Class: 11, Time: 11, Objects: 11, FirstRight: 11, Clean: 12,
		}},
		{"notations/agents-b", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 24, Failing: 12, Found: 12, Class: 11, Time: 10, Objects: 10, FirstRight: 10, Clean: 12, Extra: 2,
		}},
		{"notations/robots-b", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 24, Failing: 12, Found: 11, Class: 10, Time: 9, Objects: 9, FirstRight: 8, Clean: 12, Extra: 3,
		}},
		{"twentyseventh/home-z8", "/truth.jsonl", allOfHome},
		{"twentyseventh/home-a9", "/truth.jsonl", allOfHome},
		{"twentyseventh/home-b9", "/truth.jsonl", allOfHome},
		{"twentyseventh/home-c9", "/truth.jsonl", allOfHome},
		{"twentyseventh/home-d9", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7, Alarmed: 1,
		}},
		{"twentyseventh/home-e9", "/truth.jsonl", allOfHome},
		{"twentyseventh/home-f9", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"twentyseventh/home-g9", "/truth.jsonl", allOfHome},
		{"twentyseventh/arm-aan", "", allOfArm},
		{"twentyseventh/arm-aao", "", allOfArm},
		{"twentyseventh/arm-aap", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 14, Time: 14, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"twentyseventh/arm-aaq", "", allOfArm},
		{"twentyseventh/arm-aar", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 14, Time: 14, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"twentyseventh/arm-aas", "", allOfArm},
		{"twentyseventh/arm-aat", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 15, Time: 15, Objects: 14, FirstRight: 14, Clean: 7, Extra: 1,
		}},
		{"notations/agents-c", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 24, Failing: 12, Found: 12, Class: 10, Time: 9, Objects: 7, FirstRight: 7, Clean: 12, Extra: 6, Alarmed: 1,
		}},
		{"notations/robots-c", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 23, Failing: 12, Found: 11, Class: 9, Time: 8, Objects: 8, FirstRight: 8, Clean: 11, Extra: 3, Alarmed: 3, Unused: []string{"hsrb_storing_groceries_r2"},
		}},
		{"notations/agents-d", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 20, Failing: 10, Found: 9, Class: 9, Time: 8, Objects: 8, FirstRight: 7, Clean: 10, Extra: 5, Unused: []string{"put_groceries_in_cupboard-variation2-episode7", "KITCHEN_SCENE3_turn_on_the_stove_and_put_the_moka_pot_on_it--ep04", "metaworld_ml_chain_coffee_seed3", "ovmm_val_102816756_ep1187"},
		}},
		{"notations/robots-d", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 21, Failing: 9, Found: 8, Class: 7, Time: 7, Objects: 7, FirstRight: 7, Clean: 12, Extra: 1, Alarmed: 1, Unused: []string{"HomeSim_UE5_Session_118", "KR3_AGILUS_WEIGH_VIAL_R2", "CRN07_WT_100234"},
		}},
		{"notations/agents-e", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 24, Failing: 12, Found: 10, Class: 10, Time: 10, Objects: 10, FirstRight: 9, Clean: 12, Extra: 1, Alarmed: 1,
		}},
		{"notations/robots-e", "/truth.jsonl", labelled.LabelScore{
			Episodes: 24, Read: 20, Failing: 12, Found: 12, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 8, Extra: 3, Alarmed: 2, Unused: []string{"hsrc-tea-20240303", "ros2_skills_bag_0610_1", "bt_log_warm_soup", "STAR_run_20240311"},
		}},
		{"twentyeighth/home-h9", "/truth.jsonl", allOfHome},
		{"twentyeighth/home-i9", "/truth.jsonl", allOfHome},
		{"twentyeighth/home-j9", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"twentyeighth/home-k9", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 10, Time: 10, Objects: 10, FirstRight: 10, Clean: 7, Extra: 1,
		}},
		{"twentyeighth/home-l9", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
		{"twentyeighth/home-m9", "/truth.jsonl", allOfHome},
		{"twentyeighth/home-n9", "/truth.jsonl", allOfHome},
		{"twentyeighth/home-o9", "/truth.jsonl", allOfHome},
		{"twentyeighth/arm-aau", "", labelled.LabelScore{
			Episodes: 22, Read: 22, Failing: 15, Found: 15, Class: 15, Time: 15, Objects: 15, FirstRight: 15, Clean: 7, Extra: 1,
		}},
		{"twentyeighth/arm-aav", "", allOfArm},
		{"twentyeighth/arm-aaw", "", allOfArm},
		{"twentyninth/home-p9", "/truth.jsonl", allOfHome},
		{"twentyninth/home-q9", "/truth.jsonl", allOfHome},
		{"twentyninth/home-r9", "/truth.jsonl", allOfHome},
		{"twentyninth/home-s9", "/truth.jsonl", allOfHome},
		{"twentyninth/home-t9", "/truth.jsonl", allOfHome},
		{"twentyninth/home-u9", "/truth.jsonl", allOfHome},
		{"twentyninth/arm-aax", "", allOfArm},
		{"twentyninth/arm-aay", "", allOfArm},
		{"twentyninth/home-v9", "/truth.jsonl", allOfHome},
		{"twentyninth/home-w9", "/truth.jsonl", allOfHome},
		{"twentyninth/home-x9", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 10, Time: 10, Objects: 10, FirstRight: 10, Clean: 7, Extra: 1,
		}},
		{"twentyninth/home-y9", "/truth.jsonl", allOfHome},
		{"twentyninth/home-b0", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 10, Class: 10, Time: 10, Objects: 10, FirstRight: 9, Clean: 7, Extra: 2,
		}},
		{"twentyninth/arm-aaz", "", allOfArm},
		{"twentyninth/home-c0", "/truth.jsonl", allOfHome},
		{"twentyninth/home-d0", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7, Alarmed: 1,
		}},
		{"twentyninth/home-e0", "/truth.jsonl", labelled.LabelScore{
			Episodes: 17, Read: 17, Failing: 10, Found: 9, Class: 9, Time: 9, Objects: 9, FirstRight: 9, Clean: 7,
		}},
	} {
		if i%17 != 0 && os.Getenv("MISHAP_LONG") == "" {
			continue
		}
		t.Run(of.logs, func(t *testing.T) { check(t, logs+of.logs, logs+of.logs+of.truth, &of.want) })
	}
}

func reasoner(t *testing.T) *engine.Reasoner {
	t.Helper()
	r, err := engine.New(ontology.Default(), rules.Default())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// refused is how many logs of a set are refused, as no action of theirs is known.
var refused = map[string]int{"robots-c": 1, "agents-d": 4, "robots-d": 3, "robots-e": 4}

func check(t *testing.T, path, truth string, want *labelled.LabelScore) {
	t.Helper()
	r := reasoner(t)
	var errs []error
	res, err := labelled.Score(context.Background(), r, logs.Reader{Ontology: r.Ontology}, []string{truth}, []string{path}, silent{}, func(err error) { errs = append(errs, err) })
	if err != nil {
		t.Fatal(err)
	}
	if len(errs) != refused[filepath.Base(path)] {
		t.Errorf("%d logs are refused, want %d: %v", len(errs), refused[filepath.Base(path)], errs)
	}
	if diff := cmp.Diff(want, res, cmpopts.IgnoreFields(labelled.LabelScore{}, "ByClass", "Misses")); diff != "" {
		t.Errorf("score (-want +got):\n%s", diff)
		if err := res.Text(os.Stderr); err != nil {
			t.Error(err)
		}
	}
}

type silent struct{}

func (silent) More(int) {}
func (silent) Step()    {}
