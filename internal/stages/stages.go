// Package stages splits a program into stages that run one after another: modules of
// their own, each with where its inputs come from. Compilers that cannot run all of a
// program themselves use it around what they cannot run.
package stages

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Cut says where a program is split at an op.
type Cut uint8

// The cuts at an op: with both it is a stage of its own.
const (
	None   Cut = 0
	Before Cut = 1
	After  Cut = 2
	Both   Cut = Before | After
)

// Argument stands in a [Source] for the arguments of the program.
const Argument = -1

// Source is where a value comes from: result Index of a stage, or argument Index of the
// program.
type Source struct{ Stage, Index int }

// Stage is a part of a program.
type Stage struct {
	Module *stablehlo.Module // with the part as @main
	Inputs []Source          // of its arguments
}

type value = *stablehlo.Value

// Split splits the function entry of a module at the ops for which at returns a cut. Ops
// in regions belong to the op around them. Values that later stages need are results of
// the stage that computes them; constants and what else has no operands are made again.
// results tells where the results of the program come from.
func Split(m *stablehlo.Module, entry string,
	at func(op *stablehlo.Op) Cut) (list []Stage, results []Source, err error) {
	defer emit.Catch(&err)
	f, ok := m.Func(entry)
	if !ok || f.IsDeclaration() {
		emit.Fail("the module has no function @%s with a body", entry)
	}
	stage, source := map[value]int{}, map[value]Source{} // where a result is computed, and passes from
	ret := f.Body().Terminator()
	ops := f.Body().Ops[:len(f.Body().Ops)-1]
	var parts [][]*stablehlo.Op
	open := false
	for _, op := range ops {
		cut := at(op)
		if !open || cut&Before != 0 {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], op)
		open = cut&After == 0
	}
	for i, a := range f.Args() {
		source[a] = Source{Argument, i}
	}
	for i, part := range parts {
		for _, op := range part {
			for _, r := range op.Results {
				stage[r] = i
			}
		}
	}
	// A value is a result of its stage when it is used by another, or returned.
	exported := make([][]value, len(parts))
	seen := map[value]bool{}
	export := func(v value, by int) {
		i, isResult := stage[v]
		if !isResult || i == by || seen[v] {
			return
		}
		if v.Tensor() == nil {
			emit.Fail("a value of type %s cannot pass from a stage to another", v.Type())
		}
		seen[v] = true
		source[v] = Source{i, len(exported[i])}
		exported[i] = append(exported[i], v)
	}
	for i, part := range parts {
		for _, op := range part {
			for x := range op.Walk() {
				for _, v := range x.Operands {
					if !isFree(v) {
						export(v, i)
					}
				}
			}
		}
	}
	for _, v := range ret.Operands {
		export(v, len(parts))
		results = append(results, source[v])
	}
	for i, part := range parts {
		next := Stage{}
		var inputs []value
		next.Module, inputs = Extract(m, part, exported[i])
		for _, v := range inputs {
			next.Inputs = append(next.Inputs, source[v])
		}
		list = append(list, next)
	}
	return list, results, nil
}

// isFree reports whether a value is the result of an op without operands that always
// gives the same.
func isFree(v value) bool {
	op := v.Op()
	return op != nil && (op.Code == stablehlo.OpConstant || op.Code == stablehlo.OpIota)
}
