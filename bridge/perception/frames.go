package perception

import (
	"github.com/mishap-robotics/mishap/bridge/perception/geometry"
)

// frames are the coordinate frames of a robot: where each is, as its parent sees it, at
// present.
type frames map[string]struct {
	parent string
	pose   geometry.Pose
}

// mostFrames is how long a way between frames may be.
const mostFrames = 100

func (f frames) set(parent, child string, pose geometry.Pose) {
	if child != "" && child != parent {
		f[child] = struct {
			parent string
			pose   geometry.Pose
		}{parent, pose}
	}
}

// root is the frame that a frame hangs from in the end, and its pose there.
func (f frames) root(frame string) (root string, pose geometry.Pose) {
	pose = geometry.Identity
	for range mostFrames {
		up, ok := f[frame]
		if !ok {
			break
		}
		frame, pose = up.parent, up.pose.Then(pose)
	}
	return frame, pose
}

// in is a frame as another sees it; ok is false where nothing links the two.
func (f frames) in(fixed, frame string) (pose geometry.Pose, ok bool) {
	if fixed == frame || fixed == "" {
		return geometry.Identity, true
	}
	a, up := f.root(fixed)
	b, down := f.root(frame)
	return up.Inverse().Then(down), a == b
}
