package onnx_test

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/onnx"
)

// FuzzModel opens files and calls them with inputs of their types.
func FuzzModel(f *testing.F) {
	f.Add(small())
	for i, c := range readNodes(f, "testdata/nodes.txt") {
		if i%101 == 0 {
			b, _ := c.model(f, i%2 == 0)
			f.Add(b)
		}
	}
	limitMemory(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := open(t, b)
		if err != nil {
			return
		}
		d, err := p.Describe()
		if err != nil {
			return
		}
		var ins []onnx.Value
		for _, in := range d.In {
			shape := core.Shape{}
			for _, n := range in.Tensor().Dims {
				shape = append(shape, int(min(max(n, 1), 8)))
			}
			ins = append(ins, onnx.TensorValue(core.Ones(shape, in.Tensor().DType())))
		}
		called(p, ins)
	})
}

// FuzzNode calls nodes that are wrong in ways that bytes seldom are: with operands of other types, ranks and sizes, too
// many or too few of them, attributes of other nodes, in other versions, and before another node.
func FuzzNode(f *testing.F) {
	cases := readNodes(f, "testdata/nodes.txt")
	f.Add(uint16(0), uint16(0), []byte{})
	for i := range 200 {
		f.Add(uint16(i*37), uint16(i*101), []byte{byte(i), byte(i * 7), byte(i * 13)})
	}
	limitMemory(f)
	f.Fuzz(func(t *testing.T, first, second uint16, edits []byte) {
		c := cases[int(first)%len(cases)].edited(cases, edits)
		b, ins := c.model(t, len(edits)%2 == 0)
		if second != 0 {
			next := cases[int(second)%len(cases)]
			if i := slices.IndexFunc(next.ins, func(o operand) bool { return !o.absent }); i >= 0 {
				b, ins = chained(t, c, next, i, len(edits)%2 == 0)
			}
		}
		p, err := open(t, b)
		if err != nil {
			return
		}
		called(p, ins)
	})
}

// limitMemory bounds the memory of calls: that of a machine is bounded by its own.
func limitMemory(f *testing.F) {
	old := debug.SetMemoryLimit(2 << 30)
	f.Cleanup(func() { debug.SetMemoryLimit(old) })
}

func called(p *onnx.Program, ins []onnx.Value) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, _ = p.RunValues(ctx, ins, nil) // any error
}

// edited changes a case: three bytes say how, where, and to what.
func (c nodeCase) edited(cases []nodeCase, edits []byte) nodeCase {
	c.ins, c.attrs = slices.Clone(c.ins), slices.Clone(c.attrs)
	dtypes := []dtype.Type{dtype.F32, dtype.S64, dtype.Bool, dtype.U8, dtype.F16, dtype.S4, dtype.F8E5M2, dtype.F64,
		dtype.U64}
	for ; len(edits) >= 3; edits = edits[3:] {
		how, where, to := edits[0]%10, int(edits[1]), int(edits[2])
		other := cases[(where*256+to)%len(cases)]
		var o *operand
		if len(c.ins) > 0 {
			o = &c.ins[where%len(c.ins)]
		}
		switch {
		case how == 0 && o != nil: // another type; elements outside of it are replaced
			if o.list == nil && !o.absent && !o.none {
				o.d = dtypes[to%len(dtypes)]
				o.text = slices.Clone(o.text)
				for i := range o.text {
					o.text[i] = fmt.Sprint(i % 2)
				}
			}
		case how == 1 && o != nil: // one more axis
			o.shape = append([]int{1}, o.shape...)
		case how == 2 && o != nil: // no axes, one axis
			if o.list == nil && !o.absent && !o.none {
				if o.shape = nil; to%2 == 0 || len(o.text) != 1 {
					o.shape = []int{len(o.text)}
				}
			}
		case how == 3 && o != nil: // no elements
			if o.list == nil && !o.absent && !o.none {
				o.shape, o.text = append([]int{0}, o.shape[min(1, len(o.shape)):]...), nil
			}
		case how == 4 && o != nil:
			*o = operand{absent: true}
		case how == 5:
			c.ins = append(c.ins, other.ins...)
		case how == 6:
			c.attrs = append(c.attrs, other.attrs...)
		case how == 7 && len(c.attrs) > 0:
			c.attrs = slices.Delete(c.attrs, where%len(c.attrs), where%len(c.attrs)+1)
		case how == 8:
			c.version = int64(to%28) + 1
		case how == 9 && o != nil && o.d.IsInteger() && len(o.text) > 0: // a large or negative number
			o.text = slices.Clone(o.text)
			list := []string{"-1", "0", "1", "-9223372036854775808", "9223372036854775807", "1099511627776",
				"2147483648",
				"7"}
			if o.d != dtype.S64 {
				list = []string{"0", "1"}
			}
			o.text[to%len(o.text)] = list[to%len(list)]
		}
	}
	return c
}

// chained is a model of two nodes: the first result of one is operand i of the other.
func chained(t *testing.T, a, b nodeCase, i int, known bool) ([]byte, []onnx.Value) {
	t.Helper()
	parts, ins := a.parts(t, "a", known, -1, "")
	more, ins2 := b.parts(t, "b", known, i, "ay0")
	version := max(a.version, b.version)
	m := join(number(1, 10), message(8, text(1, ""), number(2, version)), message(7, graph(append(parts, more...)...)))
	return m, append(ins, ins2...)
}
