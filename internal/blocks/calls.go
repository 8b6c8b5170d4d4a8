package blocks

import (
	"errors"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/emit"
	"github.com/go-nx/nx/internal/lazy"
	"github.com/go-nx/nx/stablehlo"
)

// call is a call of a library's factorisation in a program that JAX exported.
type call struct {
	op     *stablehlo.Op
	in     []value
	config stablehlo.DictAttr // the parameters of the routine
}

// callRow appends the computation of a call and returns its results, nil for outputs that must not
// be used.
type callRow func(b builder, c call) []value

// routine returns the name of the LAPACK routine of a custom_call, "" if it is not supported:
// lapack_dgetrf_ffi is getrf, and so is cusolver_getrf_ffi.
func routine(op *stablehlo.Op) string {
	if op.Code != stablehlo.OpCustomCall {
		return ""
	}
	target := op.Str("call_target_name")
	if name, ok := ownNames.Get(listOwnNames)[target]; ok {
		return name
	}
	name := strings.TrimSuffix(target, "_ffi")
	for _, prefix := range []string{"lapack_s", "lapack_d", "lapack_c", "lapack_z", "cusolver_", "hipsolver_"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			name = rest
			if alias, ok := aliases.Get(listAliases)[name]; ok {
				name = alias
			}
			if _, ok := calls.Get(listCalls)[name]; ok {
				return name
			}
		}
	}
	return ""
}

// aliases are the routines that differ from another one in the types or the algorithm.
var aliases lazy.Value[map[string]string]

func listAliases() map[string]string {
	return map[string]string{"ungqr": "orgqr", "unmqr": "ormqr", "heevd": "syevd", "hetrd": "sytrd",
		"syevj": "syevd", "gesvd": "gesdd", "gesvdp": "gesvdj"}
}

// ownNames are the targets with irregular names: those of XLA for TPUs, and kernels in JAX.
var ownNames lazy.Value[map[string]string]

func listOwnNames() map[string]string {
	return map[string]string{
		"LuDecomposition":              "lu",
		"cu_lu_pivots_to_permutation":  "pivots",
		"hip_lu_pivots_to_permutation": "pivots",
		"Eigh":                         "eigh",
		"cusparse_gtsv2_ffi":           "gtsv2",
		"hipsparse_gtsv2_ffi":          "gtsv2",
		"cuhybrid_eig_real":            "eigs",
		"cuhybrid_eig_comp":            "eigs",
		"hiphybrid_eig_real":           "eigs",
		"hiphybrid_eig_comp":           "eigs",
		"Qr":                           "geqrf",
		"cuhybrid_geqp3":               "geqp3",
		"hiphybrid_geqp3":              "geqp3",
		"ProductOfElementaryHouseholderReflectors": "orgqr",
	}
}

var calls lazy.Value[map[string]callRow]

func listCalls() map[string]callRow {
	return map[string]callRow{
		"potrf":  callPotrf,
		"getrf":  callGetrf,
		"trsm":   callTrsm,
		"lu":     callLU,
		"pivots": callPivots,
		"syevd":  callSyevd,
		"eigh":   callEigh,
		"sytrd":  callSytrd,
		"gehrd":  callGehrd,
		"gees":   callGees,
		"geev":   callGeev,
		"eigs":   callGeev,
		"gtsv":   callGtsv,
		"gtsv2":  callGtsv2,
		"gesdd":  callGesdd,
		"gesvdj": callGesvdj,
		"geqrf":  callGeqrf,
		"geqp3":  callGeqp3,
		"orgqr":  callOrgqr,
		"ormqr":  callOrmqr,
	}
}

// IsCall reports whether op is a custom_call that [LowerCalls] lowers to blocks.
func IsCall(op *stablehlo.Op) bool { return routine(op) != "" }

// LowerCalls lowers the calls of factorisations in a function of a module, if the shapes of their
// operands are known, to blocks and plain ops. It reports whether there were any.
func LowerCalls(m *stablehlo.Module, f stablehlo.Func) (found bool, err error) {
	defer emit.Catch(&err)
	if f.IsDeclaration() {
		return false, nil
	}
	for op := range f.Walk() {
		found = found || isReady(op)
	}
	if !found {
		return false, nil
	}
	renamed := map[value]value{}
	lowerBlock(m, f.Body(), renamed)
	f.Replace(renamed)
	return true, nil
}

