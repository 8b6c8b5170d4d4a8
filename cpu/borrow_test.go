package cpu

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/mapped"
	"github.com/go-nx/nx/stablehlo"
)

// source is borrowed memory that becomes unreadable when err is set.
type source struct {
	err    error
	checks int
}

func (s *source) Check() error {
	s.checks++
	return s.err
}

func (s *source) Guard(f func() error) error {
	if s.err != nil {
		return s.err
	}
	return f()
}

var borrowedType = backend.Type{DType: dtype.F32, Dims: []int64{1 << 16}}

func borrow(t *testing.T, c *Client, data []byte, s backend.Source) backend.Buffer {
	t.Helper()
	b, err := c.Borrow(borrowedType, data, s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBorrowedIsChecked: memory that becomes unreadable while a function runs is an error of the next node that reads
// it, which does not run; nodes that do not read it run.
func TestBorrowedIsChecked(t *testing.T) {
	c := New(2)
	m := parse(t, `func.func @main(%w: tensor<65536xf32>, %x: tensor<65536xf32>) -> (tensor<f32>, tensor<65536xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.reduce(%w init: %z) applies stablehlo.add across dimensions = [0] : (tensor<65536xf32>, tensor<f32>) -> tensor<f32>
  %b = stablehlo.custom_call @first(%a) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
  %c = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<65536xf32>
  %d = stablehlo.add %c, %x : tensor<65536xf32>
  %e = stablehlo.slice %d [0:1] : (tensor<65536xf32>) -> tensor<1xf32>
  %f = stablehlo.reshape %e : (tensor<1xf32>) -> tensor<f32>
  %g = stablehlo.custom_call @second(%f) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
  %h = stablehlo.broadcast_in_dim %g, dims = [] : (tensor<f32>) -> tensor<65536xf32>
  %i = stablehlo.multiply %h, %w : tensor<65536xf32>
  %j = stablehlo.slice %i [0:1] : (tensor<65536xf32>) -> tensor<1xf32>
  %k = stablehlo.reshape %j : (tensor<1xf32>) -> tensor<f32>
  %l = stablehlo.custom_call @third(%k) {has_side_effect = true} : (tensor<f32>) -> tensor<f32>
  return %l, %i : tensor<f32>, tensor<65536xf32>
}`)
	s := &source{}
	gone := errors.New("gone")
	var called []string
	for op := range m.Walk() {
		if op.Code != stablehlo.OpCustomCall {
			continue
		}
		name := op.Str("call_target_name")
		op.SetAttr("call_target_name", stablehlo.StringAttr(stablehlo.HostTarget))
		op.SetAttr(stablehlo.HostTarget, stablehlo.HostAttr{HostFunc: &stablehlo.HostFunc{Name: name,
			Call: func(_ context.Context, in, out [][]byte) error {
				if called = append(called, name); name == "first" {
					s.err = gone
				}
				copy(out[0], in[0])
				return nil
			}}})
	}
	exe, err := c.Compile(ctx, m)
	if err != nil {
		t.Fatal(err)
	}
	w := borrow(t, c, make([]byte, 1<<18), s)
	x, err := c.Put(ctx, borrowedType, make([]byte, 1<<18), device{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = exe.Execute(ctx, []backend.Buffer{w, x})
	if !errors.Is(err, gone) || strings.Join(called, " ") != "first second" {
		t.Errorf("%v after %v", err, called)
	}
	if s.checks == 0 {
		t.Error("nothing was checked")
	}
	if _, err := exe.Execute(ctx, []backend.Buffer{w, x}); !errors.Is(err, gone) || len(called) != 2 {
		t.Errorf("the next call: %v, %v", err, called)
	}
	if c.InUse() != int64(cap(x.(*buffer).data)) {
		t.Errorf("%d bytes are in use after errors", c.InUse())
	}
	called, s.err = nil, nil
	if _, err := exe.Execute(ctx, []backend.Buffer{x, x}); err != nil || len(called) != 3 {
		t.Errorf("other memory: %v, %v", err, called)
	}
}

// unchecked is a mapped file that is truncated when a guarded function begins, and that no node finds so.
type unchecked struct {
	*mapped.File
	truncate func()
}

func (u unchecked) Check() error { return nil }

func (u unchecked) Guard(f func() error) error {
	return u.File.Guard(func() error {
		u.truncate()
		return f()
	})
}

// TestFaultsOfBorrowed: a fault in borrowed memory is an error of its source, and the executable remains usable:
// of machine code and plain Go, on every worker, and of reads of the buffer.
func TestFaultsOfBorrowed(t *testing.T) {
	data := bytes.Repeat([]byte{0, 0, 128, 63}, 1<<16) // ones
	open := func() (backend.Source, []byte) {
		path := filepath.Join(t.TempDir(), "weights")
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		m, err := mapped.Open(path)
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip("skipped: files cannot be mapped here")
		}
		if err != nil {
			t.Fatal(err)
		}
		return unchecked{m, func() {
			if err := os.Truncate(path, 100); err != nil {
				t.Error(err)
			}
		}}, m.Data
	}
	truncated := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), "truncated to 100 bytes while its 262144 bytes were mapped") {
			t.Errorf("%s: %v", what, err)
		}
	}
	programs := map[string]string{
		"a kernel": "%r = stablehlo.exponential %w : tensor<65536xf32>",
		"a call":   "%r = stablehlo.reverse %w, dims = [0] : tensor<65536xf32>",
		"a product": `%a = stablehlo.reshape %w : (tensor<65536xf32>) -> tensor<256x256xf32>
  %b = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
  %r = stablehlo.reshape %b : (tensor<256x256xf32>) -> tensor<65536xf32>`,
		"a copy": "%r = stablehlo.optimization_barrier %w : tensor<65536xf32>",
	}
	for _, tier := range []string{"", "portable"} {
		t.Setenv("NX_CPU", tier)
		for name, body := range programs {
			for _, donated := range []string{"", " {jax.buffer_donor = true}"} {
				c := New(4)
				exe := compiled(t, c, "func.func @main(%w: tensor<65536xf32>"+donated+") -> tensor<65536xf32> {\n  "+
					body+"\n  return %r : tensor<65536xf32>\n}")
				put := func() backend.Buffer {
					b, err := c.Put(ctx, borrowedType, data, device{})
					if err != nil {
						t.Fatal(err)
					}
					return b
				}
				want := contents(t, exe, put())
				for range 3 {
					s, memory := open()
					b := borrow(t, c, memory, s)
					_, err := exe.Execute(ctx, []backend.Buffer{b})
					truncated(tier+name+donated, err)
				}
				if got := contents(t, exe, put()); !bytes.Equal(got, want) {
					t.Errorf("%s%s%s: another result after faults", tier, name, donated)
				}
				if direct := exe.(*executable).Direct(); direct != nil {
					s, memory := open()
					if _, _, err := direct(borrow(t, c, memory, s), nil, nil); err == nil {
						t.Errorf("%s: the direct function ran", name)
					}
				}
			}
		}
	}
	c := New(1)
	s, memory := open()
	b := borrow(t, c, memory, s)
	truncated("Read", b.Read(ctx, make([]byte, len(data))))
	s, memory = open()
	b, err := borrow(t, c, memory, s).(backend.Reshaper).Reshape([]int64{256, 256})
	if err != nil {
		t.Fatal(err)
	}
	truncated("View of a view", b.(backend.Lender).View(func(data []byte) error {
		bytes.Count(data, []byte{1})
		return nil
	}))
	b.Release()
	if c.InUse() != 0 {
		t.Errorf("%d bytes are in use", c.InUse())
	}
}

// contents are those of the result of a function of one argument.
func contents(t *testing.T, exe backend.Executable, arg backend.Buffer) []byte {
	t.Helper()
	out, err := exe.Execute(ctx, []backend.Buffer{arg})
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 1<<18)
	if err := out[0].Read(ctx, data); err != nil {
		t.Fatal(err)
	}
	return data
}
