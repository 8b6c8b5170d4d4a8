// Package stages splits a program into stages that run one after another: separate modules, with
// the sources of their inputs. Compilers that do not support all of a program use it to run the
// unsupported parts elsewhere.
package stages

import (
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// Cut is the side of an op at which a program is split.
type Cut uint8

// The cuts at an op: with both it is a separate stage.
const (
	None   Cut = 0
	Before Cut = 1
	After  Cut = 2
	Both   Cut = Before | After
)

// Argument is the stage of a [Source] that is an argument of the program.
const Argument = -1

// Source is the source of a value: result Index of a stage, or argument Index of the program.
type Source struct{ Stage, Index int }

// Stage is a part of a program.
type Stage struct {
	Module *stablehlo.Module // with the part as @main
	Inputs []Source          // the sources of its arguments
}

type value = *stablehlo.Value

// Split splits the function entry of a module at the ops for which at returns a cut. Ops in regions
// belong to their outermost op. Values that later stages use are results of the stage that computes
// them; constants and other ops without operands are copied. results are the sources of the
// program's results.
func Split(m *stablehlo.Module, entry string,
	at func(op *stablehlo.Op) Cut) (list []Stage, results []Source, err error) {
	defer emit.Catch(&err)
	f, ok := m.Func(entry)
	if !ok || f.IsDeclaration() {
		emit.Fail("the module has no function @%s with a body", entry)
	}
	stage, source := map[value]int{}, map[value]Source{} // the stage that computes a result, and the source of a value
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
	// A value is a result of its stage if another stage uses it, or if it is returned.
	exported := make([][]value, len(parts))
	seen := map[value]bool{}
	export := func(v value, by int) {
		i, isResult := stage[v]
		if !isResult || i == by || seen[v] {
			return
		}
		if v.Tensor() == nil {
			emit.Fail("a value of type %s cannot pass between stages", v.Type())
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

// isFree reports whether a value is the result of a pure op without operands.
func isFree(v value) bool {
	op := v.Op()
	return op != nil && (op.Code == stablehlo.OpConstant || op.Code == stablehlo.OpIota)
}
