// Package library has the ops with their own algorithm: a table with one row per op, compiled for its shapes and
// attributes to a function over memory.
package library

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/program"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// Func computes the results of an op from its operands. ins and outs are the elements in row-major order, as in package
// dtype. They do not overlap, except that ops that update operands may have outs[i] equal to ins[i].
type Func func(env *rt.Env, ins, outs [][]byte) error

// Maker compiles an op with static shapes.
type Maker func(op *stablehlo.Op) (Func, error)

// makers is the table of the ops without a body.
var makers lazy.Value[map[stablehlo.OpCode]Maker]

func listMakers() map[stablehlo.OpCode]Maker {
	return map[stablehlo.OpCode]Maker{
		stablehlo.OpBitcastConvert:           makeBitcast,
		stablehlo.OpCheckExpectEq:            makeCheck,
		stablehlo.OpCheckExpectAlmostEq:      makeCheck,
		stablehlo.OpCheckExpectClose:         makeCheck,
		stablehlo.OpCheckExpectEqConst:       makeCheckConst,
		stablehlo.OpCheckExpectAlmostEqConst: makeCheckConst,
		stablehlo.OpCustomCall:               makeCustomCall,
		stablehlo.OpFft:                      makeFFT,
		stablehlo.OpDynamicSlice:             makeDynamicSlice,
		stablehlo.OpDynamicUpdateSlice:       makeDynamicUpdateSlice,
		stablehlo.OpGather:                   makeGather,
		stablehlo.OpChloRaggedDot:            makeRaggedDot,
		stablehlo.OpRngBitGenerator:          makeRngBitGenerator,
		stablehlo.OpRng:                      makeRng,
		stablehlo.OpInterpPrint:              makePrint,
		stablehlo.OpInterpProbe:              makeProbe,
		stablehlo.OpCheckExpectSerializedEq:  makeExpectSerialized,
		stablehlo.OpCholesky:                 makeCholesky,
		stablehlo.OpTriangularSolve:          makeTriangularSolve,
		stablehlo.OpChloTopK:                 makeTopK,
		stablehlo.OpComposite:                makeBlock,
	}
}

// withBodies is the table of the ops that apply bodies, which are already compiled.
var withBodies lazy.Value[map[stablehlo.OpCode]bodyMaker]

type bodyMaker func(n *program.Call, bodies []*codegen.Body) (Func, error)

func listWithBodies() map[stablehlo.OpCode]bodyMaker {
	return map[stablehlo.OpCode]bodyMaker{
		stablehlo.OpReduce:           makeReduce,
		stablehlo.OpScatter:          makeScatter,
		stablehlo.OpSelectAndScatter: makeSelectAndScatter,
		stablehlo.OpSort:             makeSort,
		stablehlo.OpReduceWindow:     makeReduceWindow,
	}
}

// Ops returns the ops with a function in this package, contractions included.
func Ops() []stablehlo.OpCode {
	all := []stablehlo.OpCode{stablehlo.OpDotGeneral, stablehlo.OpConvolution}
	return slices.Sorted(slices.Values(slices.AppendSeq(slices.AppendSeq(all, maps.Keys(listMakers())),
		maps.Keys(listWithBodies()))))
}

// Compile returns the function of a call, given the code of its bodies. The error names an op that is not supported.
func Compile(n *program.Call, bodies []*codegen.Body) (Func, error) {
	op := n.Op
	var f Func
	var err error
	if m, ok := makers.Get(listMakers)[op.Code]; ok {
		f, err = m(op)
	} else if m, ok := withBodies.Get(listWithBodies)[op.Code]; ok {
		f, err = m(n, bodies)
	} else {
		return nil, fmt.Errorf("cpu: %s is not supported", op.Name())
	}
	if err != nil {
		return nil, fmt.Errorf("cpu: %s: %w", op.Name(), err)
	}
	return f, nil
}
