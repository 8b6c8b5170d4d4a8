package nx_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
)

// operandsOf are what functions are applied to: x and y are matrices 4 × 4, v is a vector of 4
// numbers in [0, 1), i one of 3 places.
type operandsOf struct{ x, y, v, i nx.Tensor }

// everyOp applies each function of tensors to some operands. Names are those of the results'
// axes, where x has the names r and c and others have none; a blank is an axis without.
var everyOp = map[string]struct {
	f     func(o operandsOf) []nx.Tensor
	names string
}{}

func init() {
	type fn = func(o operandsOf) []nx.Tensor
	list := func(ts ...nx.Tensor) []nx.Tensor { return ts }
	add := func(name, names string, f func(o operandsOf) []nx.Tensor) {
		everyOp[name] = struct {
			f     fn
			names string
		}{f, names}
	}
	for name, f := range map[string]func(nx.Tensor) nx.Tensor{
		"Abs": nx.Abs, "Acos": nx.Acos, "Acosh": nx.Acosh, "Asin": nx.Asin, "Asinh": nx.Asinh, "Atan": nx.Atan,
		"Atanh": nx.Atanh, "BesselI0e": nx.BesselI0e, "Cbrt": nx.Cbrt, "Ceil": nx.Ceil, "Conj": nx.Conj, "Cos": nx.Cos,
		"Cosh": nx.Cosh, "Digamma": nx.Digamma, "Erf": nx.Erf, "ErfInv": nx.ErfInv, "Erfc": nx.Erfc, "Exp": nx.Exp,
		"Expm1": nx.Expm1, "Floor": nx.Floor, "Gelu": nx.Gelu, "Imag": nx.Imag, "IsFinite": nx.IsFinite,
		"IsInf": nx.IsInf, "IsNaN": nx.IsNaN, "Lgamma": nx.Lgamma, "Log": nx.Log, "Log10": nx.Log10, "Log1p": nx.Log1p,
		"Log2": nx.Log2, "LogicalNot": nx.LogicalNot, "Neg": nx.Neg, "Phase": nx.Phase, "Real": nx.Real, "Relu": nx.Relu,
		"Round": nx.Round, "RoundEven": nx.RoundEven, "Rsqrt": nx.Rsqrt, "Sigmoid": nx.Sigmoid, "Sign": nx.Sign,
		"Silu": nx.Silu, "Sin": nx.Sin, "Sinh": nx.Sinh, "Softplus": nx.Softplus, "Sqrt": nx.Sqrt, "Square": nx.Square,
		"StopGradient": nx.StopGradient, "Tan": nx.Tan, "Tanh": nx.Tanh,
	} {
		add(name, "r,c", func(o operandsOf) []nx.Tensor { return list(f(o.x)) })
	}
	for name, f := range map[string]func(nx.Tensor) nx.Tensor{
		"BitwiseNot": nx.BitwiseNot, "PopulationCount": nx.PopulationCount, "CountLeadingZeros": nx.CountLeadingZeros,
	} {
		add(name, "r,c", func(o operandsOf) []nx.Tensor { return list(f(nx.Cast(o.x, nx.S32))) })
	}
	type binary = func(a, b nx.Tensor) nx.Tensor
	for name, f := range map[string]binary{
		"Add": nx.Add[nx.Tensor, nx.Tensor], "Sub": nx.Sub[nx.Tensor, nx.Tensor], "Mul": nx.Mul[nx.Tensor, nx.Tensor],
		"Div": nx.Div[nx.Tensor, nx.Tensor], "Remainder": nx.Remainder[nx.Tensor, nx.Tensor],
		"Pow": nx.Pow[nx.Tensor, nx.Tensor], "Atan2": nx.Atan2[nx.Tensor, nx.Tensor],
		"Maximum": nx.Maximum[nx.Tensor, nx.Tensor], "Minimum": nx.Minimum[nx.Tensor, nx.Tensor],
		"Equal": nx.Equal[nx.Tensor, nx.Tensor], "NotEqual": nx.NotEqual[nx.Tensor, nx.Tensor],
		"Less": nx.Less[nx.Tensor, nx.Tensor], "LessEqual": nx.LessEqual[nx.Tensor, nx.Tensor],
		"Greater": nx.Greater[nx.Tensor, nx.Tensor], "GreaterEqual": nx.GreaterEqual[nx.Tensor, nx.Tensor],
		"LogicalAnd": nx.LogicalAnd[nx.Tensor, nx.Tensor], "LogicalOr": nx.LogicalOr[nx.Tensor, nx.Tensor],
		"LogicalXor": nx.LogicalXor[nx.Tensor, nx.Tensor], "Complex": nx.Complex[nx.Tensor, nx.Tensor],
		"IsClose": func(a, b nx.Tensor) nx.Tensor { return nx.IsClose(a, b, nx.Tolerance(0.5, 0.5)) },
	} {
		add(name, "r,c r,c r,c", func(o operandsOf) []nx.Tensor { return list(f(o.x, o.y), f(o.v, o.x), f(o.y, o.x)) })
	}
	for name, f := range map[string]binary{
		"BitwiseAnd": nx.BitwiseAnd[nx.Tensor, nx.Tensor], "BitwiseOr": nx.BitwiseOr[nx.Tensor, nx.Tensor],
		"BitwiseXor": nx.BitwiseXor[nx.Tensor, nx.Tensor], "LeftShift": nx.LeftShift[nx.Tensor, nx.Tensor],
		"RightShift": nx.RightShift[nx.Tensor, nx.Tensor], "Quotient": nx.Quotient[nx.Tensor, nx.Tensor],
	} {
		add(name, "r,c r,c", func(o operandsOf) []nx.Tensor {
			x, y := nx.Cast(o.x, nx.S32), nx.Cast(o.y, nx.S32)
			return list(f(x, y), f(y, x))
		})
	}
	type reduction = func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor
	for name, f := range map[string]reduction{
		"All": nx.All, "Any": nx.Any, "ArgMax": nx.ArgMax, "ArgMin": nx.ArgMin, "LogSumExp": nx.LogSumExp, "Max": nx.Max,
		"Mean": nx.Mean, "Median": nx.Median, "Min": nx.Min, "Mode": nx.Mode, "Prod": nx.Prod,
		"StandardDeviation": variance(nx.StandardDeviation), "Sum": nx.Sum, "Variance": variance(nx.Variance),
		"Quantile": func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor { return nx.Quantile(t, 0.3, opts...) },
		"Reduce": func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor {
			return nx.Reduce(t, 1, nx.Mul[nx.Tensor, nx.Tensor], opts...)
		},
	} {
		add(name, ";c;r,c;r", func(o operandsOf) []nx.Tensor {
			return list(f(o.x), f(o.x, nx.Axis(0)), f(o.x, nx.Axis(-1), nx.KeepAxes), f(o.x, nx.Axis(-1)))
		})
	}
	for name, f := range map[string]func(t, w nx.Tensor, opts ...nx.ReduceOption) nx.Tensor{
		"WeightedMean": nx.WeightedMean, "WeightedLogSumExp": nx.WeightedLogSumExp,
	} {
		add(name, ";c", func(o operandsOf) []nx.Tensor {
			w := nx.Abs(o.y)
			return list(f(o.x, w), f(o.x, w, nx.Axis(0)))
		})
	}
	for name, f := range map[string]func(t nx.Tensor, opts ...nx.CumulativeOption) nx.Tensor{
		"CumSum": nx.CumSum, "CumProd": nx.CumProd, "CumMax": nx.CumMax, "CumMin": nx.CumMin,
	} {
		add(name, "r,c r,c", func(o operandsOf) []nx.Tensor { return list(f(o.x), f(o.x, nx.Axis(1), nx.Reversed)) })
	}
	for name, f := range map[string]func(t nx.Tensor, opts ...nx.FFTOption) nx.Tensor{
		"FFT": nx.FFT, "IFFT": nx.IFFT, "FFT2": nx.FFT2, "IFFT2": nx.IFFT2, "FFTN": nx.FFTN, "IFFTN": nx.IFFTN,
		"RFFT": nx.RFFT, "IRFFT": nx.IRFFT,
	} {
		add(name, "r,c", func(o operandsOf) []nx.Tensor { return list(f(o.x)) })
	}
	for name, f := range map[string]func(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor{
		"FFTShift": nx.FFTShift, "IFFTShift": nx.IFFTShift, "Reverse": nx.Reverse, "Softmax": nx.Softmax,
		"LogSoftmax": nx.LogSoftmax,
		"Roll":       func(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor { return nx.Roll(t, 3, opts...) },
		"Repeat":     func(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor { return nx.Repeat(t, 2, opts...) },
		"Diff":       func(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor { return nx.Diff(t, 1, opts...) },
		"LayerNorm":  func(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor { return nx.LayerNorm(t, 1e-5, opts...) },
	} {
		add(name, "r,c", func(o operandsOf) []nx.Tensor { return list(f(o.x, nx.Axis(0))) })
	}
	type window = func(t nx.Tensor, size []int, opts ...nx.WindowOption) nx.Tensor
	for name, f := range map[string]window{
		"WindowSum": nx.WindowSum, "WindowProd": nx.WindowProd, "WindowMax": nx.WindowMax, "WindowMin": nx.WindowMin,
		"WindowMean": nx.WindowMean,
		"WindowReduce": func(t nx.Tensor, size []int, opts ...nx.WindowOption) nx.Tensor {
			return nx.WindowReduce(t, 0, size, nx.Add[nx.Tensor, nx.Tensor], opts...)
		},
		"WindowScatterMax": func(t nx.Tensor, size []int, opts ...nx.WindowOption) nx.Tensor {
			return nx.WindowScatterMax(t, nx.WindowMax(t, size, opts...), 0, size, opts...)
		},
		"WindowScatterMin": func(t nx.Tensor, size []int, opts ...nx.WindowOption) nx.Tensor {
			return nx.WindowScatterMin(t, nx.WindowMax(t, size, opts...), 0, size, opts...)
		},
	} {
		add(name, "r,c", func(o operandsOf) []nx.Tensor {
			return list(f(o.x, []int{2, 1}, nx.Strides(2, 1), nx.Padding([2]int{1, 1}, [2]int{0, 0})))
		})
	}
	add("AddAt", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.AddAt(o.x, o.v, o.i.At(0))) })
	add("SetAt", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.SetAt(o.x, o.v, nx.Whole, o.i.At(1))) })
	add("AllClose", ";", func(o operandsOf) []nx.Tensor {
		return list(nx.AllClose(o.x, o.y), nx.AllClose(o.x, o.x))
	})
	add("ArgSort", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.ArgSort(o.x, nx.Axis(0))) })
	add("Sort", "r,c r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.Sort(o.x), nx.Sort(o.x, nx.Axis(0), nx.Descending))
	})
	add("SearchSorted", "r,c _,_", func(o operandsOf) []nx.Tensor {
		return list(nx.SearchSorted(nx.Sort(o.v), o.x), nx.SearchSorted(nx.Sort(o.v), o.y, nx.Right, nx.As(nx.U8)))
	})
	add("TopK", "r,c r,c", func(o operandsOf) []nx.Tensor {
		v, i := nx.TopK(o.x, 2)
		return list(v, i)
	})
	add("Bitcast", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.Bitcast(o.x, nx.S64)) })
	add("BroadcastTo", "_,r,c", func(o operandsOf) []nx.Tensor { return list(nx.BroadcastTo(o.x, 2, 4, 4)) })
	add("Cast", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.Cast(o.x, nx.S8)) })
	add("Clip", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.Clip(o.x, -1, 1)) })
	add("Concatenate", "r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.Concatenate([]nx.Tensor{o.x, o.y, o.x}, nx.Axis(1)))
	})
	add("Stack", "_,r,c", func(o operandsOf) []nx.Tensor { return list(nx.Stack([]nx.Tensor{o.y, o.x})) })
	add("Conv", "_,r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.Conv(nx.ExpandAxis(o.x, nx.Axis(0)), nx.Reshape(o.y, 2, 4, 2)))
	})
	add("Covariance", "_,_", func(o operandsOf) []nx.Tensor { return list(nx.Covariance(o.x)) })
	add("CrossEntropy", "r", func(o operandsOf) []nx.Tensor {
		return list(nx.CrossEntropy(o.x, nx.Concatenate([]nx.Tensor{o.i, nx.New([]int32{1})})))
	})
	add("SoftCrossEntropy", "r", func(o operandsOf) []nx.Tensor {
		return list(nx.SoftCrossEntropy(o.x, nx.Softmax(o.y)))
	})
	add("Diag", "_,_", func(o operandsOf) []nx.Tensor { return list(nx.Diag(o.v, 1)) })
	add("Diagonal", "_", func(o operandsOf) []nx.Tensor { return list(nx.Diagonal(o.x, 1)) })
	add("SetDiagonal", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.SetDiagonal(o.x, o.v, 0)) })
	add("Dot", "r;r,_;_,c;c;r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.Dot(o.x, o.v), nx.Dot(o.x, o.y), nx.Dot(o.y, o.x), nx.Dot(o.v, o.x), nx.Dot(o.x, nx.Sum(o.v)))
	})
	add("DotGeneral", "r,_", func(o operandsOf) []nx.Tensor {
		return list(nx.DotGeneral(o.x, o.y, nx.DotDims{ContractA: []int{1}, ContractB: []int{1}}))
	})
	add("Einsum", "_,r", func(o operandsOf) []nx.Tensor { return list(nx.Einsum("ab,cb,a->ca", o.x, o.y, o.v)) })
	add("ExpandAxis", "r,_,c", func(o operandsOf) []nx.Tensor { return list(nx.ExpandAxis(o.x, nx.Axis(1))) })
	add("Squeeze", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.Squeeze(nx.ExpandAxis(o.x, nx.Axis(1)))) })
	add("Flatten", "_", func(o operandsOf) []nx.Tensor { return list(nx.Flatten(o.x)) })
	add("FullLike", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.FullLike(o.x, 3)) })
	add("ZerosLike", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.ZerosLike(o.x)) })
	places := func(o operandsOf) nx.Tensor { return nx.ExpandAxis(o.i, nx.Axis(-1)) }
	add("Gather", "_,_", func(o operandsOf) []nx.Tensor { return list(nx.Gather(o.x, places(o))) })
	add("IndexedAdd", "r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.IndexedAdd(o.x, places(o), o.y.At(nx.To(3))))
	})
	add("IndexedPut", "r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.IndexedPut(o.x, nx.New([][]int32{{3}, {1}, {0}}), o.y.At(nx.To(3))))
	})
	add("Histogram", "_", func(o operandsOf) []nx.Tensor { return list(nx.Histogram(o.x, 5, -2, 2)) })
	add("NonZero", "_,_;;_,_;", func(o operandsOf) []nx.Tensor {
		p, n := nx.NonZero(nx.Greater(o.x, 0), 6)
		none, one := nx.NonZero(nx.Sum(o.x), 2)
		return list(p, n, none, one)
	})
	add("OneHot", "r,c,_", func(o operandsOf) []nx.Tensor { return list(nx.OneHot(nx.Cast(o.x, nx.S32), 3, nx.F32)) })
	add("Outer", "r,_;_,c", func(o operandsOf) []nx.Tensor { return list(nx.Outer(o.x, o.v), nx.Outer(o.v, o.x)) })
	add("Pad", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.Pad(o.x, 7, [2]int{1, 0}, [2]int{-1, 2})) })
	add("PadInterior", "r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.PadInterior(o.x, 7, []int{1, 0}, [2]int{1, 0}, [2]int{0, 2}))
	})
	add("PadWith", "r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.PadWith(o.x, nx.PadReflect, [2]int{1, 2}, [2]int{0, 1}))
	})
	add("PutSlice", "r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.PutSlice(o.x, o.y.At(nx.To(2), nx.To(2)), 1, 2))
	})
	add("Rename", "a,b", func(o operandsOf) []nx.Tensor { return list(nx.Rename(o.x, "a", "b")) })
	add("Reshape", "_,_", func(o operandsOf) []nx.Tensor { return list(nx.Reshape(o.x, 2, -1)) })
	add("SegmentSum", "r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.SegmentSum(o.x.At(nx.To(3)), o.i, 4))
	})
	add("Split", "r,c r,c", func(o operandsOf) []nx.Tensor { return nx.Split(o.x, []int{1, 3}, nx.Axis(1)) })
	add("Take", "r,c;r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.Take(o.x, o.i, nx.Axis(0)), nx.Take(o.x, o.i, nx.Axis(1)))
	})
	add("TakeAlong", "r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.TakeAlong(o.x, nx.ArgSort(o.y, nx.Axis(1)), nx.Axis(1)))
	})
	add("Tile", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.Tile(o.x, 2, 1)) })
	add("Transpose", "c,r", func(o operandsOf) []nx.Tensor { return list(nx.Transpose(o.x)) })
	add("Tril", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.Tril(o.x, 1)) })
	add("Triu", "r,c", func(o operandsOf) []nx.Tensor { return list(nx.Triu(o.x, 1)) })
	add("Where", "r,c r,c", func(o operandsOf) []nx.Tensor {
		return list(nx.Where(nx.Greater(o.x, o.y), o.x, 0), nx.Where(nx.Greater(o.y, 0), o.v, o.x))
	})
}

