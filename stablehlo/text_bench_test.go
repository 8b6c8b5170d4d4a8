package stablehlo_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
)

// benchTexts are the texts that reading and printing is measured on.
func benchTexts(b *testing.B) map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	var decimal, hexadecimal, ints, ops strings.Builder
	const n = 1 << 20
	decimal.WriteString("func.func @f() {\n  %0 = stablehlo.constant dense<[")
	ints.WriteString("func.func @f() {\n  %0 = stablehlo.constant dense<[")
	hexadecimal.WriteString("func.func @f() {\n  %0 = stablehlo.constant dense<\"0x")
	for i := range n {
		if i > 0 {
			decimal.WriteString(", ")
			ints.WriteString(", ")
		}
		fmt.Fprintf(&decimal, "%.9e", float32(rng.NormFloat64()))
		fmt.Fprintf(&ints, "%d", rng.IntN(2000000)-1000000)
		fmt.Fprintf(&hexadecimal, "%08X%08X", rng.Uint32(), rng.Uint32())
	}
	fmt.Fprintf(&decimal, "]> : tensor<%dxf32>\n  return\n}\n", n)
	fmt.Fprintf(&ints, "]> : tensor<%dxi32>\n  return\n}\n", n)
	fmt.Fprintf(&hexadecimal, "\"> : tensor<%dxf32>\n  return\n}\n", 2*n)
	ops.WriteString(
		"func.func @f(%arg0: tensor<4x8xf32>) -> tensor<4x8xf32> {\n  %0 = stablehlo.add %arg0, %arg0 : tensor<4x8xf32>\n")
	for i := range 100_000 {
		fmt.Fprintf(&ops, "  %%%d = stablehlo.multiply %%%d, %%arg0 : tensor<4x8xf32>\n", i+1, i)
	}
	fmt.Fprintf(&ops, "  return %%100000 : tensor<4x8xf32>\n}\n")
	var jax bytes.Buffer
	files, _ := filepath.Glob(filepath.Join(testkit.Shared(b, "conformance", "jax"), "*", "program*.mlir"))
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		if !bytes.Contains(text, []byte("#loc")) && !bytes.Contains(text, []byte("#sdy")) {
			jax.Write(text)
		}
	}
	return map[string][]byte{
		"decimal": []byte(decimal.String()),
		"ints":    []byte(ints.String()),
		"hex":     []byte(hexadecimal.String()),
		"ops":     []byte(ops.String()),
		"jax":     jax.Bytes(),
	}
}

func BenchmarkParse(b *testing.B) {
	for name, text := range benchTexts(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := stablehlo.Parse(name, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPrint(b *testing.B) {
	for name, text := range benchTexts(b) {
		m, err := stablehlo.Parse(name, text)
		if err != nil {
			b.Fatal(err)
		}
		for _, opts := range []stablehlo.PrintOptions{{}, {Generic: true}} {
			b.Run(fmt.Sprintf("%s/generic=%t", name, opts.Generic), func(b *testing.B) {
				b.SetBytes(int64(len(printed(b, m, opts))))
				b.ReportAllocs()
				for b.Loop() {
					if err := stablehlo.Print(io.Discard, m, opts); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
