package tensors_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/encoding/npy"
	"github.com/go-nx/nx/internal/mapped"
	"github.com/go-nx/nx/tree"
)

// torchNames are those of a module of PyTorch, with a counter that no tensor of the container is for.
func saveTorch(t *testing.T, path string) {
	t.Helper()
	err := nx.SaveTensors(path, map[string]nx.Tensor{
		"layers.0.weight":         nx.New([][]float32{{1, 2}, {3, 4}}),
		"layers.0.bias":           nx.New([]float32{5, 6}),
		"layers.1.weight":         nx.New([][]float32{{7, 8}}),
		"bn.num_batches_tracked":  nx.New(int64(9)),
		"classifier.out.unneeded": nx.New([]float32{1}),
	})
	if err != nil {
		t.Fatal(err)
	}
}

type torchNet struct{ Layers []savedLayer }

func emptyNet() torchNet {
	return torchNet{[]savedLayer{{W: nx.Zeros(nx.Shape{2, 2}, nx.F32), B: nx.Zeros(nx.Shape{2}, nx.F32)},
		{W: nx.Zeros(nx.Shape{1, 2}, nx.F32)}}}
}

// words replaces words of names: layers.0.weight becomes Layers.0.W.
func words(name string) string {
	return strings.NewReplacer("layers", "Layers", "weight", "W", "bias", "B").Replace(name)
}

// brackets writes the paths of containers in full.
func brackets(name string) string {
	return regexp.MustCompile(`\.(\d+)\.`).ReplaceAllString(words(name), "[$1].")
}

// TestRenameArrays loads arrays into the tensors whose paths they are given, written in full or by their words.
func TestRenameArrays(t *testing.T) {
	for _, ext := range []string{".npz", ".safetensors", ".nx"} {
		path := filepath.Join(t.TempDir(), "torch"+ext)
		saveTorch(t, path)
		for name, rename := range map[string]func(string) string{"words": words, "brackets": brackets} {
			calls := map[string]int{}
			left := func(name string) string {
				calls[name]++
				if !strings.HasPrefix(name, "layers") {
					return ""
				}
				return rename(name)
			}
			net := emptyNet()
			if err := nx.LoadTensors(path, &net, nx.RenameArrays(left)); err != nil {
				t.Fatal(ext, name, err)
			}
			checkTorch(t, net)
			for array, n := range calls {
				if n != 1 || len(calls) != 5 {
					t.Errorf("%s: %s is renamed %d times, of %d arrays", ext, array, n, len(calls))
				}
			}
			net = emptyNet()
			if err := nx.LoadTensors(path, &net, nx.Partial, nx.RenameArrays(rename)); err != nil {
				t.Error(ext, name, err)
			}
			checkTorch(t, net)
			var all map[string]nx.Tensor
			if err := nx.LoadTensors(path, &all, nx.RenameArrays(left)); err != nil || len(all) != 3 ||
				!nx.ArrayEqual(all[rename("layers.0.bias")], nx.New([]float32{5, 6})) {
				t.Errorf("%s, %s: %v, %v", ext, name, all, err)
			}
		}
	}
}

func checkTorch(t *testing.T, net torchNet) {
	t.Helper()
	if !nx.ArrayEqual(net.Layers[0].W, nx.New([][]float32{{1, 2}, {3, 4}})) ||
		!nx.ArrayEqual(net.Layers[0].B, nx.New([]float32{5, 6})) ||
		!nx.ArrayEqual(net.Layers[1].W, nx.New([][]float32{{7, 8}})) || !net.Layers[1].B.IsZero() {
		t.Errorf("%v", net)
	}
}

// TestPartial: what only one of the two has stays, if something is loaded.
func TestPartial(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some.safetensors")
	if err := nx.SaveTensors(path, map[string]nx.Tensor{"a": nx.New(1), "b": nx.New(2)}); err != nil {
		t.Fatal(err)
	}
	got := map[string]nx.Tensor{"b": nx.New(0), "c": nx.New(3)}
	if err := nx.LoadTensors(path, &got, nx.Partial); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || !nx.ArrayEqual(got["b"], nx.New(2)) || !nx.ArrayEqual(got["c"], nx.New(3)) {
		t.Errorf("%v", got)
	}
}

