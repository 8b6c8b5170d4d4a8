package portable

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernel"
)

// instr emits an instruction as an operation on cells, or as the vector loop with one element. If isDirect is set, to
// must not be written before all operands are read.
func (p *scalarPoint) instr(in *kernel.Instr, to int, isDirect bool) error {
	var x [3]int
	for i, a := range in.Args[:in.Op.NumArgs()] {
		x[i] = p.at[a]
	}
	if op := p.cellOp(in, to, x); op != nil {
		p.emit(op)
		return nil
	}
	dst := to
	if isDirect {
		dst = p.alloc(in.Register().Size())
	}
	refs := make([]ref, len(p.k.Body.Instrs))
	for i, a := range in.Args[:in.Op.NumArgs()] {
		refs[a] = ref{p.register(x[i]), true}
	}
	step, err := (&compiler{g: p.g}).instr(in, ref{p.register(dst), true}, refs, -1)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Op, err)
	}
	p.emit(func(f *File) { step(&f.m, 1) })
	if isDirect {
		p.copyCells(to, dst, in.Register().Size())
	}
	return nil
}

// register returns the register number of a cell.
func (s *ScalarCompiler) register(at int) int {
	r, ok := s.regs[at]
	if !ok {
		r = len(s.code.regs)
		s.regs[at] = r
		s.code.regs = append(s.code.regs, at)
	}
	return r
}

func loadCell(to, buf, off, size int) scalarOp {
	switch size {
	case 1:
		return func(f *File) { *cell[uint8](f, to) = *(*uint8)(unsafe.Add(f.bufs[buf], off)) }
	case 2:
		return func(f *File) { *cell[uint16](f, to) = *(*uint16)(unsafe.Add(f.bufs[buf], off)) }
	case 4:
		return func(f *File) { *cell[uint32](f, to) = *(*uint32)(unsafe.Add(f.bufs[buf], off)) }
	case 8:
		return func(f *File) { *cell[uint64](f, to) = *(*uint64)(unsafe.Add(f.bufs[buf], off)) }
	}
	return func(f *File) { *cell[[2]uint64](f, to) = *(*[2]uint64)(unsafe.Add(f.bufs[buf], off)) }
}

func storeCell(buf, off, from, size int) scalarOp {
	switch size {
	case 1:
		return func(f *File) { *(*uint8)(unsafe.Add(f.bufs[buf], off)) = *cell[uint8](f, from) }
	case 2:
		return func(f *File) { *(*uint16)(unsafe.Add(f.bufs[buf], off)) = *cell[uint16](f, from) }
	case 4:
		return func(f *File) { *(*uint32)(unsafe.Add(f.bufs[buf], off)) = *cell[uint32](f, from) }
	case 8:
		return func(f *File) { *(*uint64)(unsafe.Add(f.bufs[buf], off)) = *cell[uint64](f, from) }
	}
	return func(f *File) { *(*[2]uint64)(unsafe.Add(f.bufs[buf], off)) = *cell[[2]uint64](f, from) }
}

// cellOp returns the operation of an instruction that is common in scalar code, else nil.
func (p *scalarPoint) cellOp(in *kernel.Instr, d int, x [3]int) scalarOp {
	switch in.Op {
	case kernel.Select:
		switch in.Register().Size() {
		case 1:
			return selectCell[uint8](d, x)
		case 4:
			return selectCell[uint32](d, x)
		case 8:
			return selectCell[uint64](d, x)
		}
		return nil
	case kernel.Convert:
		if kernel.NeedsRound(in.Type) {
			return nil
		}
		return convertCell(in.From, in.Type, d, x[0])
	case kernel.Load, kernel.Round, kernel.Bitcast, kernel.ReducePrecision, kernel.Real, kernel.Imag, kernel.Complex:
		return nil
	}
	t := in.Register()
	if in.From != dtype.Invalid {
		t = in.From
	}
	a, b := x[0], x[1]
	switch t {
	case dtype.Bool:
		return boolCell(in.Op, d, a, b)
	case dtype.S8:
		return intCell[int8](p, in, d, a, b)
	case dtype.S16:
		return intCell[int16](p, in, d, a, b)
	case dtype.S32:
		return intCell[int32](p, in, d, a, b)
	case dtype.S64:
		return intCell[int64](p, in, d, a, b)
	case dtype.U8:
		return intCell[uint8](p, in, d, a, b)
	case dtype.U16:
		return intCell[uint16](p, in, d, a, b)
	case dtype.U32:
		return intCell[uint32](p, in, d, a, b)
	case dtype.U64:
		return intCell[uint64](p, in, d, a, b)
	case dtype.F32:
		return floatCell[float32](in.Op, d, a, b)
	case dtype.F64:
		return floatCell[float64](in.Op, d, a, b)
	}
	return nil
}

