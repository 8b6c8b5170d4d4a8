package kit

import (
	"slices"

	"github.com/go-nx/nx/fft"
	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
)

// VectorOperands are those of [SampleOperands] with vectorised axes: x has i and j, y and v have j,
// i has k and j.
func VectorOperands(o Operands) Operands {
	return Operands{nx.Vectorize(o.X, "i", "j"), nx.Vectorize(o.Y, "j"), nx.Vectorize(o.V, "j"),
		nx.Vectorize(o.I, "k", "j")}
}

// Operands are what functions are applied to: x and y are matrices 4 × 4, v is a vector of 4
// numbers in [0, 1), i one of 3 places.
type Operands struct{ X, Y, V, I nx.Tensor }

// EveryOp applies each function of tensors to some operands. Names are those of the results'
// axes, where x has the names r and c and others have none; a blank is an axis without.
var EveryOp = map[string]struct {
	F     func(o Operands) []nx.Tensor
	Names string
}{}

func init() {
	type fn = func(o Operands) []nx.Tensor
	list := func(ts ...nx.Tensor) []nx.Tensor { return ts }
	add := func(name, names string, f func(o Operands) []nx.Tensor) {
		EveryOp[name] = struct {
			F     fn
			Names string
		}{f, names}
	}
	for name, f := range map[string]func(nx.Tensor) nx.Tensor{
		"Abs": nx.Abs, "Acos": nx.Acos, "Acosh": nx.Acosh, "Asin": nx.Asin, "Asinh": nx.Asinh, "Atan": nx.Atan,
		"Atanh": nx.Atanh, "BesselI0": nx.BesselI0, "BesselI0e": nx.BesselI0e, "BesselI1": nx.BesselI1,
		"BesselI1e": nx.BesselI1e, "Cbrt": nx.Cbrt, "Ceil": nx.Ceil, "Conj": nx.Conj, "Cos": nx.Cos,
		"Cosh": nx.Cosh, "Digamma": nx.Digamma, "Erf": nx.Erf, "ErfInv": nx.ErfInv, "Erfc": nx.Erfc, "Exp": nx.Exp,
		"Expm1": nx.Expm1, "Floor": nx.Floor, "Gelu": nx.Gelu, "GeluTanh": nx.GeluTanh,
		"Imag": nx.Imag, "IsFinite": nx.IsFinite,
		"IsInf": nx.IsInf, "IsNaN": nx.IsNaN, "Lgamma": nx.Lgamma, "Log": nx.Log, "Log10": nx.Log10, "Log1p": nx.Log1p,
		"Log2": nx.Log2, "LogicalNot": nx.LogicalNot, "Neg": nx.Neg, "Phase": nx.Phase, "Real": nx.Real,
		"Relu":  nx.Relu,
		"Round": nx.Round, "RoundEven": nx.RoundEven, "Rsqrt": nx.Rsqrt, "Sigmoid": nx.Sigmoid, "Sign": nx.Sign,
		"Silu": nx.Silu, "Sin": nx.Sin, "Sinh": nx.Sinh, "Softplus": nx.Softplus, "Sqrt": nx.Sqrt, "Square": nx.Square,
		"StopGradient": nx.StopGradient, "Tan": nx.Tan, "Tanh": nx.Tanh,
	} {
		add(name, "r,c", func(o Operands) []nx.Tensor { return list(f(o.X)) })
	}
	for name, f := range map[string]func(nx.Tensor) nx.Tensor{
		"BitwiseNot": nx.BitwiseNot, "OnesCount": nx.OnesCount, "LeadingZeros": nx.LeadingZeros,
	} {
		add(name, "r,c", func(o Operands) []nx.Tensor { return list(f(nx.Cast(o.X, nx.S32))) })
	}
	type binary = func(a, b nx.Tensor) nx.Tensor
	for name, f := range map[string]binary{
		"Add": nx.Add[nx.Tensor, nx.Tensor], "Sub": nx.Sub[nx.Tensor, nx.Tensor], "Mul": nx.Mul[nx.Tensor, nx.Tensor],
		"Div": nx.Div[nx.Tensor, nx.Tensor], "Remainder": nx.Remainder[nx.Tensor, nx.Tensor],
		"Pow": nx.Pow[nx.Tensor, nx.Tensor], "Atan2": nx.Atan2[nx.Tensor, nx.Tensor],
		"LogAddExp": nx.LogAddExp[nx.Tensor, nx.Tensor],
		"GammaInc":  func(a, b nx.Tensor) nx.Tensor { return nx.GammaInc(nx.Exp(a), nx.Abs(b)) },
		"GammaIncC": func(a, b nx.Tensor) nx.Tensor { return nx.GammaIncC(nx.Exp(a), nx.Abs(b)) },
		"BetaInc":   func(a, b nx.Tensor) nx.Tensor { return nx.BetaInc(nx.Exp(a), 2, nx.Square(nx.Sin(b))) },
		"Maximum":   nx.Maximum[nx.Tensor, nx.Tensor], "Minimum": nx.Minimum[nx.Tensor, nx.Tensor],
		"Equal": nx.Equal[nx.Tensor, nx.Tensor], "NotEqual": nx.NotEqual[nx.Tensor, nx.Tensor],
		"Less": nx.Less[nx.Tensor, nx.Tensor], "LessEqual": nx.LessEqual[nx.Tensor, nx.Tensor],
		"Greater": nx.Greater[nx.Tensor, nx.Tensor], "GreaterEqual": nx.GreaterEqual[nx.Tensor, nx.Tensor],
		"LogicalAnd": nx.LogicalAnd[nx.Tensor, nx.Tensor], "LogicalOr": nx.LogicalOr[nx.Tensor, nx.Tensor],
		"LogicalXor": nx.LogicalXor[nx.Tensor, nx.Tensor], "Complex": nx.Complex[nx.Tensor, nx.Tensor],
		"IsClose": func(a, b nx.Tensor) nx.Tensor { return nx.IsClose(a, b, nx.Tolerance(0.5, 0.5)) },
	} {
		add(name, "r,c r,c r,c", func(o Operands) []nx.Tensor { return list(f(o.X, o.Y), f(o.V, o.X), f(o.Y, o.X)) })
	}
	for name, f := range map[string]binary{
		"BitwiseAnd": nx.BitwiseAnd[nx.Tensor, nx.Tensor], "BitwiseOr": nx.BitwiseOr[nx.Tensor, nx.Tensor],
		"BitwiseXor": nx.BitwiseXor[nx.Tensor, nx.Tensor], "LeftShift": nx.LeftShift[nx.Tensor, nx.Tensor],
		"RightShift": nx.RightShift[nx.Tensor, nx.Tensor], "Quotient": nx.Quotient[nx.Tensor, nx.Tensor],
	} {
		add(name, "r,c r,c", func(o Operands) []nx.Tensor {
			x, y := nx.Cast(o.X, nx.S32), nx.Cast(o.Y, nx.S32)
			return list(f(x, y), f(y, x))
		})
	}
	type reduction = func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor
	for name, f := range map[string]reduction{
		"All": nx.All, "Any": nx.Any, "ArgMax": nx.ArgMax, "ArgMin": nx.ArgMin, "LogSumExp": nx.LogSumExp,
		"Max":  nx.Max,
		"Mean": nx.Mean, "Median": nx.Median, "Min": nx.Min, "Mode": nx.Mode, "Prod": nx.Prod,
		"Std": Variance(nx.Std), "Sum": nx.Sum, "Var": Variance(nx.Var),
		"Quantile": func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor { return nx.Quantile(t, 0.3, opts...) },
		"Reduce": func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor {
			return nx.Reduce(t, 1, nx.Mul[nx.Tensor, nx.Tensor], opts...)
		},
	} {
		add(name, ";c;r,c;r", func(o Operands) []nx.Tensor {
			return list(f(o.X), f(o.X, nx.Axis(0)), f(o.X, nx.Axis(-1), nx.KeepAxes), f(o.X, nx.Axis(-1)))
		})
	}
	for name, f := range map[string]func(t, w nx.Tensor, opts ...nx.ReduceOption) nx.Tensor{
		"WeightedMean": nx.WeightedMean, "WeightedLogSumExp": nx.WeightedLogSumExp,
	} {
		add(name, ";c", func(o Operands) []nx.Tensor {
			w := nx.Abs(o.Y)
			return list(f(o.X, w), f(o.X, w, nx.Axis(0)))
		})
	}
	for name, f := range map[string]func(t nx.Tensor, opts ...nx.CumulativeOption) nx.Tensor{
		"CumSum": nx.CumSum, "CumProd": nx.CumProd, "CumMax": nx.CumMax, "CumMin": nx.CumMin,
	} {
		add(name, "r,c r,c", func(o Operands) []nx.Tensor { return list(f(o.X), f(o.X, nx.Axis(1), nx.Reversed)) })
	}
	for name, f := range map[string]func(t nx.Tensor, opts ...fft.Option) nx.Tensor{
		"FFT": fft.FFT, "IFFT": fft.IFFT, "FFT2": fft.FFT2, "IFFT2": fft.IFFT2, "FFTN": fft.FFTN, "IFFTN": fft.IFFTN,
		"RFFT": fft.RFFT, "IRFFT": fft.IRFFT,
	} {
		add(name, "r,c", func(o Operands) []nx.Tensor { return list(f(o.X)) })
	}
	for name, f := range map[string]func(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor{
		"Shift": fft.Shift, "IShift": fft.IShift, "Reverse": nx.Reverse, "Softmax": nx.Softmax,
		"LogSoftmax": nx.LogSoftmax,
		"Roll":       func(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor { return nx.Roll(t, 3, opts...) },
		"Repeat":     func(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor { return nx.Repeat(t, 2, opts...) },
		"Diff":       func(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor { return nx.Diff(t, 1, opts...) },
		"LayerNorm":  func(t nx.Tensor, opts ...nx.AxisOption) nx.Tensor { return nx.LayerNorm(t, 1e-5, opts...) },
	} {
		add(name, "r,c", func(o Operands) []nx.Tensor { return list(f(o.X, nx.Axis(0))) })
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
		add(name, "r,c", func(o Operands) []nx.Tensor {
			return list(f(o.X, []int{2, 1}, nx.Strides(2, 1), nx.Padding([2]int{1, 1}, [2]int{0, 0})))
		})
	}
	add("AddAt", "r,c", func(o Operands) []nx.Tensor { return list(nx.AddAt(o.X, o.V, o.I.At(0))) })
	add("SetAt", "r,c", func(o Operands) []nx.Tensor { return list(nx.SetAt(o.X, o.V, nx.Whole, o.I.At(1))) })
	add("AllClose", ";", func(o Operands) []nx.Tensor {
		return list(nx.AllClose(o.X, o.Y), nx.AllClose(o.X, o.X))
	})
	add("ArgSort", "r,c", func(o Operands) []nx.Tensor { return list(nx.ArgSort(o.X, nx.Axis(0))) })
	add("Sort", "r,c r,c", func(o Operands) []nx.Tensor {
		return list(nx.Sort(o.X), nx.Sort(o.X, nx.Axis(0), nx.Descending))
	})
	add("SearchSorted", "r,c _,_", func(o Operands) []nx.Tensor {
		return list(nx.SearchSorted(nx.Sort(o.V), o.X), nx.SearchSorted(nx.Sort(o.V), o.Y, nx.Right, nx.As(nx.U8)))
	})
	add("Digitize", "r,c _,_", func(o Operands) []nx.Tensor {
		return list(nx.Digitize(o.X, nx.Sort(o.V)), nx.Digitize(o.Y, nx.Sort(o.V, nx.Descending), nx.Right))
	})
	add("TopK", "r,c r,c", func(o Operands) []nx.Tensor {
		v, i := nx.TopK(o.X, 2)
		return list(v, i)
	})
	add("Bitcast", "r,c", func(o Operands) []nx.Tensor { return list(nx.Bitcast(o.X, nx.S64)) })
	add("BroadcastTo", "_,r,c", func(o Operands) []nx.Tensor { return list(nx.BroadcastTo(o.X, 2, 4, 4)) })
	add("Cast", "r,c r,c", func(o Operands) []nx.Tensor {
		return list(nx.Cast(o.X, nx.S8), nx.Cast(nx.Mul(o.X, 200), nx.F8E4M3FN, nx.Saturate))
	})
	add("Clip", "r,c", func(o Operands) []nx.Tensor { return list(nx.Clip(o.X, -1, 1)) })
	add("Concatenate", "r,c", func(o Operands) []nx.Tensor {
		return list(nx.Concatenate([]nx.Tensor{o.X, o.Y, o.X}, nx.Axis(1)))
	})
	add("Stack", "_,r,c", func(o Operands) []nx.Tensor { return list(nx.Stack([]nx.Tensor{o.Y, o.X})) })
	add("Conv", "_,r,c", func(o Operands) []nx.Tensor {
		return list(nx.Conv(nx.ExpandAxis(o.X, nx.Axis(0)), nx.Reshape(o.Y, 2, 4, 2)))
	})
	add("Cov", "_,_", func(o Operands) []nx.Tensor { return list(nx.Cov(o.X)) })
	add("CrossEntropy", "r", func(o Operands) []nx.Tensor {
		return list(nx.CrossEntropy(o.X, nx.Concatenate([]nx.Tensor{o.I, nx.New([]int32{1})})))
	})
	add("SoftCrossEntropy", "r", func(o Operands) []nx.Tensor {
		return list(nx.SoftCrossEntropy(o.X, nx.Softmax(o.Y)))
	})
	add("Diag", "_,_", func(o Operands) []nx.Tensor { return list(nx.Diag(o.V, 1)) })
	add("Diagonal", "_", func(o Operands) []nx.Tensor { return list(nx.Diagonal(o.X, 1)) })
	add("SetDiagonal", "r,c", func(o Operands) []nx.Tensor { return list(nx.SetDiagonal(o.X, o.V, 0)) })
	add("Dot", "r;r,_;_,c;c;r,c", func(o Operands) []nx.Tensor {
		return list(nx.Dot(o.X, o.V), nx.Dot(o.X, o.Y), nx.Dot(o.Y, o.X), nx.Dot(o.V, o.X), nx.Dot(o.X, nx.Sum(o.V)))
	})
	add("DotGeneral", "r,_", func(o Operands) []nx.Tensor {
		return list(nx.DotGeneral(o.X, o.Y, nx.DotDims{ContractA: []int{1}, ContractB: []int{1}}))
	})
	add("Einsum", "_,r;r", func(o Operands) []nx.Tensor {
		return list(nx.Einsum("ab,cb,a->ca", o.X, o.Y, o.V), nx.Einsum("a...,b...->a", o.X, o.Y))
	})
	add("ExpandAxis", "r,_,c", func(o Operands) []nx.Tensor { return list(nx.ExpandAxis(o.X, nx.Axis(1))) })
	add("Squeeze", "r,c", func(o Operands) []nx.Tensor { return list(nx.Squeeze(nx.ExpandAxis(o.X, nx.Axis(1)))) })
	add("Flatten", "_", func(o Operands) []nx.Tensor { return list(nx.Flatten(o.X)) })
	add("FullLike", "r,c", func(o Operands) []nx.Tensor { return list(nx.FullLike(o.X, 3)) })
	add("Scalar", "", func(o Operands) []nx.Tensor { return list(nx.Scalar(3, o.X)) })
	add("ZerosLike", "r,c", func(o Operands) []nx.Tensor { return list(nx.ZerosLike(o.X)) })
	add("OnesLike", "r,c", func(o Operands) []nx.Tensor { return list(nx.OnesLike(o.X)) })
	add("ZerosLike", "r,c", func(o Operands) []nx.Tensor { return list(tree.ZerosLike(o.X)) })
	places := func(o Operands) nx.Tensor { return nx.ExpandAxis(o.I, nx.Axis(-1)) }
	add("Gather", "_,_", func(o Operands) []nx.Tensor { return list(nx.Gather(o.X, places(o))) })
	add("AddGather", "r,c", func(o Operands) []nx.Tensor {
		return list(nx.AddGather(o.X, places(o), o.Y.At(nx.To(3))))
	})
	add("SetGather", "r,c", func(o Operands) []nx.Tensor {
		return list(nx.SetGather(o.X, nx.New([][]int32{{3}, {1}, {0}}), o.Y.At(nx.To(3))))
	})
	add("Histogram", "_", func(o Operands) []nx.Tensor { return list(nx.Histogram(o.X, 5, -2, 2)) })
	add("NonZero", "_,_;;_,_;", func(o Operands) []nx.Tensor {
		p, n := nx.NonZero(nx.Greater(o.X, 0), 6)
		none, one := nx.NonZero(nx.Sum(o.X), 2)
		return list(p, n, none, one)
	})
	add("OneHot", "r,c,_", func(o Operands) []nx.Tensor { return list(nx.OneHot(nx.Cast(o.X, nx.S32), 3, nx.F32)) })
	add("Outer", "r,_;_,c", func(o Operands) []nx.Tensor { return list(nx.Outer(o.X, o.V), nx.Outer(o.V, o.X)) })
	add("Pad", "r,c", func(o Operands) []nx.Tensor { return list(nx.Pad(o.X, 7, [2]int{1, 0}, [2]int{-1, 2})) })
	add("PadInterior", "r,c", func(o Operands) []nx.Tensor {
		return list(nx.PadInterior(o.X, 7, []int{1, 0}, [2]int{1, 0}, [2]int{0, 2}))
	})
	add("PadWith", "r,c", func(o Operands) []nx.Tensor {
		return list(nx.PadWith(o.X, nx.PadReflect, [2]int{1, 2}, [2]int{0, 1}))
	})
	add("Slice", "r,c r,c", func(o Operands) []nx.Tensor {
		i := o.I.At(0)
		return list(nx.Slice(o.X, []nx.Tensor{i, i}, []int{2, 3}), nx.Slice(o.X, []any{i, -3}, []int{1, 2}))
	})
	add("SetSlice", "r,c", func(o Operands) []nx.Tensor {
		return list(nx.SetSlice(o.X, o.Y.At(nx.To(2), nx.To(2)), 1, 2))
	})
	add("AddSlice", "r,c", func(o Operands) []nx.Tensor {
		return list(nx.AddSlice(o.X, o.Y.At(nx.To(2), nx.To(2)), 1, 2))
	})
	add("Rename", "a,b", func(o Operands) []nx.Tensor { return list(nx.Rename(o.X, "a", "b")) })
	add("Reshape", "_,_", func(o Operands) []nx.Tensor { return list(nx.Reshape(o.X, 2, -1)) })
	for name, f := range map[string]func(t, ids nx.Tensor, n int) nx.Tensor{
		"SegmentSum": nx.SegmentSum, "SegmentProd": nx.SegmentProd, "SegmentMax": nx.SegmentMax,
		"SegmentMin": nx.SegmentMin, "SegmentMean": nx.SegmentMean,
	} {
		add(name, "r,c", func(o Operands) []nx.Tensor { return list(f(o.X.At(nx.To(3)), o.I, 4)) })
	}
	add("Bincount", "_", func(o Operands) []nx.Tensor { return list(nx.Bincount(o.I, 4)) })
	add("WeightedBincount", "_;_", func(o Operands) []nx.Tensor {
		return list(nx.WeightedBincount(o.I, o.V.At(nx.To(3)), 4), nx.WeightedBincount(nx.Cast(o.X, nx.S32), o.X, 2))
	})
	add("Split", "r,c r,c", func(o Operands) []nx.Tensor { return nx.Split(o.X, []int{1, 3}, nx.Axis(1)) })
	add("Take", "r,c;r,c", func(o Operands) []nx.Tensor {
		return list(nx.Take(o.X, o.I, nx.Axis(0)), nx.Take(o.X, o.I, nx.Axis(1)))
	})
	add("TakeAlong", "r,c", func(o Operands) []nx.Tensor {
		return list(nx.TakeAlong(o.X, nx.ArgSort(o.Y, nx.Axis(1)), nx.Axis(1)))
	})
	add("Tile", "r,c", func(o Operands) []nx.Tensor { return list(nx.Tile(o.X, 2, 1)) })
	add("Transpose", "c,r", func(o Operands) []nx.Tensor { return list(nx.Transpose(o.X)) })
	add("Tril", "r,c", func(o Operands) []nx.Tensor { return list(nx.Tril(o.X, 1)) })
	add("Triu", "r,c", func(o Operands) []nx.Tensor { return list(nx.Triu(o.X, 1)) })
	add("Where", "r,c r,c", func(o Operands) []nx.Tensor {
		return list(nx.Where(nx.Greater(o.X, o.Y), o.X, 0), nx.Where(nx.Greater(o.Y, 0), o.V, o.X))
	})
}

// SampleOperands returns operands with leading axes to vectorise: x has two of the sizes 2 and 3, y and v one of the
// size 3, i two of the sizes 2 and 3.
func SampleOperands() Operands {
	wave := func(shape ...int) nx.Tensor {
		n := nx.Shape(shape).Size()
		return nx.Reshape(nx.Mul(nx.Sin(nx.Mul(nx.Iota(nx.Shape{n}, nx.F64), 1.7)), 2.5), shape...)
	}
	return Operands{X: wave(2, 3, 4, 4), Y: nx.Add(wave(3, 4, 4), 0.25), V: nx.Square(nx.Sin(wave(3, 4))),
		I: nx.New([][][]int32{{{0, 3, 1}, {2, 0, 0}, {1, 1, 3}}, {{3, 0, 2}, {0, 0, 0}, {2, 1, 0}}})}
}

// Variance makes a variance a reduction like the others.
func Variance(f func(nx.Tensor, ...nx.VarOption) nx.Tensor,
	more ...nx.VarOption) func(nx.Tensor, ...nx.ReduceOption) nx.Tensor {
	return func(t nx.Tensor, opts ...nx.ReduceOption) nx.Tensor {
		all := slices.Clone(more)
		for _, o := range opts {
			all = append(all, o.(nx.VarOption))
		}
		return f(t, all...)
	}
}
