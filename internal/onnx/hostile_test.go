package onnx_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/onnx"
)

// small is a model that adds a weight and multiplies by what If chooses.
func small() []byte {
	branch := func(v float32) []byte {
		return graph(node("Constant", nil, []string{"c"}, attrTensor("value", floats("", nil, v))), output("c", 1))
	}
	return model(17, graph(
		input("x", 1, -1, 2), input("b", 9),
		message(5, floats("w", []int64{2}, 1, 2)),
		node("Add", []string{"x", "w"}, []string{"s"}),
		node("If", []string{"b"}, []string{"f"}, attrGraph("then_branch", branch(2)), attrGraph("else_branch",
			branch(3))),
		node("Mul", []string{"s", "f"}, []string{"y"}),
		output("y", 1, -1, 2)))
}

// TestTruncated opens all beginnings of a file, and runs those that are models.
func TestTruncated(t *testing.T) {
	whole := small()
	for n := range len(whole) + 1 {
		runs(t, whole[:n], n == len(whole))
	}
}

// TestChanged opens files with one byte changed.
func TestChanged(t *testing.T) {
	whole := small()
	for i := range whole {
		for _, v := range []byte{0, 0x7f, 0x80, 0xff, whole[i] ^ 1} {
			b := append([]byte{}, whole...)
			b[i] = v
			runs(t, b, false)
		}
	}
}

// runs opens a model and calls it; it must not panic, and must succeed if wanted.
func runs(t *testing.T, b []byte, wanted bool) {
	t.Helper()
	p, err := open(t, b)
	if err != nil {
		if wanted {
			t.Fatal(err)
		}
		return
	}
	d, err := p.Describe()
	if err != nil || len(d.In) != 2 {
		if wanted {
			t.Fatal(err)
		}
		return
	}
	ins := []onnx.Value{onnx.TensorValue(core.Ones(core.Shape{3, 2}, core.F32)),
		onnx.TensorValue(core.FromSlice([]bool{false}, core.Shape{}))}
	outs, err := p.RunValues(context.Background(), ins, nil)
	if !wanted {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	got := core.Data[float32](outs[0].Tensor())
	if len(got) != 6 || got[0] != 6 || got[1] != 9 {
		t.Errorf("got %v", got)
	}
}

// TestHostile opens models that are wrong in one way each: the error says which, and no memory is taken for sizes that
// the file only names.
func TestHostile(t *testing.T) {
	call := func(name, of string) []byte {
		return join(text(1, name), text(4, "x"), text(5, "y"), message(7, nodeBody("local", of, []string{"x"},
			[]string{"y"})), text(10, "local"), message(9, text(1, "local"), number(2, 1)))
	}
	outside := func(location string) []byte {
		t := join(number(1, 2), number(2, 1), text(8, "w"), message(13, text(1, "location"), text(2, location)),
			number(14, 1))
		return model(17, graph(input("x", 1, 2), message(5, t), node("Add", []string{"x", "w"}, []string{"y"}),
			output("y", 1, 2)))
	}
	nested := graph(node("Identity", []string{"nowhere"}, []string{"c"}), output("c", 1))
	deep := graph(node("Constant", nil, []string{"c"}, attrTensor("value", floats("", nil, 1))), output("c", 1))
	for range 150 {
		deep = graph(node("If", []string{"b"}, []string{"c"}, attrGraph("then_branch", deep),
			attrGraph("else_branch", deep[:0])), output("c", 1))
	}
	x := input("x", 1, 2)
	rows := graph(input("i", 7), input("c", 9), input("s", 1), node("Identity", []string{"c"}, []string{"c2"}),
		node("Identity", []string{"s"}, []string{"s2"}), node("Identity", []string{"s"}, []string{"o"}),
		output("c2", 9), output("s2", 1), output("o", 1))
	// sized is a model of an op whose second operand is a list of numbers.
	sized := func(op string, opset int64, list ...int64) []byte {
		return model(opset, graph(x, message(5, ints("n", []int64{int64(len(list))}, list...)),
			node(op, []string{"x", "n"}, []string{"y"}), output("y", 1)))
	}
	cases := []struct {
		name, want string
		model      []byte
	}{
		{"a loop that stacks 2^62 rows", "do not fit in memory", model(17, graph(x, message(5, ints("m", nil, 1<<62)),
			node("Loop", []string{"m", "", "x"}, []string{"y", "o"}, attrGraph("body", rows)), output("y", 1),
			output("o", 1)))},
		{"Expand to 2^62 rows", "does not fit", sized("Expand", 17, 1<<62, 2)},
		{"Expand to 2^50 rows", "memory", sized("Expand", 17, 1<<50, 2)},
		{"Tile 2^63-1 times", "does not fit", sized("Tile", 17, 1<<63-1)},
		{"Tile 2^50 times", "memory", sized("Tile", 17, 1<<50)},
		{"Tile a negative number of times", "Tile", sized("Tile", 17, -1)},
		{"Pad by 2^62", "too large", sized("Pad", 17, 1<<62, 0)},
		{"Pad by 2^39", "memory", sized("Pad", 17, 1<<39, 0)},
		{"Pad by -2^63", "too large", sized("Pad", 17, -1<<63, 0)},
		{"CenterCropPad to 2^62", "size", sized("CenterCropPad", 18, 1<<62)},
		{"Reshape to 2^62 rows", "does not fit", sized("Reshape", 17, 1<<62, 2)},
		{"functions that call each other", "calls itself", model(17,
			graph(x, nodeOf("local", "F", []string{"x"}, []string{"y"}), output("y", 1, 2)), call("F", "G"),
			call("G", "F"))},
		{"a graph that takes an absent value", "nowhere", model(17, graph(x, input("b", 9),
			node("If", []string{"b"}, []string{"y"}, attrGraph("then_branch", nested), attrGraph("else_branch",
				nested)),
			output("y", 1, 2)))},
		{"nested graphs", "deep", model(17, graph(input("b", 9), node("If", []string{"b"}, []string{"y"},
			attrGraph("then_branch", deep), attrGraph("else_branch", deep)), output("y", 1)))},
		{"data above the folder", "folder", outside("../w.bin")},
		{"data at an absolute path", "folder", outside("/etc/passwd")},
		{"data that is missing", "no such file", outside("w.bin")},
		{"a size of 2^63-1", "size", model(17, graph(x, message(5, tensor("w", 1, []int64{1<<63 - 1}, nil)),
			node("Add", []string{"x", "w"}, []string{"y"}), output("y", 1, 2)))},
		{"sizes whose product is 2^64", "size",
			model(17, graph(x, message(5, tensor("w", 1, []int64{1 << 32, 1 << 32}, nil)),
				node("Add", []string{"x", "w"}, []string{"y"}), output("y", 1, 2)))},
		{"a large constant", "", model(17, graph(x, message(5, ints("n", []int64{2}, 1<<40, 1<<20)),
			node("ConstantOfShape", []string{"n"}, []string{"c"}), node("Add", []string{"x", "c"}, []string{"y"}),
			output("y", 1)))},
		{"a large range", "", model(17, graph(x, message(5, ints("a", nil, 0)), message(5, ints("b", nil, 1<<62)),
			message(5, ints("c", nil, 1)), node("Range", []string{"a", "b", "c"}, []string{"r"}),
			node("Cast", []string{"r"}, []string{"y"}, attrInt("to", 1)), output("y", 1)))},
		{"an op that is not known", "Foo", model(17, graph(x, node("Foo", []string{"x"}, []string{"y"}),
			output("y", 1)))},
		{"a value that is computed twice", "another value", model(17, graph(x, node("Relu", []string{"x"},
			[]string{"y"}),
			node("Abs", []string{"x"}, []string{"y"}), output("y", 1)))},
		{"a value that is used before it is there", "before", model(17, graph(x, node("Relu", []string{"z"},
			[]string{"y"}),
			node("Relu", []string{"x"}, []string{"z"}), output("y", 1)))},
		{"no graph", "graph", number(1, 8)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := runHostile(t, c.model)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
			if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
				t.Errorf("it took %d MB", grown>>20)
			}
		})
	}
}

