package stop_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/blocks"
	"github.com/go-nx/nx/stablehlo"
)

// longBlocks has operands for every block with which it takes seconds: a matrix of sines
// first, integers that are 0, and what else it wants of ones.
var longBlocks = map[string][]string{
	blocks.LU:                 {"4000x4000xf64"},
	blocks.Solve:              {"4000x4000xf64", "4000x1xf64"},
	blocks.Cholesky:           {"5000x5000xf64"},
	blocks.TriangularSolve:    {"4000x4000xf64", "4000x4000xf64"},
	blocks.HouseholderQR:      {"2000x2000xf64"},
	blocks.HouseholderProduct: {"2000x2000xf64", "2000xf64"},
	blocks.QR:                 {"2000x2000xf64"},
	blocks.PivotedQR:          {"1500x1500xf64", "1500xi32"},
	blocks.Eigh:               {"1500x1500xf64"},
	blocks.Eigvalsh:           {"2000x2000xf64"},
	blocks.SVD:                {"1000x1000xf64"},
	blocks.SVDVals:            {"1500x1500xf64"},
	blocks.Hessenberg:         {"1500x1500xf64"},
	blocks.Schur:              {"700x700xf64"},
	blocks.Eig:                {"700x700xf64"},
	blocks.Tridiagonal:        {"2000x2000xf64"},
	blocks.TridiagonalSolve:   {"2000000xf64", "2000000xf64", "2000000xf64", "2000000x4xf64"},
	blocks.QuantizedDot:       {"3000x4096xf32", "8192x4096xi8", "8192x128xf32"},
}

// blockProgram returns a program of one block, with its decomposition.
func blockProgram(t *testing.T, name string) longOp {
	t.Helper()
	var ins []stablehlo.Type
	var lines, values, types []string
	for i, text := range longBlocks[name] {
		typ, err := stablehlo.ParseType("tensor<" + text + ">")
		if err != nil {
			t.Fatal(err)
		}
		ins = append(ins, typ)
		value := fmt.Sprintf("%%x%d", i)
		switch {
		case i == 0:
			all := typ.(*stablehlo.TensorType).Dims[0]
			for _, n := range typ.(*stablehlo.TensorType).Dims[1:] {
				all *= n
			}
			flat := fmt.Sprintf("tensor<%dx%s>", all, stablehlo.DType(typ))
			lines = append(lines, "%i = stablehlo.iota dim = 0 : "+flat, "%j = stablehlo.sine %i : "+flat,
				fmt.Sprintf("%s = stablehlo.reshape %%j : (%s) -> %s", value, flat, typ))
		case strings.HasSuffix(text, "i32"), strings.HasSuffix(text, "i8"):
			lines = append(lines, fmt.Sprintf("%s = stablehlo.constant dense<0> : %s", value, typ))
		default:
			lines = append(lines, fmt.Sprintf("%s = stablehlo.constant dense<1.0> : %s", value, typ))
		}
		values, types = append(values, value), append(types, typ.String())
	}
	f, err := blocks.Decompose(name, nil, ins)
	if err != nil {
		t.Fatal(err)
	}
	var outs []string
	for _, o := range f.Outs {
		outs = append(outs, o.String())
	}
	lines = append(lines,
		fmt.Sprintf("%%s:%d = stablehlo.composite %q %s {decomposition = @%s} : (%s) -> (%s)", len(outs), name,
			strings.Join(values, ", "), f.Name, strings.Join(types, ", "), strings.Join(outs, ", ")))
	functions := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(f.Module.String()), "module {"), "}")
	return longOp{name: name, code: stablehlo.OpComposite,
		text: mainOf(strings.Join(lines, "\n"), "%s#0", outs[0]) + functions}
}

// TestStoppingBlocks stops every block of linear algebra.
func TestStoppingBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	for _, name := range blocks.Names() {
		if longBlocks[name] == nil {
			t.Errorf("%s has no operands with which it is stopped", name)
			continue
		}
		testStopping(t, blockProgram(t, name))
	}
}