func selectCell[T any](d int, x [3]int) scalarOp {
	c, a, b := x[0], x[1], x[2]
	return func(f *File) {
		if *cell[uint8](f, c) != 0 {
			*cell[T](f, d) = *cell[T](f, a)
		} else {
			*cell[T](f, d) = *cell[T](f, b)
		}
	}
}

func boolCell(op kernel.Op, d, a, b int) scalarOp {
	switch op {
	case kernel.And, kernel.Mul, kernel.Min:
		return func(f *File) { *cell[uint8](f, d) = *cell[uint8](f, a) & *cell[uint8](f, b) }
	case kernel.Or, kernel.Add, kernel.Max:
		return func(f *File) { *cell[uint8](f, d) = *cell[uint8](f, a) | *cell[uint8](f, b) }
	case kernel.Xor, kernel.Sub, kernel.NE:
		return func(f *File) { *cell[uint8](f, d) = *cell[uint8](f, a) ^ *cell[uint8](f, b) }
	case kernel.Not:
		return func(f *File) { *cell[uint8](f, d) = *cell[uint8](f, a) ^ 1 }
	}
	return nil
}

// arithmeticCell returns the operations that all real types support.
func arithmeticCell[T ordered](op kernel.Op, d, a, b int) scalarOp {
	switch op {
	case kernel.Add:
		return func(f *File) { *cell[T](f, d) = *cell[T](f, a) + *cell[T](f, b) }
	case kernel.Sub:
		return func(f *File) { *cell[T](f, d) = *cell[T](f, a) - *cell[T](f, b) }
	case kernel.Mul:
		return func(f *File) { *cell[T](f, d) = *cell[T](f, a) * *cell[T](f, b) }
	case kernel.Max:
		return func(f *File) { *cell[T](f, d) = max(*cell[T](f, a), *cell[T](f, b)) }
	case kernel.Min:
		return func(f *File) { *cell[T](f, d) = min(*cell[T](f, a), *cell[T](f, b)) }
	case kernel.Neg:
		return func(f *File) { *cell[T](f, d) = -*cell[T](f, a) }
	case kernel.EQ:
		return func(f *File) { *cell[uint8](f, d) = b2u(*cell[T](f, a) == *cell[T](f, b)) }
	case kernel.NE:
		return func(f *File) { *cell[uint8](f, d) = b2u(*cell[T](f, a) != *cell[T](f, b)) }
	case kernel.LT:
		return func(f *File) { *cell[uint8](f, d) = b2u(*cell[T](f, a) < *cell[T](f, b)) }
	case kernel.LE:
		return func(f *File) { *cell[uint8](f, d) = b2u(*cell[T](f, a) <= *cell[T](f, b)) }
	case kernel.GT:
		return func(f *File) { *cell[uint8](f, d) = b2u(*cell[T](f, a) > *cell[T](f, b)) }
	case kernel.GE:
		return func(f *File) { *cell[uint8](f, d) = b2u(*cell[T](f, a) >= *cell[T](f, b)) }
	}
	return nil
}

