package cpu

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"sync"
	"testing"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/stablehlo"
)

// update adds to its donated argument.
const update = `func.func @main(%a: tensor<65536xui8> {jax.buffer_donor = true}, %b: tensor<65536xui8>)
    -> tensor<65536xui8> {
  %c = stablehlo.add %a, %b : tensor<65536xui8>
  return %c : tensor<65536xui8>
}`

func TestDonatedMemoryTakesResults(t *testing.T) {
	c := New(2)
	exe := compiled(t, c, update)
	filled := func(x byte) *buffer {
		b := put(t, c, 65536).(*buffer)
		for i := range b.data {
			b.data[i] = x
		}
		return b
	}
	check := func(name string, out []backend.Buffer, a, b byte) {
		t.Helper()
		got := make([]byte, 65536)
		if err := out[0].Read(ctx, got); err != nil || !bytes.Equal(got, bytes.Repeat([]byte{a + b}, 65536)) {
			t.Fatalf("%s: the result is %v…, want %d (%v)", name, got[:3], a+b, err)
		}
	}
	run := func(name string, a, b backend.Buffer, x, y byte) *buffer {
		t.Helper()
		out, err := exe.Execute(ctx, []backend.Buffer{a, b})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		check(name, out, x, y)
		if _, err := exe.Execute(ctx, []backend.Buffer{a, b}); !errors.Is(err, errReleased) {
			t.Errorf("%s: the donated argument is used again: %v", name, err)
		}
		return out[0].(*buffer)
	}

	a, b := filled(3), filled(5)
	memory := &a.data[0]
	d := run("alone", a, b, 3, 5)
	if &d.data[0] != memory {
		t.Error("the result is not in the memory of the donated argument")
	}
	d.Release()
	if want := int64(cap(b.data)); c.InUse() != want {
		t.Errorf("%d bytes in use, want those of the other argument, %d", c.InUse(), want)
	}

	a = filled(7)
	view, err := a.Reshape([]int64{256, 256})
	if err != nil {
		t.Fatal(err)
	}
	run("seen by a view", a, b, 7, 5)
	if err := view.(*buffer).View(func(data []byte) error {
		if data[0] != 7 || data[65535] != 7 {
			t.Error("the view of a donated argument has changed")
		}
		return nil
	}); err != nil {
		t.Error(err)
	}

	mine := bytes.Repeat([]byte{9}, 65536)
	w, err := c.Wrap(backend.Type{DType: dtype.U8, Dims: []int64{65536}}, mine)
	if err != nil {
		t.Fatal(err)
	}
	run("memory of the program", w, b, 9, 5)
	if mine[0] != 9 {
		t.Error("memory of the program has changed")
	}

	a = filled(2)
	run("in two places", a, a, 2, 2)
}

// TestDonatedMoments updates weights and two moments by one kernel, each in place: with attributes
// as written by JAX.
func TestDonatedMoments(t *testing.T) {
	text, err := os.ReadFile("testdata/adam.mlir")
	if err != nil {
		t.Fatal(err)
	}
	c := New(2)
	given := compiled(t, c, string(text))
	kept := compiled(t, c, regexp.MustCompile(` \{(tf|jax)[^}]*\}`).ReplaceAllString(string(text), ""))
	var args []backend.Buffer
	for i := range 4 {
		b := put(t, c, 400_000).(*buffer)
		b.t = &backend.Type{DType: dtype.F32, Dims: []int64{1000, 100}}
		for j := range 100_000 {
			dtype.F32.StoreFloat(b.data, j, float64(j%1000)/100+float64(i))
		}
		args = append(args, b)
	}
	want, err := kept.Execute(ctx, args)
	if err != nil {
		t.Fatal(err)
	}
	memory := make([]*byte, 3)
	for i := range memory {
		memory[i] = &args[i].(*buffer).data[0]
	}
	got, err := given.Execute(ctx, args)
	if err != nil {
		t.Fatal(err)
	}
	for i, b := range got {
		b, w := b.(*buffer), want[i].(*buffer)
		if &b.data[0] != memory[i] {
			t.Errorf("result %d is not in the memory of argument %d", i, i)
		}
		if !bytes.Equal(b.data, w.data) {
			t.Errorf("result %d differs in the memory of an argument", i)
		}
	}
}

