package pjrt

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx/internal/pjrt/abi"
)

// Version is a version of the C API.
type Version struct{ Major, Minor int }

func (v Version) String() string { return fmt.Sprintf("%d.%d", v.Major, v.Minor) }

// Ours is the version that this package speaks.
var Ours = Version{abi.Major, abi.Minor}

// Error is the error of a function of a plugin.
type Error struct {
	Function string // in C: PJRT_Client_Create
	Code     abi.Code
	Message  string
	Plugin   string  // its file
	API      Version // the plugin's
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s: %s (code %d): %s (%s, PJRT API %s; this program has %s)",
		e.Function, CodeName(e.Code), e.Code, strings.TrimSpace(e.Message), e.Plugin, e.API, Ours)
}

// CodeName returns the name of a code in Abseil: INVALID_ARGUMENT.
func CodeName(c abi.Code) string {
	if c < 0 || int(c) >= len(codeNames) {
		return "UNKNOWN_CODE"
	}
	return codeNames[c]
}

var codeNames = [...]string{"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
	"ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
	"UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED"}

// LoadError reports why a file could not be loaded as a plugin.
type LoadError struct {
	Path string
	What string // what is wrong
	Hint string // what to do
	Err  error  // the system's error, or nil
}

func (e *LoadError) Error() string {
	text := fmt.Sprintf("%s is not a plugin that can be loaded: %s", e.Path, e.What)
	if e.Err != nil {
		text += fmt.Sprintf(" (%v)", e.Err)
	}
	if e.Hint != "" {
		text += ": " + e.Hint
	}
	return text
}

func (e *LoadError) Unwrap() error { return e.Err }

// ClosedError is the error of using a closed object.
type ClosedError struct{ What string }

func (e ClosedError) Error() string { return "the " + e.What + " was closed" }
