package draw

import "github.com/mishap-robotics/mishap/bridge/internal/encode"

// WriteFile writes a picture to a file, whole or not at all. A file that is there already
// is an error unless it is to be overwritten, and so is a symbolic link.
func WriteFile(path string, overwrite bool, picture []byte) error {
	return encode.File(path, overwrite, picture)
}
