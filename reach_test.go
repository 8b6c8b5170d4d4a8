package nx_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/stablehlo"
)

func newStream(x nx.Tensor) *nx.Streaming[nx.Tensor, nx.Tensor, nx.Tensor] {
	return nx.Stream(context.Background(), func(c, x nx.Tensor) (nx.Tensor, nx.Tensor) { return nx.Add(c, x), c }, x)
}

// onMesh runs a function on two devices, each with all of x.
func onMesh(x nx.Tensor, f func(x nx.Tensor) nx.Tensor) nx.Tensor {
	return nx.ShardMap(f, nx.Mesh{{Name: "x", Size: 2}}, []nx.Sharding{{}}, []nx.Sharding{{}})(x)
}

// reachable holds every exported function and method, generic ones with several
// types: what a program can call with arguments of any kind.
var reachable = map[string][]any{
	"Abs": {nx.Abs}, "Acos": {nx.Acos}, "Acosh": {nx.Acosh}, "Asin": {nx.Asin}, "Asinh": {nx.Asinh}, "Atan": {nx.Atan},
	"Atanh": {nx.Atanh}, "BesselI0e": {nx.BesselI0e}, "BitwiseNot": {nx.BitwiseNot}, "Cbrt": {nx.Cbrt}, "Ceil": {nx.Ceil},
	"Conj": {nx.Conj}, "Cos": {nx.Cos}, "Cosh": {nx.Cosh}, "Digamma": {nx.Digamma}, "Erf": {nx.Erf}, "ErfInv": {nx.ErfInv},
	"Erfc": {nx.Erfc}, "Exp": {nx.Exp}, "Expm1": {nx.Expm1}, "Flatten": {nx.Flatten},
	"Floor": {nx.Floor}, "Imag": {nx.Imag},
	"IsFinite": {nx.IsFinite}, "IsInf": {nx.IsInf}, "IsNaN": {nx.IsNaN}, "Lgamma": {nx.Lgamma}, "Log": {nx.Log},
	"Log1p": {nx.Log1p}, "LogicalNot": {nx.LogicalNot}, "Neg": {nx.Neg}, "Real": {nx.Real}, "Relu": {nx.Relu},
	"Round": {nx.Round}, "RoundEven": {nx.RoundEven}, "Rsqrt": {nx.Rsqrt}, "Sigmoid": {nx.Sigmoid}, "Sign": {nx.Sign},
	"Sin": {nx.Sin}, "Sinh": {nx.Sinh}, "Sqrt": {nx.Sqrt}, "Square": {nx.Square}, "StopGradient": {nx.StopGradient},
	"Tan": {nx.Tan}, "Tanh": {nx.Tanh}, "PopulationCount": {nx.PopulationCount},
	"CountLeadingZeros": {nx.CountLeadingZeros},
	"Phase":             {nx.Phase},

	"Log2": {nx.Log2}, "Log10": {nx.Log10}, "Softplus": {nx.Softplus}, "Silu": {nx.Silu}, "Gelu": {nx.Gelu},
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
	"CumSum":       {nx.CumSum}, "CumProd": {nx.CumProd}, "CumMax": {nx.CumMax}, "CumMin": {nx.CumMin}, "Diff": {nx.Diff},
	"FFT": {nx.FFT}, "IFFT": {nx.IFFT}, "RFFT": {nx.RFFT}, "IRFFT": {nx.IRFFT}, "FFT2": {nx.FFT2}, "IFFT2": {nx.IFFT2},
	"FFTN": {nx.FFTN}, "IFFTN": {nx.IFFTN},
	"FFTShift": {nx.FFTShift}, "IFFTShift": {nx.IFFTShift}, "FFTFreq": {nx.FFTFreq}, "RFFTFreq": {nx.RFFTFreq},
	"Lengths":   {nx.Lengths},
	"TakeAlong": {nx.TakeAlong}, "Gather": {nx.Gather}, "IndexedAdd": {nx.IndexedAdd}, "IndexedPut": {nx.IndexedPut},
	"SegmentSum": {nx.SegmentSum},
	"Roll":       {nx.Roll}, "Repeat": {nx.Repeat}, "Tri": {nx.Tri}, "Diagonal": {nx.Diagonal}, "Diag": {nx.Diag},
	"SetDiagonal": {nx.SetDiagonal}, "PadWith": {nx.PadWith},
	"Median": {nx.Median}, "Mode": {nx.Mode}, "Quantile": {nx.Quantile}, "WeightedMean": {nx.WeightedMean},
	"Covariance": {nx.Covariance},
	"Around":     {nx.Around}, "Histogram": {nx.Histogram}, "WeightedLogSumExp": {nx.WeightedLogSumExp},
	"DotGeneral": {nx.DotGeneral},
	"IsClose":    {nx.IsClose[nx.Tensor, nx.Tensor], nx.IsClose[nx.Tensor, float64]},
	"AllClose":   {nx.AllClose[nx.Tensor, nx.Tensor]}, "Tolerance": {nx.Tolerance},
	"ProfileLines": {func(f func()) nx.Profile { return nx.ProfileLines(f) }},
	"Profile.String": {func(d time.Duration) string {
		return nx.Profile{Total: d, Lines: []nx.LineTime{{Time: d}}}.String()
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
	"Mean": {nx.Mean}, "Min": {nx.Min}, "Prod": {nx.Prod}, "StandardDeviation": {nx.StandardDeviation}, "Sum": {nx.Sum},
	"Variance": {nx.Variance}, "Softmax": {nx.Softmax}, "LogSoftmax": {nx.LogSoftmax},

	"BroadcastTo": {nx.BroadcastTo}, "Concatenate": {nx.Concatenate}, "ExpandAxis": {nx.ExpandAxis}, "Rename": {nx.Rename},
	"Reshape": {nx.Reshape}, "Reverse": {nx.Reverse}, "Split": {nx.Split}, "Squeeze": {nx.Squeeze}, "Stack": {nx.Stack},
	"Tile": {nx.Tile}, "Transpose": {nx.Transpose}, "Tril": {nx.Tril}, "Triu": {nx.Triu}, "Take": {nx.Take},
	"OneHot":  {nx.OneHot},
	"Bitcast": {nx.Bitcast}, "Cast": {nx.Cast}, "Dot": {nx.Dot}, "Outer": {nx.Outer}, "Einsum": {nx.Einsum},
	"PutSlice": {nx.PutSlice},
	"Pad":      {nx.Pad[nx.Tensor], nx.Pad[float64]},
	"SetAt":    {nx.SetAt[nx.Tensor], nx.SetAt[float64]},
	"AddAt":    {nx.AddAt[nx.Tensor], nx.AddAt[float64]},
	"Clip":     {nx.Clip[nx.Tensor, nx.Tensor], nx.Clip[float64, nx.Tensor], nx.Clip[int, float64]},
	"Where":    {nx.Where[nx.Tensor, nx.Tensor], nx.Where[float64, nx.Tensor], nx.Where[int, uint64]},

	"New": {nx.New}, "FromSlice": {nx.FromSlice[float32], nx.FromSlice[int]}, "Wrap": {nx.Wrap[float32], nx.Wrap[int]},
	"FromBytes": {nx.FromBytes}, "Zeros": {nx.Zeros}, "Ones": {nx.Ones}, "Full": {nx.Full[float64], nx.Full[uint64]},
	"FullLike": {nx.FullLike[float64]}, "Iota": {nx.Iota}, "Eye": {nx.Eye}, "Linspace": {nx.Linspace[float64, int]},
	"ZerosLike": {nx.ZerosLike[nx.Tensor], nx.ZerosLike[[]nx.Tensor]},

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
	"LoadTensors": {nx.LoadTensors[nx.Tensor], nx.LoadTensors[[]nx.Tensor]},
	"ArrayEqual": {func(x, y nx.Tensor) bool {
		return (x.IsZero() || x.Size() < 1<<12) && (y.IsZero() || y.Size() < 1<<12) && nx.ArrayEqual(x, y)
	}},

	"AxisSize": {nx.AxisSize[int], nx.AxisSize[string]}, "Bytes": {nx.Bytes}, "Data": {nx.Data[float32], nx.Data[int]},
	"Item": {nx.Item[float32], nx.Item[int]}, "View": {nx.View[float32], nx.View[int]}, "LiveBytes": {nx.LiveBytes},
	"Leaves": {nx.Leaves}, "Map": {nx.Map[nx.Tensor], nx.Map[any]}, "Map2": {nx.Map2[[]nx.Tensor], nx.Map2[any]},
	"MapLeaves": {nx.MapLeaves[[]nx.Tensor]}, "Release": {nx.Release}, "Catch": {func() { var err error; nx.Catch(&err) }},
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
	"Ravel": {func(p []nx.Tensor, v nx.Tensor) []nx.Tensor { _, unravel := nx.Ravel(p); return unravel(v) }},
	"Vmap": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor, opts []nx.VmapOption) nx.Tensor {
		return nx.Vmap(f, opts...)(x)
	}},
	"InAxes": {nx.InAxes}, "OutAxes": {nx.OutAxes},
	"ShardMap": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor, axis string, size int) nx.Tensor {
		return nx.ShardMap(f, nx.Mesh{{Name: axis, Size: size}}, []nx.Sharding{{axis}}, []nx.Sharding{{axis}})(x)
	}, func(x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		return nx.Grad(nx.ShardMap(f, nx.Mesh{{Name: "x", Size: 2}}, []nx.Sharding{{}}, []nx.Sharding{{}}))(x)
	}},
	"AllReduce": {nx.AllReduce, func(x nx.Tensor, axes []string) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return nx.AllReduce(x, axes...) })
	}},
	"AllReduceMean": {nx.AllReduceMean, func(x nx.Tensor, axes []string) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return nx.AllReduceMean(x, axes...) })
	}},
	"AllReduceMax": {nx.AllReduceMax, func(x nx.Tensor, axes []string) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return nx.AllReduceMax(x, axes...) })
	}},
	"AllReduceMin": {nx.AllReduceMin, func(x nx.Tensor, axes []string) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return nx.AllReduceMin(x, axes...) })
	}},
	"FromShards": {func(x nx.Tensor, axis string, size int) nx.Tensor {
		return nx.FromShards(nx.Shards(x), nx.Mesh{{Name: axis, Size: size}}, nx.Sharding{axis})
	}, nx.FromShards},
	"ShardJit": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor, axis string, size int) nx.Tensor {
		return nx.ShardJit(orExp(f), nx.Mesh{{Name: axis, Size: size}}, []nx.Sharding{{axis}}, []nx.Sharding{{axis}})(x)
	}},
	"ShardingConstraint": {func(x nx.Tensor, axis string, size int) nx.Tensor {
		return nx.ShardingConstraint(x, nx.Mesh{{Name: axis, Size: size}}, nx.Sharding{axis})
	}},
	"Shards": {nx.Shards},
	"AllGather": {nx.AllGather, func(x nx.Tensor, dim int) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return nx.AllGather(x, dim, "x") })
	}},
	"ReduceScatter": {nx.ReduceScatter, func(x nx.Tensor, dim int) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return nx.ReduceScatter(x, dim, "x") })
	}},
	"AllToAll": {nx.AllToAll, func(x nx.Tensor, split, concat int) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return nx.AllToAll(x, split, concat, "x") })
	}},
	"Permute": {func(x nx.Tensor, axis string, from, to int) nx.Tensor {
		return onMesh(x, func(x nx.Tensor) nx.Tensor { return nx.Permute(x, axis, [2]int{from, to}) })
	}},
	"MeshIndex": {nx.MeshIndex, func(x nx.Tensor, axis string) nx.Tensor {
		return onMesh(x, func(nx.Tensor) nx.Tensor { return nx.MeshIndex(axis) })
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
	"Lower":         {func(x any, f func(nx.Tensor) nx.Tensor) (*nx.Lowered, error) { return nx.Lower(f, x) }},
	"Lowered.Split": {(*nx.Lowered).Split}, "Mark": {nx.Mark[nx.Tensor], nx.Mark[[]nx.Tensor]}, "MarkName": {nx.MarkName},
	"Graph.Stages": {(*nx.Graph).Stages},
	"Graph.Run": {func(ctx context.Context, inputs []nx.Tensor) ([]nx.Tensor, error) {
		l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return nx.Sin(nx.Exp(x)) }, nx.New(1.))
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
	"Hook": {func(x nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		return nx.Jit(func(x nx.Tensor) nx.Tensor { return nx.Hook("h", x, func(x nx.Tensor) { orExp(f)(x) }) })(x)
	}, nx.Hook[nx.Tensor]},
	"WithHook": {nx.WithHook[nx.Tensor]},
	"WithAsyncHook": {func(ctx context.Context, x nx.Tensor, f func(nx.Tensor)) error {
		ctx, wait := nx.WithAsyncHook(ctx, "h", f)
		nx.Jit(func(_ context.Context, x nx.Tensor) nx.Tensor { return nx.Hook("h", x, nil) })(ctx, x)
		return wait()
	}},
	"Cached":       {nx.Cached[func(nx.Tensor) nx.Tensor]},
	"StreamCached": {nx.StreamCached[nx.Tensor, nx.Tensor, nx.Tensor]},
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
	"Streaming.Done": {func(x nx.Tensor) (nx.Tensor, error) { return newStream(x).Done() }},
	"PrintValue":     {nx.PrintNothing},
	"RuntimeCall": {func(x, like nx.Tensor, f func(nx.Tensor) nx.Tensor) nx.Tensor {
		return nx.Jit(func(x nx.Tensor) nx.Tensor {
			return nx.RuntimeCall(x, like, func(x nx.Tensor) (nx.Tensor, error) { return orExp(f)(x), nil })
		})(x)
	}, nx.RuntimeCall[nx.Tensor, nx.Tensor]},
	"InspectExpr": {nx.InspectExpr}, "PadBatch": {nx.PadBatch[nx.Tensor], nx.PadBatch[[]nx.Tensor]},
	"Compile": {func(x any, f func(nx.Tensor) nx.Tensor) (*nx.Executable[func(nx.Tensor) nx.Tensor], error) {
		return nx.Compile(f, x)
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
	"MapRows":         {nx.MapRows[nx.Tensor, nx.Tensor], nx.MapRows[[]nx.Tensor, nx.Tensor]},
	"AssociativeScan": {nx.AssociativeScan[nx.Tensor]},
	"Unroll":          {nx.Unroll}, "Length": {nx.Length},

	"Load":        {func(path string) error { _, err := nx.Load(path); return err }},
	"LoadModule":  {func() (*nx.Model, error) { return nx.LoadModule(nil) }, nx.LoadModule},
	"LoadContext": {func(ctx context.Context, path string) error { _, err := nx.LoadContext(ctx, path); return err }},
	"LoadModuleContext": {func(ctx context.Context) (*nx.Model, error) { return nx.LoadModuleContext(ctx, nil) },
		nx.LoadModuleContext},
	"LoadFunc": {func(x nx.Tensor) (nx.Tensor, error) {
		f, err := nx.LoadFunc[func(nx.Tensor) (nx.Tensor, error)](reachModel())
		if err != nil {
			return nx.Tensor{}, err
		}
		return f(x)
	}, nx.LoadFunc[func()], nx.LoadFunc[int]},
	"Bind": {nx.Bind}, "DonateInputs": {nx.DonateInputs}, "Weights": {nx.Weights}, "WeightNames": {nx.WeightNames},
	"Model.Inputs": {(*nx.Model).Inputs}, "Model.Outputs": {(*nx.Model).Outputs}, "Model.String": {(*nx.Model).String},
	"Model.Call": {func(ctx context.Context, x []nx.Tensor) ([]nx.Tensor, error) { return reachModel().Call(ctx, x...) },
		(*nx.Model).Call},
	"Model.CallNamed": {func(ctx context.Context, name string, x nx.Tensor) (map[string]nx.Tensor, error) {
		return reachModel().CallNamed(ctx, map[string]nx.Tensor{name: x})
	}, (*nx.Model).CallNamed},
	"Parameter.String": {nx.Parameter.String},

	"Executable.Text": {(*nx.Executable[func()]).Text},

	"Names": {nx.Names}, "As": {nx.As}, "Axis": {nx.Axis[int], nx.Axis[string]}, "DDOF": {nx.DDOF}, "Donate": {nx.Donate},
	"On": {nx.On}, "Signatures": {nx.Signatures}, "SetDefault": {nx.SetDefault}, "Tensor.Device": {nx.Tensor.Device},
	"From": {nx.From}, "To": {nx.To}, "Range": {nx.Range}, "Index.Step": {nx.Index.Step},

	"Shape.Size": {nx.Shape.Size}, "Shape.String": {nx.Shape.String}, "Spec.Equal": {nx.Spec.Equal},
	"Spec.String": {nx.Spec.String},
	"Tensor.At":   {nx.Tensor.At}, "Tensor.DType": {nx.Tensor.DType}, "Tensor.IsZero": {nx.Tensor.IsZero},
	"Tensor.Names": {nx.Tensor.Names},
	"Tensor.Rank":  {nx.Tensor.Rank}, "Tensor.Shape": {nx.Tensor.Shape}, "Tensor.Size": {nx.Tensor.Size},
	"Tensor.Spec": {nx.Tensor.Spec},
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
	model, err := nx.LoadModule(m)
	if err != nil {
		panic(err)
	}
	return model
})

// TestReachableIsComplete: no exported function is left out of the table.
func TestReachableIsComplete(t *testing.T) {
	want := exportedFuncs(t, ".")
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

// exportedFuncs returns the exported functions and methods of a package.
func exportedFuncs(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for _, f := range parsedPackage(t, dir) {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() {
				continue
			}
			name := fn.Name.Name
			if fn.Recv != nil {
				r := fn.Recv.List[0].Type
				if p, ok := r.(*ast.StarExpr); ok {
					r = p.X
				}
				switch g := r.(type) {
				case *ast.IndexExpr:
					r = g.X
				case *ast.IndexListExpr:
					r = g.X
				}
				recv := r.(*ast.Ident).Name
				if !ast.IsExported(recv) {
					continue
				}
				name = recv + "." + name
			}
			names = append(names, name)
		}
	}
	return names
}

// parsedPackage returns the files of a package without its tests.
func parsedPackage(t *testing.T, dir string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var out []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, f)
	}
	return out
}

