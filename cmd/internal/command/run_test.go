package command

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	registry "github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/encoding/npy"
)

// archive writes an archive into a temporary folder and returns its path.
func archive(t *testing.T, entries ...npy.Entry) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "in.npz")
	if err := npy.WriteZipFile(path, entries); err != nil {
		t.Fatal(err)
	}
	return path
}

func array(name string, d dtype.Type, shape []int, data ...byte) npy.Entry {
	return npy.Entry{Name: name, Array: npy.New(d, shape, data)}
}

const addition = `func.func @main(%x: tensor<2xi8>, %y: tensor<2xi8>) -> (tensor<2xi8>, tensor<i1>) {
  %sum = stablehlo.add %x, %y : tensor<2xi8>
  %yes = stablehlo.constant dense<true> : tensor<i1>
  return %sum, %yes : tensor<2xi8>, tensor<i1>
}
`

func TestRun(t *testing.T) {
	program := file(t, "add.mlir", addition)
	x := array("arg0", dtype.S8, []int{2}, 1, 2)
	y := array("arg1", dtype.S8, []int{2}, 10, 0xff)

	t.Run("prints the results", func(t *testing.T) {
		o := nx("run", program, "--in", archive(t, x, y))
		if want := (outcome{exitOK, "out0 s8[2]\n  [11,  1]\nout1 bool\n  true\n", ""}); o != want {
			t.Errorf("got %+v, want %+v", o, want)
		}
	})
	t.Run("writes the results", func(t *testing.T) {
		out := filepath.Join(t.TempDir(), "out.npz")
		if o := nx("run", program, "--in", archive(t, y, x), "--out", out); o != (outcome{}) {
			t.Errorf("got %+v", o)
		}
		entries, err := npy.ReadZipFile(out)
		if err != nil || len(entries) != 2 || entries[0].Name != "out0" || entries[1].Name != "out1" ||
			entries[0].DType != dtype.S8 || !bytes.Equal(entries[0].Data, []byte{11, 1}) ||
			entries[1].DType != dtype.Bool {
			t.Errorf("got %v, error %v", entries, err)
		}
	})

	tests := []struct {
		name string
		in   []npy.Entry
		want string // on standard error, after the name of the archive
	}{
		{"missing", []npy.Entry{x}, ": arg1: missing: want s8[2]\n"},
		{"extra", []npy.Entry{x, y, array("arg2", dtype.S8, nil, 0)},
			": arg2: @main has no such argument: it takes arg0, arg1\n"},
		{"wrong type", []npy.Entry{array("arg0", dtype.U8, []int{2}, 1, 2), y}, ": arg0: want s8[2], got u8[2]\n"},
		{"wrong shape", []npy.Entry{x, array("arg1", dtype.S8, []int{2, 1}, 1, 2)},
			": arg1: want s8[2], got s8[2][1]\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := archive(t, tt.in...)
			out := filepath.Join(t.TempDir(), "out.npz")
			o := nx("run", program, "--in", in, "--out", out)
			if want := (outcome{exitUsage, "", "nx: " + in + tt.want}); o != want {
				t.Errorf("got %+v, want %+v", o, want)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("wrote an output")
			}
		})
	}
	t.Run("two arguments wrong are two lines", func(t *testing.T) {
		o := nx("run", program, "--in", archive(t))
		if strings.Count(o.stderr, "missing") != 2 || strings.Count(o.stderr, "\n") != 2 {
			t.Errorf("got %q", o.stderr)
		}
	})
	t.Run("no archive given", func(t *testing.T) {
		nx("run", program).want(t, exitUsage, "", "give them with --in FILE.npz, which must hold arg0 s8[2], arg1 s8[2]\n")
	})
	t.Run("archive does not exist", func(t *testing.T) {
		nx("run", program, "--in", "none.npz").want(t, exitUsage, "",
			"nx: cannot read none.npz: no such file or directory: check the path\n")
	})
	t.Run("archive is none", func(t *testing.T) {
		nx("run", program, "--in", program).want(t, exitUsage, "", "is not an .npz archive")
	})
	t.Run("output in a folder that does not exist", func(t *testing.T) {
		out := filepath.Join(t.TempDir(), "none", "out.npz")
		nx("run", program, "--in", archive(t, x, y), "--out", out).want(t, exitUsage, "", "nx: cannot write to folder ")
	})
	t.Run("output is a folder", func(t *testing.T) {
		dir := t.TempDir()
		nx("run", program, "--in", archive(t, x, y), "--out", dir).want(t, exitUsage, "", "nx: cannot write "+dir)
	})
}

