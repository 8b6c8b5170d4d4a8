package radix

import (
	"unsafe"

	"github.com/go-nx/nx/internal/cpu/codegen/amd64/target"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Emulated returns the steps of radix sorts that run executes. The operands are all memory that code may access
// besides its arguments.
func Emulated(run func(text []byte, args unsafe.Pointer, all []byte, operands [][]byte)) rt.SortSteps {
	return &sortSteps{emulate: func(c *target.Code, a *sortArgs, size int) {
		of := func(p unsafe.Pointer, bytes int) []byte { return unsafe.Slice((*byte)(p), bytes) }
		operands := [][]byte{of(a.from, a.n*size)}
		if a.counters != nil {
			operands = append(operands, of(a.counters, 4*(a.mask+1)))
		}
		if a.to != nil && a.to != a.from {
			operands = append(operands, of(a.to, a.n*size))
		}
		run(c.Text, unsafe.Pointer(a), unsafe.Slice((*byte)(unsafe.Pointer(a)), unsafe.Sizeof(*a)), operands)
	}}
}

// Codes returns all code of radix sorts, by name.
func Codes() (map[string][]byte, error) {
	codes := map[string][]byte{}
	for kind := range numSortKinds {
		for _, size := range []int{4, 8} {
			c, err := assembleSort(kind, size)
			if err != nil {
				return nil, err
			}
			codes[sortName(kind, size)] = c.Text[:c.InstructionBytes]
		}
	}
	return codes, nil
}