func intCell[T integer](p *scalarPoint, in *kernel.Instr, d, a, b int) scalarOp {
	switch in.Op {
	case kernel.Not:
		return func(f *File) { *cell[T](f, d) = ^*cell[T](f, a) }
	case kernel.Sign:
		return func(f *File) { *cell[T](f, d) = sign(*cell[T](f, a)) }
	case kernel.And:
		return func(f *File) { *cell[T](f, d) = *cell[T](f, a) & *cell[T](f, b) }
	case kernel.Or:
		return func(f *File) { *cell[T](f, d) = *cell[T](f, a) | *cell[T](f, b) }
	case kernel.Xor:
		return func(f *File) { *cell[T](f, d) = *cell[T](f, a) ^ *cell[T](f, b) }
	case kernel.Div, kernel.Rem:
		return divideCell[T](p, in, d, a, b)
	case kernel.Shl, kernel.ShrA, kernel.ShrL:
		return shiftCell[T](p, in, d, a, b)
	}
	return arithmeticCell[T](in.Op, d, a, b)
}

// shiftCell returns a shift; shifts by a constant below the width n are shorter.
func shiftCell[T integer](p *scalarPoint, in *kernel.Instr, d, a, b int) scalarOp {
	n := in.Type.Bits()
	up, mask := uint64(64-n), ^uint64(0)>>(64-n)
	count := &p.k.Body.Instrs[in.Args[1]]
	by := lowBits(T(count.Bits[0]))
	known := count.Op == kernel.Const && by < uint64(n)
	switch {
	case in.Op == kernel.ShrA:
		return func(f *File) {
			by := min(lowBits(*cell[T](f, b)), uint64(n-1))
			*cell[T](f, d) = T(int64(*cell[T](f, a)) << (up & 63) >> ((up + by) & 63))
		}
	case in.Op == kernel.Shl && known:
		return func(f *File) { *cell[T](f, d) = *cell[T](f, a) << (by & 63) }
	case known:
		return func(f *File) { *cell[T](f, d) = T(uint64(*cell[T](f, a)) & mask >> (by & 63)) }
	case in.Op == kernel.Shl:
		return func(f *File) {
			by, x := lowBits(*cell[T](f, b)), *cell[T](f, a)
			*cell[T](f, d) = 0
			if by < uint64(n) {
				*cell[T](f, d) = x << (by & 63)
			}
		}
	}
	return func(f *File) {
		by, x := lowBits(*cell[T](f, b)), *cell[T](f, a)
		*cell[T](f, d) = 0
		if by < uint64(n) {
			*cell[T](f, d) = T(uint64(x) & mask >> (by & 63))
		}
	}
}

func floatCell[T float](op kernel.Op, d, a, b int) scalarOp {
	switch op {
	case kernel.Div:
		return func(f *File) { *cell[T](f, d) = *cell[T](f, a) / *cell[T](f, b) }
	case kernel.Abs:
		return func(f *File) { *cell[T](f, d) = T(math.Abs(float64(*cell[T](f, a)))) }
	}
	return arithmeticCell[T](op, d, a, b)
}

// convertCell returns the common conversions that agree with Go's.
func convertCell(from, to dtype.Type, d, a int) scalarOp {
	switch to {
	case dtype.S32:
		return castCell[int32](from, d, a)
	case dtype.S64:
		return castCell[int64](from, d, a)
	case dtype.U32:
		return castCell[uint32](from, d, a)
	case dtype.F32:
		if from == dtype.F64 {
			return func(f *File) { *cell[float32](f, d) = float32(*cell[float64](f, a)) }
		}
		return castCell[float32](from, d, a)
	case dtype.F64:
		if from == dtype.F32 {
			return func(f *File) { *cell[float64](f, d) = float64(*cell[float32](f, a)) }
		}
		return castCell[float64](from, d, a)
	}
	return nil
}

func castCell[D ordered](from dtype.Type, d, a int) scalarOp {
	switch from {
	case dtype.Bool, dtype.U8:
		return func(f *File) { *cell[D](f, d) = D(*cell[uint8](f, a)) }
	case dtype.S32:
		return func(f *File) { *cell[D](f, d) = D(*cell[int32](f, a)) }
	case dtype.S64:
		return func(f *File) { *cell[D](f, d) = D(*cell[int64](f, a)) }
	case dtype.U32:
		return func(f *File) { *cell[D](f, d) = D(*cell[uint32](f, a)) }
	}
	return nil
}