// TestLoadIntoOneTensor: a container that is a tensor takes the only array, and the array of .npy belongs to the
// only tensor.
func TestLoadIntoOneTensor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.safetensors")
	if err := nx.SaveTensors(path, map[string]nx.Tensor{"some.name": nx.New(7)}); err != nil {
		t.Fatal(err)
	}
	var x nx.Tensor
	if err := nx.LoadTensors(path, &x); err != nil || !nx.ArrayEqual(x, nx.New(7)) {
		t.Error(x, err)
	}
	path = filepath.Join(t.TempDir(), "W.npy")
	if err := nx.SaveTensors(path, nx.New([]int{1, 2})); err != nil {
		t.Fatal(err)
	}
	var one struct{ V nx.Tensor }
	if err := nx.LoadTensors(path, &one); err != nil || !nx.ArrayEqual(one.V, nx.New([]int{1, 2})) {
		t.Error(one, err)
	}
	var two savedLayer // the one of the name of the file
	if err := nx.LoadTensors(path, &two); err != nil || !nx.ArrayEqual(two.W, nx.New([]int{1, 2})) || !two.B.IsZero() {
		t.Error(two, err)
	}
	var all map[string]nx.Tensor
	if err := nx.LoadTensors(path, &all); err != nil || !nx.ArrayEqual(all["W"], nx.New([]int{1, 2})) {
		t.Error(all, err)
	}
}

// TestLoadIndex loads a model in several files by their index.
func TestLoadIndex(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	err := errors.Join(
		nx.SaveTensors(path("m-1.safetensors"), map[string]nx.Tensor{"layers.0.bias": nx.New([]float32{5, 6}),
			"layers.0.weight": nx.New([][]float32{{1, 2}, {3, 4}})}),
		nx.SaveTensors(path("m-2.safetensors"), map[string]nx.Tensor{"layers.1.weight": nx.New([][]float32{{7, 8}})}),
		os.WriteFile(path("m.safetensors.index.json"), []byte(`{"metadata": {"total_size": 32}, "weight_map": {
			"layers.0.weight": "m-1.safetensors", "layers.0.bias": "m-1.safetensors",
			"layers.1.weight": "m-2.safetensors"}}`), 0o666))
	net := emptyNet()
	err = errors.Join(err, nx.LoadTensors(path("m.safetensors.index.json"), &net, nx.RenameArrays(words)))
	if err != nil {
		t.Fatal(err)
	}
	checkTorch(t, net)
	err = nx.LoadTensors(path("other.json"), &net)
	if err == nil || !strings.Contains(err.Error(), "does not say the format") {
		t.Error(err)
	}
}

