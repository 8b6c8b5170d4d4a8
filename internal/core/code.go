package core

import (
	"runtime"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/stablehlo"
)

// compiledOp is the code of an operation or a program for operands of some types.
type compiledOp struct {
	exe    backend.Executable
	direct backend.DirectFunc // the same for at most three arguments, or nil
	ins    int
	outs   []*Spec
	number DType             // the element type that Go numbers among the operands take
	module *stablehlo.Module // where results are checked: see NX_NAN
}

// directOf returns the direct form of an executable, or nil.
func directOf(exe backend.Executable) backend.DirectFunc {
	if d, ok := exe.(backend.Director); ok {
		return d.Direct()
	}
	return nil
}

// closeLater closes an executable when nothing refers to the code that holds it: a cache
// has dropped it, and no call runs it.
func closeLater[C any](code *C, exe backend.Executable) {
	runtime.AddCleanup(code, func(exe backend.Executable) { exe.Close() }, exe)
}

// operandTypes are the types of operands and the device that has them.
type operandTypes struct {
	home *home
	ins  [3]*Spec // those of Go numbers are weak scalars
	more string   // the types beyond the third
}

// set sets the type of operand i.
func (t *operandTypes) set(i int, s *Spec) {
	if i < len(t.ins) {
		t.ins[i] = s
	} else {
		t.more += s.key() + ";"
	}
}

// codeKey identifies compiled code: the attributes of an operation, or a program, and the
// types of the operands.
// The attributes are of the type of the operation, so that one type of cache serves all.
type codeKey struct {
	operandTypes
	attrs any
}

// maxOps bounds the code of one operation, and of all programs.
const maxOps = 4096

// codeCache holds the code of an operation.
type codeCache = cache[codeKey, *compiledOp]

// codeWith finds and keeps code for some attributes.
type codeWith struct {
	code  *codeCache
	attrs any
}

func (c codeWith) find(t *operandTypes) *compiledOp { return c.code.get(&codeKey{*t, c.attrs}) }

func (c codeWith) keep(t *operandTypes, op *compiledOp) { c.code.put(codeKey{*t, c.attrs}, op, maxOps) }

// program identifies a program that is not an operation: a traced function or a recipe.
type program struct {
	op   string // the public function
	text string // or another string that identifies it
}

// programs holds the code of all programs.
var programs codeCache
