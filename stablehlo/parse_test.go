package stablehlo_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// TestParseErrors checks the position and the message of mistakes. The text of a case is the body of a
// function unless it starts with "top:".
func TestParseErrors(t *testing.T) {
	tests := []struct{ name, text, at, want string }{
		{"unexpected character", "top:func.func @f() {\n  $\n}", "2:3", "unexpected character \"$\""},
		{"character beyond ASCII", "top:func.func @f() {\n  ž\n}", "2:3", "unexpected character \"ž\""},
		{"byte of no character", "top:func.func @f() {\n  \x80\n}", "2:3", "unexpected byte 0x80"},
		{"bytecode", "top:ML\xefR\x06StableHLO_v1.9.0", "1:1", "this is MLIR bytecode"},
		{"UTF-16", "top:\xff\xfem\x00", "1:1", "UTF-16"},
		{"unterminated string", "top:module attributes {a = \"x\n} {}", "1:24", "closing quote"},
		{"unknown escape", `top:module attributes {a = "x\q"} {}`, "1:26", "unknown escape"},
		{"no operation", "42", "2:3", "expected an operation"},
		{"unknown operation", "foo.bar %x", "2:3", "write \"foo.bar\"(…)"},
		{"unknown operation of StableHLO", `"stablehlo.foo"(%x) : (tensor<f32>) -> ()`, "2:3",
			"stablehlo has no operation foo"},
		{"vhlo", `"vhlo.add_v1"(%x) : (tensor<f32>) -> ()`, "2:3", "VHLO"},
		{"no pretty form", "%0 = stablehlo.gather %x", "2:8", "no pretty form"},
		{"successors", `"cf.br"()[^bb1] : () -> ()`, "2:12", "successor"},
		{"undefined value", "stablehlo.return %y : tensor<f32>", "2:20", "%y is not defined"},
		{"use before definition", "stablehlo.return %y : tensor<f32>\n  %y = stablehlo.abs %x : tensor<f32>", "2:20",
			"%y is not defined before this use"},
		{"defined twice", "%y = stablehlo.abs %x : tensor<f32>\n  %y = stablehlo.abs %x : tensor<f32>", "3:3",
			"%y is defined twice: first on line 2"},
		{"other type", "%y = stablehlo.abs %x : tensor<f64>", "2:22",
			"%x is used as tensor<f64> but was defined as tensor<f32>"},
		{"no such result", "%y = stablehlo.abs %x#1 : tensor<f32>", "2:22", "there is no #1"},
		{"too many names", "%y:2 = stablehlo.abs %x : tensor<f32>", "2:3", "has 1 results but 2 are named"},
		{"operand types", `%y = "stablehlo.add"(%x, %x) : (tensor<f32>) -> tensor<f32>`, "2:8",
			"2 operands but 1 operand types"},
		{"missing arrow", "%y = stablehlo.abs %x : (tensor<f32>)\n  return", "2:40", "expected \"->\""},
		{"attribute twice", `"a.b"() {x = 1, x = 2} : () -> ()`, "2:3", "\"x\" is given twice"},
		{"unknown type", "%y = stablehlo.abs %x : tensr<f32>", "2:27", "expected a type"},
		{"unknown StableHLO type", "%y = stablehlo.abs %x : !stablehlo.foo", "2:27", "unknown StableHLO type"},
		{"bound of a static size", "%y = stablehlo.abs %x : tensor<2xf32, #stablehlo.bounds<3>>", "2:41", "so no bound"},
		{"dimension overflow", "%y = stablehlo.abs %x : tensor<99999999999999999999xf32>", "2:34",
			"does not fit in 64 bits"},
		{"missing x", "%y = stablehlo.abs %x : tensor<4>", "2:35", "expected \"x\""},
		{"unknown attribute", `"a.b"() {x = #stablehlo.foo<1>} : () -> ()`, "2:16", "unknown attribute"},
		{"unknown alias", `"a.b"() {x = #y} : () -> ()`, "2:16", "#y is not defined"},
		{"unknown field", `"a.b"() {x = #stablehlo.dot<foo = [1]>} : () -> ()`, "2:31", "expected one of the fields"},
		{"missing field", `"a.b"() {x = #stablehlo.channel_handle<handle = 1>} : () -> ()`, "2:41", "lacks its field type"},
		{"unknown keyword", "%y = stablehlo.compare XX, %x, %x : (tensor<f32>, tensor<f32>) -> tensor<i1>",
			"2:26", "expected EQ, NE"},
		{"integer overflow", `"a.b"() {x = 300 : i8} : () -> ()`, "2:16", "out of range for type i8"},
		{"negative unsigned", `"a.b"() {x = -1 : ui8} : () -> ()`, "2:16", "negative integer for type ui8"},
		{"integer for a float", `"a.b"() {x = 1 : f32} : () -> ()`, "2:16", "integer literal for type f32"},
		{"float for an integer", `"a.b"() {x = 1.5 : i32} : () -> ()`, "2:16", "has a point"},
		{"dense of a dynamic shape", "%y = stablehlo.constant dense<1> : tensor<?xi32>", "2:38", "static shape"},
		{"dense too short", "%y = stablehlo.constant dense<[1, 2]> : tensor<3xi32>", "2:38",
			"list of 2 items where dimension 0"},
		{"dense too long", "%y = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<3xi32>", "2:43", "more than 3 items"},
		{"dense not nested", "%y = stablehlo.constant dense<[1, 2]> : tensor<1x2xi32>", "2:34", "nested as deep"},
		{"dense out of range", "%y = stablehlo.constant dense<[1, 256]> : tensor<2xi8>", "2:37", "out of range"},
		{"dense integer for float", "%y = stablehlo.constant dense<[1]> : tensor<1xf32>", "2:34", "write 1.0"},
		{"dense huge shape", "%y = stablehlo.constant dense<[1]> : tensor<1000000x1000000xi32>", "2:33", "cannot hold"},
		{"hex of another size", `%y = stablehlo.constant dense<"0x0011223344"> : tensor<3xi32>`, "2:33",
			"5 hexadecimal bytes do not fill"},
		{"hex digits", `%y = stablehlo.constant dense<"0x0011223G"> : tensor<1xi32>`, "2:42", "hexadecimal digits"},
		{"sparse", `"a.b"() {x = sparse<[0], [1]> : tensor<3xi32>} : () -> ()`, "2:16",
			"sparse constants are not supported"},
		{"resource without bytes", `"a.b"() {x = dense_resource<r> : tensor<3xi32>} : () -> ()`,
			"2:31", "resource r is not in"},
		{"unknown location", "return loc(#l)", "2:14", "#l is not defined"},
		{"location in itself", "top:#l = loc(\"a\"(#l))\nmodule {} loc(#l)", "1:1", "contains itself"},
		{"empty body", "top:func.func @f() {\n}", "1:16", "not empty"},
		{"arguments without names", "top:func.func @f(tensor<f32>) {\n  return\n}", "1:13", "need names"},
		{"missing brace", "top:func.func @f() {\n  return\n", "2:9", "expected \"}\""},
		{"text behind the end", "top:module {} }", "1:11", "expected an operation"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text, top := strings.CutPrefix(test.text, "top:")
			if !top {
				text = "func.func @f(%x: tensor<f32>) {\n  " + text + "\n  return\n}"
			}
			_, err := stablehlo.Parse("", []byte(text))
			var e *stablehlo.Error
			if !errors.As(err, &e) {
				t.Fatalf("accepted: %v", err)
			}
			line, col := e.Source.LineCol(e.Diagnostics[0].Pos)
			if at := fmt.Sprintf("%d:%d", line, col); at != test.at || !strings.Contains(err.Error(), test.want) {
				t.Errorf("want %s at %s, got at %s:\n%v", test.want, test.at, at, err)
			}
		})
	}
}

