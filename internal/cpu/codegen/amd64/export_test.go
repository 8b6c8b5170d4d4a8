package amd64

import (
	"encoding/binary"

	"github.com/go-nx/nx/internal/cpu/kernel"
	"github.com/go-nx/nx/internal/cpu/plan"
)

// Walk calls run with the arguments, as bytes, of each call that piece i makes, for parameters
// at addresses that need not be memory of this process.
func Walk(k *kernel.Kernel, p *plan.Plan, i int, params []uint64, run func(args []byte)) {
	c := &Code{k: k, Plan: p}
	lo, hi, _ := p.Piece(i)
	var off [maxAccesses]int64
	for v := lo; v < hi; {
		n := c.seek(v, hi, &off)
		b := make([]byte, 8+8*maxAccesses)
		binary.LittleEndian.PutUint64(b, uint64(n))
		for i := range c.Accesses {
			binary.LittleEndian.PutUint64(b[8+8*i:], params[c.Accesses[i].Param]+uint64(off[i]))
		}
		run(b)
		v += n
	}
}
