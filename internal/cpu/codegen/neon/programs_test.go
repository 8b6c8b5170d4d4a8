package neon_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/neon"
)

// TestConditions compares what conditions are true after instructions that set flags.
func TestConditions(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	compared := map[amd64.Op]int{}
	for _, s := range amd64.Samples(r, 4) {
		in := s.Inst
		switch in.Op {
		case amd64.ADD, amd64.SUB, amd64.CMP, amd64.TEST, amd64.AND, amd64.OR, amd64.XOR, amd64.NEG, amd64.INC,
			amd64.DEC, amd64.SHR, amd64.VUCOMISS, amd64.VUCOMISD, amd64.VPTEST:
		default:
			continue
		}
		aim(r, &in)
		if !isUsable(in) {
			continue
		}
		for op := amd64.JO; op <= amd64.JG; op++ {
			err := compare(r, []amd64.Inst{in}, []amd64.Op{op}, pointers(r))
			if errors.Is(err, neon.ErrUnsupported) {
				continue
			}
			if err != nil {
				t.Errorf("%s; %s: %v", in, op, err)
			}
			compared[in.Op]++
		}
	}
	for _, op := range []amd64.Op{amd64.ADD, amd64.SUB, amd64.CMP, amd64.TEST, amd64.AND, amd64.VUCOMISS,
		amd64.VPTEST} {
		if compared[op] < 4 {
			t.Errorf("%s: %d conditions compared", op, compared[op])
		}
	}
}

// isUsable reports whether an instruction can be in a program: it has an encoding, and does not change the registers
// with the addresses of the arguments and of the spill memory.
func isUsable(in amd64.Inst) bool {
	for _, a := range in.Args {
		if a.Kind == amd64.RegArg && a.Reg.Class() <= amd64.R64 && (a.Reg.Num() == 7 || a.Reg.Num() == 6 ||
			a.Reg.Num() == 4) || a.Kind == amd64.MemArg && (a.Reg == amd64.RIP || a.Val >= 1<<15) {
			return false
		}
	}
	_, err := in.Append(nil)
	return err == nil
}

// pointers returns a function that sets the base and the index of accesses.
func pointers(r *rand.Rand) func(s *state) {
	return func(s *state) {
		binary.LittleEndian.PutUint64(s.args[generalAt+8*3:], dataAt+1024)
		binary.LittleEndian.PutUint64(s.args[generalAt+8*1:], uint64(r.IntN(32)))
	}
}

// TestDivisions compares divisions of dividends that are extended as divisions need them.
func TestDivisions(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	divisor := func(c amd64.Class) amd64.Inst { // not 0, and small enough for the quotient
		return amd64.Inst{Op: amd64.OR, Args: [4]amd64.Arg{amd64.RegOperand(amd64.GP(9).As(c)), amd64.Imm(1)}}
	}
	for _, c := range []amd64.Class{amd64.R32, amd64.R64} {
		sign := amd64.CQO
		if c == amd64.R32 {
			sign = amd64.CDQ
		}
		dx := amd64.RegOperand(amd64.GP32(2))
		by := [4]amd64.Arg{amd64.RegOperand(amd64.GP(9).As(c))}
		for _, ins := range [][]amd64.Inst{
			{divisor(c), {Op: sign}, {Op: amd64.IDIV, Args: by}},
			{divisor(c), {Op: amd64.XOR, Args: [4]amd64.Arg{dx, dx}}, {Op: amd64.DIV, Args: by}},
		} {
			err := compare(r, ins, nil, func(s *state) { // the least integer by -1 is a fault
				s.args[generalAt] |= 2
			})
			if err != nil {
				t.Errorf("%v: %v", ins, err)
			}
		}
	}
}

// TestSequences compares sequences of instructions, in which registers are scarce and values are shared.
func TestSequences(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	const avx2 = amd64.AVX | amd64.AVX2 | amd64.FMA | amd64.F16C | amd64.BMI1 | amd64.BMI2
	var all []amd64.Inst
	for _, s := range amd64.Samples(r, 3) {
		in := s.Inst
		if s.Needs&^avx2 != 0 || !neon.Translates(in.Op) || isControl(in.Op) || setsFloats(in.Op) {
			continue
		}
		if aim(r, &in) || !isUsable(in) || in.Op == amd64.DIV || in.Op == amd64.IDIV {
			continue
		}
		if in.Args[0].Kind == amd64.RegArg && in.Args[0].Reg.Class() <= amd64.R64 { // the base and index stay
			continue
		}
		err := compare(r, []amd64.Inst{in}, nil, pointers(r))
		if !errors.Is(err, neon.ErrUnsupported) {
			all = append(all, in)
		}
	}
	programs := 300
	if testing.Short() {
		programs = 60
	}
	for range programs {
		ins := make([]amd64.Inst, 1+r.IntN(60))
		for i := range ins {
			ins[i] = all[r.IntN(len(all))]
		}
		if err := compare(r, ins, nil, pointers(r)); err != nil {
			t.Fatalf("%v\n%v", ins, err)
		}
	}
}

// setsFloats reports whether an instruction computes floats: their NaNs differ, and bits of those would spread.
func setsFloats(op amd64.Op) bool {
	name := op.String()
	switch op {
	case amd64.VMOVUPS, amd64.VMOVUPD, amd64.VSHUFPS, amd64.VSHUFPD, amd64.VUNPCKLPS, amd64.VUNPCKHPD, amd64.VBLENDPS,
		amd64.VBLENDVPS, amd64.VPERMILPS, amd64.VMOVDDUP, amd64.VANDPS, amd64.VXORPD, amd64.VMASKMOVPS,
		amd64.VBROADCASTSS, amd64.VMOVSS, amd64.VMOVSD, amd64.VPERMPD:
		return false
	}
	if len(name) < 2 {
		return false
	}
	switch name[len(name)-2:] {
	case "ps", "pd", "ss", "sd", "ph":
		return true
	}
	return false
}
