package fourier

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Emulated returns the steps of Fourier transforms of a width that run executes. The operands are all memory
// that code may access besides its arguments.
func Emulated(w target.Width,
	run func(text []byte, args unsafe.Pointer, all []byte, operands [][]byte)) rt.FourierSteps {
	return &fourierSteps{w: w, emulate: func(key fourierKey, c *target.Code, args unsafe.Pointer, all *fourierArgs) {
		run(c.Text, args, unsafe.Slice((*byte)(unsafe.Pointer(all)), unsafe.Sizeof(*all)), all.operands(key))
	}}
}

// operands returns the memory that arguments point to.
func (a *fourierArgs) operands(key fourierKey) [][]byte {
	of := func(p unsafe.Pointer, bytes int) []byte { return unsafe.Slice((*byte)(p), bytes) }
	switch key.kind {
	case twiddleKind:
		row := 16 * int(key.lanes) * a.twiddle.vectors
		return [][]byte{of(a.twiddle.x, a.twiddle.rows*row), of(a.twiddle.outer, 16*a.twiddle.rows),
			of(a.twiddle.inner, (a.twiddle.rows-1)*a.twiddle.innerStep+row)}
	case moveKind:
		from, to := 16*int(key.lanes), 16*int(key.lanes)
		if key.flags&fromSingle != 0 {
			from /= 2
		}
		if key.flags&toSingle != 0 {
			to /= 2
		}
		for i, n := range a.move.counts {
			from += (n - 1) * a.move.fromSteps[i]
			to += (n - 1) * a.move.toSteps[i]
		}
		return [][]byte{of(a.move.from, from), of(a.move.to, to)}
	}
	r, all := int(key.kind), a.pass.points*a.pass.yStep
	return [][]byte{of(a.pass.x, (r-1)*a.pass.xStep+all), of(a.pass.y, r*all),
		of(a.pass.roots, (r-1)*((a.pass.points-1)*a.pass.rootStep+a.pass.rootAt)+16)}
}

// Codes returns all code of the Fourier transforms of a width, by name.
func Codes(w target.Width) (map[string][]byte, error) {
	codes := map[string][]byte{}
	for _, key := range (&fourierSteps{w: w}).keys() {
		c, err := assembleFourier(key)
		if err != nil {
			return nil, err
		}
		codes[key.name()] = c.Text[:c.InstructionBytes]
	}
	return codes, nil
}
