package distributed

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"
)

// LostError is the error of a process that ended or does not respond.
type LostError struct {
	Process int
	Address string // from where it joined; for process 0 the coordinator's
	Reason  string
}

func (e *LostError) Error() string {
	return fmt.Sprintf("distributed: process %d (%s) is lost: %s: start all processes again", e.Process, e.Address, e.Reason)
}

// reasonOf reports in words why a connection ended.
func reasonOf(err error, patience time.Duration) string {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Sprintf("no message from it for %v", patience)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		strings.Contains(err.Error(), "connection reset"):
		return "it ended without Close"
	}
	return err.Error()
}

// keyError is an error of a key: fs.ErrNotExist, fs.ErrExist or context.DeadlineExceeded.
type keyError struct {
	key  string
	what string
	is   error
}

func (e *keyError) Error() string { return fmt.Sprintf("distributed: the key %q %s", e.key, e.what) }
func (e *keyError) Unwrap() error { return e.is }
