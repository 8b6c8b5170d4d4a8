package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// program is a program text and its file name.
type program struct{ name, text string }

// elems are the element types that ops are timed on: those that have loops of
// their own in a compiler.
var elems = []dtype.Type{dtype.Bool, dtype.S8, dtype.S32, dtype.S64, dtype.U8, dtype.U32, dtype.BF16,
	dtype.F32, dtype.F64, dtype.C64}

// programs returns the programs of all ops, in the order of the table.
func programs() []program {
	var out []program
	for c, info := range stablehlo.Ops() {
		if notTimed(c) != "" {
			continue
		}
		uses, ok := special[c]
		if !ok {
			uses = []use{elementwise(info)}
		}
		for _, u := range uses {
			types := u.elems
			if types == nil {
				types = elems
			}
			for _, d := range types {
				text := u.program(d)
				if m, err := stablehlo.Parse("", []byte(text)); err == nil && m.Verify() == nil {
					out = append(out, program{fileName(info.Name, u.name, d), text})
				}
			}
		}
	}
	return out
}

// fileName consists of the op, the variant, and the type.
func fileName(op, use string, d dtype.Type) string {
	name := strings.ReplaceAll(strings.TrimPrefix(op, "stablehlo."), ".", "_")
	parts := slices.DeleteFunc([]string{name, use, d.String()}, func(s string) bool { return s == "" })
	return strings.Join(parts, "_")
}

// use is a function that uses an op, with T for the element type and R for its real
// one: "arguments -> result", then the body, whose last value is %r.
type use struct {
	name      string
	signature string
	body      string
	elems     []dtype.Type // nil for all of the list that the verifier takes
}

// program returns the text of the use with an element type.
func (u use) program(d dtype.Type) string {
	ins, out, _ := strings.Cut(u.signature, " -> ")
	one, zero := "1", "0"
	switch {
	case d == dtype.Bool:
		one, zero = "true", "false"
	case d.IsComplex():
		one, zero = "(1.0, 0.0)", "(0.0, 0.0)"
	case d.IsFloat():
		one, zero = "1.0", "0.0"
	}
	var text strings.Builder
	fmt.Fprintf(&text, "func.func @main(%s) -> %s {\n", ins, out)
	for line := range strings.SplitSeq(strings.TrimSpace(u.body), "\n") {
		fmt.Fprintf(&text, "  %s\n", strings.TrimSpace(line))
	}
	fmt.Fprintf(&text, "  return %%r : %s\n}\n", out)
	elem, real := stablehlo.Scalar(d).String(), stablehlo.Scalar(d.Real()).String()
	return strings.NewReplacer("xT>", "x"+elem+">", "<T>", "<"+elem+">", "xR>", "x"+real+">", "<R>",
		"<"+real+">", "ONE",
		one, "ZERO", zero).Replace(text.String())
}

// elementwise is a use of an op of operands of one type.
func elementwise(info *stablehlo.OpInfo) use {
	var args, operands, types []string
	for i := range info.Operands {
		args = append(args, fmt.Sprintf("%%a%d: tensor<256x256xT>", i))
		operands = append(operands, fmt.Sprintf("%%a%d", i))
		types = append(types, "tensor<256x256xT>")
	}
	result := "tensor<256x256xT>"
	switch {
	case info.Results[0].Types == stablehlo.TBool:
		result = "tensor<256x256xi1>"
	case info.Traits&stablehlo.SameTypes == 0 && len(info.Operands) == 1: // the real part of a complex number
		result = "tensor<256x256xR>"
	}
	return use{signature: strings.Join(args, ", ") + " -> " + result,
		body: fmt.Sprintf("%%r = %q(%s) : (%s) -> %s", info.Name, strings.Join(operands, ", "),
			strings.Join(types, ", "), result)}
}

// notTimed reports why an op has no program; it is empty for one that has.
func notTimed(c stablehlo.OpCode) string {
	name := c.String()
	dialect, rest, _ := strings.Cut(name, ".")
	switch {
	case dialect == "builtin" || dialect == "func" || c == stablehlo.OpReturn:
		return "part of every program"
	case dialect == "check" || dialect == "interpreter":
		return "for tests"
	case dialect == "sdy":
		return "an annotation"
	case dialect == "nx":
		return "no other compiler knows it"
	case strings.HasPrefix(rest, "dynamic_") && c != stablehlo.OpDynamicSlice && c != stablehlo.OpDynamicUpdateSlice ||
		c == stablehlo.OpRealDynamicSlice ||
		c == stablehlo.OpSetDimensionSize || c == stablehlo.OpGetDimensionSize:
		return "the same loop as without dynamic sizes"
	case strings.HasPrefix(name, "chlo.broadcast_"):
		return "the same loop as the op after a broadcast_in_dim"
	}
	return reasons[c]
}

var reasons = map[stablehlo.OpCode]string{
	stablehlo.OpAfterAll: "no computation", stablehlo.OpCreateToken: "no computation",
	stablehlo.OpOptimizationBarrier: "no computation",
	stablehlo.OpTuple:               "no computation", stablehlo.OpGetTupleElement: "no computation",
	stablehlo.OpComposite: "its decomposition",
	stablehlo.OpConstant:  "no computation", stablehlo.OpChloConstant: "no computation",
	stablehlo.OpChloConstantLike: "no computation",
	stablehlo.OpCustomCall:       "what it calls",
	stablehlo.OpAllGather:        "several processes", stablehlo.OpAllReduce: "several processes",
	stablehlo.OpAllToAll:            "several processes",
	stablehlo.OpCollectiveBroadcast: "several processes", stablehlo.OpCollectivePermute: "several processes",
	stablehlo.OpCollectiveReduce: "several processes",
	stablehlo.OpCrossReplicaSum:  "several processes",
	stablehlo.OpReduceScatter:    "several processes", stablehlo.OpPartitionId: "several processes",
	stablehlo.OpReplicaId:  "several processes",
	stablehlo.OpAsyncStart: "several processes", stablehlo.OpAsyncDone: "several processes",
	stablehlo.OpInfeed: "a host", stablehlo.OpOutfeed: "a host", stablehlo.OpSend: "a host", stablehlo.OpRecv: "a host",
	stablehlo.OpEinsum: "dot_general", stablehlo.OpUnaryEinsum: "reduce", stablehlo.OpTorchIndexSelect: "gather",
	stablehlo.OpDot:       "dot_general",
	stablehlo.OpBroadcast: "broadcast_in_dim", stablehlo.OpRng: "rng_bit_generator",
	stablehlo.OpChloScan:          "XLA has no such op",
	stablehlo.OpUniformQuantize:   "XLA:CPU does not compile it",
	stablehlo.OpUniformDequantize: "XLA:CPU does not compile it",
	stablehlo.OpChloRaggedDot:     "XLA:CPU does not compile it",
}
