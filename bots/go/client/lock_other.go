//go:build !unix

package client

import (
	"errors"
	"os"
)

// lock refuses: where files cannot be locked this way nothing is remembered.
func lock(*os.File) error {
	return errors.ErrUnsupported
}