// odd draws arguments: empty and huge sizes, absent tensors, ranks and element
// types that do not fit, options that mean nothing, beside ordinary ones.
type odd struct {
	*rand.Rand
	traced []nx.Tensor // to draw from, in a traced function
}

func pick[T any](o odd, of ...T) T { return of[o.IntN(len(of))] }

func (o odd) int() int {
	return pick(o, 0, 0, 1, 1, 2, 2, 3, 4, -1, -1, -2, -5, 31, 40, 1<<10, 1<<40, math.MaxInt, math.MinInt)
}

func (o odd) ints() []int {
	out := make([]int, pick(o, 0, 1, 1, 2, 2, 3, 4, 33))
	for i := range out {
		out[i] = o.int()
	}
	return out
}

func (o odd) pairs() [][2]int {
	return lists(o, func() [2]int { return [2]int{pick(o, 0, 1, -1, o.int()), pick(o, 0, 1, -1, o.int())} })
}

// few draws no axis or one.
func (o odd) few() []int { return pick(o, nil, []int{0}, []int{-1}, []int{o.int()}) }

func (o odd) dtype() nx.DType {
	return pick(o, nx.Bool, nx.U2, nx.S4, nx.S8, nx.U8, nx.S32, nx.U64, nx.S64, nx.F8E4M3FN, nx.F16, nx.BF16, nx.F32,
		nx.F32, nx.F64, nx.C64, nx.C128, 0, 200, 25)
}