// notEveryOp are functions of tensors that are no map of operands to results, by the reason.
var notEveryOp = map[string][]string{
	"they run on a mesh": {"AllGather", "AllReduce", "AllReduceMax", "AllReduceMean", "AllReduceMin", "AllToAll",
		"Permute", "ReduceScatter", "ShardJit", "ShardMap", "ShardingConstraint", "Shards",
		"FromShards"},
	"they change vectorised axes": {"BroadcastVectors", "Devectorize", "ReshapeVectors", "Revectorize", "Vectorize"},
	"they take functions": {"AssociativeScan", "Case", "Checkpoint", "Composite", "Cond", "CustomJVP", "CustomVJP",
		"Grad", "Hessian", "Hook", "Jacobian", "Jit", "MapRows", "RuntimeCall", "Scan", "Vmap", "While"},
	"they are iterators, containers and transfers": {"Batches", "LoadFunc", "PadBatch", "PrintValue", "Ravel", "Rows",
		"Transfer"},
}

func testOperands() operandsOf {
	wave := func(shape ...int) nx.Tensor {
		n := nx.Shape(shape).Size()
		return nx.Reshape(nx.Mul(nx.Sin(nx.Mul(nx.Iota(nx.Shape{n}, nx.F64), 1.7)), 2.5), shape...)
	}
	return operandsOf{x: wave(2, 3, 4, 4), y: nx.Add(wave(3, 4, 4), 0.25), v: nx.Square(nx.Sin(wave(3, 4))),
		i: nx.New([][][]int32{{{0, 3, 1}, {2, 0, 0}, {1, 1, 3}}, {{3, 0, 2}, {0, 0, 0}, {2, 1, 0}}})}
}