func lowerBlock(m *stablehlo.Module, block *stablehlo.Block, renamed map[value]value) {
	ops := block.Ops
	block.SetOps(nil)
	for _, op := range ops {
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				lowerBlock(m, inner, renamed)
			}
		}
		op.Replace(renamed)
		if !isReady(op) {
			block.Append(op)
			continue
		}
		for i, v := range blamed(builder{emit.To(block), m}, op) {
			renamed[op.Results[i]] = v
		}
	}
}

// blamed lowers a call of a program; errors have its name and position.
func blamed(b builder, op *stablehlo.Op) []value {
	defer emit.Blame(op)
	return lowerCall(b, op)
}

// CallModule returns a module whose function main computes a call for operands of certain types,
// which are static.
func CallModule(op *stablehlo.Op, ins []stablehlo.Type) (m *stablehlo.Module, err error) {
	defer emit.Catch(&err)
	m = stablehlo.NewModule("")
	_, err = m.BuildFunc("main", ins, func(sb *stablehlo.Builder, args []value) (out []value, err error) {
		defer emit.Catch(&err)
		c := stablehlo.NewOp(op.Code, args, typesOf(op.Results), op.Attrs...)
		return lowerCall(builder{emit.Emitter{B: sb}, m}, c), nil
	})
	return m, err
}

// CheckCall returns the error of the routine of a call for its operands; nil for other ops, and if
// the shapes of the operands are not known.
func CheckCall(op *stablehlo.Op) error {
	if !isReady(op) {
		return nil
	}
	_, err := CallModule(op, typesOf(op.Operands))
	var failed *emit.Error
	if errors.As(err, &failed) { // the generated function is not the user's
		return failed
	}
	return err
}

func typesOf(vs []value) []stablehlo.Type {
	types := make([]stablehlo.Type, len(vs))
	for i, v := range vs {
		types[i] = v.Type()
	}
	return types
}

// isReady reports whether op is a call and the shapes of its operands are known.
func isReady(op *stablehlo.Op) bool {
	return IsCall(op) && !slices.ContainsFunc(op.Operands, func(v value) bool {
		t := v.Tensor()
		return t == nil || !t.IsStatic()
	})
}

// lowerCall appends the computation of a call and returns its results.
func lowerCall(b builder, op *stablehlo.Op) []value {
	defer emit.Blame(op)
	b.B.Loc = op.Loc
	c := call{op: op, in: op.Operands}
	for _, name := range []string{"mhlo.backend_config", "backend_config"} {
		if d, ok := op.Attr(name).(stablehlo.DictAttr); ok {
			c.config = d
		}
	}
	// in programs with dynamic shapes
	if sizes, ok := op.Attr("indices_of_shape_operands").(*stablehlo.ElementsAttr); ok {
		c.in = c.in[:len(c.in)-min(len(c.in), sizes.Len())]
	}
	out := calls.Get(listCalls)[routine(op)](b, c)
	if len(out) != len(op.Results) {
		emit.Fail("custom_call @%s must have %d results, got %d", op.Str("call_target_name"), len(out), len(op.Results))
	}
	for i, r := range op.Results {
		if out[i] == nil { // an unused result
			out[i] = b.Zeros(r.Type())
		}
		if emit.TensorOf(r).IsStatic() && !stablehlo.SameType(out[i].Type(), r.Type()) {
			emit.Fail("the type of result %d of custom_call @%s is %s, but must be %s", i, op.Str("call_target_name"),
				out[i].Type(), r.Type())
		}
	}
	return out
}

// operand returns an operand of the call, which must have it.
func (c call) operand(i, rank int) value {
	if i >= len(c.in) || emit.TensorOf(c.in[i]).Rank() < rank {
		emit.Fail("custom_call @%s must have an operand %d with at least %d dimensions", c.op.Str("call_target_name"), i, rank)
	}
	return c.in[i]
}

