package conformance

import (
	"flag"
	"strings"
	"testing"

	"github.com/go-nx/nx/cpu"
)

var emulated = flag.Bool("emulated", false,
	"run machine code by the emulator, which knows AVX-512 and AMX on every machine; NX_CPU chooses the tier")

// executor is an executor under test. The interpreter is the oracle of the
// others; a suite of this package runs on all of them.
type executor struct {
	name string
	Executor
	// unsupported are parts of the errors for unsupported programs.
	unsupported []string
}

// executors are all there are, a line each.
var executors = []executor{
	{"interp", Interp(), nil},
	{"cpu", Compiled(cpu.New(2)), []string{"recursion is not supported",
		"dynamic dimensions are not supported", "the region must only use element-wise ops on scalars"}},
}

// eachExecutor runs a suite on every executor.
func eachExecutor(t *testing.T, suite func(t *testing.T, e executor)) {
	for _, e := range executors {
		t.Run(e.name, func(t *testing.T) { suite(t, e) })
	}
}

// eachOther runs a suite on every executor but the oracle.
func eachOther(t *testing.T, suite func(t *testing.T, e executor)) {
	for _, e := range executors[1:] {
		t.Run(e.name, func(t *testing.T) { suite(t, e) })
	}
}

// refuses reports whether an error means that the executor does not support a program.
func (e executor) refuses(err error) bool {
	for _, part := range e.unsupported {
		if err != nil && strings.Contains(err.Error(), part) {
			return true
		}
	}
	return false
}
