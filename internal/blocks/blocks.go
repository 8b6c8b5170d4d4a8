// Package blocks holds the named blocks of linear algebra and of quantised products: composites such as nx.lu, whose
// decomposition into plain ops runs on any backend, and for which a compiler may have its own
// algorithm. The calls of LAPACK, cuSOLVER and XLA's factorisations in programs that JAX exported
// are lowered to them ([LowerCalls]).
//
// All blocks work on the matrices in the last two dimensions; those before are batches. Their
// elements are f32, f64, c64 or c128.
package blocks

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// The names of the blocks.
const (
	// LU factors a[m,n], row i of which is row perm[i] of l·u. Results: l without its unit diagonal
	// below u, [m,n]; the row that was exchanged with row i, s32[min(m,n)]; perm, s32[m].
	LU = "nx.lu"
	// Solve solves a·x = b for a[n,n] and b[n,k].
	Solve = "nx.solve"
	// Cholesky is stablehlo.cholesky with the attribute lower.
	Cholesky = "nx.cholesky"
	// TriangularSolve is stablehlo.triangular_solve with its attributes left_side,
	// lower, unit_diagonal and, as bools, transpose and adjoint.
	TriangularSolve = "nx.triangular_solve"
	// HouseholderQR factors a[m,n] as LAPACK's geqrf does. Results: r with the vectors of the
	// reflectors below its diagonal, [m,n]; their factors, [min(m,n)].
	HouseholderQR = "nx.householder_qr"
	// HouseholderProduct returns the first n columns of the product of reflectors a[m,n] with
	// factors taus[k], k ≤ n ≤ m.
	HouseholderProduct = "nx.householder_product"
	// QR returns q[m,n] and r[n,n] of a[m,n], m ≥ n.
	QR = "nx.qr"
	// PivotedQR is HouseholderQR of a[m,n] with its columns exchanged: those for which the second
	// operand, s32[n], is not 0 come first. Its third result is the index of the column of a that
	// is column i of the product, s32[n].
	PivotedQR = "nx.pivoted_qr"
	// Eigh returns the eigenvalues, ascending, and eigenvectors of the Hermitian matrix in the
	// lower triangle of a[n,n], or with the attribute upper in the upper one.
	Eigh = "nx.eigh"
	// Eigvalsh returns only the eigenvalues.
	Eigvalsh = "nx.eigvalsh"
	// SVD returns u[m,k], s[k], descending, and vᴴ[k,n] of a[m,n], k = min(m, n), or with the
	// attribute full_matrices u[m,m] and vᴴ[n,n].
	SVD = "nx.svd"
	// SVDVals returns only s.
	SVDVals = "nx.svdvals"
	// Hessenberg reduces a[n,n] as LAPACK's gehrd does. Results: the Hessenberg form with
	// the vectors of the reflectors below it, their factors, [n-1].
	Hessenberg = "nx.hessenberg"
	// Schur returns t[n,n], upper triangular, or for real matrices with 2×2 blocks on the diagonal,
	// and z[n,n], unitary, with a = z·t·zᴴ.
	Schur = "nx.schur"
	// Eig returns the eigenvalues of a[n,n], the left and the right eigenvectors, all complex.
	Eig = "nx.eig"
	// Tridiagonal reduces the Hermitian matrix in the lower triangle of a[n,n], or with the
	// attribute upper in the upper one, as LAPACK's hetrd does. Results: the matrix with the
	// vectors of the reflectors, its diagonal, the subdiagonal, the factors, [n-1].
	Tridiagonal = "nx.tridiagonal"
	// TridiagonalSolve solves for b[n,k] with the diagonals below, on and above, [n] each. Results:
	// the diagonals as overwritten by LAPACK's gtsv, the solution.
	TridiagonalSolve = "nx.tridiagonal_solve"
	// QuantizedDot multiplies x[m,k] by the transpose of w[n,k], integers with scales: y[m,n], all
	// f32. W is s8[n,k], or u8[n,k/2] of integers of 4 bits: byte i of the 16 of a group of 32 has
	// integer i in its low half and integer 16+i in its high half, both plus 8. Scales f32[n,g] are
	// those of k/g integers each; if g is 0, they are 1. Equal dimensions before are batches.
	QuantizedDot = "nx.quantized_dot"
)

type value = emit.Value

// block is a row of the table: build appends the decomposition of a block applied to operands and
// returns its results.
type block struct {
	operands int
	build    func(b builder, attrs stablehlo.DictAttr, in []value) []value
}

var table lazy.Value[map[string]block]

func listBlocks() map[string]block {
	return map[string]block{
		LU:              {1, buildLU},
		Solve:           {2, buildSolve},
		Cholesky:        {1, buildCholesky},
		TriangularSolve: {2, buildTriangularSolve},

		HouseholderQR:      {1, buildHouseholderQR},
		HouseholderProduct: {2, buildHouseholderProduct},
		QR:                 {1, buildQR},
		PivotedQR:          {2, buildPivotedQR},

		Eigh:     {1, buildEigh},
		Eigvalsh: {1, buildEigvalsh},
		SVD:      {1, buildSVD},
		SVDVals:  {1, buildSVDVals},

		Hessenberg:       {1, buildHessenberg},
		Schur:            {1, buildSchur},
		Eig:              {1, buildEig},
		Tridiagonal:      {1, buildTridiagonal},
		TridiagonalSolve: {4, buildTridiagonalSolve},

		QuantizedDot: {3, buildQuantizedDot},
	}
}

