package xla

import (
	"fmt"
	"slices"
	"sync"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/internal/pjrt"
	"github.com/go-nx/nx/stablehlo"
)

// largeConstant is the size, in bytes, from which a constant of a program becomes an argument: a plugin would
// copy it several times while it compiles, and an artifact is limited to 2 GiB.
const largeConstant = 1 << 20

// constant is a large constant of a program: its last arguments are its constants.
type constant struct {
	t    backend.Type
	data []byte
}

// liftConstants makes the large constants of @main its last arguments and returns them.
func liftConstants(f stablehlo.Func) (lifted []constant) {
	body, t := f.Body(), *f.Type()
	ops := body.Ops
	renamed := map[*stablehlo.Value]*stablehlo.Value{}
	n := len(t.Ins)
	t.Ins = slices.Clone(t.Ins)
	body.SetOps(nil)
	for _, op := range ops {
		a, ok := op.Attr("value").(*stablehlo.ElementsAttr)
		if op.Code != stablehlo.OpConstant || !ok || a.Splat || len(a.Data) < largeConstant || a.Type.Quant() != nil {
			for x := range op.Walk() { // regions use values from outside
				x.Replace(renamed)
			}
			body.Append(op)
			continue
		}
		renamed[op.Result()] = body.AddArg(a.Type)
		t.Ins = append(t.Ins, a.Type)
		lifted = append(lifted, constant{backend.Type{DType: a.Type.DType(), Dims: a.Type.Dims}, a.Data})
	}
	if len(lifted) == 0 {
		return nil
	}
	f.SetAttr("function_type", stablehlo.TypeAttr{Type: &t})
	if attrs, ok := f.Attr("arg_attrs").(stablehlo.ArrayAttr); ok && len(attrs) == n {
		attrs = slices.Clone(attrs)
		for range lifted {
			attrs = append(attrs, stablehlo.DictAttr{})
		}
		f.SetAttr("arg_attrs", attrs)
	}
	return lifted
}

// constants are the large constants of a program, on the devices that it has run on.
type constants struct {
	of []constant
	mu sync.Mutex
	on map[*device][]*buffer
}

// at returns the constants on a device, where the first call copies them.
func (c *constants) at(d *device) ([]*buffer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if all, ok := c.on[d]; ok {
		return all, nil
	}
	var all []*buffer
	for i, x := range c.of {
		b, err := d.put(x.t, x.data)
		if err != nil {
			for _, b := range all {
				b.Release()
			}
			return nil, fmt.Errorf("xla: constant %d of the program, %d bytes: %w", i, len(x.data), err)
		}
		all = append(all, b)
	}
	if c.on == nil {
		c.on = map[*device][]*buffer{}
	}
	c.on[d] = all
	return all, nil
}

// append appends the constants on a device to the arguments of a call.
func (c *constants) append(args []*pjrt.Buffer, d *device) ([]*pjrt.Buffer, error) {
	if len(c.of) == 0 {
		return args, nil
	}
	all, err := c.at(d)
	for _, b := range all {
		args = append(args, b.b)
	}
	return args, err
}

// release frees the constants on all devices.
func (c *constants) release() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, all := range c.on {
		for _, b := range all {
			b.Release()
		}
	}
	c.on = nil
}
