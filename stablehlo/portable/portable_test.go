package portable_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/portable"
)

// TestDialects reads files that MLIR wrote, with the text that it printed for them.
func TestDialects(t *testing.T) {
	for name, want := range map[string][]string{
		"dialects.bc": {
			`sdy.mesh @mesh = <["x"=2]>`, `chlo.erf %arg0`, `chlo.top_k(%1, k = 2)`,
			`sdy.sharding_constraint %1 <@mesh, [{"x"}]>`,
			`comparison_direction = #chlo<comparison_direction LT>`, `dense<[1.0, 2.0, 3.0, 4.0]>`,
			`dense<[true, false, true]>`,
			`loc("a.py":3:4 to :9)`, `loc("a.py":3:4 to 7:9)`,
		},
		"sharding.bc": {
			`<["x"=2], device_ids=[1, 0]>`, `#sdy.sharding<@mesh, [{"y":(1)2, ?}p1, {?}], replicated={"x"}>`,
			`out_shardings=[<@mesh, [{"x"}, {}], unreduced={"y"}>] manual_axes={"x", "y"}`,
			`chlo.scan(%0) inits (%0) dimension=0`,
		},
		"sharding_1_17_0.bc": {`<["x"=2], device_ids=[1, 0]>`, `manual_axes={"x", "y"}`,
			`stablehlo.composite "chlo.scan"`},
	} {
		t.Run(name, func(t *testing.T) {
			data := readFile(t, filepath.Join("testdata", name))
			m, err := portable.Read(name, data)
			if err != nil {
				t.Fatal(err)
			}
			got := located(t, m)
			for _, w := range want {
				if !strings.Contains(got, w) {
					t.Errorf("%s is missing from\n%s", w, got)
				}
			}
			again, err := portable.Read(name, written(t, m, portable.WriteOptions{}))
			if err != nil {
				t.Fatal(err)
			}
			if g := located(t, again); g != got {
				t.Errorf("the written artifact is read differently:\n%s", firstDifference(g, got))
			}
		})
	}
}

