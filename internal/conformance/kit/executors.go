package kit

import (
	"strings"
	"testing"

	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/internal/conformance"
)

// Executor is an executor under test. The interpreter is the oracle of the
// others; a suite runs on all of them.
type Executor struct {
	Name string
	conformance.Executor
	// Unsupported are parts of the errors for unsupported programs.
	Unsupported []string
}

var (
	// Oracle is the interpreter.
	Oracle = conformance.Interp()

	// OneWorker and ThreeWorkers are the CPU compiler.
	OneWorker, ThreeWorkers = conformance.Compiled(cpu.New(1)), conformance.Compiled(cpu.New(3))
)

// executors are all there are, a line each.
var executors = []Executor{
	{"interp", Oracle, nil},
	{"cpu", conformance.Compiled(cpu.New(2)), []string{"recursion is not supported",
		"dynamic dimensions are not supported", "the region must only use element-wise ops on scalars"}},
}

// EachExecutor runs a suite on every executor.
func EachExecutor(t *testing.T, suite func(t *testing.T, e Executor)) {
	for _, e := range executors {
		t.Run(e.Name, func(t *testing.T) { suite(t, e) })
	}
}

// EachOther runs a suite on every executor but the oracle.
func EachOther(t *testing.T, suite func(t *testing.T, e Executor)) {
	for _, e := range executors[1:] {
		t.Run(e.Name, func(t *testing.T) { suite(t, e) })
	}
}

// Refuses reports whether an error means that the executor does not support a program.
func (e Executor) Refuses(err error) bool {
	for _, part := range e.Unsupported {
		if err != nil && strings.Contains(err.Error(), part) {
			return true
		}
	}
	return false
}
