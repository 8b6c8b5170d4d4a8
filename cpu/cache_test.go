package cpu

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

const cachedProgram = `module {
  func.func @main(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<f32>) {
    %0 = func.call @twice(%x) : (tensor<3xf32>) -> tensor<3xf32>
    %nan = stablehlo.constant dense<[0x7FC00001, 0.1, -0.0]> : tensor<3xf32>
    %1 = stablehlo.add %0, %nan : tensor<3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
    return %1, %2 : tensor<3xf32>, tensor<f32>
  }
  func.func private @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
    %0 = stablehlo.add %x, %x : tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}`

func cachedRun(t *testing.T, c *Client, text string) []byte {
	t.Helper()
	m, err := stablehlo.Parse("cached.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e, err := c.Compile(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	in := make([]byte, 12)
	for i, v := range []float64{1, 2, 3} {
		dtype.F32.StoreFloat(in, i, v)
	}
	b, err := c.Put(context.Background(), backend.Type{DType: dtype.F32, Dims: []int64{3}}, in, c.Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	out, err := e.Execute(context.Background(), []backend.Buffer{b})
	if err != nil {
		t.Fatal(err)
	}
	var all []byte
	for _, o := range out {
		data := make([]byte, o.Type().SizeBytes())
		if err := o.Read(context.Background(), data); err != nil {
			t.Fatal(err)
		}
		all = append(all, data...)
	}
	return all
}

func entries(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, filepath.Join(dir, e.Name()))
	}
	return names
}

// A program that was compiled before is loaded from the directory: it computes the same bits, and
// the entry is run.
func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	client := func() *Client {
		c, err := Default().WithCache(dir)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	want := cachedRun(t, Default(), cachedProgram)
	for range 2 {
		if got := cachedRun(t, client(), cachedProgram); string(got) != string(want) {
			t.Errorf("got % x, want % x", got, want)
		}
		if n := len(entries(t, dir)); n != 1 {
			t.Fatalf("there are %d entries", n)
		}
	}
	// The entry under the key is run.
	c := client()
	m, err := stablehlo.Parse("cached.mlir", []byte(cachedProgram))
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(cachedProgram, "stablehlo.add %x, %x", "stablehlo.multiply %x, %x", 1)
	saved := save(t, compile(t, other))
	c.cache.Put(c.cacheKey(m, "main", nil), saved[len(savedMagic)+sha256.Size:])
	if got := cachedRun(t, client(), cachedProgram); string(got) != string(cachedRun(t, Default(), other)) {
		t.Errorf("got % x: the entry did not run", got)
	}
	// An entry that cannot be loaded is ignored, and overwritten.
	c.cache.Put(c.cacheKey(m, "main", nil), saved[len(savedMagic)+sha256.Size:len(saved)-1])
	for range 2 {
		if got := cachedRun(t, client(), cachedProgram); string(got) != string(want) {
			t.Errorf("with half an entry: got % x, want % x", got, want)
		}
	}
	// A damaged entry is ignored.
	file := entries(t, dir)[0]
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-2] ^= 1
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := cachedRun(t, client(), cachedProgram); string(got) != string(want) {
		t.Errorf("with a damaged entry: got % x, want % x", got, want)
	}
}

// A copy of the directory in a file system is read; other entries are in the cache behind it.
func TestCacheFS(t *testing.T) {
	dir, behind := filepath.Join(t.TempDir(), "cache"), filepath.Join(t.TempDir(), "behind")
	first, err := Default().WithCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := cachedRun(t, first, cachedProgram)
	base, err := Default().WithCache(behind)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(entries(t, dir)[0])
	data, err := os.ReadFile(entries(t, dir)[0])
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		fsys fs.FS
		more int // entries behind
	}{
		"the entry":      {fstest.MapFS{name: {Data: data}}, 0},
		"a damaged one":  {fstest.MapFS{name: {Data: append(bytes.Clone(data), 0)}}, 1},
		"one of another": {fstest.MapFS{strings.Repeat("0", 64) + ".nxcache": {Data: data}}, 1},
	} {
		for _, old := range entries(t, behind) {
			if err := os.Remove(old); err != nil {
				t.Fatal(err)
			}
		}
		c1, err := base.WithCacheFS(c.fsys)
		if err != nil {
			t.Fatal(err)
		}
		if got := cachedRun(t, c1, cachedProgram); string(got) != string(want) {
			t.Errorf("%s: got % x, want % x", what, got, want)
		}
		if n := len(entries(t, behind)); n != c.more {
			t.Errorf("%s: %d entries behind, want %d", what, n, c.more)
		}
		alone, err := Default().WithCacheFS(c.fsys)
		if err != nil {
			t.Fatal(err)
		}
		if got := cachedRun(t, alone, cachedProgram); string(got) != string(want) {
			t.Errorf("%s, with nothing behind: got % x, want % x", what, got, want)
		}
	}
	if _, err := base.WithCacheFS(nil); err == nil {
		t.Error("WithCacheFS(nil) returns no error")
	}
}

// Programs with effects are not cached: their output, checks and callbacks belong to this process.
func TestCacheLeavesEffectsAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	c, err := Default().WithCache(dir)
	if err != nil {
		t.Fatal(err)
	}
	called := 0
	m := stablehlo.NewModule("")
	_, err = m.BuildFunc("main", []stablehlo.Type{stablehlo.Tensor(dtype.F32, 3)},
		func(b *stablehlo.Builder, args []*stablehlo.Value) ([]*stablehlo.Value, error) {
			_, err := b.Op(stablehlo.OpCustomCall, args,
				stablehlo.Named("call_target_name", stablehlo.StringAttr(stablehlo.HostTarget)),
				stablehlo.Named(stablehlo.HostTarget, stablehlo.HostAttr{HostFunc: &stablehlo.HostFunc{Name: "f",
					Call: func(context.Context, [][]byte, [][]byte) error { called++; return nil }}}),
				stablehlo.Results{})
			return args, err
		})
	if err != nil {
		t.Fatal(err)
	}
	e, err := c.Compile(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Put(context.Background(), backend.Type{DType: dtype.F32, Dims: []int64{3}},
		make([]byte, 12), c.Devices()[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Execute(context.Background(), []backend.Buffer{b}); err != nil || called != 1 {
		t.Errorf("called %d times, %v", called, err)
	}
	if n := len(entries(t, dir)); n != 0 {
		t.Errorf("there are %d entries", n)
	}
}