var oddShapes = []nx.Shape{{}, {0}, {1}, {2}, {3}, {0, 3}, {3, 0}, {2, 3}, {3, 2}, {3, 3}, {1, 3}, {2, 0, 3},
	{2, 1, 3}, {1, 1, 1, 1}}

func (o odd) tensor() nx.Tensor {
	if len(o.traced) > 0 && o.IntN(3) > 0 {
		return pick(o, o.traced...)
	}
	if o.IntN(20) == 0 {
		return nx.Tensor{}
	}
	d := o.dtype()
	for !d.IsValid() || d > nx.C128 {
		d = o.dtype()
	}
	shape := pick(o, oddShapes...)
	if o.IntN(40) == 0 {
		shape = nx.Shape{1 << 40, 1 << 10} // too large for any memory, or a recipe
	}
	t := nx.Zeros(shape, d)
	if shape.Size() < 100 && shape.Size() > 0 && o.IntN(3) > 0 {
		v := nx.Sub(nx.Mul(nx.Iota(shape, nx.S32), 1<<20), 1)
		if o.IntN(2) == 0 {
			v = nx.Sub(nx.Iota(shape, nx.S32), 1)
		}
		t = nx.Cast(v, d)
	}
	if o.IntN(8) == 0 {
		t = nx.Rename(t, []string{"a", "b", "c", "d"}[:len(shape)]...)
	}
	if len(shape) > 0 && o.IntN(10) == 0 {
		t = nx.Vectorize(t, pick(o, "x", "y"))
	}
	return t
}

