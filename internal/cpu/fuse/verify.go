package fuse

import "fmt"

// Verify reports a program whose kernels break a rule of their IR or whose
// steps do not have the operands that their kernels take.
func (p *Program) Verify() error { return p.Main.verify(p) }

func (b *Block) verify(p *Program) error {
	for i := range b.Steps {
		s := &b.Steps[i]
		if err := s.verify(p); err != nil {
			return fmt.Errorf("%w\n%s", err, s.Kernel)
		}
		for _, inner := range s.Blocks {
			if err := inner.verify(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// verify reports a kernel that breaks a rule of its IR or takes other buffers than it
// is given.
func (s *Step) verify(p *Program) error {
	k := s.Kernel
	if k == nil {
		return nil
	}
	if err := k.Verify(); err != nil {
		return err
	}
	bufs := s.Params()
	if len(k.Params) != len(bufs) {
		return fmt.Errorf("kernel %s takes %d buffers, its step has %d", k.Name, len(k.Params), len(bufs))
	}
	for i, b := range bufs {
		t := p.Buffers[b].Type
		if n, _ := t.NumElems(); k.Params[i].Elems != n || k.Params[i].Type != t.DType() {
			return fmt.Errorf("kernel %s: p%d is b%d, which has %d elements of %s", k.Name, i, b, n, t.DType())
		}
	}
	return nil
}
