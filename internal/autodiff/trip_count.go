package autodiff

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/stablehlo"
)

// tripCount returns a bound of the number of steps of a loop, or -1. It supports loops that
// increment an integer from a constant by a constant to a constant, with or without other
// conditions; without these the number is exact.
func tripCount(op *stablehlo.Op) (trips int64, exact bool) {
	cond := op.Regions[0].Block()
	return countOf(op, cond.Terminator().Operands[0])
}

func countOf(op *stablehlo.Op, test value) (trips int64, exact bool) {
	def := test.Op()
	if def == nil {
		return -1, false
	}
	switch def.Code {
	case stablehlo.OpAnd:
		a, _ := countOf(op, def.Operands[0])
		b, _ := countOf(op, def.Operands[1])
		if a < 0 || b >= 0 && b < a {
			a = b
		}
		return a, false
	case stablehlo.OpConvert:
		if emit.DTypeOf(def.Operands[0]) == emit.DTypeOf(test) {
			return countOf(op, def.Operands[0])
		}
	case stablehlo.OpCompare:
		x, y, direction := def.Operands[0], def.Operands[1], def.Str("comparison_direction")
		if emit.DTypeOf(x) == dtype.Bool {
			if holds, ok := constInt(y); ok && (direction == "NE") == (holds == 0) &&
				(direction == "NE" || direction == "EQ") {
				return countOf(op, x) // a conversion of the condition to bool, as JAX writes it
			}
			return -1, false
		}
		if n := countTo(op, x, direction, y); n >= 0 {
			return n, true
		}
		n := countTo(op, y, mirrored(direction), x)
		return n, n >= 0
	}
	return -1, false
}

func mirrored(direction string) string {
	switch direction {
	case "LT":
		return "GT"
	case "LE":
		return "GE"
	case "GT":
		return "LT"
	case "GE":
		return "LE"
	}
	return direction
}

// countTo returns the number of steps for which the relation between a state element and a limit is
// true, or -1.
func countTo(op *stablehlo.Op, x value, direction string, limit value) int64 {
	if x.Block() != op.Regions[0].Block() || !emit.DTypeOf(x).IsInteger() {
		return -1
	}
	first, ok1 := constInt(op.Operands[x.Index()])
	last, ok2 := constInt(limit)
	by, ok3 := increment(op.Regions[1].Block(), x.Index())
	const far = 1 << 40 // prevents overflow in the sums below
	if !ok1 || !ok2 || !ok3 || by == 0 || abs(first) > far || abs(last) > far || abs(by) > far {
		return -1
	}
	distance := last - first
	if by < 0 {
		if emit.DTypeOf(x).IsUnsigned() {
			return -1
		}
		distance, by, direction = -distance, -by, mirrored(direction)
	}
	switch direction {
	case "LE":
		distance++
		fallthrough
	case "LT":
		return max(0, (distance+by-1)/by)
	case "NE":
		if distance >= 0 && distance%by == 0 {
			return distance / by
		}
	}
	return -1
}

// increment returns the constant that a body adds to element i of its state.
func increment(body *stablehlo.Block, i int) (int64, bool) {
	def := body.Terminator().Operands[i].Op()
	if def == nil || len(def.Operands) != 2 {
		return 0, false
	}
	x, y := def.Operands[0], def.Operands[1]
	switch {
	case def.Code == stablehlo.OpAdd && x == body.Args[i]:
		return constInt(y)
	case def.Code == stablehlo.OpAdd && y == body.Args[i]:
		return constInt(x)
	case def.Code == stablehlo.OpSubtract && x == body.Args[i]:
		by, ok := constInt(y)
		return -by, ok
	}
	return 0, false
}

func abs(v int64) int64 { return max(v, -v) }
