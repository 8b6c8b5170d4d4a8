package onnx_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/onnx"
)

// nodeCase is a line of testdata/nodes*.txt, which testdata/cases/recorder.py writes: a node with its operands and
// results.
type nodeCase struct {
	name, domain, op string
	version          int64
	attrs            [][]byte
	ins, outs        []operand
}

// operand is a tensor, a sequence of them, or what is left out.
type operand struct {
	absent, none bool
	shape        []int
	d            dtype.Type
	text         []string  // elements
	list         []operand // of a sequence, not nil
}

func readNodes(t testing.TB, path string) []nodeCase {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []nodeCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		c, err := parseCase(lines.Text())
		if err != nil {
			t.Fatalf("%s: %q: %v", path, lines.Text(), err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}

func parseCase(line string) (c nodeCase, err error) {
	fields := strings.Split(line, " | ")
	if len(fields) != 4 {
		return c, fmt.Errorf("%d fields", len(fields))
	}
	c.name = fields[0]
	head := strings.Fields(fields[1])
	c.op = head[0]
	if domain, op, ok := strings.Cut(head[0], ":"); ok {
		c.domain, c.op = domain, op
	}
	if c.version, err = strconv.ParseInt(head[1], 10, 64); err != nil {
		return c, err
	}
	for _, a := range head[2:] {
		b, err := parseAttribute(a)
		if err != nil {
			return c, err
		}
		c.attrs = append(c.attrs, b)
	}
	for i, list := range []*[]operand{&c.ins, &c.outs} {
		for _, s := range strings.Fields(fields[2+i]) {
			o, err := parseOperand(s)
			if err != nil {
				return c, err
			}
			*list = append(*list, o)
		}
	}
	return c, nil
}

// parseAttribute returns an AttributeProto of NAME=TYPE and a value.
func parseAttribute(s string) ([]byte, error) {
	name, v, ok := strings.Cut(s, "=")
	if !ok || v == "" {
		return nil, fmt.Errorf("the attribute %q", s)
	}
	kind, v := v[0], v[1:]
	list := strings.Split(v, ",")
	if v == "" {
		list = nil
	}
	b := text(1, name)
	switch kind {
	case 'i', 'I':
		for _, e := range list {
			x, err := strconv.ParseInt(e, 10, 64)
			if err != nil {
				return nil, err
			}
			b = append(b, number(map[byte]int{'i': 3, 'I': 8}[kind], x)...)
		}
		return append(b, number(20, map[byte]int64{'i': 2, 'I': 7}[kind])...), nil
	case 'f', 'F':
		for _, e := range list {
			x, err := strconv.ParseFloat(e, 32)
			if err != nil {
				return nil, err
			}
			b = append(b, fixed32(map[byte]int{'f': 2, 'F': 7}[kind], float32(x))...)
		}
		return append(b, number(20, map[byte]int64{'f': 1, 'F': 6}[kind])...), nil
	case 's':
		return join(b, text(4, v), number(20, 3)), nil
	case 'b': // a whole message
		return base64.StdEncoding.DecodeString(v)
	}
	return nil, fmt.Errorf("the attribute %q", s)
}

func parseOperand(s string) (o operand, err error) {
	switch {
	case s == "_":
		return operand{absent: true}, nil
	case s == "none":
		return operand{none: true}, nil
	case strings.HasPrefix(s, "{"):
		o.list = []operand{}
		for _, e := range strings.Split(strings.Trim(s, "{}"), ";") {
			if e == "" {
				continue
			}
			x, err := parseOperand(e)
			if err != nil {
				return o, err
			}
			o.list = append(o.list, x)
		}
		return o, nil
	}
	name, rest, _ := strings.Cut(s, "[")
	sizes, elements, ok := strings.Cut(rest, "]:")
	if !ok {
		return o, fmt.Errorf("the operand %q", s)
	}
	if o.d, err = dtype.Parse(name); err != nil {
		return o, err
	}
	for _, n := range strings.Split(sizes, ",") {
		if n == "" {
			continue
		}
		size, err := strconv.Atoi(n)
		if err != nil {
			return o, err
		}
		o.shape = append(o.shape, size)
	}
	if elements != "" {
		o.text = strings.Split(elements, ",")
	}
	return o, nil
}

// value is an operand as a value of a call.
func (o operand) value(t testing.TB) onnx.Value {
	t.Helper()
	switch {
	case o.none:
		return onnx.NoneValue()
	case o.list != nil:
		list := []onnx.Value{}
		for _, e := range o.list {
			list = append(list, e.value(t))
		}
		return onnx.SequenceValue(list...)
	}
	return onnx.TensorValue(o.tensor(t))
}

func (o operand) tensor(t testing.TB) core.Tensor {
	t.Helper()
	var x core.Tensor
	switch {
	case o.d == dtype.U64:
		x = core.FromSlice(parsed(t, o.text, func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) }),
			o.shape)
	case o.d.IsFloat():
		x = core.FromSlice(parsed(t, o.text, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }),
			o.shape)
	default:
		x = core.FromSlice(parsed(t, o.text, func(s string) (int64, error) { return strconv.ParseInt(s, 10, 64) }),
			o.shape)
	}
	if x.DType() != o.d {
		x = core.Cast(x, o.d)
	}
	return x
}

func parsed[T any](t testing.TB, list []string, f func(s string) (T, error)) []T {
	t.Helper()
	out := make([]T, len(list))
	for i, s := range list {
		x, err := f(s)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = x
	}
	return out
}

