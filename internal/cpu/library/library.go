// Package library holds the ops that have an algorithm of their own: a row an
// op, compiled for its shapes and attributes into a function over memory.
package library

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/stablehlo"
)

// Func computes the results of an op from its operands. Ins and outs are the
// elements in row-major order, as package dtype lays them out; they do not
// overlap, but for the ops that update operands, where outs[i] may be ins[i].
type Func func(env *rt.Env, ins, outs [][]byte) error

// Maker compiles an op whose shapes are static.
type Maker func(op *stablehlo.Op) (Func, error)

// makers is the table of the library, of the ops without a body.
var makers = map[stablehlo.OpCode]Maker{}

// withBodies is that of the ops that apply bodies, which are compiled before.
var withBodies = map[stablehlo.OpCode]func(n *program.Call, bodies []*codegen.Body) (Func, error){}

// Ops returns the ops that have a function here, contractions included.
func Ops() []stablehlo.OpCode {
	all := []stablehlo.OpCode{stablehlo.OpDotGeneral, stablehlo.OpConvolution}
	return slices.Sorted(slices.Values(slices.AppendSeq(slices.AppendSeq(all, maps.Keys(makers)), maps.Keys(withBodies))))
}

// Compile returns the function of a call, given the code of its bodies; an error names an
// op that this compiler has no code for.
func Compile(n *program.Call, bodies []*codegen.Body) (Func, error) {
	op := n.Op
	var f Func
	var err error
	if m, ok := makers[op.Code]; ok {
		f, err = m(op)
	} else if m, ok := withBodies[op.Code]; ok {
		f, err = m(n, bodies)
	} else {
		return nil, fmt.Errorf("cpu: %s is not supported", op.Name())
	}
	if err != nil {
		return nil, fmt.Errorf("cpu: %s: %w", op.Name(), err)
	}
	return f, nil
}