// elements are the element types of matrices.
var elements = []dtype.Type{dtype.F32, dtype.F64, dtype.C64, dtype.C128}

// Is reports whether op is one of the blocks.
func Is(op *stablehlo.Op) bool {
	if op.Code != stablehlo.OpComposite {
		return false
	}
	_, ok := table.Get(listBlocks)[op.Str("name")]
	return ok
}

// Names returns the names of all blocks.
func Names() []string {
	table := table.Get(listBlocks)
	names := make([]string, 0, len(table))
	for name := range table {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Function is the decomposition of a block for operands of certain types, in a module with the
// decompositions that it uses.
type Function struct {
	Name   string
	Outs   []stablehlo.Type
	Module *stablehlo.Module
}

// known caches functions by their names, which determine their contents.
var known struct {
	sync.Mutex
	m map[string]*Function
}

// maxKnown bounds the cache, as a function may have about 50 kB; at the limit the cache is cleared.
const maxKnown = 128

// Decompose returns the decomposition of a block. The module is shared: it must not be changed.
func Decompose(name string, attrs stablehlo.DictAttr, ins []stablehlo.Type) (f *Function, err error) {
	defer emit.Catch(&err)
	row, ok := table.Get(listBlocks)[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("the block %q does not exist: the blocks are %s", name, strings.Join(Names(), ", "))
	case len(ins) != row.operands:
		return nil, fmt.Errorf("%s must have %d operands, got %d", name, row.operands, len(ins))
	}
	for i, t := range ins {
		switch tt, ok := t.(*stablehlo.TensorType); {
		case !ok || !tt.IsStatic():
			return nil, fmt.Errorf("the shapes of the operands of %s must be static, got %s", name, t)
		case i == 0 && !slices.Contains(elements, tt.DType()):
			return nil, fmt.Errorf("the elements of the operands of %s must be f32, f64, c64 or c128, got %s", name, t)
		}
	}
	id := mangle(name, attrs, ins)
	known.Lock()
	f = known.m[id]
	known.Unlock()
	if f != nil {
		return f, nil
	}
	m := stablehlo.NewModule("")
	fn, err := m.BuildFunc(id, ins, func(sb *stablehlo.Builder, args []value) (out []value, err error) {
		defer emit.Catch(&err)
		return row.build(builder{emit.Emitter{B: sb}, m}, attrs, args), nil
	})
	if err != nil {
		return nil, err
	}
	fn.SetAttr("sym_visibility", stablehlo.StringAttr("private"))
	f = &Function{Name: id, Outs: fn.Type().Outs, Module: m}
	known.Lock()
	defer known.Unlock()
	if known.m == nil || len(known.m) >= maxKnown {
		known.m = map[string]*Function{}
	}
	known.m[id] = f
	return f, nil
}

// mangle returns the name of a decomposition.
func mangle(name string, attrs stablehlo.DictAttr, ins []stablehlo.Type) string {
	var b strings.Builder
	b.WriteString(name)
	for _, a := range attrs {
		fmt.Fprintf(&b, ".%s.%s", a.Name, strings.Trim(a.Value.String(), `"`))
	}
	for _, t := range ins {
		b.WriteByte('_')
		for _, d := range t.(*stablehlo.TensorType).Dims {
			fmt.Fprintf(&b, "%dx", d)
		}
		b.WriteString(stablehlo.DType(t).String())
	}
	return b.String()
}

// Use adds the functions of a decomposition to a module if they are missing.
func (f *Function) Use(m *stablehlo.Module) {
	have := map[string]bool{}
	for g := range m.Funcs() {
		have[g.Name()] = true
	}
	for g := range f.Module.Funcs() {
		if !have[g.Name()] {
			m.Body().Append(g.Op.Clone(map[value]value{}))
		}
	}
}

// Append appends a block, and its decomposition to the module.
func Append(e emit.Emitter, m *stablehlo.Module, name string, attrs stablehlo.DictAttr, in ...value) []value {
	types := make([]stablehlo.Type, len(in))
	for i, v := range in {
		types[i] = v.Type()
	}
	f, err := Decompose(name, attrs, types)
	if err != nil {
		emit.FailWith(err)
	}
	f.Use(m)
	op := stablehlo.NewOp(stablehlo.OpComposite, in, f.Outs)
	op.SetAttr("name", stablehlo.StringAttr(name))
	op.SetAttr("decomposition", stablehlo.Symbol(f.Name))
	if len(attrs) > 0 {
		op.SetAttr("composite_attributes", attrs)
	}
	op.Loc = e.B.Loc
	return e.B.Block().Append(op).Results
}

// Attrs returns the attributes of a block.
func Attrs(op *stablehlo.Op) stablehlo.DictAttr {
	attrs, _ := op.Attr("composite_attributes").(stablehlo.DictAttr)
	return attrs
}

// Flag returns a bool attribute, false if it is absent.
func Flag(attrs stablehlo.DictAttr, name string) bool {
	v, _ := attrs.Get(name).(stablehlo.BoolAttr)
	return bool(v)
}

// realType returns the element type of absolute values.
func realType(t dtype.Type) dtype.Type {
	switch t {
	case dtype.C64:
		return dtype.F32
	case dtype.C128:
		return dtype.F64
	}
	return t
}