// TestLoadOtherFilesOfArchive: the files of an archive are its arrays, whatever they are called, as in NumPy.
func TestLoadOtherFilesOfArchive(t *testing.T) {
	x := nx.New([]float32{1, 2})
	var array, archive bytes.Buffer
	if err := npy.Write(&array, npy.New(nx.F32, []int{2}, nx.Bytes(x))); err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(&archive)
	for name, data := range map[string]string{"W": array.String(), "B.npy": array.String(), "notes.txt": "hi"} {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(data))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "a.npz")
	if err := errors.Join(z.Close(), os.WriteFile(path, archive.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
	var p savedLayer
	err := nx.LoadTensors(path, &p)
	if err == nil || !strings.Contains(err.Error(), `"notes.txt" is for no tensor of the container`) {
		t.Error(err)
	}
	if err := nx.LoadTensors(path, &p, nx.Partial); err != nil || !nx.ArrayEqual(p.W, x) || !nx.ArrayEqual(p.B, x) {
		t.Error(p, err)
	}
	var all map[string]nx.Tensor
	if err := nx.LoadTensors(path, &all); err != nil || !nx.ArrayEqual(all["notes.txt"], nx.New([]byte("hi"))) {
		t.Error(all, err)
	}
}

// TestLoadNames: errors of names have those of the file, what they became, and the nearest of the other side; the
// container is unchanged.
func TestLoadNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "torch.safetensors")
	saveTorch(t, path)
	only := func(rename func(string) string) nx.LoadTensorsOption {
		return nx.RenameArrays(func(name string) string {
			if !strings.HasPrefix(name, "layers") {
				return ""
			}
			return rename(name)
		})
	}
	unnamed := func(name string) string { return words(strings.Replace(name, "weight", "V", 1)) }
	for _, c := range []struct {
		name string
		opts []nx.LoadTensorsOption
		want []string
	}{
		{"two for one", []nx.LoadTensorsOption{only(func(name string) string {
			return strings.ReplaceAll(words(name), "1", "0")
		})},
			[]string{`"layers.0.weight" (renamed "Layers.0.W") and "layers.1.weight" (renamed "Layers.0.W") are for one tensor, ` +
				"Layers[0].W", "no array is for Layers[1].W, f32[1][2]"}},
		{"two for one, partial", []nx.LoadTensorsOption{nx.Partial, only(func(name string) string {
			return strings.ReplaceAll(words(name), "1", "0")
		})}, []string{"are for one tensor, Layers[0].W"}},
		{"for none", []nx.LoadTensorsOption{only(unnamed)}, []string{"does not fit the container:\n    - ",
			`no array is for Layers[0].W, f32[2][2]; did you mean "layers.0.weight" (renamed "Layers.0.V")`,
			`"layers.1.weight" (renamed "Layers.1.V") is for no tensor of the container; did you mean Layers[1].W`,
			"hint: nx.RenameArrays gives arrays the paths of the container, nx.Partial loads what both have"}},
		{"not renamed", nil, []string{`"layers.0.bias" is for no tensor of the container`,
			"no array is for Layers[0].W, f32[2][2]; did you mean \"layers.0.weight\""}},
		{"nothing in common", []nx.LoadTensorsOption{nx.Partial}, []string{
			`"layers.0.bias" is for no tensor of the container`}},
		{"nothing left", []nx.LoadTensorsOption{nx.Partial, only(func(string) string { return "" })},
			[]string{"no array is for Layers[0].W, f32[2][2]"}},
		{"another shape", []nx.LoadTensorsOption{nx.Partial, only(func(name string) string {
			return strings.NewReplacer("0", "1", "1", "0").Replace(words(name))
		})}, []string{`"layers.1.weight" (renamed "Layers.0.W") is f32[1][2], but Layers[0].W takes f32[2][2]`}},
		{"two renamings", []nx.LoadTensorsOption{only(words), only(words)}, []string{"nx.RenameArrays is given twice"}},
	} {
		net := emptyNet()
		err := nx.LoadTensors(path, &net, c.opts...)
		for _, want := range c.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", c.name, err, want)
			}
		}
		if isChanged(net.Layers[0].W) || isChanged(net.Layers[0].B) {
			t.Errorf("%s: the container has changed: %v", c.name, net)
		}
	}
	var none torchNet
	err := nx.LoadTensors(path, &none, nx.Partial)
	if !errors.Is(err, nx.ErrContainer) || !strings.Contains(err.Error(), "the container has no tensors") {
		t.Error("no tensors:", err)
	}
	var all map[string]nx.Tensor
	err = nx.LoadTensors(path, &all, nx.RenameArrays(func(string) string { return "x" }))
	if err == nil || all != nil || !strings.Contains(err.Error(), `" (renamed "x") and "`) ||
		!strings.Contains(err.Error(), "and 2 more are for one tensor, x") {
		t.Error("all for one:", err, all)
	}
	if err := caughtRename(path); err != nil {
		t.Error("a renaming that panics changes the container:", err)
	}
}

// isChanged reports whether a tensor is no longer zero.
func isChanged(t nx.Tensor) bool { return nx.Data[bool](nx.Any(nx.NotEqual(t, 0)))[0] }

// caughtRename loads with a renaming that panics, and returns the container if it has changed.
func caughtRename(path string) (changed error) {
	net := emptyNet()
	defer func() {
		if r := recover(); r != "mine" || isChanged(net.Layers[0].W) {
			changed = errors.New("changed")
		}
	}()
	return errors.Join(errors.New("no panic"), nx.LoadTensors(path, &net, nx.RenameArrays(func(string) string {
		panic("mine")
	})))
}