// TestEveryOpVectorized: a function of vectorised operands is that of each element alone.
func TestEveryOpVectorized(t *testing.T) {
	o := testOperands()
	vectors := operandsOf{nx.Vectorize(o.x, "i", "j"), nx.Vectorize(o.y, "j"), nx.Vectorize(o.v, "j"),
		nx.Vectorize(o.i, "k", "j")}
	for name, op := range everyOp {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("panic: %v", p)
				}
			}()
			for r, got := range op.f(vectors) {
				for at := range 2 * 3 * 2 {
					i, j, k := at/6, at/2%3, at%2
					want := op.f(operandsOf{o.x.At(i, j), o.y.At(j), o.v.At(j), o.i.At(k, j)})[r]
					have := got
					if have.Vectors() == nil {
						t.Fatalf("result %d has no vectorised axes: %v", r, got.Spec())
					}
					places := map[string]int{"i": i, "j": j, "k": k}
					var index []any
					for _, v := range got.Vectors() {
						index = append(index, places[v.Name])
					}
					have = nx.Devectorize(have).At(index...)
					if have.DType() != want.DType() || !slices.Equal(have.Shape(), want.Shape()) || !nearlyEqual(have, want) {
						t.Fatalf("result %d of element %d, %d, %d is\n%v\nnot\n%v", r, i, j, k, have, want)
					}
				}
			}
		})
	}
}