func TestRunFailures(t *testing.T) {
	tests := []struct {
		name, program string
		code          int
		stderr        string
	}{
		{"a check fails", wrong, exitFailed, "check.expect_eq_const: check failed: 1 of 2 elements differ"},
		{"text is not a program", "hello", exitUsage, "a.mlir:1:1: "},
		{"a constraint is broken", "func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {\n  return %x : tensor<2xf32>\n}",
			exitUsage, "a.mlir:2:3: "},
		{"no functions", "module {}", exitUsage, "the program has no functions: it needs a function @main"},
		{"no main", "func.func @f() { return }", exitUsage, "no function @main with a body, only @f"},
		{"main without a body", "func.func private @main() -> tensor<f32>", exitUsage, "no function @main with a body"},
		{"unknown custom call", `func.func @main() -> tensor<f32> {
  %0 = stablehlo.custom_call @no_such_target() : () -> tensor<f32>
  return %0 : tensor<f32>
}`, exitFailed, "no_such_target"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.npz")
			nx("run", file(t, "a.mlir", tt.program), "--out", out).want(t, tt.code, "", tt.stderr)
			if _, err := os.Stat(out); err == nil {
				t.Error("wrote an output")
			}
		})
	}
}

func TestRunReadsStandardInput(t *testing.T) {
	o := nxWith(t.Context(),
		"func.func @main() -> tensor<i1> {\n  %0 = stablehlo.constant dense<true> : tensor<i1>\n  return %0 : tensor<i1>\n}",
		"run", "-")
	o.want(t, exitOK, "out0 bool\n  true\n", "")
}

func TestRunPrints(t *testing.T) {
	program := file(t, "a.mlir", `func.func @main() {
  %x = stablehlo.constant dense<7> : tensor<i32>
  interpreter.print %x : tensor<i32>
  return
}`)
	nx("run", program).want(t, exitOK, "", "%x = ")
}

func TestRunToken(t *testing.T) {
	program := file(t, "a.mlir", `func.func @main(%t: !stablehlo.token, %x: tensor<i8>) -> (!stablehlo.token, tensor<i8>) {
  return %t, %x : !stablehlo.token, tensor<i8>
}`)
	in := archive(t, array("arg1", dtype.S8, nil, 5))
	nx("run", program, "--in", in).want(t, exitOK, "out0 token\nout1 s8\n  5\n", "")
	out := filepath.Join(t.TempDir(), "out.npz")
	nx("run", program, "--in", in, "--out", out).want(t, exitOK, "", "")
	if entries, err := npy.ReadZipFile(out); err != nil || len(entries) != 1 || entries[0].Name != "out1" {
		t.Errorf("got %v, error %v", entries, err)
	}
}

