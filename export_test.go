package nx

import (
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
)

// ForgetSites forgets where functions were compiled and what was warned of, so that a
// test may run twice in a process.
func ForgetSites() {
	sites.mu.Lock()
	defer sites.mu.Unlock()
	sites.m = nil
}

// CompiledOps returns how many ops run at once have been compiled for the
// default device.
func CompiledOps() int { return int(local().compiled.Load()) }

// StagedTraces returns how many traces are open to ops of goroutines.
func StagedTraces() int {
	staging.mu.Lock()
	defer staging.mu.Unlock()
	return len(staging.traces)
}

// NewChoice returns what opens the default client of a program, by a name.
func NewChoice() func(name string) backend.Client { return new(clientChoice).open }

// PrintNothing is [PrintValue] that prints nothing.
func PrintNothing(x []Tensor) []Tensor { return hook("PrintValue", "", x, nil) }

// UnaryOp and BinaryOp return functions of real numbers that apply an op, whether or not there is
// an exported function of it.
func UnaryOp(code stablehlo.OpCode) func(t Tensor) Tensor {
	o := realOp("UnaryOp", code)
	return func(t Tensor) Tensor { return o.one(none{}, t) }
}

func BinaryOp(code stablehlo.OpCode) func(a, b Tensor) Tensor {
	o := binaryOp("BinaryOp", code, realFloat)
	return func(a, b Tensor) Tensor { return o.on(none{}, operandOf(a), operandOf(b)) }
}
