package portable

import "github.com/go-nx/nx/internal/cpu/kernel"

// instr is an instruction as this tier runs it: one of the kernel, or what is made of
// it and those that only it reads.
type instr struct {
	*kernel.Instr
	args []kernel.Value
	join func(c *compiler, dst ref, refs []ref) step // nil for one of the kernel
}

// join returns the instructions of a kernel, those joined that are faster together. The
// values are those of the kernel; what nobody reads any more is not computed.
func join(k *kernel.Kernel) []instr {
	out := make([]instr, len(k.Body.Instrs))
	for i := range out {
		in := &k.Body.Instrs[i]
		out[i] = instr{Instr: in, args: in.Operands()}
	}
	joinRotations(k, out)
	joinPairs(k, out)
	return out
}
