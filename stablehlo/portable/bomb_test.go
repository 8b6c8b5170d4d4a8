package portable

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// TestSharedPartsDoNotExplode reads nested lists, each of which contains the previous one twice: few bytes
// that expand exponentially.
func TestSharedPartsDoNotExplode(t *testing.T) {
	w := &writer{
		written: stablehlo.Current(), target: stablehlo.Current(), container: newestContainer,
		nodes: nodes{byKey: map[string]*node{}}, locs: map[stablehlo.Location]*node{},
		strings: table{index: map[string]int{}}, dialects: table{index: map[string]int{}},
		names: map[opName]*nameNode{}, propIndex: map[string]int{},
	}
	list := w.builtin(uintOf(bArray), uintOf(0))
	for range 60 {
		list = w.builtin(uintOf(bArray), uintOf(2), refTo(list), refTo(list))
	}
	top := &outOp{
		name: opName{"builtin", "module", true}, loc: w.location(nil), trait: true,
		attrs: []namedNode{{"a", list}},
		props: []prop{{name: "sym_name", optional: true}, {name: "sym_visibility", optional: true}},
	}
	top.regions = []*outRegion{{op: top}}
	w.number(top)
	e := w.emit(top)
	e.flush()
	data := bytes.Join(e.chunks, nil)
	_, err := Read("bomb", data)
	if err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("%d bytes: error %v, want one that says what they stand for is too large", len(data), err)
	}
}

// TestLongSplatsStayShort reads an op whose list of dimensions is one element that
// stands for 2^40.
func TestLongSplatsStayShort(t *testing.T) {
	op := stablehlo.NewOp(stablehlo.OpTranspose, nil, nil)
	u := &upgrade{r: &reader{data: make([]byte, 100)}, o: vhloNamed("vhlo.transpose_v1"), op: op}
	splat, err := stablehlo.RawElements(stablehlo.Tensor(dtype.S64, 1<<40), make([]byte, 8))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if f, ok := recover().(failure); !ok || !strings.Contains(f.err.Error(), "1099511627776 elements") {
			t.Errorf("%v, want a failure", f)
		}
	}()
	u.attrs = []stablehlo.NamedAttr{{Name: "permutation", Value: splat}}
	u.run()
}