func TestErrorShowsTheLine(t *testing.T) {
	_, err := stablehlo.Parse("add.mlir",
		[]byte("func.func @f(%x: tensor<f32>) {\n\t%y = stablehlo.add %x, %z : tensor<f32>\n}"))
	want := "add.mlir:2:25: %z is not defined before this use\n" +
		"    \t%y = stablehlo.add %x, %z : tensor<f32>\n" +
		"    \t                       ^"
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestSplitKeepsLineNumbers(t *testing.T) {
	text := "module {}\n// -----\nmodule @b {}\n  // -----\n\nfunc.func @f( {\n"
	parts := stablehlo.Split("three.mlir", []byte(text))
	if len(parts) != 3 {
		t.Fatalf("%d parts, want 3", len(parts))
	}
	for _, part := range parts[:2] {
		if _, err := stablehlo.ParseSource(part); err != nil {
			t.Error(err)
		}
	}
	if _, err := stablehlo.ParseSource(parts[2]); err == nil || !strings.HasPrefix(err.Error(), "three.mlir:6:15: ") {
		t.Errorf("the error of the third part is not on line 6: %v", err)
	}
}

func TestParseSourceStops(t *testing.T) {
	text := "func.func @main(%x: tensor<f32>) {\n" +
		strings.Repeat("  %y = stablehlo.add %x, %x : tensor<f32>\n", 400) +
		"  return\n}\n// -----\nmodule {}\n"
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	for _, part := range stablehlo.Split("two.mlir", []byte(text)) {
		if _, err := stablehlo.ParseSourceContext(ctx, part); err != cause {
			t.Errorf("%v, want the cause of the end", err)
		}
	}
}

// TestTypes checks texts that are their own printed form.
func TestTypes(t *testing.T) {
	for _, text := range []string{
		"i1", "ui4", "f8E4M3FN", "bf16", "index", "none", "complex<f64>", "i17", "si8", "tf32", "complex<i32>",
		"tensor<f32>", "tensor<0x?x3xi1>", "tensor<*xf32>", "tensor<2xcomplex<f32>>", "tensor<2xindex>",
		"tensor<?x?xf32, #stablehlo.bounds<3, ?>>", "tensor<f32, #stablehlo.bounds<>>",
		`tensor<4xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>`,
		"tensor<2x!quant.uniform<i8:f32, 0.1:-3>>", "!quant.uniform<u8<1:254>:f32:1, {0.5, 1.0e-06:7}>",
		"!quant.uniform<i8:f32:{0:1}, {{0.1}, {0.2}}>", "!quant.any<i8:f32>",
		"tuple<>", "tuple<tensor<f32>, tuple<!stablehlo.token>>", "!stablehlo.future<tensor<f32>, tensor<i32>>",
		"memref<2x?xf32, strided<[?, 1]>, 3>", "memref<*xf32>", "vector<4xf32>",
		"() -> ()", "(i32) -> i32", "(i32, i64) -> (i32, i64)", "(i32) -> ((i32) -> i32)",
		"!other.type<[1, 2], \"a>b\">",
	} {
		typ, err := stablehlo.ParseType(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if typ.String() != text {
			t.Errorf("%s is printed as %s", text, typ)
		}
	}
}

// TestAttrs checks how attributes are printed; "" stands for the text itself.
func TestAttrs(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"1", "1 : i64"}, {"-9223372036854775808 : i64", ""}, {"255 : i8", "-1 : i8"}, {"0xFF : ui8", "255 : ui8"},
		{"1 : index", ""},
		{"1.5", "1.5 : f64"}, {"1.0E10", "10000000000.0 : f64"}, {"0x7F800000 : f32", ""},
		{"0x3C00 : f16", "1.0 : f16"},
		{"-0.0 : bf16", ""},
		{"1.0e+300 : f64", ""}, {"0.1 : f8E4M3FN", ""}, {"true", ""}, {"1 : i1", "true"}, {"unit", ""},
		{`"a\22\\\n\C3\A9"`, `"a\22\\\0A\C3\A9"`}, {"@a::@b", ""}, {`@"a b"`, ""},
		{"[1 : i32, [], \"x\"]", ""}, {"{b, a = 1 : i32, \"c d\" = unit}", "{a = 1 : i32, b, \"c d\"}"},
		{"i32", ""}, {"tensor<2xf32>", ""}, {"(i32) -> ()", ""},
		{"array<i64>", ""}, {"array<i64: 1, -2>", ""}, {"array<i1: true, false>", ""},
		{"array<f32: 1.5, 0x7FC00000>", ""},
		{"dense<1> : tensor<2x2xi32>", ""}, {"dense<[[1, 1], [1, 1]]> : tensor<2x2xi32>", "dense<1> : tensor<2x2xi32>"},
		{"dense<[0x7FC00000, 1.0]> : tensor<2xf32>", ""},
		{"dense<(1.0, -2.0)> : tensor<2xcomplex<f32>>", "dense<(1.0,-2.0)> : tensor<2xcomplex<f32>>"},
		{`dense<"0x01000000FFFFFFFF"> : tensor<2xi32>`, "dense<[1, -1]> : tensor<2xi32>"},
		{`dense<"0x02000000"> : tensor<2xi32>`, "dense<2> : tensor<2xi32>"},
		{`dense<"0x05"> : tensor<3xi1>`, "dense<[true, false, true]> : tensor<3xi1>"},
		{`dense<"0xFF"> : tensor<20xi1>`, "dense<true> : tensor<20xi1>"},
		{`dense<"0x0F01"> : tensor<2xi4>`, "dense<[-1, 1]> : tensor<2xi4>"}, {"dense<> : tensor<0x3xf32>", ""},
		{"dense<5> : tensor<0xi32>", "dense<> : tensor<0xi32>"},
		{"dense<[[], []]> : tensor<2x0xi32>", "dense<> : tensor<2x0xi32>"},
		{"dense<[1, // > one\n 2]> : tensor<2xi64>", "dense<[1, 2]> : tensor<2xi64>"},
		{"dense<3> : tensor<1000000x1000000xi64>", ""},
		{"#stablehlo<precision HIGH>", ""}, {"#chlo<comparison_type FLOAT>", ""},
		{"#stablehlo.result_accuracy_mode<HIGHEST>", ""},
		{"#stablehlo.result_accuracy<atol = 1.0e-06, rtol = 0.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>",
			"#stablehlo.result_accuracy<atol = 1.0e-06, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>"},
		{"#stablehlo.dot<rhs_contracting_dimensions = [0], lhs_contracting_dimensions = [1],>",
			"#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"},
		{"#stablehlo.conv<[b, 0, f]x[0, i, o]->[0, b, f]>", ""},
		{
			"#stablehlo.conv<raw input_batch_dimension = 7, input_feature_dimension = 0, input_spatial_dimensions = [1], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 1, kernel_spatial_dimensions = [], output_batch_dimension = 0, output_feature_dimension = 1, output_spatial_dimensions = []>", ""},
		{"#stablehlo.channel_handle<handle = 1, type = 0>", ""}, {"#stablehlo.bounds<2, ?>", ""},
		{
			`#stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>`, ""},
		{"#chlo.ragged_dot<lhs_batching_dimensions = [0], lhs_ragged_dimensions = [1]>", ""},
		{"#sdy.sharding<@mesh,   [{\"x\"},\n {}]>", `#sdy.sharding<@mesh, [{"x"}, {}]>`}, {"#foo<bar>", ""},
		{"affine_map<(d0) -> (d0 + 1)>", ""}, {"affine_set<(d0) : (d0 - 1 >= 0)>", ""},
		{`loc("f.py":1:2 to :9)`, ""}, {`loc("f.py":1:2 to 3:4)`, ""}, {`loc("a"("b"))`, ""},
		{`loc(callsite("a" at unknown))`, ""},
		{`loc(fused<"m">["a", "f":1:2])`, ""}, {"loc(unknown)", ""},
	} {
		want := test.want
		if want == "" {
			want = test.text
		}
		a, err := stablehlo.ParseAttr(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if a.String() != want {
			t.Errorf("%s is printed as %s, not %s", test.text, a, want)
		}
		if b, err := stablehlo.ParseAttr(a.String()); err != nil || !stablehlo.SameAttr(a, b) {
			t.Errorf("%s is not read back: %v", a, err)
		}
	}
}

// TestHostileText checks that texts designed to exhaust time, memory or the stack give an error or a small
// module.
func TestHostileText(t *testing.T) {
	const deep = 100_000
	doubled := func(first, next string, n int) string {
		var b strings.Builder
		b.WriteString(first + "\n")
		for i := 1; i < n; i++ {
			fmt.Fprintf(&b, next+"\n", i, i-1, i-1)
		}
		return b.String()
	}
	chain := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "#l%d = loc(\"a\"(#l%d))\n", i, i+1)
		}
		return b.String() + fmt.Sprintf("#l%d = loc(\"a\")\n", n)
	}
	manyTypes := strings.Repeat("tensor<f32>, ", 5000) + "tensor<f32>"
	tests := []struct{ name, text, want string }{
		{"types", "func.func private @f(" + strings.Repeat("tuple<", deep), "nested more than"},
		{"functions", "func.func private @f(" + strings.Repeat("(", deep), "nested more than"},
		{"attributes", "module attributes {a = " + strings.Repeat("[", deep), "nested more than"},
		{"dictionaries", "module attributes {a = " + strings.Repeat("{a = ", deep), "nested more than"},
		{"regions", strings.Repeat("module {\n", deep), "nested more than"},
		{"opaque", "module attributes {a = #x.y<" + strings.Repeat("<", deep), "nested more than"},
		{"locations", "module {} loc(" + strings.Repeat("callsite(", deep), "nested more than"},
		{"lists", "module attributes {a = dense<" + strings.Repeat("[", deep) + "> : tensor<1x1xi32>}",
			"nested as deep"},
		{"attribute aliases", doubled("#a0 = [1, 1]", "#a%d = [#a%d, #a%d]", 100) + "module attributes {a = #a99} {}",
			"the aliases expand to"},
		{"type aliases", doubled("!a0 = tuple<i1, i1>", "!a%d = tuple<!a%d, !a%d>", 100) +
			"module attributes {a = !a99} {}",
			"the aliases expand to"},
		{"encodings", doubled("#a0 = \"x\"", "#a%d = tensor<1xf32, #b.c<#a%d, #a%d>>", 100), "the aliases expand to"},
		{"location aliases", doubled("#l0 = loc(\"a\")", "#l%d = loc(callsite(#l%d at #l%d))", 1000) +
			"module {} loc(#l999)",
			""},
		{"location attributes", doubled("#l0 = loc(\"a\")", "#l%d = loc(callsite(#l%d at #l%d))", 1000) +
			strings.Repeat("module attributes {a = loc(#l999)} {}\n", 100), "the aliases expand to"},
		{"location chain", chain(100_000) + "module {} loc(#l0)", "nested location aliases"},
		{"splat", "module attributes {a = dense<1.0> : tensor<1000000x1000000xf32>} {}", ""},
		{"results", "%0:1000000 = \"a.b\"() : () -> ()", "0 results but 1000000 are named"},
		{"many results", "func.func private @f() -> (" + manyTypes + ")\n" +
			"func.func @g() -> (" + manyTypes + ") { %0:5001 = call @f() : () -> (" + manyTypes + ")\n" +
			"return " + strings.Repeat("%0#7, ", 5000) + "%0#7 : " + manyTypes + " }", ""},
		{"dimensions", "module attributes {a = tensor<" + strings.Repeat("1x", deep) + "f32>} {}", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			m, err := stablehlo.Parse("", []byte(test.text))
			if err == nil {
				_ = m.Verify() // whatever it finds, it must not take long
				roundTrip(t, m)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<26+500*uint64(len(test.text)) {
				t.Errorf("%d bytes allocated for a text of %d", used, len(test.text))
			}
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("want %q, got %v", test.want, err)
			}
		})
	}
}

