package render

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/mishap-robotics/mishap/bridge/recording/foxglove"
)

// clouds is what a camera with depth tells: of each thing a class, and points of its surface.
type clouds struct {
	Things []clouded `json:"things"`
}

type clouded struct {
	Frame    string              `json:"frame_id"`
	ID       string              `json:"id"`
	Metadata []foxglove.KeyValue `json:"metadata"`
	Points   []foxglove.Vector   `json:"points"`
}

// show writes a frame: boxes, or clouds where the sensors have those.
func (r *recorder) show(scene foxglove.SceneUpdate, at float64) error {
	if r.noise.Points == 0 {
		return r.write(sceneTopic, at, scene)
	}
	var out clouds
	for _, e := range scene.Entities {
		c, size := e.Cubes[0].Pose.Position, e.Cubes[0].Size
		out.Things = append(out.Things, clouded{e.FrameID, e.ID, e.Metadata, r.cloud(r3.Vec(c), r3.Vec(size))})
	}
	return r.write(cloudTopic, at, out)
}

// cloud is the corners of a box and points of its top and sides, which is what cameras see of
// things that stand on something.
func (r *recorder) cloud(centre, size r3.Vec) []foxglove.Vector {
	var out []foxglove.Vector
	add := func(x, y, z float64) {
		out = append(out, foxglove.Vector{X: centre.X + size.X*(x-0.5), Y: centre.Y + size.Y*(y-0.5), Z: centre.Z + size.Z*(z-0.5)})
	}
	for corner := range 8 {
		add(float64(corner&1), float64(corner>>1&1), float64(corner>>2))
	}
	faces := []float64{size.X * size.Y, size.Y * size.Z, size.X * size.Z} // top, and two of each of the others
	all := faces[0] + 2*faces[1] + 2*faces[2]
	for len(out) < r.noise.Points {
		u, v, side := r.rng.Float64(), r.rng.Float64(), float64(r.rng.IntN(2))
		switch at := r.rng.Float64() * all; {
		case at < faces[0]:
			add(u, v, 1)
		case at < faces[0]+2*faces[1]:
			add(side, u, v)
		default:
			add(u, side, v)
		}
	}
	return out
}