func (o odd) number() float64 {
	return pick(o, 0, 1, -1, 0.5, 3, 300, 1e300, -1e300, math.Inf(1), math.NaN(), math.MaxUint32)
}

func (o odd) axis() nx.AxesOption {
	switch o.IntN(4) {
	case 0:
		return nx.Axis(pick(o, "a", "b", "", "z"))
	case 1:
		return nx.Axis(o.ints()...)
	}
	return nx.Axis(pick(o, 0, 0, 1, -1, 2, 5))
}

func (o odd) index() any {
	return pick[any](o, 0, 1, -1, 7, math.MinInt, nx.Whole, nx.NewAxis, nx.Ellipsis, nx.Range(1, 2),
		nx.Range(-1, math.MaxInt), nx.From(-2), nx.To(1),
		nx.From(0).Step(2), nx.From(0).Step(0), nx.From(0).Step(math.MaxInt), nx.Index{}, nil, "a", int64(1),
		1.5, o.tensor(), o.tensor())
}

// lists draws from 0 to 3 options.
func lists[T any](o odd, draw func() T) []T {
	out := make([]T, o.IntN(4))
	for i := range out {
		out[i] = draw()
	}
	return out
}

// argument draws an argument of a type.
func (o odd) argument(t reflect.Type) any {
	double := func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }
	switch t {
	case reflect.TypeFor[nx.Tensor]():
		return o.tensor()
	case reflect.TypeFor[[]nx.Tensor]():
		return lists(o, o.tensor)
	case reflect.TypeFor[nx.Shape]():
		if o.IntN(2) == 0 {
			return pick(o, oddShapes...)
		}
		return nx.Shape(o.ints())
	case reflect.TypeFor[nx.Spec]():
		return o.tensor().Spec()
	case reflect.TypeFor[nx.DType]():
		return o.dtype()
	case reflect.TypeFor[nx.Index]():
		return nx.Range(o.int(), o.int())
	case reflect.TypeFor[int]():
		return o.int()
	case reflect.TypeFor[uint64]():
		return pick(o, 0, 1, 300, uint64(math.MaxUint64))
	case reflect.TypeFor[float64]():
		return o.number()
	case reflect.TypeFor[string]():
		return pick(o, "a", "", "ij,jk->ik", "ij->ji", "i,i", "ii", "->", "ij,jk", "{}", "null", "[1]",
			`{"dtype":"f32","shape":[1099511627776],"data":[1]}`, `{"dtype":"f32","shape":[2],"data":[1]}`,
			`{"dtype":"u8","shape":[],"data":300}`,
			`{"dtype":"c64","shape":[1],"data":[["NaN",1]]}`, `{"dtype":"f32","shape":[-1],"data":[]}`,
			`{"shape":[1099511627776,0],"dtype":"s8","data":[]}`, ",", "é", "ab->c")
	case reflect.TypeFor[[]int]():
		return o.ints()
	case reflect.TypeFor[[]string]():
		return lists(o, func() string { return pick(o, "a", "b", "", "c") })
	case reflect.TypeFor[[]float32]():
		return make([]float32, pick(o, 0, 1, 2, 6))
	case reflect.TypeFor[[]byte]():
		return make([]byte, pick(o, 0, 1, 4, 6, 24))
	case reflect.TypeFor[[]nx.SortOption]():
		return lists(o, func() nx.SortOption {
			return pick[nx.SortOption](o, nil, o.axis(), nx.Descending, nx.As(o.dtype()))
		})
	case reflect.TypeFor[[]nx.WindowOption]():
		return lists(o, func() nx.WindowOption {
			return pick[nx.WindowOption](o, nil, nx.Same(), nx.Padding(o.pairs()...), nx.Strides(o.ints()...),
				nx.Dilation(o.ints()...))
		})
	case reflect.TypeFor[[]nx.ConvOption]():
		return lists(o, func() nx.ConvOption {
			return pick[nx.ConvOption](o, nil, nx.Same(), nx.Padding(o.pairs()...), nx.Strides(o.ints()...),
				nx.Dilation(o.ints()...),
				nx.InputDilation(o.ints()...), nx.FeatureGroups(o.int()), nx.BatchGroups(o.int()), nx.ChannelsLast(),
				nx.Layout(o.ints(), nil, o.ints()))
		})
	case reflect.TypeFor[[]nx.CumulativeOption]():
		return lists(o, func() nx.CumulativeOption {
			return pick[nx.CumulativeOption](o, nil, o.axis(), nx.Reversed, nx.SkipNaN, nx.As(o.dtype()))
		})
	case reflect.TypeFor[[]nx.FFTOption]():
		return lists(o, func() nx.FFTOption {
			return pick[nx.FFTOption](o, nil, o.axis(), nx.Length(pick(o, 0, 1, 3, 8, -1)), nx.Lengths(1, 2), nx.Lengths())
		})
	case reflect.TypeFor[[]nx.CovarianceOption]():
		return lists(o, func() nx.CovarianceOption {
			return pick[nx.CovarianceOption](o, nil, nx.DDOF(o.int()), nx.Around(o.tensor()))
		})
	case reflect.TypeFor[[]nx.CloseOption]():
		return lists(o, func() nx.CloseOption {
			return pick[nx.CloseOption](o, nil, nx.EqualNaN, nx.Tolerance(o.number(), o.number()))
		})
	case reflect.TypeFor[[]nx.BatchOption]():
		return lists(o, func() nx.BatchOption {
			return pick[nx.BatchOption](o, nil, nx.DropLast, nx.RepeatFirst, nx.LeftoverOption(9))
		})
	case reflect.TypeFor[[]nx.LinspaceOption]():
		return lists(o, func() nx.LinspaceOption { return pick[nx.LinspaceOption](o, nil, nx.HalfOpen) })
	case reflect.TypeFor[nx.PadMode]():
		return pick(o, nx.PadEdge, nx.PadReflect, nx.PadSymmetric, nx.PadWrap, 0, 77)
	case reflect.TypeFor[nx.DotDims]():
		return nx.DotDims{ContractA: o.few(), ContractB: o.few(), BatchA: o.few(), BatchB: o.few()}
	case reflect.TypeFor[[]nx.VectorAxis]():
		return lists(o, func() nx.VectorAxis {
			return nx.VectorAxis{Name: pick(o, "x", "y", "", "a"), Size: pick(o, 1, 2, 3, -1, o.int())}
		})
	case reflect.TypeFor[[][2]int]():
		return o.pairs()
	case reflect.TypeFor[any]():
		return pick[any](o, nil, 1, "a", o.tensor(), lists(o, o.tensor), []float32{1}, [][]int{{1}, {2}}, [][]int{{1}, {}},
			[0][3]int{}, map[string]nx.Tensor{"a": o.tensor()}, nx.Spec{}, o.tensor().Spec(),
			nx.Spec{DType: nx.F32, Shape: nx.Shape{-1}}, &struct{ T nx.Tensor }{})
	case reflect.TypeFor[[]any]():
		return lists(o, o.index)
	case reflect.TypeFor[[]nx.ReduceOption]():
		return lists(o, func() nx.ReduceOption {
			return pick[nx.ReduceOption](o, nil, o.axis(), o.axis(), nx.KeepAxes, nx.SkipNaN, nx.As(o.dtype()))
		})
	case reflect.TypeFor[[]nx.VarianceOption]():
		return lists(o, func() nx.VarianceOption {
			return pick[nx.VarianceOption](o, nil, o.axis(), nx.KeepAxes, nx.SkipNaN, nx.As(o.dtype()), nx.DDOF(o.int()))
		})
	case reflect.TypeFor[[]nx.AxisOption]():
		return lists(o, func() nx.AxisOption { return pick[nx.AxisOption](o, nil, o.axis(), o.axis()) })
	case reflect.TypeFor[[]nx.TakeOption]():
		return lists(o, func() nx.TakeOption {
			return pick[nx.TakeOption](o, nil, o.axis(), nx.Clamp, nx.Fill, nx.Checked, nx.OutsideOption(9))
		})
	case reflect.TypeFor[[]nx.ScanOption]():
		return lists(o, func() nx.ScanOption {
			return pick[nx.ScanOption](o, nil, nx.Unroll(o.int()), nx.Length(o.int()), nx.Reversed)
		})
	case reflect.TypeFor[[]nx.NewOption]():
		return lists(o, func() nx.NewOption {
			return pick[nx.NewOption](o, nil, nx.Names("a"), nx.Names("a", "a"), nx.Names("a", "b"), nx.As(o.dtype()))
		})
	case reflect.TypeFor[[]nx.JitOption]():
		return lists(o, func() nx.JitOption {
			return pick[nx.JitOption](o, nil, nx.Donate(o.int()), nx.On(cpu.Default()), nx.Signatures(o.int()))
		})
	case reflect.TypeFor[[]nx.VmapOption]():
		return lists(o, func() nx.VmapOption {
			axis := pick[any](o, nil, o.int(), "a", 1.5, map[string]any{"the value": o.int()}, map[string]any{"x": 1.5})
			return pick[nx.VmapOption](o, nil, nx.InAxes(axis), nx.InAxes(axis, axis), nx.OutAxes(axis), nx.OutAxes())
		})
	case reflect.TypeFor[context.Context]():
		return pick[context.Context](o, context.Background(), nil)
	case reflect.TypeFor[nx.Device]():
		return pick[nx.Device](o, nil, cpu.Default().Devices()[0])
	case reflect.TypeFor[backend.Client]():
		return pick[backend.Client](o, nil, cpu.Default())
	case reflect.TypeFor[func(nx.Tensor) nx.Tensor]():
		return pick(o, nil, double, nx.Exp, func(nx.Tensor) nx.Tensor { return nx.Tensor{} },
			func(nx.Tensor) nx.Tensor { return o.tensor() })
	case reflect.TypeFor[func(nx.Tensor) (nx.Tensor, nx.Tensor)]():
		return pick(o, nil, func(x nx.Tensor) (nx.Tensor, nx.Tensor) { return double(x), o.tensor() })
	case reflect.TypeFor[func([]nx.Tensor) nx.Tensor]():
		return func(x []nx.Tensor) nx.Tensor { return nx.Concatenate(x) }
	case reflect.TypeFor[func(a, b nx.Tensor) nx.Tensor]():
		return pick(o, nil, nx.Add[nx.Tensor, nx.Tensor])
	case reflect.TypeFor[func(string, nx.Tensor) nx.Tensor]():
		return pick(o, nil, func(_ string, x nx.Tensor) nx.Tensor { return double(x) })
	case reflect.TypeFor[func([]float32)]():
		return pick(o, nil, func([]float32) {})
	case reflect.TypeFor[func([]int)]():
		return pick(o, nil, func([]int) {})
	}
	return reflect.Zero(t).Interface()
}