func located(t *testing.T, m *stablehlo.Module) string {
	t.Helper()
	var b bytes.Buffer
	if err := stablehlo.Print(&b, m, stablehlo.PrintOptions{Locations: true}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestEveryVersionWritesAndReads takes a program with what every version has to all
// of them and back.
func TestEveryVersionWritesAndReads(t *testing.T) {
	const source = `
func.func @main(%a: tensor<2x3xf32> loc("p['w']"), %b: tensor<3x4xf32>, %i: tensor<4x1xi32>, %p: tensor<i1>) -> tensor<?xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.exponential %0 : tensor<2x4xf32> loc("f.py":3:4)
  %2 = "stablehlo.gather"(%1, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
    start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>} : (tensor<2x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
  %3 = "stablehlo.if"(%p) ({ stablehlo.return %2 : tensor<4x4xf32> }, {
    %t = stablehlo.tanh %2 : tensor<4x4xf32>
    stablehlo.return %t : tensor<4x4xf32>
  }) : (tensor<i1>) -> tensor<4x4xf32>
  %u = "stablehlo.triangular_solve"(%3, %3) {left_side = true, lower = false, unit_diagonal = false,
    transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = stablehlo.constant dense<[true, false, true, true, true, true, true, true, false]> : tensor<9xi1>
  %n = stablehlo.constant dense<[-1, 7]> : tensor<2xi4>
  %q = stablehlo.constant dense<-1.5> : tensor<bf16>
  %4 = stablehlo.custom_call @foo(%3) : (tensor<4x4xf32>) -> tensor<?xf32>
  %5 = stablehlo.cosine %4 : tensor<?xf32>
  return %5 : tensor<?xf32>
}`
	m, err := stablehlo.Parse("all.mlir", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	want := text(t, m)
	for _, v := range []string{"0.9.0", "0.10.0", "0.11.0", "0.12.0", "0.14.0", "0.14.1", "0.20.0", "1.0.0",
		"1.5.3", "1.9.0", "1.20.0"} {
		version, err := portable.ParseVersion(v)
		if err != nil {
			t.Fatal(err)
		}
		data := written(t, m, portable.WriteOptions{Version: version})
		if h, err := portable.ReadHeader("", data); err != nil || h.Version != version {
			t.Errorf("%s: the header says %v (%v)", v, h, err)
		}
		again, err := portable.Read(v, data)
		if err != nil {
			t.Fatal(err)
		}
		if g := text(t, again); g != want {
			t.Errorf("%s: the written artifact is read differently:\n%s", v, firstDifference(g, want))
		}
		if g := located(t, again); !strings.Contains(g, `loc("p['w']")`) || !strings.Contains(g, `loc("f.py":3:4)`) {
			t.Errorf("%s: locations are lost:\n%s", v, g)
		}
	}
}

// TestWhatAVersionLacks writes programs for versions that are too old for them.
func TestWhatAVersionLacks(t *testing.T) {
	for _, c := range []struct{ name, version, body, want string }{
		{"op", "1.3.0", `%0 = stablehlo.tan %x : tensor<4xf32>`,
			"stablehlo.tan: the operation is new in StableHLO 1.4.0"},
		{"attribute",
			"1.5.0", `%0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [0], algorithm = <lhs_precision_type = tf32,
			rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1,
			num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>`,
			"is new in StableHLO 1.6.0, which 1.5.0 does not have"},
		{"type", "0.9.0", `%0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf8E5M2FNUZ>`,
			"the type f8E5M2FNUZ is new in StableHLO 0.10.0"},
		{"type of a later version", "1.6.0", `%0 = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xf8E3M4>`,
			"the type f8E3M4 is new in StableHLO 1.7.0"},
		{"dictionary", "1.2.0",
			`%0 = stablehlo.custom_call @f(%x) {api_version = 4 : i32, backend_config = {a = 1 : i32}} : (tensor<4xf32>) -> tensor<4xf32>`,
			"stablehlo.custom_call: a dictionary as backend_config is new in StableHLO 1.3.0"},
		{"operands",
			"1.4.0", `%0:2 = "stablehlo.all_gather"(%x, %x) {all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>} :
			(tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)`,
			"more than one operand is new in StableHLO 1.5.0"},
		{"accuracy",
			"1.8.0", `%0 = "stablehlo.exponential"(%x) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} :
			(tensor<4xf32>) -> tensor<4xf32>`, "result_accuracy"},
		{"composite", "0.18.0",
			`%0 = stablehlo.composite "a.b" %x {decomposition = @main} : (tensor<4xf32>) -> tensor<4xf32>`,
			"stablehlo.composite: the operation is new in StableHLO 0.19.0"},
		{"too old", "0.8.0", ``, "older than 0.9.0"},
		{"too new", "9.0.0", ``, "newer than 1.20.0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n" + c.body +
				"\nreturn %x : tensor<4xf32>\n}"
			m, err := stablehlo.Parse("", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			v, _ := portable.ParseVersion(c.version)
			var b bytes.Buffer
			err = portable.Write(&b, m, portable.WriteOptions{Version: v})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
			if b.Len() > 0 {
				t.Error("something is written")
			}
		})
	}
}

// TestDamage truncates an artifact at every byte and changes every byte: the result is an error with its
// offset, or a module.
func TestDamage(t *testing.T) {
	for _, name := range []string{"dialects.bc", "sharding_1_17_0.bc"} {
		data := readFile(t, filepath.Join("testdata", name))
		check := func(what string, b []byte) {
			_, err := portable.Read(name, b)
			var placed *portable.Error
			if err != nil && (!errors.As(err, &placed) || placed.Offset < 0 || placed.Offset > len(b)) {
				t.Errorf("%s: error without place: %v", what, err)
			}
		}
		for n := range data {
			check(fmt.Sprint("cut at ", n), data[:n])
			if _, err := portable.Read(name, data[:n]); err == nil {
				t.Errorf("%s is read although it is cut at %d", name, n)
			}
			for _, bit := range []byte{1, 2, 0x10, 0x80, 0xFF} {
				b := bytes.Clone(data)
				b[n] ^= bit
				check(fmt.Sprintf("byte %d ^ %#x", n, bit), b)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/*.bc")
	sharded, _ := filepath.Glob("testdata/sharded/*.bc")
	for _, file := range append(files, sharded...) {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := portable.Read("fuzz", data)
		if err != nil || m.Verify() != nil {
			return
		}
		var b bytes.Buffer
		if err := portable.Write(&b, m, portable.WriteOptions{}); err != nil {
			return
		}
		again, err := portable.Read("again", b.Bytes())
		if err != nil {
			t.Fatalf("the written artifact cannot be read: %v", err)
		}
		if g, w := text(t, again), text(t, m); g != w {
			t.Fatalf("the written artifact is read differently:\n%s", firstDifference(g, w))
		}
	})
}