// nearlyEqual reports whether two tensors are equal but for the last bits of a float; NaN is NaN.
func nearlyEqual(a, b nx.Tensor) bool {
	return nx.Item[bool](nx.AllClose(nx.Rename(a), nx.Rename(b), nx.EqualNaN, nx.Tolerance(1e-12, 1e-12)))
}

// TestEveryOpNamed: results have the names that the rules give them, and the values that they
// have without names.
func TestEveryOpNamed(t *testing.T) {
	o := testOperands()
	plain := operandsOf{o.x.At(0, 0), o.y.At(0), o.v.At(0), o.i.At(0, 0)}
	named := plain
	named.x = nx.Rename(plain.x, "r", "c")
	for name, op := range everyOp {
		var got []string
		want := op.f(plain)
		for i, r := range op.f(named) {
			names := slices.Clone(r.Names())
			for k := range names {
				if names[k] == "" {
					names[k] = "_"
				}
			}
			got = append(got, strings.Join(names, ","))
			if !nearlyEqual(r, want[i]) {
				t.Errorf("%s: result %d is\n%v\nnot\n%v", name, i, r, want[i])
			}
		}
		if s := strings.Join(got, ";"); s != strings.ReplaceAll(op.names, " ", ";") {
			t.Errorf("%s: the names are %q, not %q", name, s, op.names)
		}
	}
}

// TestEveryOpIsThere: no function that takes tensors and no functions is missing.
func TestEveryOpIsThere(t *testing.T) {
	tensor, list := reflect.TypeFor[nx.Tensor](), reflect.TypeFor[[]nx.Tensor]()
	others := slices.Concat(slices.Collect(maps.Values(notEveryOp))...)
	for name, values := range reachable {
		typ := reflect.TypeOf(values[0])
		if strings.Contains(name, ".") || typ.NumIn() == 0 || typ.NumOut() == 0 {
			continue
		}
		takes := typ.In(0) == tensor || typ.In(0) == list
		gives := typ.Out(0) == tensor || typ.Out(0) == list
		if _, ok := everyOp[name]; takes && gives && !ok && !slices.Contains(others, name) {
			t.Errorf("%s, a %v, is not in everyOp", name, typ)
		}
	}
}