// TestResources checks constants whose bytes stand at the end of the file.
func TestResources(t *testing.T) {
	const text = `module {
  func.func @f() -> tensor<3xi32> {
    %0 = stablehlo.constant dense_resource<blob> : tensor<3xi32>
    return %0 : tensor<3xi32>
  }
}
{-#
  dialect_resources: {
    builtin: { blob: "0x04000000010000000200000003000000" },
    other: { x: "0x00" }
  },
  external_resources: { y: { z: true } }
#-}
`
	m, err := stablehlo.Parse("", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := m.String(); !strings.Contains(got, "dense<[1, 2, 3]> : tensor<3xi32>") {
		t.Error(got)
	}
}

// TestSpellingsOfJAX checks that the generic form and the form with locations of
// a program are the same module as the pretty form.
func TestSpellingsOfJAX(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", "jax"), "*", "program.*.mlir"))
	for _, file := range files {
		a := parseFile(t, filepath.Join(filepath.Dir(file), "program.mlir"))
		b := parseFile(t, file)
		if d := stablehlo.Diff(a, b, false); d != "" {
			t.Errorf("%s: %s", file, d)
		}
	}
	t.Logf("%d spellings", len(files))
}

// TestPrintsLikeJAX checks that a program printed by JAX is printed back unchanged, except for the digits of
// floats.
func TestPrintsLikeJAX(t *testing.T) {
	number := regexp.MustCompile(`-?[0-9]+\.[0-9]*([eE][-+]?[0-9]+)?`)
	rounded := func(s string) string {
		return number.ReplaceAllStringFunc(s, func(x string) string {
			v, err := strconv.ParseFloat(x, 32)
			if err != nil {
				t.Fatal(err)
			}
			return strconv.FormatFloat(v, 'g', 6, 32)
		})
	}
	files, _ := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", "jax"), "*", "program.mlir"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "loc(") {
			continue
		}
		got := strings.Split(rounded(parseFile(t, file).String()), "\n")
		want := strings.Split(rounded(string(text)), "\n")
		for i := range min(len(got), len(want)) {
			if strings.TrimRight(got[i], " ") != strings.TrimRight(want[i], " ") {
				t.Errorf("%s:%d:\n got %.300s\nwant %.300s", file, i+1, got[i], want[i])
				break
			}
		}
	}
}

