//go:build unix && !solaris && !illumos && !aix

package report

import (
	"errors"
	"os"
	"syscall"
)

// lockFile locks a file for this process, until it is closed.
func lockFile(f *os.File) error {
	for {
		switch err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EWOULDBLOCK):
			return errLocked
		case errors.Is(err, syscall.ENOTSUP), errors.Is(err, syscall.ENOLCK):
			return nil // a file system without locks
		default:
			return err
		}
	}
}
