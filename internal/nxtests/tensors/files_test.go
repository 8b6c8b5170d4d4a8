package tensors_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/encoding/npy"
)

type savedLayer struct{ W, B nx.Tensor }

type savedNet struct {
	Layers []savedLayer
	Scale  map[string]nx.Tensor
	Steps  int
}

func makeNet(d nx.DType) savedNet {
	w := nx.Cast(nx.New([][]float64{{1, 2, 3}, {4, 5, 6}}, nx.Names("in", "out")), d)
	return savedNet{Layers: []savedLayer{{W: w, B: nx.Zeros(nx.Shape{3}, d)}, {W: nx.Transpose(w)}},
		Scale: map[string]nx.Tensor{"a.b": nx.Ones(nx.Shape{}, d)}, Steps: 7}
}

// TestSaveAndLoad: what was saved is loaded again, into a container of the same
// structure and into a map.
func TestSaveAndLoad(t *testing.T) {
	for _, ext := range []string{".npz", ".safetensors", ".nx"} {
		for _, d := range []nx.DType{nx.F32, nx.F64, nx.BF16, nx.S8, nx.Bool} {
			path := filepath.Join(t.TempDir(), "net"+ext)
			was := makeNet(d)
			if err := nx.SaveTensors(path, was); err != nil {
				t.Fatal(ext, d, err)
			}
			got := tree.ZerosLike(was)
			if err := nx.LoadTensors(path, &got); err != nil {
				t.Fatal(ext, d, err)
			}
			if !nx.ArrayEqual(got.Layers[0].W, was.Layers[0].W) || !nx.ArrayEqual(got.Layers[1].W, was.Layers[1].W) ||
				!nx.ArrayEqual(got.Scale["a.b"], was.Scale["a.b"]) {
				t.Errorf("%s of %s: %v, want %v", ext, d, got, was)
			}
			if got.Layers[0].W.Names()[0] != "in" || got.Steps != 7 || !got.Layers[1].B.IsZero() ||
				got.Layers[0].W.DType() != d {
				t.Errorf("%s of %s: %+v", ext, d, got)
			}
			var all map[string]nx.Tensor
			if err := nx.LoadTensors(path, &all); err != nil || len(all) != 4 || all["Layers[0].W"].IsZero() ||
				all["Scale[a.b]"].IsZero() {
				t.Errorf("%s of %s: %v, %v", ext, d, all, err)
			}
			if err := nx.SaveTensors(path, all); err != nil {
				t.Error(err)
			}
			again := tree.ZerosLike(was)
			if d == nx.BF16 && ext == ".npz" || d == nx.Bool && ext == ".nx" { // the map has the bits
				continue
			}
			if err := nx.LoadTensors(path, &again); err != nil || !nx.ArrayEqual(again.Layers[0].W, was.Layers[0].W) {
				t.Errorf("%s of %s, through a map: %v", ext, d, err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "x.npy")
	for _, d := range []nx.DType{nx.S2, nx.U2, nx.S4, nx.U4, nx.F8E5M2, nx.BF16, nx.Bool} {
		x := nx.Cast(nx.Greater(nx.New([]int{-2, 1, 0}), 0), d)
		if d.IsSigned() {
			x = nx.Cast(nx.New([]int{-2, 1, 0}), d)
		}
		y := tree.ZerosLike(x)
		if err := errors.Join(nx.SaveTensors(path, x), nx.LoadTensors(path, &y)); err != nil || !nx.ArrayEqual(x, y) {
			t.Error(d, y, err)
		}
		raw := npy.Array{Header: npy.Header{Void: d.Size(), Shape: x.Shape()}, Data: nx.Bytes(x)}
		y = tree.ZerosLike(x)
		if err := errors.Join(npy.WriteFile(path, raw), nx.LoadTensors(path, &y)); err != nil || !nx.ArrayEqual(x, y) {
			t.Error("raw", d, y, err)
		}
	}
	x := nx.New([][]float32{{1, 2}})
	var y nx.Tensor
	if err := errors.Join(nx.SaveTensors(path, x), nx.LoadTensors(path, &y)); err != nil || !nx.ArrayEqual(x, y) {
		t.Error(y, err)
	}
}

// TestLoadRefuses: files and containers that do not fit are errors that name what is
// wrong, and leave the container as it was.
func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := nx.SaveTensors(at("a.safetensors"), makeNet(nx.F32)); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(at("a.safetensors"))
	two := makeNet(nx.F32)
	wide := makeNet(nx.F64)
	more := makeNet(nx.F32)
	more.Layers = append(more.Layers, savedLayer{W: nx.New([]float32{1})})
	fewer := makeNet(nx.F32)
	fewer.Layers = fewer.Layers[:1]
	bits, raw := nx.New([]uint8{25}), npy.Array{Header: npy.Header{Void: 2, Shape: []int{1}}, Data: make([]byte, 2)}
	byte2 := npy.Array{Header: npy.Header{Void: 1, Shape: []int{1}}, Data: []byte{2}}
	err := errors.Join(nx.SaveTensors(at("bits.npy"), bits), npy.WriteFile(at("raw.npy"), raw),
		npy.WriteFile(at("byte.npy"), byte2))
	if err != nil {
		t.Fatal(err)
	}
	short, half, none := nx.New([]int{1}, nx.As(nx.S4)), nx.New([]float32{1}), nx.Tensor{}
	truth := nx.New([]bool{true})
	misspelt := map[string]nx.Tensor{"Layers[0].V": nx.New(1)}
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"another type", nx.LoadTensors(at("a.safetensors"), &wide), "Layers[0].W"},
		{"a tensor more", nx.LoadTensors(at("a.safetensors"), &more), "no array is for Layers[2].W, f32[1]"},
		{"a tensor fewer", nx.LoadTensors(at("a.safetensors"), &fewer),
			`"Layers[1].W" is for no tensor of the container`},
		{"a name like another", nx.LoadTensors(at("a.safetensors"), &misspelt),
			`"Layers[0].B" is for no tensor of the container; did you mean Layers[0].V?`},
		{"bits that a type does not have", nx.LoadTensors(at("bits.npy"), &short),
			"bits: element 0 is the byte 0x19, which is not a value of s4"},
		{"raw items that are not bools", nx.LoadTensors(at("byte.npy"), &truth),
			"byte: element 0 is the byte 0x02, which is not a value of bool"},
		{"raw items of another size", nx.LoadTensors(at("raw.npy"), &half),
			`"raw" is raw items of 2 bytes, in the shape [1], but the value takes f32[1]`},
		{"raw items of no type", nx.LoadTensors(at("raw.npy"), &none), "raw items of 2 bytes"},
		{"no file", nx.LoadTensors(at("b.npz"), &two), "b.npz"},
		{"no format", nx.LoadTensors(at("a.txt"), &two), "does not say the format"},
		{"nowhere", nx.LoadTensors[savedNet](at("a.safetensors"), nil), "nothing to load into"},
		{"two in one", nx.SaveTensors(at("a.npy"), two), "holds one tensor"},
		{"absent", nx.SaveTensors(at("a.npy"), nx.Tensor{}), "all tensors of the container are absent"},
		{"traced", traced(func(x nx.Tensor) error { return nx.SaveTensors(at("a.safetensors"), []nx.Tensor{x}) }),
			"not known yet"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, c.err, c.want)
		}
	}
	if err := nx.LoadTensors(at("none.npy"), new(nx.Tensor)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if after, _ := os.ReadFile(at("a.safetensors")); !bytes.Equal(before, after) {
		t.Error("a refused Save changed the file")
	}
	if len(wide.Layers) != 2 || wide.Layers[0].W.DType() != nx.F64 {
		t.Error("a refused Load changed the container")
	}
}

func traced(f func(x nx.Tensor) error) (err error) {
	nx.Jit(func(x nx.Tensor) nx.Tensor { err = f(x); return x })(nx.New([]float32{1, 2, 3}))
	return err
}