// elemOf is the number of an element type.
var elemOf = map[dtype.Type]int64{
	dtype.F32: 1, dtype.U8: 2, dtype.S8: 3, dtype.U16: 4, dtype.S16: 5, dtype.S32: 6, dtype.S64: 7, dtype.Bool: 9,
	dtype.F16: 10, dtype.F64: 11, dtype.U32: 12, dtype.U64: 13, dtype.BF16: 16, dtype.F8E4M3FN: 17,
	dtype.F8E4M3FNUZ: 18,
	dtype.F8E5M2:     19, dtype.F8E5M2FNUZ: 20, dtype.U4: 21, dtype.S4: 22, dtype.F4E2M1FN: 23, dtype.F8E8M0FNU: 24,
	dtype.U2: 25, dtype.S2: 26,
}

// initializer is a TensorProto of an operand.
func (o operand) initializer(t testing.TB, name string) []byte {
	t.Helper()
	raw := core.Bytes(o.tensor(t))
	if bits := o.d.Bits(); bits < 8 && o.d != dtype.Bool { // several elements a byte, the first lowest
		each := 8 / bits
		out := make([]byte, (len(raw)+each-1)/each)
		for i, v := range raw {
			out[i/each] |= (v & (1<<bits - 1)) << (i % each * bits)
		}
		raw = out
	}
	shape := make([]int64, len(o.shape))
	for i, n := range o.shape {
		shape[i] = int64(n)
	}
	return tensor(name, elemOf[o.d], shape, raw)
}

// model is the node as a model. With known set, tensors are in the file.
func (c nodeCase) model(t testing.TB, known bool) (b []byte, ins []onnx.Value) {
	t.Helper()
	parts, ins := c.parts(t, "", known, -1, "")
	b = join(number(1, 10), message(8, text(1, c.domain), number(2, c.version)), message(7, graph(parts...)))
	if c.domain != "" {
		b = append(b, message(8, text(1, ""), number(2, 15))...)
	}
	return b, ins
}

// parts are the inputs, outputs and the node of a graph, with names that begin with a prefix. Operand at has another
// name, that of what another node computes.
func (c nodeCase) parts(t testing.TB, prefix string, known bool, at int, other string) ([][]byte, []onnx.Value) {
	t.Helper()
	var parts [][]byte
	var ins []onnx.Value
	var from, to []string
	for i, o := range c.ins {
		name := fmt.Sprintf("%sx%d", prefix, i)
		switch {
		case i == at:
			name = other
		case o.absent:
			name = ""
		case known && o.list == nil && !o.none:
			parts = append(parts, message(5, o.initializer(t, name)))
		default:
			parts = append(parts, message(11, text(1, name)))
			ins = append(ins, o.value(t))
		}
		from = append(from, name)
	}
	for i, o := range c.outs {
		name := fmt.Sprintf("%sy%d", prefix, i)
		if o.absent {
			name = ""
		} else {
			parts = append(parts, message(12, text(1, name)))
		}
		to = append(to, name)
	}
	return append(parts, nodeOf(c.domain, c.op, from, to, c.attrs...)), ins
}

// TestNodes runs nodes of all ops, versions and element types: with operands that are inputs, and with ones that are
// known.
func TestNodes(t *testing.T) {
	files, err := filepath.Glob("testdata/nodes*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no cases")
	}
	for _, file := range files {
		for _, c := range readNodes(t, file) {
			for _, known := range []bool{false, true} {
				if known && testing.Short() {
					continue
				}
				if err := c.run(t, known); err != nil {
					t.Errorf("%s, known %v: %v", c.name, known, err)
				}
			}
		}
	}
}

func (c nodeCase) run(t *testing.T, known bool) error {
	t.Helper()
	b, ins := c.model(t, known)
	p, err := open(t, b)
	if err != nil {
		return err
	}
	outs, err := p.RunValues(context.Background(), ins, nil)
	if err != nil {
		return err
	}
	k := 0
	for i, want := range c.outs {
		if want.absent {
			continue
		}
		if err := want.equal(t, outs[k]); err != nil {
			return fmt.Errorf("result %d: %w", i, err)
		}
		k++
	}
	return nil
}

// equal compares as the tests of ONNX do: floats within 1e-3 of their size, narrow ones to their last place.
func (o operand) equal(t testing.TB, got onnx.Value) error {
	t.Helper()
	if list, ok := got.List(); ok || o.list != nil {
		if len(list) != len(o.list) || o.list == nil {
			return fmt.Errorf("got a sequence of %d, want %d", len(list), len(o.list))
		}
		for i, e := range o.list {
			if err := e.equal(t, list[i]); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
		return nil
	}
	if got.IsNone() || o.none {
		if got.IsNone() != o.none {
			return fmt.Errorf("absent: %v, want %v", got.IsNone(), o.none)
		}
		return nil
	}
	want, x := o.tensor(t), got.Tensor()
	if x.DType() != want.DType() || !slices.Equal(x.Shape(), want.Shape()) {
		return fmt.Errorf("got %v, want %v", x.Spec(), want.Spec())
	}
	if !o.d.IsFloat() {
		if !slices.Equal(core.Bytes(x), core.Bytes(want)) {
			return fmt.Errorf("got %v, want %v", x, want)
		}
		return nil
	}
	rel := map[dtype.Type]float64{dtype.F32: 1e-3, dtype.F64: 1e-3, dtype.F16: 1.0 / 1024, dtype.BF16: 1.0 / 128}[o.d]
	g, w := core.Data[float64](x), core.Data[float64](want)
	for i := range w {
		if math.IsNaN(g[i]) && math.IsNaN(w[i]) || g[i] == w[i] {
			continue
		}
		if diff := math.Abs(g[i] - w[i]); !(diff <= 1e-7+rel*math.Abs(w[i])) {
			return fmt.Errorf("element %d is %g, want %g", i, g[i], w[i])
		}
	}
	return nil
}
