package scan

import (
	"fmt"
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Emulated returns the steps of scans of a width that run executes.
func Emulated(w target.Width, run func(text []byte, args unsafe.Pointer, all, before []byte)) rt.ScanSteps {
	s := (&scanSteps{w: w})
	s.each(func(step *scanStep) {
		step.emulateWith(run)
	})
	return s
}

// Codes returns all code of the scans of a width, by name.
func Codes(w target.Width) (map[string][]byte, error) {
	codes := map[string][]byte{}
	var err error
	(&scanSteps{w: w}).each(func(step *scanStep) {
		if err == nil {
			err = step.codes(codes)
		}
	})
	return codes, err
}

// each visits all steps.
func (s *scanSteps) each(visit func(step *scanStep)) {
	for op := range s.ops() {
		of := &s.ops()[op]
		visit(of.f32)
		visit(of.f64)
		visit(of.i32)
		if of.i64 != nil {
			visit(of.i64)
		}
	}
}

func (s *scanStep) emulateWith(run func(text []byte, args unsafe.Pointer, all, before []byte)) {
	s.emulate = func(key scanKey, c *target.Code, args *scanArgs) {
		p, n := unsafe.Pointer(args), 0
		if key.vecs > 0 {
			n = int(key.vecs-1)*s.Width.VectorBytes() + args.cols*s.Size
		}
		run(c.Text, p, unsafe.Slice((*byte)(p), unsafe.Sizeof(*args)), unsafe.Slice((*byte)(args.before), n))
	}
}

func (s *scanStep) codes(to map[string][]byte) error {
	for _, key := range s.keys() {
		c, err := s.assemble(key)
		if err != nil {
			return err
		}
		to[fmt.Sprintf("%s %d", s.name(key), s.Size)] = c.Text[:c.InstructionBytes]
	}
	return nil
}