// call calls a function with drawn arguments and computes what it returns. It
// reports the arguments and the panic that was not an *nx.Error.
func (o odd) call(f any) (said string, stack []byte) {
	var args []string
	defer func() {
		r := recover()
		if err, ok := r.(error); r != nil && !(ok && errors.As(err, new(*nx.Error))) {
			said, stack = fmt.Sprintf("%s: panic: %v", strings.Join(args, ", "), r), debug.Stack()
		}
	}()
	v := reflect.ValueOf(f)
	in := make([]reflect.Value, v.Type().NumIn())
	for i := range in {
		t := v.Type().In(i)
		in[i] = reflect.New(t).Elem()
		if a := o.argument(t); a != nil {
			in[i].Set(reflect.ValueOf(a))
		}
		args = append(args, describeArgument(in[i]))
	}
	var out []reflect.Value
	if v.Type().IsVariadic() {
		out = v.CallSlice(in)
	} else {
		out = v.Call(in)
	}
	for _, r := range out {
		switch r := r.Interface().(type) {
		case nx.Tensor:
			o.compute(r)
		case []nx.Tensor:
			for _, t := range r {
				o.compute(t)
			}
		}
	}
	return "", nil
}

// compute makes the elements of a small tensor, and of one that is too large for
// any memory.
func (o odd) compute(t nx.Tensor) {
	if !t.IsZero() && (t.Size() < 1<<16 || t.Size() > 1<<45) {
		nx.Bytes(t)
	}
}

