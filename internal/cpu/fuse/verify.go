package fuse

import "fmt"

// Verify reports a program whose kernels break a rule of their IR or whose
// steps do not have the operands that their kernels take.
func (p *Program) Verify() error { return p.Main.verify(p) }

func (b *Block) verify(p *Program) error {
	for i := range b.Steps {
		s := &b.Steps[i]
		if k := s.Kernel; k != nil {
			if err := k.Verify(); err != nil {
				return fmt.Errorf("%w\n%s", err, k)
			}
			if n := k.NumParams(); n > len(s.Ins)+len(s.Outs) {
				return fmt.Errorf("kernel %s takes %d buffers, its step has %d\n%s", k.Name, n, len(s.Ins)+len(s.Outs), k)
			}
			if err := s.verifyBounds(p); err != nil {
				return fmt.Errorf("kernel %s: %w\n%s", k.Name, err, k)
			}
		}
		for _, inner := range s.Blocks {
			if err := inner.verify(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// verifyBounds reports accesses that leave their buffer.
func (s *Step) verifyBounds(p *Program) error {
	k := s.Kernel
	if k.NumElems() == 0 {
		return nil
	}
	bufs := append(append([]int(nil), s.Ins...), s.Outs...)
	inside := func(param int, offset int64, strides, dims []int64) error {
		lo, hi := offset, offset
		for d, st := range strides {
			if reach := st * (dims[d] - 1); reach < 0 {
				lo += reach
			} else {
				hi += reach
			}
		}
		if n, _ := p.Buffers[bufs[param]].Type.NumElems(); lo < 0 || hi >= n {
			return fmt.Errorf("elements %d to %d of p%d, which has %d", lo, hi, param, n)
		}
		return nil
	}
	for i := range k.Body.Instrs {
		if a := k.Body.Instrs[i].At; a != nil && a.Param >= 0 {
			if err := inside(a.Param, a.Offset, a.Strides, k.Dims); err != nil {
				return err
			}
		}
	}
	for i := range k.Stores {
		a := &k.Stores[i].At
		if err := inside(a.Param, a.Offset, a.Strides, k.Dims); err != nil {
			return err
		}
	}
	for i := range k.Reduces {
		for j := range k.Reduces[i].At {
			a := &k.Reduces[i].At[j]
			if err := inside(a.Param, a.Offset, a.Strides, k.Dims[:len(k.Dims)-k.NumReduced]); err != nil {
				return err
			}
		}
	}
	return nil
}