// Types that NumPy does not have are read and written as their bits.
func TestRunForeignTypes(t *testing.T) {
	raw := func(size int, shape []int, data ...byte) npy.Entry {
		return npy.Entry{Name: "arg0", Array: npy.Array{Header: npy.Header{Void: size, Shape: shape}, Data: data}}
	}
	tests := []struct {
		name, elem string
		in         npy.Entry
		want       string // printed
		outType    dtype.Type
		out        []byte
	}{
		{"bf16 as u16", "bf16", array("arg0", dtype.U16, []int{1}, 0x80, 0x3f), "out0 bf16[1]\n  [1.0]\n",
			dtype.U16, []byte{0x80, 0x3f}},
		{"bf16 as V2", "bf16", raw(2, []int{1}, 0x80, 0x3f), "out0 bf16[1]\n  [1.0]\n", dtype.U16, []byte{0x80, 0x3f}},
		{"f8E4M3FN as u8", "f8E4M3FN", array("arg0", dtype.U8, []int{1}, 0x38), "out0 f8e4m3fn[1]\n  [1.0]\n",
			dtype.U8, []byte{0x38}},
		{"f8E5M2 as V1", "f8E5M2", raw(1, []int{1}, 0x3c), "out0 f8e5m2[1]\n  [1.0]\n", dtype.U8, []byte{0x3c}},
		{"i4 as u8", "i4", array("arg0", dtype.U8, []int{1}, 0xfe), "out0 s4[1]\n  [-2]\n", dtype.U8, []byte{0xfe}},
		{"i4 as i8", "i4", array("arg0", dtype.S8, []int{1}, 0xfe), "out0 s4[1]\n  [-2]\n", dtype.U8, []byte{0xfe}},
		{"i4 without its sign bits", "i4", array("arg0", dtype.U8, []int{1}, 0x0e), "out0 s4[1]\n  [-2]\n",
			dtype.U8, []byte{0xfe}},
		{"ui4 as u8", "ui4", array("arg0", dtype.U8, []int{1}, 0x0e), "out0 u4[1]\n  [14]\n", dtype.U8, []byte{0x0e}},
		{"quantised as its storage", "!quant.uniform<i8:f32, 0.5>", array("arg0", dtype.S8, []int{1}, 0xff),
			"  [-1]\n", dtype.S8, []byte{0xff}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			typ := "tensor<1x" + tt.elem + ">"
			program := file(t, "a.mlir", "func.func @main(%x: "+typ+") -> "+typ+" {\n  return %x : "+typ+"\n}")
			in := archive(t, tt.in)
			nx("run", program, "--in", in).want(t, exitOK, tt.want, "")
			out := filepath.Join(t.TempDir(), "out.npz")
			nx("run", program, "--in", in, "--out", out).want(t, exitOK, "", "")
			entries, err := npy.ReadZipFile(out)
			if err != nil || len(entries) != 1 || entries[0].DType != tt.outType ||
				!bytes.Equal(entries[0].Data, tt.out) {
				t.Errorf("got %v, error %v", entries, err)
			}
		})
	}
	t.Run("bits that i4 does not have", func(t *testing.T) {
		program := file(t, "a.mlir", "func.func @main(%x: tensor<2xi4>) -> tensor<2xi4> {\n  return %x : tensor<2xi4>\n}")
		nx("run", program, "--in", archive(t, array("arg0", dtype.U8, []int{2}, 1, 0x57))).
			want(t, exitUsage, "", "arg0: element 1 is the byte 0x57, which is not a value of s4\n")
	})
	t.Run("f32 is not read as bits", func(t *testing.T) {
		program := file(t, "a.mlir", "func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {\n  return %x : tensor<1xf32>\n}")
		nx("run", program, "--in", archive(t, array("arg0", dtype.U32, []int{1}, 0, 0, 0, 0))).
			want(t, exitUsage, "", "arg0: want f32[1], got u32[1]\n")
	})
	t.Run("the message says what bf16 travels as", func(t *testing.T) {
		program := file(t, "a.mlir",
			"func.func @main(%x: tensor<1xbf16>) -> tensor<1xbf16> {\n  return %x : tensor<1xbf16>\n}")
		nx("run", program, "--in", archive(t, array("arg0", dtype.F16, []int{1}, 0, 0))).
			want(t, exitUsage, "", "arg0: want bf16[1] (as u16 or V2), got f16[1]\n")
	})
}

func TestRunDynamicArgument(t *testing.T) {
	program := file(t, "a.mlir",
		"func.func @main(%x: tensor<?x2xi8>) -> tensor<?x2xi8> {\n  return %x : tensor<?x2xi8>\n}")
	nx("run", program, "--in", archive(t, array("arg0", dtype.S8, []int{1, 2}, 3, 4))).
		want(t, exitOK, "out0 s8[1][2]\n  [[3, 4]]\n", "")
	nx("run", program, "--in", archive(t, array("arg0", dtype.S8, []int{1, 1}, 3))).
		want(t, exitUsage, "", "arg0: want s8[?][2], got s8[1][1]\n")
}

// --grad writes the gradient of the sum of the float results, by the position
// of the argument.
func TestRunGrad(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "p.mlir")
	text := `func.func @main(%n: tensor<i32>, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<i32>) {
  %0 = stablehlo.multiply %x, %x : tensor<2xf32>
  return %0, %n : tensor<2xf32>, tensor<i32>
}`
	if err := os.WriteFile(program, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out.npz")
	x := make([]byte, 8)
	dtype.F32.StoreFloat(x, 0, 3)
	dtype.F32.StoreFloat(x, 1, -1)
	in := archive(t, array("arg0", dtype.S32, nil, make([]byte, 4)...), array("arg1", dtype.F32, []int{2}, x...))
	for _, backend := range registry.Names() {
		if o := nx("run", program, "--in", in, "--out", out, "--grad", "--backend", backend); o.code != exitOK {
			t.Fatalf("%s: status %d, %s", backend, o.code, o.stderr)
		}
		z, err := npy.OpenZip(out)
		if err != nil {
			t.Fatal(err)
		}
		if names := z.Names(); !slices.Equal(names, []string{"grad1"}) {
			t.Fatalf("%s: the archive holds %v", backend, names)
		}
		a, err := z.Array("grad1")
		if err != nil {
			t.Fatal(err)
		}
		if g0, g1 := dtype.F32.LoadFloat(a.Data, 0), dtype.F32.LoadFloat(a.Data, 1); g0 != 6 || g1 != -2 {
			t.Errorf("%s: the gradient is %v, %v", backend, g0, g1)
		}
		z.Close()
	}
}