// TestLoadMany bounds what a message says, and how long it takes, of a file with many names.
func TestLoadMany(t *testing.T) {
	path := filepath.Join(t.TempDir(), "many.safetensors")
	many := map[string]nx.Tensor{}
	x := nx.New([]float32{1})
	for i := range 20000 {
		many["block."+strings.Repeat("layer.", 15)+string(rune('a'+i%26))+strings.Repeat("z", i%7)+
			strconv.Itoa(i)] = x
	}
	if err := nx.SaveTensors(path, many); err != nil {
		t.Fatal(err)
	}
	net := map[string]nx.Tensor{"block." + strings.Repeat("layer.", 15) + "weight": x}
	err := nx.LoadTensors(path, &net)
	if err == nil || !strings.Contains(err.Error(), "and 19992 more like these") || len(err.Error()) > 1<<14 {
		t.Error(err)
	}
}

// TestLoadMapped: arrays that lie in the file as in memory take none of it, are trained on without a change of the
// file, and stay when the file is replaced.
func TestLoadMapped(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "w.safetensors")
	if _, err := mapped.Open(os.Args[0]); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("skipped: files cannot be mapped here")
	}
	const n = 4 << 20 // 16 MiB
	if err := nx.SaveTensors(path, savedLayer{W: nx.Add(nx.Zeros(nx.Shape{n}, nx.F32), 1)}); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	heap := func() int64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return int64(s.HeapAlloc) + debug.LiveBytes()
	}
	used := heap()
	var p savedLayer
	if err := nx.LoadTensors(path, &p); err != nil {
		t.Fatal(err)
	}
	if grown := heap() - used; grown > 1<<20 {
		t.Errorf("16 MiB of weights take %d bytes", grown)
	}
	step := nx.Jit(func(p savedLayer) savedLayer { p.W = nx.Add(p.W, 1); return p }, nx.Donate(0))
	q := step(p)
	if err := nx.SaveTensors(path, savedLayer{W: nx.Zeros(nx.Shape{1}, nx.F32)}); err != nil {
		t.Fatal(err)
	}
	if q = step(q); nx.Data[float32](q.W)[n-1] != 3 {
		t.Errorf("after two steps: %v", q.W)
	}
	if err := os.WriteFile(path, before, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := nx.LoadTensors(path, &p); err != nil {
		t.Fatal(err)
	}
	if p.W = tree.Map(nx.Abs, p).W; nx.Data[float32](nx.Sum(p.W))[0] != n {
		t.Errorf("the file has changed: %v", p.W)
	}
}

// FuzzLoadTensors: no file and no renaming crashes, and after an error the container is unchanged.
func FuzzLoadTensors(f *testing.F) {
	dir := f.TempDir()
	exts := []string{".npz", ".safetensors", ".nx", ".npy", ".safetensors.index.json"}
	x := nx.New([]float32{1, 2})
	for i, ext := range exts[:3] {
		path := filepath.Join(dir, "seed"+ext)
		if err := nx.SaveTensors(path, map[string]nx.Tensor{"W": x, "B": nx.New([]int8{3})}); err != nil {
			f.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, byte(i), "B")
	}
	f.Add([]byte(`{"weight_map": {"W": "seed.safetensors", "B": "seed.safetensors"}}`), byte(4), "W")
	f.Fuzz(func(t *testing.T, data []byte, ext byte, name string) {
		path := filepath.Join(dir, "x"+exts[int(ext)%len(exts)])
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		rename := nx.RenameArrays(func(string) string { return name })
		for _, opts := range [][]nx.LoadTensorsOption{nil, {rename}, {nx.Partial}, {rename, nx.Partial}} {
			p := savedLayer{W: x}
			if err := nx.LoadTensors(path, &p, opts...); err != nil && (!p.B.IsZero() || !nx.ArrayEqual(p.W, x)) {
				t.Errorf("%v: %v", err, p)
			}
			var all map[string]nx.Tensor
			if err := nx.LoadTensors(path, &all, opts...); err != nil && all != nil {
				t.Errorf("%v: %v", err, all)
			}
		}
	})
}