// TestCaret checks the position of the caret, also in lines that are clipped and after characters of several
// bytes.
func TestCaret(t *testing.T) {
	const use = "stablehlo.add %nope, %nope : tensor<f32>"
	for _, test := range []struct{ name, before, behind string }{
		{"tab", "\t%x = ", ""},
		{"beyond ASCII", `"a.b"() {a = "žluťoučký"} : () -> () %x = `, ""},
		{"long before", `"a.b"() {a = "` + strings.Repeat("ž", 200) + `"} : () -> () %x = `, ""},
		{"long before, cut inside a character", `"a.b"() {a = "` + strings.Repeat("ž", 200) +
			`-"} : () -> () %x = `, ""},
		{"long behind", "%x = ", ` "a.b"() {a = "` + strings.Repeat("ž", 200) + `"} : () -> ()`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := stablehlo.Parse("", []byte("func.func @f() {\n"+test.before+use+test.behind+"\n}"))
			if err == nil {
				t.Fatal("accepted")
			}
			lines := strings.Split(err.Error(), "\n")
			text, caret := []rune(lines[1]), []rune(lines[2])
			if at := len(caret) - 1; caret[at] != '^' || !strings.HasPrefix(string(text[at:]), "%nope") {
				t.Errorf("the caret is at another place:\n%s\n%s", lines[1], lines[2])
			}
			if !utf8.ValidString(err.Error()) || len(text) > 200 {
				t.Errorf("a line of %d characters: %q", len(text), lines[1])
			}
		})
	}
}

func TestByteOrderMark(t *testing.T) {
	m, err := stablehlo.Parse("", []byte("\xef\xbb\xbffunc.func @f() {\n  return\n}"))
	if err != nil {
		t.Fatal(err)
	}
	roundTrip(t, m)
}
