package tensors_test

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/testkit"
)

var (
	_ encoding.BinaryMarshaler   = nx.Tensor{}
	_ encoding.BinaryUnmarshaler = &nx.Tensor{}
)

// TestBinaryForm: a tensor comes back with its elements, names and vectorised axes.
func TestBinaryForm(t *testing.T) {
	list := []nx.Tensor{{}, nx.New(2.5), nx.New([]float32{float32(math.NaN()), 1}), nx.Zeros(nx.Shape{0, 3}, nx.C128),
		nx.New([][]bool{{true, false}}, nx.Names("", "b")), nx.Vectorize(nx.Iota(nx.Shape{2, 3, 1}, nx.U16), "x", "y"),
		nx.Rename(nx.Vectorize(nx.Iota(nx.Shape{2, 3}, nx.BF16), "x"), "z"), nx.Full(nx.Shape{3}, 1, nx.S4)}
	for d := dtype.Type(1); d.IsValid(); d++ {
		list = append(list, nx.FromBytes(make([]byte, 3*d.Size()), nx.Shape{3}, d))
	}
	for _, x := range list {
		data, err := x.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		y := nx.New([]int{1})
		if err := y.UnmarshalBinary(data); err != nil {
			t.Fatal(err)
		}
		if x.IsZero() != y.IsZero() || !x.IsZero() &&
			(!x.Spec().Equal(y.Spec()) || !bytes.Equal(nx.Bytes(x), nx.Bytes(y))) {
			t.Errorf("%v, want %v", y, x)
		}
	}
	type record struct {
		Name string
		W    nx.Tensor
	}
	var b bytes.Buffer
	was := record{"w", nx.New([][]float32{{1, 2}}, nx.Names("i", "j"))}
	if err := gob.NewEncoder(&b).Encode(was); err != nil {
		t.Fatal(err)
	}
	var got record
	if err := gob.NewDecoder(&b).Decode(&got); err != nil || got.Name != "w" || !nx.ArrayEqual(got.W, was.W) {
		t.Error(got, err)
	}
	for what, data := range map[string][]byte{"does not begin": []byte("x"), "truncated": []byte("nx")} {
		x := was.W
		if err := x.UnmarshalBinary(data); err == nil || !strings.Contains(err.Error(), what) ||
			!nx.ArrayEqual(x, was.W) {
			t.Error(what, err)
		}
	}
}

// TestFilesOfNx: a container of an Elixir program, and what keeps its vectorised axes.
func TestFilesOfNx(t *testing.T) {
	var all map[string]nx.Tensor
	if err := nx.LoadTensors(testkit.Root(t, "encoding", "nxterm", "testdata", "nested.nx"), &all); err != nil {
		t.Fatal(err)
	}
	if x := all["a[0]"]; len(all) != 9 || x.Spec().String() != "vectorized[x: 3] f32" ||
		!nx.ArrayEqual(x, nx.Vectorize(nx.New([]float32{1.5, -2, 0.25}), "x")) {
		t.Errorf("%v", all)
	}
	for _, ext := range []string{".nx", ".npz", ".safetensors", ".npy"} {
		path := filepath.Join(t.TempDir(), "x"+ext)
		x := nx.Vectorize(nx.New([][]float32{{1, 2}, {3, 4}}, nx.Names("", "j")), "i")
		if err := nx.SaveTensors(path, x); err != nil {
			t.Fatal(err)
		}
		got := tree.ZerosLike(x)
		if err := nx.LoadTensors(path, &got); err != nil || !got.Spec().Equal(x.Spec()) || !nx.ArrayEqual(got, x) {
			t.Errorf("%s: %v, %v", ext, got, err)
		}
		var fresh nx.Tensor
		if err := nx.LoadTensors(path, &fresh); err != nil || ext == ".nx" && !fresh.Spec().Equal(x.Spec()) {
			t.Errorf("%s: %v, %v", ext, fresh, err)
		}
		if err := nx.LoadTensors(path, &all); err == nil {
			t.Error("a container took a file of another")
		}
	}
}
