package scatter

import (
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Emulated returns the steps of scatters of a width that run executes.
func Emulated(w target.Width, run func(text []byte, args unsafe.Pointer, all []byte)) rt.CombineSteps {
	s := &combineSteps{offsetSteps: offsetSteps{w: w}}
	s.each(func(step *combineStep) {
		step.emulate = func(c *target.Code, args *combineArgs) {
			p := unsafe.Pointer(args)
			run(c.Text, p, unsafe.Slice((*byte)(p), unsafe.Sizeof(*args)))
		}
	})
	s.offsetSteps.emulate = func(c *target.Code, args *offsetArgs) {
		p := unsafe.Pointer(args)
		run(c.Text, p, unsafe.Slice((*byte)(p), unsafe.Sizeof(*args)))
	}
	return s
}

// Codes returns all code of the scatters of a width, by name.
func Codes(w target.Width) (map[string][]byte, error) {
	codes := map[string][]byte{}
	var err error
	steps := &combineSteps{offsetSteps: offsetSteps{w: w}}
	for n := range numOffsetKinds {
		k := offsetKind{4 + n%2*4, n&2 != 0, n&4 != 0}
		if k.strided && w == target.V256 {
			continue
		}
		c, err := steps.offsetSteps.assemble(k)
		if err != nil {
			return nil, err
		}
		codes[k.name()] = c.Text[:c.InstructionBytes]
	}
	steps.each(func(step *combineStep) {
		for part := range step.code {
			for vecs := 1; vecs <= step.RowVectors() && err == nil; vecs++ {
				if part >= combineElement && vecs > 1 {
					continue
				}
				var c *target.Code
				if c, err = step.assemble(part, vecs); err == nil {
					codes[fmt.Sprintf("%s %d", step.name(part, vecs), step.Size)] = c.Text[:c.InstructionBytes]
				}
			}
		}
	})
	return codes, err
}

// each visits all steps.
func (s *combineSteps) each(visit func(step *combineStep)) {
	for _, of := range s.ops() {
		for _, step := range []*combineStep{of.f32, of.f64, of.s32, of.u32, of.s64, of.u64, of.f16, of.bf16, of.c64,
			of.packs[rt.CombineS8], of.packs[rt.CombineU8], of.packs[rt.CombineS16], of.packs[rt.CombineU16]} {
			if step != nil {
				visit(step)
			}
		}
	}
}
