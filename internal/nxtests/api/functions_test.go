package api_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx/debug"
	"github.com/go-nx/nx/fft"
	"github.com/go-nx/nx/shard"
	"github.com/go-nx/nx/tree"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/nxtests/kit"
	"github.com/go-nx/nx/stablehlo"
)

// notEveryOp lists functions of tensors that do not map operands to results, by the reason.
var notEveryOp = map[string][]string{
	"they change vectorised axes": {"BroadcastVectors", "Devectorize", "ReshapeVectors", "Revectorize", "Vectorize"},
	"they take functions": {"AssociativeScan", "Case", "Checkpoint", "Composite", "Cond", "CustomJVP", "CustomVJP",
		"Grad", "Hessian", "Jacobian", "Jit", "Map", "RuntimeCall", "Scan", "Vmap", "While"},
	"they take formulas": {"Expr"},
	"they are iterators, containers and transfers": {"Batches", "LoadFunc", "PadBatch", "Rows",
		"Transfer"},
}

// TestEveryOpIsThere: no function that takes tensors and no functions is missing.
func TestEveryOpIsThere(t *testing.T) {
	tensor, list := reflect.TypeFor[nx.Tensor](), reflect.TypeFor[[]nx.Tensor]()
	others := slices.Concat(slices.Collect(maps.Values(notEveryOp))...)
	for name, values := range reachable {
		typ := reflect.TypeOf(values[0])
		name = strings.TrimPrefix(name, "fft.")
		if strings.Contains(name, ".") || typ.NumIn() == 0 || typ.NumOut() == 0 {
			continue
		}
		takes := typ.In(0) == tensor || typ.In(0) == list
		gives := typ.Out(0) == tensor || typ.Out(0) == list
		if _, ok := kit.EveryOp[name]; takes && gives && !ok && !slices.Contains(others, name) {
			t.Errorf("%s, a %v, is not in kit.EveryOp", name, typ)
		}
	}
}

func newStream(x nx.Tensor) *nx.Streaming[nx.Tensor, nx.Tensor, nx.Tensor] {
	return nx.Stream(context.Background(), func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Add(c, x), c }, x)
}

// onMesh runs a function on two devices, each with all of x.
func onMesh(x nx.Tensor, f func(x nx.Tensor) nx.Tensor) nx.Tensor {
	return shard.Map(f, shard.Mesh{{Name: "x", Size: 2}}, []shard.Sharding{{}}, []shard.Sharding{{}})(x)
}