// TestDonatedAreTakenByFailure releases donated arguments if the call fails, or is cancelled before
// it starts.
func TestDonatedAreTakenByFailure(t *testing.T) {
	c := New(2)
	exe := compiled(t, c, update)
	over, cancel := context.WithCancel(ctx)
	cancel()
	a, b := put(t, c, 65536), put(t, c, 65536)
	if _, err := exe.Execute(over, []backend.Buffer{a, b}); !errors.Is(err, context.Canceled) {
		t.Fatalf("a cancelled call: %v", err)
	}
	if want := int64(cap(b.(*buffer).data)); c.InUse() != want {
		t.Errorf("%d bytes in use after a cancelled call, want those of the other argument, %d", c.InUse(), want)
	}
	a = put(t, c, 65536)
	b.Release()
	if _, err := exe.Execute(ctx, []backend.Buffer{a, b}); !errors.Is(err, errReleased) {
		t.Fatalf("with a released argument: %v", err)
	}
	if c.InUse() != 0 {
		t.Errorf("%d bytes in use after a call that failed", c.InUse())
	}
}

// TestDonatedOnce has several concurrent calls with one argument: one gets it.
func TestDonatedOnce(t *testing.T) {
	c := New(2)
	exe := compiled(t, c, update)
	b := put(t, c, 65536)
	for range 20 {
		a := put(t, c, 65536)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				out, err := exe.Execute(ctx, []backend.Buffer{a, b})
				if err != nil && !errors.Is(err, errReleased) {
					t.Error(err)
				}
				releaseAll(out)
			})
		}
		wg.Go(a.Release)
		wg.Wait()
	}
	if want := int64(cap(b.(*buffer).data)); c.InUse() != want {
		t.Errorf("%d bytes in use, want %d", c.InUse(), want)
	}
}

// TestDirectForms: only functions with few arguments, none donated, and one result have a direct
// form, which computes the same as Execute, for results of any size.
func TestDirectForms(t *testing.T) {
	c := New(1)
	compile := func(text string) backend.DirectFunc {
		t.Helper()
		m, err := stablehlo.Parse("", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		exe, err := c.Compile(ctx, m)
		if err != nil {
			t.Fatal(err)
		}
		return exe.(backend.Director).Direct()
	}
	for _, n := range []int{0, 1, 4, 100, 5000} {
		f := compile(fmt.Sprintf(`func.func @main(%%a: %[1]s, %%b: %[1]s) -> %[1]s {
			%%c = stablehlo.add %%a, %%b : %[1]s
			return %%c : %[1]s
		}`, fmt.Sprintf("tensor<%dxui8>", n)))
		a, b := put(t, c, n), put(t, c, n)
		for range 3 {
			out, _, err := f(a, b, nil)
			if err != nil || out.Type().SizeBytes() != int64(n) {
				t.Fatalf("%d elements: %v", n, err)
			}
			out.Release()
		}
		if _, _, err := f(a, nil, nil); err == nil {
			t.Error("one argument of two is accepted")
		}
		if _, _, err := f(a, put(t, c, n+1), nil); err == nil {
			t.Error("an argument of another size is accepted")
		}
		b.Release()
		if _, _, err := f(a, b, nil); !errors.Is(err, errReleased) {
			t.Errorf("a released argument: %v", err)
		}
	}
	if compile(`func.func @main(%a: tensor<4xui8> {jax.buffer_donor = true}) -> tensor<4xui8> {
		%b = stablehlo.add %a, %a : tensor<4xui8>
		return %b : tensor<4xui8>
	}`) != nil {
		t.Error("a function whose argument is donated has a direct form")
	}
	if compile(`func.func @main(%a: tensor<ui8>, %b: tensor<ui8>, %c: tensor<ui8>, %d: tensor<ui8>) -> tensor<ui8> {
		%e = stablehlo.add %a, %d : tensor<ui8>
		return %e : tensor<ui8>
	}`) != nil {
		t.Error("a function of four arguments has a direct form")
	}
}
