package stablehlo_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// FuzzParse checks that no text makes the parser panic, and that parsed modules are printed and read back
// unchanged.
func FuzzParse(f *testing.F) {
	files, _ := filepath.Glob("testdata/text/*.mlir")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, seed := range []string{
		"",
		"#a = dense<1> : tensor<2xi32>\n!t = tensor<2xf32, #b.c<#a>>\nfunc.func private @f(!t {x = #a})",
		"module {} loc(#l)\n#l = loc(fused<[1]>[#m, callsite(\"a\"(#m) at unknown)])\n#m = loc(\"f\":1:2 to 3:4)",
		"func.func @f(%x: tensor<f32> loc(\"x\")) { return loc(#l) }\n#l = loc(#m)\n#m = loc(\"a\")",
		"\"a.b\"() ({\n^a(%x: i1):\n \"c.d\"(%x) : (i1) -> ()\n^b:\n}, {}) {a, \"b c\" = [unit, @a::@b, 0x1F : f16]} : () -> ()",
		"%a, %b:2 = \"a.b\"() : () -> (i1, i2, i3)\n\"c\"(%b#1, %a) : (i3, i1) -> ()",
		"\"a\"() {x = dense_resource<b> : tensor<2xi8>} : () -> ()\n{-# dialect_resources: {builtin: {b: \"0x010000000203\"}} #-}",
		"\"a\"() {x = dense<\"0x0F\"> : tensor<9xi1>, y = dense<[[(1.0, 2.0)]]> : tensor<1x1xcomplex<f32>>} : () -> ()",
		"\"a\"() {x = !quant.uniform<i4<-7:7>:f32:1, {0.1:2, 0x3FF0000000000000}>, y = memref<2xf32, 1>} : () -> ()",
		"\"a\"() {x = #stablehlo.conv<raw input_batch_dimension = 1>, y = array<f64: -1.0>, z = 1 : i17} : () -> ()",
		"func.func @f(%0: !a.b, %1: !a.b) { stablehlo.while(%2 = %0,",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := stablehlo.Parse("fuzz", text)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error without a message")
			}
			return
		}
		roundTrip(t, m)
	})
}