// reachable holds every exported function and method, generic ones with several
// types: what a program can call with arguments of any kind.
var reachable = map[string][]any{
	"Abs": {nx.Abs}, "Acos": {nx.Acos}, "Acosh": {nx.Acosh}, "Asin": {nx.Asin}, "Asinh": {nx.Asinh}, "Atan": {nx.Atan},
	"Atanh": {nx.Atanh}, "BesselI0e": {nx.BesselI0e}, "BesselI0": {nx.BesselI0}, "BesselI1": {nx.BesselI1},
	"BesselI1e": {nx.BesselI1e}, "BitwiseNot": {nx.BitwiseNot}, "Cbrt": {nx.Cbrt},
	"Ceil": {nx.Ceil},
	"Conj": {nx.Conj}, "Cos": {nx.Cos}, "Cosh": {nx.Cosh}, "Digamma": {nx.Digamma}, "Erf": {nx.Erf},
	"ErfInv": {nx.ErfInv},
	"Erfc":   {nx.Erfc}, "Exp": {nx.Exp}, "Expm1": {nx.Expm1}, "Flatten": {nx.Flatten},
	"Expr": {func(x nx.Tensor, y float64, text string) nx.Tensor {
		return nx.Expr("x * y + exp("+text+")", nx.Vars{"x": x, "y": y})
	}},
	"ExprVars": {nx.ExprVars},
	"Floor":    {nx.Floor}, "Imag": {nx.Imag},
	"IsFinite": {nx.IsFinite}, "IsInf": {nx.IsInf}, "IsNaN": {nx.IsNaN}, "Lgamma": {nx.Lgamma}, "Log": {nx.Log},
	"Log1p": {nx.Log1p}, "LogicalNot": {nx.LogicalNot}, "Neg": {nx.Neg}, "Real": {nx.Real}, "Relu": {nx.Relu},
	"Round": {nx.Round}, "RoundEven": {nx.RoundEven}, "Rsqrt": {nx.Rsqrt}, "Sigmoid": {nx.Sigmoid}, "Sign": {nx.Sign},
	"Sin": {nx.Sin}, "Sinh": {nx.Sinh}, "Sqrt": {nx.Sqrt}, "Square": {nx.Square}, "StopGradient": {nx.StopGradient},
	"Tan": {nx.Tan}, "Tanh": {nx.Tanh}, "OnesCount": {nx.OnesCount},
	"LeadingZeros": {nx.LeadingZeros},
	"Phase":        {nx.Phase},

	"Log2": {nx.Log2}, "Log10": {nx.Log10}, "Softplus": {nx.Softplus}, "Silu": {nx.Silu}, "Gelu": {nx.Gelu},
	"GeluTanh":     {nx.GeluTanh},
	"CrossEntropy": {nx.CrossEntropy}, "SoftCrossEntropy": {nx.SoftCrossEntropy},
	"LayerNorm": {nx.LayerNorm}, "NonZero": {nx.NonZero},
	"Sort": {nx.Sort}, "ArgSort": {nx.ArgSort}, "TopK": {nx.TopK},
	"SearchSorted": {nx.SearchSorted[nx.Tensor], nx.SearchSorted[float64]},
	"WindowSum":    {nx.WindowSum}, "WindowProd": {nx.WindowProd},
	"WindowMax": {nx.WindowMax}, "WindowMin": {nx.WindowMin},
	"WindowMean":       {nx.WindowMean},
	"WindowReduce":     {nx.WindowReduce[nx.Tensor], nx.WindowReduce[float64]},
	"WindowScatterMax": {nx.WindowScatterMax[nx.Tensor], nx.WindowScatterMax[int]},
	"WindowScatterMin": {nx.WindowScatterMin[nx.Tensor], nx.WindowScatterMin[int]},
	"Reduce":           {nx.Reduce[nx.Tensor], nx.Reduce[float64]},
	"Same":             {nx.Same}, "Padding": {nx.Padding}, "Strides": {nx.Strides}, "Dilation": {nx.Dilation},
	"InputDilation": {nx.InputDilation},
	"FeatureGroups": {nx.FeatureGroups}, "BatchGroups": {nx.BatchGroups}, "Layout": {nx.Layout},
	"ChannelsLast": {nx.ChannelsLast},
	"Conv":         {nx.Conv},
	"CumSum":       {nx.CumSum}, "CumProd": {nx.CumProd}, "CumMax": {nx.CumMax}, "CumMin": {nx.CumMin},
	"Diff":    {nx.Diff},
	"fft.FFT": {fft.FFT}, "fft.IFFT": {fft.IFFT}, "fft.RFFT": {fft.RFFT}, "fft.IRFFT": {fft.IRFFT},
	"fft.FFT2": {fft.FFT2}, "fft.IFFT2": {fft.IFFT2},
	"fft.FFTN": {fft.FFTN}, "fft.IFFTN": {fft.IFFTN},
	"fft.Shift": {fft.Shift}, "fft.IShift": {fft.IShift}, "fft.Freq": {fft.Freq}, "fft.RFreq": {fft.RFreq},
	"fft.Length": {fft.Length},
	"TakeAlong":  {nx.TakeAlong}, "Gather": {nx.Gather}, "AddGather": {nx.AddGather}, "SetGather": {nx.SetGather},
	"SegmentSum": {nx.SegmentSum}, "SegmentProd": {nx.SegmentProd}, "SegmentMax": {nx.SegmentMax},
	"SegmentMin": {nx.SegmentMin}, "SegmentMean": {nx.SegmentMean},
	"Bincount": {nx.Bincount}, "WeightedBincount": {nx.WeightedBincount},
	"Digitize":  {nx.Digitize[nx.Tensor], nx.Digitize[float64]},
	"GammaInc":  binaryOf(nx.GammaInc[nx.Tensor, nx.Tensor], nx.GammaInc[nx.Tensor, float64]),
	"GammaIncC": binaryOf(nx.GammaIncC[nx.Tensor, nx.Tensor], nx.GammaIncC[int, nx.Tensor]),
	"BetaInc":   {nx.BetaInc[nx.Tensor, nx.Tensor, nx.Tensor], nx.BetaInc[nx.Tensor, int, float64]},
	"LogAddExp": binaryOf(nx.LogAddExp[nx.Tensor, nx.Tensor], nx.LogAddExp[nx.Tensor, float64]),
	"Roll":      {nx.Roll}, "Repeat": {nx.Repeat}, "Tri": {nx.Tri}, "Diagonal": {nx.Diagonal}, "Diag": {nx.Diag},
	"SetDiagonal": {nx.SetDiagonal}, "PadWith": {nx.PadWith},
	"Median": {nx.Median}, "Mode": {nx.Mode}, "Quantile": {nx.Quantile}, "WeightedMean": {nx.WeightedMean},
	"Cov":    {nx.Cov},
	"Around": {nx.Around}, "Histogram": {nx.Histogram}, "WeightedLogSumExp": {nx.WeightedLogSumExp},
	"DotGeneral": {nx.DotGeneral},
	"IsClose":    {nx.IsClose[nx.Tensor, nx.Tensor], nx.IsClose[nx.Tensor, float64]},
	"AllClose":   {nx.AllClose[nx.Tensor, nx.Tensor]}, "Tolerance": {nx.Tolerance},
	"debug.ProfileLines": {func(f func()) debug.Profile { return debug.ProfileLines(f) }},
	"debug.Profile.String": {func(d time.Duration) string {
		return debug.Profile{Total: d, Lines: []debug.LineTime{{Time: d}}}.String()
	}},
	"Rows": {func(t nx.Tensor, opts []nx.AxisOption) (out nx.Tensor) {
		for _, row := range nx.Rows(t, opts...) {
			return row
		}
		return out
	}},
	"Batches": {func(t nx.Tensor, n int, opts []nx.BatchOption) (out nx.Tensor) {
		for b := range nx.Batches(t, n, opts...) {
			out = b
			break
		}
		return out
	}},

	"Vectorize": {nx.Vectorize}, "Devectorize": {nx.Devectorize}, "Revectorize": {nx.Revectorize},
	"Tensor.Vectors": {nx.Tensor.Vectors},
	"ReshapeVectors": {nx.ReshapeVectors}, "BroadcastVectors": {nx.BroadcastVectors},
	"PadInterior": {nx.PadInterior[nx.Tensor], nx.PadInterior[float64]},

	"Add": binaryOf(nx.Add[nx.Tensor, nx.Tensor], nx.Add[nx.Tensor, float64], nx.Add[int, nx.Tensor]),
	"Sub": binaryOf(nx.Sub[nx.Tensor, nx.Tensor], nx.Sub[nx.Tensor, float64], nx.Sub[int, nx.Tensor]),
	"Mul": binaryOf(nx.Mul[nx.Tensor, nx.Tensor], nx.Mul[nx.Tensor, float64], nx.Mul[int, nx.Tensor]),
	"Div": binaryOf(nx.Div[nx.Tensor, nx.Tensor], nx.Div[nx.Tensor, float64], nx.Div[int, nx.Tensor]),
	"Quotient": binaryOf(nx.Quotient[nx.Tensor, nx.Tensor], nx.Quotient[nx.Tensor, float64],
		nx.Quotient[int, nx.Tensor]),
	"Remainder": binaryOf(nx.Remainder[nx.Tensor, nx.Tensor], nx.Remainder[nx.Tensor, float64],
		nx.Remainder[int, nx.Tensor]),
	"Pow":     binaryOf(nx.Pow[nx.Tensor, nx.Tensor], nx.Pow[nx.Tensor, float64], nx.Pow[int, nx.Tensor]),
	"Atan2":   binaryOf(nx.Atan2[nx.Tensor, nx.Tensor], nx.Atan2[nx.Tensor, float64], nx.Atan2[int, nx.Tensor]),
	"Maximum": binaryOf(nx.Maximum[nx.Tensor, nx.Tensor], nx.Maximum[nx.Tensor, float64], nx.Maximum[int, nx.Tensor]),
	"Minimum": binaryOf(nx.Minimum[nx.Tensor, nx.Tensor], nx.Minimum[nx.Tensor, float64], nx.Minimum[int, nx.Tensor]),
	"BitwiseAnd": binaryOf(nx.BitwiseAnd[nx.Tensor, nx.Tensor], nx.BitwiseAnd[nx.Tensor, float64],
		nx.BitwiseAnd[int, nx.Tensor]),
	"BitwiseOr": binaryOf(nx.BitwiseOr[nx.Tensor, nx.Tensor], nx.BitwiseOr[nx.Tensor, float64],
		nx.BitwiseOr[int, nx.Tensor]),
	"BitwiseXor": binaryOf(nx.BitwiseXor[nx.Tensor, nx.Tensor], nx.BitwiseXor[nx.Tensor, float64],
		nx.BitwiseXor[int, nx.Tensor]),
	"LeftShift": binaryOf(nx.LeftShift[nx.Tensor, nx.Tensor], nx.LeftShift[nx.Tensor, float64],
		nx.LeftShift[int, nx.Tensor]),
	"RightShift": binaryOf(nx.RightShift[nx.Tensor, nx.Tensor], nx.RightShift[nx.Tensor, float64],
		nx.RightShift[int, nx.Tensor]),
	"Equal": binaryOf(nx.Equal[nx.Tensor, nx.Tensor], nx.Equal[nx.Tensor, float64], nx.Equal[int, nx.Tensor]),
	"NotEqual": binaryOf(nx.NotEqual[nx.Tensor, nx.Tensor], nx.NotEqual[nx.Tensor, float64],
		nx.NotEqual[int, nx.Tensor]),
	"Less": binaryOf(nx.Less[nx.Tensor, nx.Tensor], nx.Less[nx.Tensor, float64], nx.Less[int, nx.Tensor]),
	"LessEqual": binaryOf(nx.LessEqual[nx.Tensor, nx.Tensor], nx.LessEqual[nx.Tensor, float64],
		nx.LessEqual[int, nx.Tensor]),
	"Greater": binaryOf(nx.Greater[nx.Tensor, nx.Tensor], nx.Greater[nx.Tensor, float64], nx.Greater[int, nx.Tensor]),
	"GreaterEqual": binaryOf(nx.GreaterEqual[nx.Tensor, nx.Tensor], nx.GreaterEqual[nx.Tensor, float64],
		nx.GreaterEqual[int, nx.Tensor]),
	"LogicalAnd": binaryOf(nx.LogicalAnd[nx.Tensor, nx.Tensor], nx.LogicalAnd[nx.Tensor, float64],
		nx.LogicalAnd[int, nx.Tensor]),
	"LogicalOr": binaryOf(nx.LogicalOr[nx.Tensor, nx.Tensor], nx.LogicalOr[nx.Tensor, float64],
		nx.LogicalOr[int, nx.Tensor]),
	"LogicalXor": binaryOf(nx.LogicalXor[nx.Tensor, nx.Tensor], nx.LogicalXor[nx.Tensor, float64],
		nx.LogicalXor[int, nx.Tensor]),
	"Complex": binaryOf(nx.Complex[nx.Tensor, nx.Tensor], nx.Complex[nx.Tensor, float64], nx.Complex[int, nx.Tensor]),

	"All": {nx.All}, "Any": {nx.Any}, "ArgMax": {nx.ArgMax}, "ArgMin": {nx.ArgMin}, "LogSumExp": {nx.LogSumExp},
	"Max":  {nx.Max},
	"Mean": {nx.Mean}, "Min": {nx.Min}, "Prod": {nx.Prod}, "Std": {nx.Std}, "Sum": {nx.Sum},
	"Var": {nx.Var}, "Softmax": {nx.Softmax}, "LogSoftmax": {nx.LogSoftmax},

	"BroadcastTo": {nx.BroadcastTo}, "Concatenate": {nx.Concatenate}, "ExpandAxis": {nx.ExpandAxis},
	"Rename":  {nx.Rename},
	"Reshape": {nx.Reshape}, "Reverse": {nx.Reverse}, "Split": {nx.Split}, "Squeeze": {nx.Squeeze}, "Stack": {nx.Stack},
	"Tile": {nx.Tile}, "Transpose": {nx.Transpose}, "Tril": {nx.Tril}, "Triu": {nx.Triu}, "Take": {nx.Take},
	"OneHot":  {nx.OneHot},
	"Bitcast": {nx.Bitcast}, "Cast": {nx.Cast}, "Dot": {nx.Dot}, "Outer": {nx.Outer}, "Einsum": {nx.Einsum},
	"Slice":    {nx.Slice[int], nx.Slice[nx.Tensor], nx.Slice[any]},
	"SetSlice": {nx.SetSlice}, "AddSlice": {nx.AddSlice}, "ZerosLike": {nx.ZerosLike}, "OnesLike": {nx.OnesLike},
	"Pad":   {nx.Pad[nx.Tensor], nx.Pad[float64]},
	"SetAt": {nx.SetAt[nx.Tensor], nx.SetAt[float64]},
	"AddAt": {nx.AddAt[nx.Tensor], nx.AddAt[float64]},
	"Clip":  {nx.Clip[nx.Tensor, nx.Tensor], nx.Clip[float64, nx.Tensor], nx.Clip[int, float64]},
	"Where": {nx.Where[nx.Tensor, nx.Tensor], nx.Where[float64, nx.Tensor], nx.Where[int, uint64]},

	"New": {nx.New}, "FromSlice": {nx.FromSlice[float32], nx.FromSlice[int]},
	"FromSliceShared": {nx.FromSliceShared[float32], nx.FromSliceShared[int]},
	"FromBytes":       {nx.FromBytes}, "Zeros": {nx.Zeros}, "Ones": {nx.Ones},
	"Full":     {nx.Full[float64], nx.Full[uint64]},
	"FullLike": {nx.FullLike[float64]}, "Scalar": {nx.Scalar[float64], nx.Scalar[int]},
	"Iota": {nx.Iota}, "Eye": {nx.Eye}, "Linspace": {nx.Linspace[float64, int]},
	"tree.ZerosLike": {tree.ZerosLike[nx.Tensor], tree.ZerosLike[[]nx.Tensor]},

	"Nested": {nx.Nested[float32], nx.Nested[[]int], nx.Nested[[][]float32], nx.Nested[[2][3]bool],
		nx.Nested[[][0]complex64], nx.Nested[string]},
	"Tensor.MarshalJSON": {nx.Tensor.MarshalJSON},
	"Tensor.UnmarshalJSON": {func(text string) error { return new(nx.Tensor).UnmarshalJSON([]byte(text)) },
		func(t nx.Tensor) {
			if !t.IsZero() && t.Size() > 1<<20 {
				return
			}
			text, err := t.MarshalJSON()
			if err == nil {
				err = new(nx.Tensor).UnmarshalJSON(text)
			}
			if err != nil {
				panic(err)
			}
		}},

	"Tensor.MarshalBinary":   {nx.Tensor.MarshalBinary},
	"Tensor.UnmarshalBinary": {func(data []byte) error { return new(nx.Tensor).UnmarshalBinary(data) }},
	"SaveTensors": {func(path string, t []nx.Tensor) error {
		return nx.SaveTensors(filepath.Join(os.TempDir(), path, "nx-test.x"), t)
	}},
	"LoadTensors":  {nx.LoadTensors[nx.Tensor], nx.LoadTensors[[]nx.Tensor]},
	"RenameArrays": {nx.RenameArrays},
	"ArrayEqual": {func(x, y nx.Tensor) bool {
		return (x.IsZero() || x.Size() < 1<<12) && (y.IsZero() || y.Size() < 1<<12) && nx.ArrayEqual(x, y)
	}},

	"AxisSize": {nx.AxisSize[int], nx.AxisSize[string]}, "Bytes": {nx.Bytes}, "Data": {nx.Data[float32], nx.Data[int]},
	"Item": {nx.Item[float32], nx.Item[int]}, "View": {nx.View[float32], nx.View[int]},
	"debug.LiveBytes": {debug.LiveBytes},
	"debug.TrackTensors": {func() {
		debug.TrackTensors(true)
		nx.Ones(nx.Shape{2}, nx.F32)
		debug.TrackTensors(false)
	}},
	"debug.WriteTensors": {func() error { return debug.WriteTensors(io.Discard) }},
	"tree.Leaves":        {tree.Leaves}, "tree.Map": {tree.Map[nx.Tensor], tree.Map[any]},
	"tree.Map2":      {tree.Map2[[]nx.Tensor], tree.Map2[any]},
	"tree.MapLeaves": {tree.MapLeaves[[]nx.Tensor]}, "Release": {nx.Release},
	"tree.Types": {tree.Types}, "tree.Combine": {tree.Combine[[]nx.Tensor], tree.Combine[any]},
	"Catch": {func() { var err error; nx.Catch(&err) }},
	"Await": {nx.Await[nx.Tensor], nx.Await[any]}, "Transfer": {nx.Transfer[nx.Tensor], nx.Transfer[any]},
	"SetLogger": {func() { nx.SetLogger(slog.New(slog.DiscardHandler)) }},

	"Grad":            {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor { return nx.Grad(f)(x) }},
	"ValueAndGrad":    {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor) { nx.ValueAndGrad(f)(x) }},
	"ValueAndGradAux": {func(x nx.Tensor, f func(nx.Tensor) (nx.Tensor, nx.Tensor)) { nx.ValueAndGradAux(f)(x) }},
	"JVP":             {nx.JVP[nx.Tensor, nx.Tensor], nx.JVP[[]nx.Tensor, nx.Tensor]},
	"VJP": {func(x, ct nx.Tensor, f func(nx.Tensor) nx.Tensor) {
		_, pull := nx.VJP(f, x)
		pull(ct)
	}},
	"Linearize": {func(x, dx nx.Tensor, f func(nx.Tensor) nx.Tensor) {
		_, push := nx.Linearize(f, x)
		push(dx)
	}},
	"HVP": {nx.HVP[nx.Tensor], nx.HVP[[]nx.Tensor]},
	"Jacobian": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor, opts []nx.JacobianOption) nx.Tensor {
		if !x.IsZero() && x.Size() > 64 {
			return x
		}
		return nx.Jacobian(f, opts...)(x)
	}},
	"Hessian": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		if !x.IsZero() && x.Size() > 64 {
			return x
		}
		return nx.Hessian(f)(x)
	}},
	"tree.Ravel": {func(p []nx.Tensor, v nx.Tensor) []nx.Tensor { _, unravel := tree.Ravel(p); return unravel(v) }},
	"Vmap": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor, opts []nx.VmapOption) nx.Tensor {
		return nx.Vmap(f, opts...)(x)
	}},
	"InAxes": {nx.InAxes}, "OutAxes": {nx.OutAxes},
	"shard.Map": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor, axis string, size int) nx.Tensor {
		return shard.Map(f, shard.Mesh{{Name: axis, Size: size}}, []shard.Sharding{{axis}}, []shard.Sharding{{axis}})(x)
	}, func(x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		return nx.Grad(shard.Map(f, shard.Mesh{{Name: "x", Size: 2}}, []shard.Sharding{{}}, []shard.Sharding{{}}))(x)
	}},
	"shard.AllReduce": {shard.AllReduce, func(x nx.Tensor, axes []string) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return shard.AllReduce(x, axes...) })
	}},
	"shard.AllReduceMean": {shard.AllReduceMean, func(x nx.Tensor, axes []string) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return shard.AllReduceMean(x, axes...) })
	}},
	"shard.AllReduceMax": {shard.AllReduceMax, func(x nx.Tensor, axes []string) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return shard.AllReduceMax(x, axes...) })
	}},
	"shard.AllReduceMin": {shard.AllReduceMin, func(x nx.Tensor, axes []string) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return shard.AllReduceMin(x, axes...) })
	}},
	"shard.Join": {func(x nx.Tensor, axis string, size int) nx.Tensor {
		return shard.Join(shard.Split(x), shard.Mesh{{Name: axis, Size: size}}, shard.Sharding{axis})
	}, shard.Join},
	"shard.Jit": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor, axis string, size int) nx.Tensor {
		mesh, cut := shard.Mesh{{Name: axis, Size: size}}, []shard.Sharding{{axis}}
		return shard.Jit(orExp(f), mesh, cut, cut)(x)
	}},
	"shard.Constrain": {func(x nx.Tensor, axis string, size int) nx.Tensor {
		return shard.Constrain(x, shard.Mesh{{Name: axis, Size: size}}, shard.Sharding{axis})
	}},
	"shard.Split": {shard.Split},
	"shard.AllGather": {shard.AllGather, func(x nx.Tensor, dim int) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return shard.AllGather(x, dim, "x") })
	}},
	"shard.ReduceScatter": {shard.ReduceScatter, func(x nx.Tensor, dim int) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return shard.ReduceScatter(x, dim, "x") })
	}},
	"shard.AllToAll": {shard.AllToAll, func(x nx.Tensor, split, concat int) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return shard.AllToAll(x, split, concat, "x") })
	}},
	"shard.Permute": {func(x nx.Tensor, axis string, from, to int) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return shard.Permute(x, axis, [2]int{from, to}) })
	}},
	"shard.Index": {shard.Index, func(x nx.Tensor, axis string) nx.Tensor {
		return onMesh(x, func(nx.Tensor) nx.Tensor { return shard.Index(axis) })
	}},
	"Checkpoint": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		nx.Checkpoint(f)(x)
		return nx.Grad(nx.Checkpoint(f))(x)
	}},
	"Composite": {func(x nx.Tensor, name string, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		nx.Composite(name, f, nx.Attr("n", 1), nx.Attr("b", true))(x)
		return nx.Grad(nx.Composite("test.block", f, nx.Attr("s", name)))(x)
	}},
	"Attr": {func(name, value string) nx.Attribute { return nx.Attr(name, value) }},
	"CustomJVP": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		return nx.Grad(nx.CustomJVP(f, func(_, y, dx nx.Tensor) nx.Tensor { return nx.Mul(y, dx) }))(x)
	}},
	"CustomVJP": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		return nx.Grad(nx.CustomVJP(func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return orExp(f)(x), x },
			func(x, dy nx.Tensor) nx.Tensor { return nx.Mul(x, dy) }))(x)
	}},
	"Jit": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor, opts []nx.JitOption) nx.Tensor {
		return nx.Jit(f, opts...)(x)
	}},
	"Lower":         {func(x any, f func(nx.Tensor) nx.Tensor) (*nx.Lowered, error) { return nx.Lower(f, nx.Args(x)) }},
	"Lowered.Split": {(*nx.Lowered).Split}, "debug.Mark": {debug.Mark[nx.Tensor], debug.Mark[[]nx.Tensor]},
	"debug.MarkName": {debug.MarkName},
	"Graph.Stages":   {(*nx.Graph).Stages},
	"Graph.Run": {func(ctx context.Context, inputs []nx.Tensor) ([]nx.Tensor, error) {
		l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return nx.Sin(nx.Exp(x)) }, nx.Args(nx.New(1.)))
		if err != nil {
			return nil, err
		}
		g, err := l.Split(func(*stablehlo.Op) nx.Cut { return nx.CutAfter })
		if err != nil {
			return nil, err
		}
		return g.Run(ctx, inputs...)
	}},
	"Lowered.Text": {(*nx.Lowered).Text}, "Lowered.Module": {(*nx.Lowered).Module},
	"debug.Hook": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		return nx.Jit(func(x nx.Tensor) nx.Tensor { return debug.Hook("h", x, func(x nx.Tensor) { orExp(f)(x) }) })(x)
	}, debug.Hook[nx.Tensor]},
	"debug.WithHook": {debug.WithHook[nx.Tensor]},
	"debug.WithAsyncHook": {func(ctx context.Context, x nx.Tensor, f func(nx.Tensor)) error {
		ctx, wait := debug.WithAsyncHook(ctx, "h", f)
		nx.Jit(func(_ context.Context, x nx.Tensor) nx.Tensor { return debug.Hook("h", x, nil) })(ctx, x)
		return wait()
	}},
	"debug.Cached":       {debug.Cached[func(nx.Tensor) nx.Tensor]},
	"debug.StreamCached": {debug.StreamCached[nx.Tensor, nx.Tensor, nx.Tensor]},
	"Stream": {func(ctx context.Context, x, y nx.Tensor) (nx.Tensor, error) {
		s := nx.Stream(ctx, func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Add(c, x), c }, x)
		err := s.Send(y)
		if err == nil {
			_, err = s.Recv()
		}
		if err != nil {
			return nx.Tensor{}, err
		}
		return s.Done()
	}, nx.Stream[nx.Tensor, nx.Tensor, nx.Tensor]},
	"Streaming.Send": {func(x nx.Tensor) error { return newStream(x).Send(x) }},
	"Streaming.Recv": {func(x nx.Tensor) (nx.Tensor, error) {
		s := newStream(x)
		s.Send(x)
		s.Done()
		return s.Recv()
	}},
	"Streaming.Done":   {func(x nx.Tensor) (nx.Tensor, error) { return newStream(x).Done() }},
	"debug.PrintValue": {debug.PrintValue[nx.Tensor], debug.PrintValue[[]nx.Tensor]},
	"RuntimeCall": {func(x, like nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		return nx.Jit(func(x nx.Tensor) nx.Tensor {
			return nx.RuntimeCall(x, like, func(x nx.Tensor) (nx.Tensor, error) { return orExp(f)(x), nil })
		})(x)
	}, nx.RuntimeCall[nx.Tensor, nx.Tensor]},
	"debug.InspectExpr": {debug.InspectExpr}, "PadBatch": {nx.PadBatch[nx.Tensor], nx.PadBatch[[]nx.Tensor]},
	"Args": {nx.Args},
	"Compile": {func(x any, f func(nx.Tensor) nx.Tensor) (*nx.Executable[func(nx.Tensor) nx.Tensor], error) {
		return nx.Compile(f, nx.Args(x))
	}},
	"Cond": {func(p, x, y nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		return nx.Cond(p, func() nx.Tensor { return orExp(f)(x) }, func() nx.Tensor { return y })
	}, nx.Cond[nx.Tensor]},
	"Case": {func(i, x, y nx.Tensor) nx.Tensor {
		return nx.Case(i, func() nx.Tensor { return x }, func() nx.Tensor { return nx.Exp(y) })
	}, nx.Case[nx.Tensor]},
	"While": {func(x, y nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		type state struct{ I, X nx.Tensor }
		return nx.While(state{nx.New(0), x}, func(s state) nx.Tensor { return nx.Less(s.I, 2) },
			func(s state) state { return state{nx.Add(s.I, 1), orExp(f)(s.X)} }).X
	}, func(x nx.Tensor) nx.Tensor {
		return nx.While(x, func(x nx.Tensor) nx.Tensor { return nx.Tensor{} }, func(x nx.Tensor) nx.Tensor { return x })
	}},
	"Fori": {func(n int, x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		return nx.Fori(min(n, 3), x, func(_ nx.Tensor, x nx.Tensor) nx.Tensor { return orExp(f)(x) })
	}},
	"Scan": {func(c, xs nx.Tensor, opts []nx.ScanOption) (nx.Tensor, nx.Tensor) {
		return nx.Scan(c, xs, func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Add(c, x), x }, opts...)
	}, nx.Scan[nx.Tensor, nx.Tensor, nx.Tensor]},
	"Map":             {nx.Map[nx.Tensor, nx.Tensor], nx.Map[[]nx.Tensor, nx.Tensor]},
	"AssociativeScan": {nx.AssociativeScan[nx.Tensor]},
	"Unroll":          {nx.Unroll}, "Length": {nx.Length},

	"Load":       {func(ctx context.Context, path string) error { _, err := nx.Load(ctx, path); return err }},
	"LoadModule": {func(ctx context.Context) (*nx.Model, error) { return nx.LoadModule(ctx, nil) }, nx.LoadModule},
	"LoadFunc": {func(x nx.Tensor) (nx.Tensor, error) {
		f, err := nx.LoadFunc[func(nx.Tensor) (nx.Tensor, error)](reachModel())
		if err != nil {
			return nx.Tensor{}, err
		}
		return f(x)
	}, nx.LoadFunc[func()], nx.LoadFunc[int]},
	"Bind": {nx.Bind}, "Buckets": {nx.Buckets}, "DonateInputs": {nx.DonateInputs}, "Files": {nx.Files},
	"FreeWeights": {nx.FreeWeights},
	"Model.Close": {(*nx.Model).Close}, "Model.Weights": {(*nx.Model).Weights}, "Weights": {nx.Weights},
	"WeightNames":  {nx.WeightNames},
	"Model.Inputs": {(*nx.Model).Inputs}, "Model.Outputs": {(*nx.Model).Outputs}, "Model.String": {(*nx.Model).String},
	"Model.Call": {func(ctx context.Context, x []nx.Tensor) ([]nx.Tensor, error) {
		return reachModel().Call(ctx, x...)
	},
		(*nx.Model).Call},
	"Model.CallNamed": {func(ctx context.Context, name string, x nx.Tensor) (map[string]nx.Tensor, error) {
		return reachModel().CallNamed(ctx, map[string]nx.Tensor{name: x})
	}, (*nx.Model).CallNamed},
	"Parameter.String": {nx.Parameter.String},

	"Executable.Text": {(*nx.Executable[func()]).Text},

	"NaNError.Error":   {func(e nx.NaNError) string { return e.Error() }},
	"NaNError.Unwrap":  {func(e nx.NaNError) error { return e.Unwrap() }},
	"NaNOrigin.String": {nx.NaNOrigin.String}, "ValueRange.String": {nx.ValueRange.String},

	"Names": {nx.Names}, "As": {nx.As}, "Axis": {nx.Axis[int], nx.Axis[string]}, "DDOF": {nx.DDOF},
	"Donate": {nx.Donate},
	"On":     {nx.On}, "Signatures": {nx.Signatures}, "SetDefault": {nx.SetDefault},
	"Tensor.Device": {nx.Tensor.Device},
	"From":          {nx.From}, "To": {nx.To}, "Range": {nx.Range}, "Index.Step": {nx.Index.Step},

	"Shape.Size": {nx.Shape.Size}, "Shape.String": {nx.Shape.String}, "Spec.Equal": {nx.Spec.Equal},
	"Spec.String": {nx.Spec.String},
	"Tensor.At":   {nx.Tensor.At}, "Tensor.DType": {nx.Tensor.DType}, "Tensor.IsZero": {nx.Tensor.IsZero},
	"Tensor.Names": {nx.Tensor.Names},
	"Tensor.Rank":  {nx.Tensor.Rank}, "Tensor.Shape": {nx.Tensor.Shape}, "Tensor.Size": {nx.Tensor.Size},
	"Tensor.Spec": {nx.Tensor.Spec},
	"Tensor.String": {func(t nx.Tensor) string {
		if !t.IsZero() && t.Size() > 1<<12 {
			return ""
		}
		return t.String()
	}},
	"Tensor.Format": {func(t nx.Tensor) string {
		if !t.IsZero() && t.Size() > 1<<12 {
			return ""
		}
		return fmt.Sprintf("%v %+v %s %d %.3f %q", t, t, t, t, t, t)
	}},
}

