package gemm

import (
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// quantDotArgs are the arguments of quantDotCode. Steps are in bytes.
type quantDotArgs struct {
	x, data, scales, sums      unsafe.Pointer
	xStep, dataStep, scaleStep int // from a row of x, or a line, to the next
	sumsStep                   int // from the sums of a row to those of the next
	lines, groups              int // lines, and groups of a line
}

// The byte offsets of the arguments.
const (
	quantDotX = 8 * iota
	quantDotData
	quantDotScales
	quantDotSums
	quantDotXStep
	quantDotDataStep
	quantDotScaleStep
	quantDotSumsStep
	quantDotLines
	quantDotGroups
)

// quantDot multiplies rows by lines of narrow elements, see [rt.GemmSteps].
func (s *gemmStep[T]) quantDot(of rt.QuantKind, sums []float32, lds int, x []float32, ldx, rows int, data []byte,
	step int, scales []float32, lss, lines, groups int) {
	if lines == 0 || groups == 0 {
		return
	}
	args := s.getArgs()
	defer s.putArgs(args)
	for r := 0; r < rows; r += maxQuantDotRows {
		n, scaled := min(maxQuantDotRows, rows-r), uint8(0)
		args.quantDot = quantDotArgs{x: unsafe.Pointer(&x[r*ldx]), data: unsafe.Pointer(&data[0]),
			sums: unsafe.Pointer(&sums[r*lds]), xStep: 4 * ldx, dataStep: step, scaleStep: 4 * lss, sumsStep: 4 * lds,
			lines: lines, groups: groups}
		if scales != nil {
			args.quantDot.scales, scaled = unsafe.Pointer(&scales[0]), 1
		}
		s.call(gemmKey{quantDotKind, uint8(of)*8 + uint8(n), scaled}, unsafe.Pointer(&args.quantDot))
	}
}

// quantDotCode multiplies lines by rows of x, one line at a time. Lane i of 16 sums the elements i of each 16: a group
// of 32 elements is two products in a lane, which are multiplied by the scale of the group before they are added. The
// lanes are added in halves. So the sums of both widths are equal.
func quantDotCode(s shape, of rt.QuantKind, rows int, scaled bool) *asm.Assembler {
	a := &asm.Assembler{}
	data, sums, scales, lines, groups := asm.RAX, asm.RBX, asm.RCX, asm.RDX, asm.RSI
	line, at, tmp := asm.GP(8), asm.GP(13), asm.GP(14)
	var x []asm.Reg
	for r := range rows {
		x = append(x, asm.GP(9+r))
	}
	lanes := s.Width.VectorBytes() / 4
	halves := 16 / lanes // vectors of 16 elements
	total := func(r, h int) asm.Reg { return s.Vector(r*halves + h) }
	quant := func(j int) asm.Reg { return s.Vector(8 + j) } // the elements from j*lanes on
	part, scale, low, eight := s.Vector(12), s.Vector(13), s.Vector(14), s.Vector(15)

	a.Emit(asm.MOV, line, asm.Mem(asm.RDI, quantDotData))
	a.Emit(asm.MOV, sums, asm.Mem(asm.RDI, quantDotSums))
	a.Emit(asm.MOV, lines, asm.Mem(asm.RDI, quantDotLines))
	a.Emit(asm.MOV, x[0], asm.Mem(asm.RDI, quantDotX))
	for r := 1; r < rows; r++ {
		a.Emit(asm.MOV, x[r], x[r-1])
		a.Emit(asm.ADD, x[r], asm.Mem(asm.RDI, quantDotXStep))
	}
	if of == rt.Quant4 {
		for i, v := range []int64{15, 8} {
			a.Emit(asm.MOV, tmp.As(asm.R32), asm.Imm(v))
			a.Emit(asm.VMOVD, asm.X(14+i), tmp.As(asm.R32))
			a.Emit(asm.VPBROADCASTD, s.Vector(14+i), asm.X(14+i))
		}
	}
	row, loop := a.NewLabel(), a.NewLabel()
	a.Bind(row)
	a.Emit(asm.MOV, data, line)
	if scaled {
		a.Emit(asm.MOV, scales, asm.Mem(asm.RDI, quantDotScales))
	}
	a.Emit(asm.MOV, groups, asm.Mem(asm.RDI, quantDotGroups))
	a.Emit(asm.XOR, at.As(asm.R32), at.As(asm.R32))
	for r := range rows {
		for h := range halves {
			a.Emit(asm.VXORPS, total(r, h).As(asm.YMM), total(r, h).As(asm.YMM), total(r, h).As(asm.YMM))
		}
	}
	a.Align(16)
	a.Bind(loop)
	loadQuants(a, s, of, data, quant, low, eight)
	if scaled {
		a.Emit(asm.VBROADCASTSS, scale, asm.Mem(scales, 0))
	}
	for r := range rows {
		for h := range halves {
			from := func(j int) asm.Arg { return asm.MemIndex(x[r], at, 1, 4*lanes*j) }
			a.Emit(asm.VMULPS, part, quant(h), from(h))
			a.Emit(asm.VFMADD231PS, part, quant(h+halves), from(h+halves))
			if scaled {
				a.Emit(asm.VFMADD231PS, total(r, h), part, scale)
			} else {
				a.Emit(asm.VADDPS, total(r, h), total(r, h), part)
			}
		}
	}
	a.EmitImm(asm.ADD, data, int64(of.GroupBytes()))
	a.EmitImm(asm.ADD, at, 4*rt.QuantGroup)
	if scaled {
		a.EmitImm(asm.ADD, scales, 4)
	}
	a.EmitImm(asm.SUB, groups, 1)
	a.Emit(asm.JNE, loop)

	a.Emit(asm.MOV, tmp, sums)
	for r := range rows {
		addLanes(a, s, total(r, 0), total(r, halves-1), part)
		a.Emit(asm.VMOVSS, asm.Mem(tmp, 0), total(r, 0).As(asm.XMM))
		if r < rows-1 {
			a.Emit(asm.ADD, tmp, asm.Mem(asm.RDI, quantDotSumsStep))
		}
	}
	a.EmitImm(asm.ADD, sums, 4)
	a.Emit(asm.ADD, line, asm.Mem(asm.RDI, quantDotDataStep))
	if scaled {
		a.Emit(asm.MOV, tmp, asm.Mem(asm.RDI, quantDotScaleStep))
		a.Emit(asm.ADD, asm.Mem(asm.RDI, quantDotScales), tmp)
	}
	a.EmitImm(asm.SUB, lines, 1)
	a.Emit(asm.JNE, row)
	a.Emit(asm.VZEROUPPER)
	a.Emit(asm.RET)
	return a
}

// loadQuants emits the loads of a group of elements as floats.
func loadQuants(a *asm.Assembler, s shape, of rt.QuantKind, data asm.Reg, quant func(j int) asm.Reg,
	low, eight asm.Reg) {
	lanes := s.Width.VectorBytes() / 4
	vectors, and := rt.QuantGroup/lanes, asm.VPAND
	if s.Width == target.V512 {
		and = asm.VPANDD
	}
	switch of {
	case rt.Quant8:
		for j := range vectors {
			a.Emit(asm.VPMOVSXBD, quant(j), asm.Mem(data, lanes*j))
			a.Emit(asm.VCVTDQ2PS, quant(j), quant(j))
		}
	case rt.Quant4:
		for j := range vectors / 2 {
			lower, upper := quant(j), quant(j+vectors/2)
			a.Emit(asm.VPMOVZXBD, lower, asm.Mem(data, lanes*j))
			a.Emit(asm.VPSRLD, upper, lower, asm.Imm(4))
			a.Emit(and, lower, lower, low)
			for _, q := range []asm.Reg{lower, upper} {
				a.Emit(asm.VPSUBD, q, q, eight)
				a.Emit(asm.VCVTDQ2PS, q, q)
			}
		}
	case rt.QuantBF16:
		for j := range vectors {
			a.Emit(asm.VPMOVZXWD, quant(j), asm.Mem(data, 2*lanes*j))
			a.Emit(asm.VPSLLD, quant(j), quant(j), asm.Imm(16))
		}
	case rt.QuantF16:
		for j := range vectors {
			a.Emit(asm.VCVTPH2PS, quant(j), asm.Mem(data, 2*lanes*j))
		}
	}
}

// addLanes emits the sum of 16 lanes in halves: of one register, or of two of 8 lanes, to the first lane.
func addLanes(a *asm.Assembler, s shape, x, upper, tmp asm.Reg) {
	y, t := x.As(asm.YMM), tmp.As(asm.YMM)
	if s.Width == target.V512 {
		a.Emit(asm.VEXTRACTF64X4, t, x, asm.Imm(1))
		upper = t
	}
	a.Emit(asm.VADDPS, y, y, upper.As(asm.YMM))
	a.Emit(asm.VEXTRACTF128, tmp.As(asm.XMM), y, asm.Imm(1))
	x4, t4 := x.As(asm.XMM), tmp.As(asm.XMM)
	a.Emit(asm.VADDPS, x4, x4, t4)
	a.Emit(asm.VSHUFPS, t4, x4, x4, asm.Imm(0b11_10))
	a.Emit(asm.VADDPS, x4, x4, t4)
	a.Emit(asm.VSHUFPS, t4, x4, x4, asm.Imm(1))
	a.Emit(asm.VADDSS, x4, x4, t4)
}
