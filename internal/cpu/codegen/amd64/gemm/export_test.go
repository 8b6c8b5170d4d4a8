package gemm

import (
	"errors"
	"unsafe"

	asm "github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Memory has the arguments of code of a gemm step, and its memory besides the operands.
type Memory struct{ Args, Lines, Sums []byte }

// Emulated returns the micro-kernels of a width that run executes.
func Emulated(w target.Width, run func(text []byte, args unsafe.Pointer, m Memory)) rt.GemmSteps {
	s := newGemmSteps(w)
	emulateWith(s.f32, run)
	emulateWith(s.f64, run)
	emulateWith(s.rounded32, run)
	emulateWith(s.rounded64, run)
	emulateWith(s.int32, run)
	p := s.all
	if s.narrow != nil {
		bf16 := newBF16Step()
		emulateWith(&bf16.gemmStep, run)
		p.BF16 = bf16
	}
	return p
}

// EmulatedAMX returns the bf16 step in AMX tiles that run executes.
func EmulatedAMX(run func(text []byte, args unsafe.Pointer, m Memory)) rt.Dot2Step {
	s := newAMXStep(asm.TDPBF16PS)
	emulateWith(&s.gemmStep, run)
	return s
}

// EmulatedInt8 returns the int8 steps that run executes, in AMX tiles or in vectors.
func EmulatedInt8(inTiles bool, run func(text []byte, args unsafe.Pointer, m Memory)) rt.Dot4Steps {
	steps := newVNNISteps()
	if inTiles {
		steps = newAMXInt8Steps()
	}
	for _, s := range steps {
		emulateWith(dot4Gemm(s), run)
	}
	return steps
}

// dot4Gemm returns the gemmStep of an int8 step.
func dot4Gemm(s rt.Dot4Step) *gemmStep[float32] {
	if tiles, ok := s.(*amxInt8Step); ok {
		return &tiles.gemmStep
	}
	return &s.(*vnniStep).gemmStep
}

func emulateWith[T float32 | float64](s *gemmStep[T], run func([]byte, unsafe.Pointer, Memory)) {
	all := &gemmArgs{}
	scratch := scratchOf[T](all)
	s.args.New = func() any { return all }
	s.emulate = func(c *target.Code, args unsafe.Pointer) {
		run(c.Text, args, Memory{unsafe.Slice((*byte)(unsafe.Pointer(all)), unsafe.Sizeof(*all)),
			rt.Bytes(scratch.lines[:]), rt.Bytes(scratch.sums[:])})
	}
}

// Codes returns all code of the steps of a width, by name.
func Codes(w target.Width) (map[string][]byte, error) {
	codes := map[string][]byte{}
	s := newGemmSteps(w)
	err := addCodes(s.f32, codes)
	if err == nil {
		err = addCodes(s.f64, codes)
	}
	if err == nil {
		err = errors.Join(addCodes(s.rounded32, codes), addCodes(s.rounded64, codes), addCodes(s.int32, codes))
	}
	if s.narrow == nil {
		return codes, err
	}
	if err == nil {
		err = errors.Join(addCodes(&newBF16Step().gemmStep, codes), addCodes(&newAMXBF16Step().gemmStep, codes))
	}
	for _, steps := range []rt.Dot4Steps{newAMXInt8Steps(), newVNNISteps()} {
		for _, s := range steps {
			if err == nil {
				err = addCodes(dot4Gemm(s), codes)
			}
		}
	}
	return codes, err
}

func addCodes[T float32 | float64](s *gemmStep[T], codes map[string][]byte) error {
	for _, key := range s.keys() {
		c, err := s.assemble(key)
		if err != nil {
			return err
		}
		codes[s.name(key)] = c.Text[:c.InstructionBytes]
	}
	return nil
}