// letter returns a parameter that LAPACK takes as a letter.
func (c call) letter(name string, def byte) byte {
	if v, ok := c.config.Get(name).(stablehlo.IntAttr); ok {
		return byte(v.Value)
	}
	return def
}

// lower reports whether the lower triangle is selected: by uplo of LAPACK, or lower of cuSOLVER.
func (c call) lower() bool {
	if v, ok := c.config.Get("lower").(stablehlo.BoolAttr); ok {
		return bool(v)
	}
	return c.letter("uplo", 'L') == 'L'
}

// batchType is the type of a number per matrix.
func (c call) batchType(d dtype.Type, rank int) *stablehlo.TensorType {
	dims := emit.Sizes(c.in[0])
	return stablehlo.Tensor(d, dims[:len(dims)-rank]...)
}

// noInfo is the info of a routine that cannot fail.
func (b builder) noInfo(c call) value { return b.Full(c.batchType(dtype.S32, 2), 0) }

// firstWhere returns as info the number, from 1, of the first element of vectors [batch, n] for
// which pred is true, 0 if there is none.
func (b builder) firstWhere(c call, pred value, n int64) value {
	i := b.first(pred, 1, n)
	i = b.Select(b.Compare("LT", i, b.Fill(i, float64(n))), b.Plus(1, i), b.Fill(i, 0))
	return b.Reshape(i, c.batchType(dtype.S32, 2).Dims...)
}

// callPotrf: the factor and info, the order of the first leading minor that is not positive.
func callPotrf(b builder, c call) []value {
	a := c.operand(0, 2)
	l := b.Value(stablehlo.OpCholesky, []value{a}, stablehlo.Named("lower", stablehlo.BoolAttr(c.lower())))
	flat := b.flat(l, 2)
	d := b.Real(b.diagonal(flat))
	_, _, n := shape(flat)
	return []value{l, b.firstWhere(c, b.Compare("NE", d, d), n)}
}

// callGetrf: the factors, the exchanged rows, counted from 1, and info, the index of the first
// pivot that is zero.
func callGetrf(b builder, c call) []value {
	f := b.block(LU, nil, c.operand(0, 2))
	d := b.diagonal(b.flat(f[0], 2))
	zero := b.Compare("EQ", d, b.Fill(d, 0))
	return []value{f[0], b.Plus(1, f[1]), b.firstWhere(c, zero, emit.Sizes(d)[1])}
}

// callLU is XLA's call: the factors, the exchanged rows, counted from 0, and the permutation.
func callLU(b builder, c call) []value { return b.block(LU, nil, c.operand(0, 2)) }

// callPivots composes row exchanges to a permutation.
func callPivots(b builder, c call) []value {
	pivots := b.flat(c.operand(0, 1), 1)
	out := emit.TensorOf(c.op.Result())
	m := out.Dims[out.Rank()-1]
	batch, k := emit.Sizes(pivots)[0], emit.Sizes(pivots)[1]
	perm := b.Iota(dtype.S32, []int64{batch, m}, 1)
	if batch*k > 0 {
		perm = b.loop(k, []value{perm}, func(b builder, i value, s []value) []value {
			p := b.Convert(b.entry(pivots, i), dtype.S32)
			return []value{b.takeEntries(s[0], b.exchange(batch, m, i, p))}
		})[0]
	}
	return []value{b.Reshape(b.Convert(perm, out.DType()), out.Dims...)}
}

func callTrsm(b builder, c call) []value {
	a, x := c.operand(0, 2), c.operand(1, 2)
	transpose := map[byte]string{'N': "NO_TRANSPOSE", 'T': "TRANSPOSE", 'C': "ADJOINT"}[c.letter("trans_x", 'N')]
	if transpose == "" {
		emit.Fail("the trans_x of custom_call @%s must be N, T or C, got %q", c.op.Str("call_target_name"),
			c.letter("trans_x", 'N'))
	}
	return []value{b.solve(a, x, c.letter("side", 'L') == 'L', c.lower(), c.letter("diag", 'N') == 'U', transpose)}
}
