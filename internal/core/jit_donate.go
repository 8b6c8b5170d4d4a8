package core

import (
	"reflect"
	"slices"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/stablehlo"
)

// donated are the donated tensors of a call; nil for none.
type donated struct {
	by    *Invalidation
	given []*validity
	args  []bool // which of the arguments
}

// takeBack makes the tensors valid again.
func (d *donated) takeBack() {
	if d != nil {
		for _, v := range d.given {
			v.ended.CompareAndSwap(d.by, nil)
		}
	}
}

// release releases the memory of donated arguments of which the call got copies.
func (d *donated) release(args []backend.Buffer) {
	if d != nil {
		for i, is := range d.args {
			if is {
				args[i].Release()
			}
		}
	}
}

// donateBuffers marks the tensors of donated arguments as donated. When one of them
// is used twice by the call, none is. A call whose results are checked gets copies of them.
func (j *jit) donateBuffers(c *compiled, args []backend.Buffer, tensors []Tensor, ends []int) *donated {
	by := &Invalidation{how: "donated", pcs: diag.Stack()}
	d := &donated{by: by, args: make([]bool, len(args))}
	refuse := func(t Tensor, format string, args ...any) {
		d.takeBack()
		failOn(ErrReleased, "Jit", []Tensor{t}, "donate a tensor once, and pass a copy elsewhere", format, args...)
	}
	isDonated := make([]bool, len(args))
	var shared []int // donated constants, whose contents others may have, and what is kept
	arg, n := 0, 0
	for i, t := range tensors {
		for i >= ends[arg] {
			arg++
		}
		if t.p == nil {
			continue
		}
		n++
		if !j.donate[arg] {
			continue
		}
		isDonated[n-1] = true
		if d.args[n-1] = t.p.buf != nil; !d.args[n-1] || j.checksNaN {
			shared = append(shared, n-1)
		}
		v := t.p.validity()
		if !v.invalidate(by) {
			refuse(t, "a tensor of the donated argument %d is in another donated place too", arg)
		}
		d.given = append(d.given, v)
	}
	const again = "a donated tensor is used a second time by the same call"
	n = 0
	for _, list := range [2][]Tensor{tensors, c.captured} {
		for _, t := range list {
			if t.p == nil {
				continue
			}
			if !isDonated[n] && t.p.validity().ended.Load() == by {
				refuse(t, again)
			}
			n++
		}
	}
	for _, r := range c.constants.list() {
		if r.valid.ended.Load() == by {
			refuse(tensors[slices.IndexFunc(tensors, func(t Tensor) bool { return t.p != nil && t.p.rec == r })], again)
		}
	}
	for _, i := range shared {
		args[i] = j.copyBuffer(args[i])
	}
	return d
}

// copyBuffer returns a buffer of the same elements, to be donated instead of one that is kept.
func (j *jit) copyBuffer(b backend.Buffer) backend.Buffer {
	if r, ok := b.(backend.Reshaper); ok { // the executable sees that the memory is in use
		if same, err := r.Reshape(b.Type().Dims); err == nil {
			return same
		}
	}
	data := make([]byte, b.Type().SizeBytes())
	err := b.Read(background, data)
	if err == nil {
		b, err = b.Device().Client().Put(background, b.Type(), data, b.Device())
	}
	if err != nil {
		j.fail(err)
	}
	return b
}

// markDonated marks the donated arguments in a program: the tensors in the donated ones of args.
func (j *jit) markDonated(m *stablehlo.Module, args []reflect.Value) {
	if j.donate == nil {
		return
	}
	var donated []bool
	for i, a := range args {
		w := newWalker("Donate")
		w.Leaf = func(t *Tensor) {
			if t.p != nil {
				donated = append(donated, j.donate[i])
			}
		}
		w.Walk(j.args[i], addressable(a).Addr().UnsafePointer())
	}
	main, _ := m.Func("main")
	main.SetDonated(donated)
}