func describeArgument(v reflect.Value) string {
	switch x := v.Interface().(type) {
	case nx.Tensor:
		return fmt.Sprintf("%s", x)
	case []nx.Tensor:
		return fmt.Sprintf("%s", x)
	}
	return fmt.Sprintf("%s(%+v)", v.Type(), v)
}

// TestOnlyErrorsReach calls every exported function with odd arguments: nothing
// but an *nx.Error comes out, at once and while a function is traced.
func TestOnlyErrorsReach(t *testing.T) {
	times := 240
	if testing.Short() {
		times = 80
	}
	for name, forms := range reachable {
		t.Run(name, func(t *testing.T) {
			for i := range times {
				seed := rand.New(rand.NewPCG(7, uint64(i)))
				f := forms[i%len(forms)]
				o := odd{Rand: seed}
				said, stack := "", []byte(nil)
				if i%8 == 7 {
					x := []nx.Tensor{nx.Zeros(nx.Shape{2, 3}, nx.F32), nx.Zeros(nx.Shape{0, 3}, nx.F32), nx.Zeros(nx.Shape{}, nx.S32),
						nx.Zeros(nx.Shape{3}, nx.S64)}
					err := caught(func() {
						nx.Jit(func(x []nx.Tensor) []nx.Tensor { o.traced = x; said, stack = o.call(f); return x })(x)
					})
					if err != nil && errors.As(err, new(*nx.Error)) {
						err = nil
					}
					if err != nil {
						t.Error(err)
					}
				} else {
					said, stack = o.call(f)
				}
				if said != "" {
					t.Fatalf("draw %d: %s\n%s", i, said, stack)
				}
			}
		})
	}
}