func runHostile(t *testing.T, b []byte) error {
	p, err := open(t, b)
	if err != nil {
		return err
	}
	d, err := p.Describe()
	if err != nil {
		return err
	}
	var ins []onnx.Value
	for i := range d.In {
		shape := core.Shape{}
		for _, n := range d.In[i].Tensor().Dims {
			shape = append(shape, int(max(n, 1)))
		}
		ins = append(ins, onnx.TensorValue(core.Zeros(shape, d.In[i].Tensor().DType())))
	}
	_, err = p.RunValues(context.Background(), ins, nil)
	return err
}

// TestLinkOutside opens a model whose data is behind a link out of its folder.
func TestLinkOutside(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, make([]byte, 8), 0o666); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(secret, filepath.Join(dir, "w.bin")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	w := join(number(1, 2), number(2, 1), text(8, "w"), message(13, text(1, "location"), text(2, "w.bin")),
		number(14, 1))
	b := model(17, graph(input("x", 1, 2), message(5, w), node("Add", []string{"x", "w"}, []string{"y"}),
		output("y", 1, 2)))
	path := filepath.Join(dir, "model.onnx")
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := onnx.Open(path)
	if err == nil {
		_, err = p.RunValues(context.Background(), []onnx.Value{onnx.TensorValue(core.Zeros(core.Shape{2},
			core.F32))}, nil)
	}
	if err == nil || !strings.Contains(err.Error(), "link out of") {
		t.Errorf("the error is %v", err)
	}
}