// binaryOf lists the forms of a binary op.
func binaryOf(forms ...any) []any { return forms }

// orExp returns a function that is not nil.
func orExp(f func(nx.Tensor) nx.Tensor) func(nx.Tensor) nx.Tensor {
	if f == nil {
		return nx.Exp
	}
	return f
}

// reachModel is a program with one input.
var reachModel = sync.OnceValue(func() *nx.Model {
	m, err := stablehlo.Parse("a", []byte("func.func @main(%x: tensor<?xf32> loc(\"a\")) -> tensor<?xf32> {\n"+
		"  %0 = stablehlo.exponential %x : tensor<?xf32>\n  return %0 : tensor<?xf32>\n}"))
	if err != nil {
		panic(err)
	}
	model, err := nx.LoadModule(context.Background(), m)
	if err != nil {
		panic(err)
	}
	return model
})

// TestReachableIsComplete: no exported function is left out of the table.
func TestReachableIsComplete(t *testing.T) {
	want := exportedFuncs(t, ".")
	for _, p := range []string{"debug", "fft", "shard", "tree"} {
		for _, name := range exportedFuncs(t, p) {
			want = append(want, p+"."+name)
		}
	}
	for _, name := range want {
		if reachable[name] == nil {
			t.Errorf("%s is not in the table", name)
		}
	}
	for name := range reachable {
		if !slices.Contains(want, name) {
			t.Errorf("the table has %s, which is not exported", name)
		}
	}
}
