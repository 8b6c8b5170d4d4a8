package exec

import (
	"fmt"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

const (
	numbers  = "i8 ui8 i16 i32 ui64 f8E4M3FN bf16 f16 f32 f64 complex<f32> complex<f64>"
	ordered  = "i1 i8 ui8 i16 i32 ui64 bf16 f16 f32 f64"
	floats   = "f32 f64 complex<f32> complex<f64>"
	narrowed = "i8 bf16 f32 f64 complex<f64>"
)

// The windows of scatter and gather.
const (
	ontoRows = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], " +
		"index_vector_dim = 1"
	ontoColumns = "update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], " +
		"index_vector_dim = 1"
	ontoBatches = "inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], " +
		"scatter_dims_to_operand_dims = [1], index_vector_dim = 2"
	fromBatches = "collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], " +
		"start_index_map = [1], index_vector_dim = 2"
)

// body returns a region of two scalars with one op.
func body(op string) string {
	return `({
  ^bb0(%p: tensor<<T>>, %q: tensor<<T>>):
    %r = stablehlo.` + op + ` %p, %q : tensor<<T>>
    stablehlo.return %r : tensor<<T>>
  })`
}

// pairBody reads both elements of two tensors at a time.
const pairBody = `({
  ^bb0(%p: tensor<<T>>, %q: tensor<<T>>, %p2: tensor<<T>>, %q2: tensor<<T>>):
    %r = stablehlo.add %p, %p2 : tensor<<T>>
    %s = stablehlo.subtract %q, %q2 : tensor<<T>>
    stablehlo.return %r, %s : tensor<<T>>, tensor<<T>>
  })`

const descending = `({
  ^bb0(%p: tensor<<T>>, %q: tensor<<T>>):
    %r = stablehlo.compare GT, %p, %q : (tensor<<T>>, tensor<<T>>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  })`

// sortOf sorts each line of a matrix separately.
func sortOf(name, dims, dim, comparator string) guardedProgram {
	typ := "tensor<" + dims + "x<T>>"
	return guardedProgram{name, stablehlo.OpSort, ordered, []string{"%x: " + typ},
		`  %s = "stablehlo.sort"(%x) ` + comparator + ` {dimension = ` + dim + ` : i64, is_stable = true} : (` +
			typ + `) -> ` + typ, []string{"%s: " + typ}}
}

// scatterOf scatters updates into a tensor by a body.
func scatterOf(name, operand, indices, updates, numbering, region string) guardedProgram {
	t, i, u := "tensor<"+operand+"x<T>>", "tensor<"+indices+"xi32>", "tensor<"+updates+"x<T>>"
	return guardedProgram{name, stablehlo.OpScatter, numbers, []string{"%x: " + t, "%i: " + i, "%u: " + u},
		`  %s = "stablehlo.scatter"(%x, %i, %u) ` + region + ` {scatter_dimension_numbers = #stablehlo.scatter<` +
			numbering + `>} : (` + t + `, ` + i + `, ` + u + `) -> ` + t,
		[]string{"%s: " + t}}
}

func gatherOf(name, operand, indices, result, numbering, sizes string) guardedProgram {
	t, i, r := "tensor<"+operand+"x<T>>", "tensor<"+indices+"xi32>", "tensor<"+result+"x<T>>"
	return guardedProgram{name, stablehlo.OpGather, numbers, []string{"%x: " + t, "%i: " + i},
		`  %s = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<` + numbering + `>,
    slice_sizes = array<i64: ` + sizes + `>} : (` + t + `, ` + i + `) -> ` + r,
		[]string{"%s: " + r}}
}

func windowOf(name, operand, result, attrs, region string) guardedProgram {
	t, r := "tensor<"+operand+"x<T>>", "tensor<"+result+"x<T>>"
	return guardedProgram{name, stablehlo.OpReduceWindow, narrowed, []string{"%x: " + t, "%z: tensor<<T>>"},
		`  %s = "stablehlo.reduce_window"(%x, %z) ` + region + ` {` + attrs + `} : (` + t + `, tensor<<T>>) -> ` +
			r, []string{"%s: " + r}}
}

func dotOf(name, x, y, result, dims string) guardedProgram {
	a, b, r := "tensor<"+x+"x<T>>", "tensor<"+y+"x<T>>", "tensor<"+result+"x<T>>"
	return guardedProgram{name, stablehlo.OpDotGeneral, numbers, []string{"%x: " + a, "%y: " + b},
		`  %s = stablehlo.dot_general %x, %y, ` + dims + ` : (` + a + `, ` + b + `) -> ` + r, []string{"%s: " + r}}
}

func convolutionOf(name, x, k, result, window, groups string) guardedProgram {
	a, b, r := "tensor<"+x+"x<T>>", "tensor<"+k+"x<T>>", "tensor<"+result+"x<T>>"
	return guardedProgram{name, stablehlo.OpConvolution, "i8 bf16 f32 f64", []string{"%x: " + a, "%k: " + b},
		`  %s = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {` +
			window + `} {batch_group_count = 1 : i64, feature_group_count = ` + groups + ` : i64} : (` + a + `, ` + b +
			`) -> ` + r,
		[]string{"%s: " + r}}
}

// ofPart makes the image of a convolution a slice of a larger one.
func (p guardedProgram) ofPart(of, slice string) guardedProgram {
	_, part, _ := strings.Cut(p.args[0], ": ")
	full := "tensor<" + of + "x<T>>"
	p.args = []string{"%x: " + full, p.args[1]}
	p.lines = "  %part = stablehlo.slice %x [" + slice + "] : (" + full + ") -> " + part + "\n" +
		strings.ReplaceAll(p.lines, "convolution(%x,", "convolution(%part,")
	return p
}

func fftOf(name, x, result, kind, length string) guardedProgram {
	return guardedProgram{name, stablehlo.OpFft, "f32 f64", []string{"%x: " + x},
		`  %s = stablehlo.fft %x, type = ` + kind + `, length = [` + length + `] : (` + x + `) -> ` + result,
		[]string{"%s: " + result}}
}

func solveOf(name, a, b, attrs string) guardedProgram {
	x, y := "tensor<"+a+"x<T>>", "tensor<"+b+"x<T>>"
	return guardedProgram{name, stablehlo.OpTriangularSolve, floats, []string{"%x: " + x, "%y: " + y},
		`  %s = "stablehlo.triangular_solve"(%x, %y) {` + attrs + `} : (` + x + `, ` + y + `) -> ` + y,
		[]string{"%s: " + y}}
}

func bitsOf(algorithm, state, result string) guardedProgram {
	return guardedProgram{"rng_bit_generator, " + algorithm + " " + state, stablehlo.OpRngBitGenerator,
		"ui8 i16 ui32 i64", []string{"%x: tensor<" + state + "xui64>"},
		`  %t, %s = stablehlo.rng_bit_generator %x, algorithm = ` + algorithm + ` : (tensor<` + state + `xui64>)
    -> (tensor<` + state + `xui64>, tensor<` + result + `x<T>>)`,
		[]string{"%t: tensor<" + state + "xui64>", "%s: tensor<" + result + "x<T>>"}}
}

func topKOf(n, k string) guardedProgram {
	return guardedProgram{"top_k of " + n, stablehlo.OpChloTopK, ordered, []string{"%x: tensor<3x" + n + "x<T>>"},
		`  %s:2 = chlo.top_k(%x, k = ` + k + `) : tensor<3x` + n + `x<T>> -> (tensor<3x` + k + `x<T>>, tensor<3x` +
			k + `xi32>)`,
		[]string{"%s#0: tensor<3x" + k + "x<T>>", "%s#1: tensor<3x" + k + "xi32>"}}
}

func checkOf(name string, code stablehlo.OpCode, op string) guardedProgram {
	return guardedProgram{name, code, "", []string{"%x: tensor<7xf32>"}, `  ` + op, nil}
}

// guardedPrograms has programs for every op of the library, some for each of its algorithms, and for control flow.
var guardedPrograms = []guardedProgram{
	sortOf("sort of one row", "13", "0", descending),
	sortOf("sort of many elements", "3000", "0", descending),
	sortOf("sort of rows", "5x67", "1", descending),
	sortOf("sort of columns", "67x5", "0", descending),
	{"sort by a comparator", stablehlo.OpSort, "i16 f32", []string{"%x: tensor<67x3x<T>>"}, `
  %s = "stablehlo.sort"(%x) ({
  ^bb0(%p: tensor<<T>>, %q: tensor<<T>>):
    %d = stablehlo.multiply %p, %p : tensor<<T>>
    %e = stablehlo.multiply %q, %q : tensor<<T>>
    %r = stablehlo.compare LT, %d, %e : (tensor<<T>>, tensor<<T>>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<67x3x<T>>) -> tensor<67x3x<T>>`,
		[]string{"%s: tensor<67x3x<T>>"}},
	{"sort of two tensors", stablehlo.OpSort, ordered, []string{"%x: tensor<3x67x<T>>", "%y: tensor<3x67xi16>"}, `
  %s:2 = "stablehlo.sort"(%x, %y) ({
  ^bb0(%p: tensor<<T>>, %q: tensor<<T>>, %v: tensor<i16>, %w: tensor<i16>):
    %r = stablehlo.compare LT, %p, %q : (tensor<<T>>, tensor<<T>>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) {dimension = 1 : i64, is_stable = true} : (tensor<3x67x<T>>, tensor<3x67xi16>)
    -> (tensor<3x67x<T>>, tensor<3x67xi16>)`,
		[]string{"%s#0: tensor<3x67x<T>>", "%s#1: tensor<3x67xi16>"}},

	scatterOf("scatter of elements, set", "13", "40x1", "40",
		"inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", `({
  ^bb0(%p: tensor<<T>>, %q: tensor<<T>>):
    stablehlo.return %q : tensor<<T>>
  })`),
	scatterOf("scatter of elements, add", "13", "40x1", "40",
		"inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", body("add")),
	scatterOf("scatter of elements by a body", "13", "40x1", "40",
		"inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1", body("subtract")),
	scatterOf("scatter of two components", "5x7", "4x2x10", "4x10",
		"inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1", body("add")),
	scatterOf("scatter of rows", "9x6", "12", "12x6",
		ontoRows,
		body("add")),
	scatterOf("scatter of rows by a body", "9x6", "12", "12x6",
		ontoRows,
		body("subtract")),
	scatterOf("scatter of columns", "6x9", "12", "6x12",
		ontoColumns,
		body("multiply")),
	scatterOf("scatter of blocks partly outside", "6x9", "12x2", "12x2x3",
		"update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1", body("add")),
	scatterOf("scatter of one block", "6x9", "2", "2x3",
		"update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]", body("add")),
	scatterOf("scatter of batches", "4x9", "4x10x1", "4x10",
		ontoBatches,
		body("add")),
	{"scatter of two tensors", stablehlo.OpScatter, "i8 i32 f32 f64", []string{"%x: tensor<13x<T>>",
		"%y: tensor<13x<T>>", "%i: tensor<40x1xi32>", "%u: tensor<40x<T>>", "%v: tensor<40x<T>>"},
		`  %s:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) ` + pairBody + `
    {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
    scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<13x<T>>, tensor<13x<T>>, tensor<40x1xi32>, tensor<40x<T>>, tensor<40x<T>>)
    -> (tensor<13x<T>>, tensor<13x<T>>)`,
		[]string{"%s#0: tensor<13x<T>>", "%s#1: tensor<13x<T>>"}},

	gatherOf("gather of elements", "13", "40x1", "40",
		"collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", "1"),
	gatherOf("gather of rows", "9x6", "12", "12x6",
		"offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", "1, 6"),
	gatherOf("gather of columns", "6x9", "12", "6x12",
		"offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1", "6, 1"),
	gatherOf("gather of blocks", "6x9", "12x2", "12x2x3",
		"offset_dims = [1, 2], start_index_map = [0, 1], index_vector_dim = 1", "2, 3"),
	gatherOf("gather of batches", "4x9", "4x10x1", "4x10",
		fromBatches,
		"1, 1"),

	gatherOf("gather of elements in a kernel", "13", "40x1", "40",
		"collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", "1").doubled(),
	gatherOf("gather of blocks in a kernel", "6x9", "12x3x2", "12x3",
		"collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2", "1, 1").doubled(),
	gatherOf("gather of rows in a kernel", "9x130", "12", "12x130",
		"offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", "1, 130").doubled(),
	guardedProgram{"dynamic_slice in a kernel", stablehlo.OpDynamicSlice, numbers,
		[]string{"%x: tensor<5x7x9x<T>>", "%i: tensor<i32>", "%j: tensor<i32>"},
		`  %s = stablehlo.dynamic_slice %x, %i, %j, %i, sizes = [2, 4, 8]
    : (tensor<5x7x9x<T>>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x8x<T>>`,
		[]string{"%s: tensor<2x4x8x<T>>"}}.doubled(),

	{"dynamic_slice", stablehlo.OpDynamicSlice, numbers, []string{"%x: tensor<5x7x3x<T>>", "%i: tensor<i32>",
		"%j: tensor<i32>"},
		`  %s = stablehlo.dynamic_slice %x, %i, %j, %i, sizes = [2, 4, 3]
    : (tensor<5x7x3x<T>>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<2x4x3x<T>>`,
		[]string{"%s: tensor<2x4x3x<T>>"}},
	{"dynamic_update_slice", stablehlo.OpDynamicUpdateSlice, numbers, []string{"%x: tensor<5x7x3x<T>>",
		"%u: tensor<2x4x3x<T>>", "%i: tensor<i32>", "%j: tensor<i32>"},
		`  %s = stablehlo.dynamic_update_slice %x, %u, %i, %j, %i
    : (tensor<5x7x3x<T>>, tensor<2x4x3x<T>>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<5x7x3x<T>>`,
		[]string{"%s: tensor<5x7x3x<T>>"}},
	{"dynamic_update_slice of everything", stablehlo.OpDynamicUpdateSlice, numbers, []string{"%x: tensor<13x<T>>",
		"%u: tensor<13x<T>>", "%i: tensor<i32>"},
		`  %s = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<13x<T>>, tensor<13x<T>>, tensor<i32>)
    -> tensor<13x<T>>`, []string{"%s: tensor<13x<T>>"}},
	{"bitcast_convert to narrower elements", stablehlo.OpBitcastConvert, "f64 i64 complex<f32>",
		[]string{"%x: tensor<7x<T>>"},
		`  %s = stablehlo.bitcast_convert %x : (tensor<7x<T>>) -> tensor<7x4xui16>`,
		[]string{"%s: tensor<7x4xui16>"}},
	{"bitcast_convert to wider elements", stablehlo.OpBitcastConvert, "f64 i64 complex<f32>",
		[]string{"%x: tensor<7x4xui16>"},
		`  %s = stablehlo.bitcast_convert %x : (tensor<7x4xui16>) -> tensor<7x<T>>`, []string{"%s: tensor<7x<T>>"}},

	windowOf("reduce_window of one dimension", "67", "61", "window_dimensions = array<i64: 7>", body("add")),
	windowOf("reduce_window with strides and holes", "1x19x17", "1x6x4",
		"window_dimensions = array<i64: 1, 3, 2>, window_strides = array<i64: 1, 3, 5>, window_dilations = array<i64: 1, "+
			"2, 3>, "+
			"padding = dense<[[0, 0], [1, 1], [2, 1]]> : tensor<3x2xi64>",
		body("add")),
	windowOf("reduce_window with dilated operands", "9x7", "16x11",
		"window_dimensions = array<i64: 2, 3>, base_dilations = array<i64: 2, 2>", body("multiply")),
	windowOf("reduce_window of running sums", "5x67", "5x67",
		"window_dimensions = array<i64: 1, 67>, padding = dense<[[0, 0], [66, 0]]> : tensor<2x2xi64>", body("add")),
	windowOf("reduce_window by a body", "13x11", "11x9", "window_dimensions = array<i64: 3, 3>", body("subtract")),
	windowOf("reduce_window of long windows", "300", "101", "window_dimensions = array<i64: 200>", body("add")),
	{"reduce_window of two tensors", stablehlo.OpReduceWindow, "i8 f32 f64", []string{"%x: tensor<13x5x<T>>",
		"%y: tensor<13x5x<T>>", "%z: tensor<<T>>"},
		`  %s:2 = "stablehlo.reduce_window"(%x, %y, %z, %z) ` + pairBody + ` {window_dimensions = array<i64: 3, 2>}
    : (tensor<13x5x<T>>, tensor<13x5x<T>>, tensor<<T>>, tensor<<T>>) -> (tensor<11x4x<T>>, tensor<11x4x<T>>)`,
		[]string{"%s#0: tensor<11x4x<T>>", "%s#1: tensor<11x4x<T>>"}},
	{"select_and_scatter", stablehlo.OpSelectAndScatter, "i8 i32 bf16 f32 f64", []string{"%x: tensor<9x7x<T>>",
		"%u: tensor<4x3x<T>>", "%z: tensor<<T>>"},
		`  %s = "stablehlo.select_and_scatter"(%x, %u, %z) ({
  ^bb0(%p: tensor<<T>>, %q: tensor<<T>>):
    %r = stablehlo.compare GE, %p, %q : (tensor<<T>>, tensor<<T>>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }, ` + body("add")[1:len(body("add"))-1] + `) {window_dimensions = array<i64: 3, 3>,
    window_strides = array<i64: 2, 2>} : (tensor<9x7x<T>>, tensor<4x3x<T>>, tensor<<T>>) -> tensor<9x7x<T>>`,
		[]string{"%s: tensor<9x7x<T>>"}},
	{"reduce with a captured value", stablehlo.OpReduce, "i8 i32 f32 f64", []string{"%x: tensor<5x67x<T>>",
		"%z: tensor<<T>>", "%h: tensor<<T>>"}, `
  %s = stablehlo.reduce(%x init: %z) across dimensions = [1] : (tensor<5x67x<T>>, tensor<<T>>) -> tensor<5x<T>>
  reducer(%p: tensor<<T>>, %q: tensor<<T>>) {
    %e = stablehlo.subtract %p, %q : tensor<<T>>
    %m = stablehlo.multiply %e, %h : tensor<<T>>
    stablehlo.return %m : tensor<<T>> }`, []string{"%s: tensor<5x<T>>"}},

	dotOf("dot_general of matrices", "19x33", "33x21", "19x21", "contracting_dims = [1] x [0]"),
	dotOf("dot_general of transposed matrices", "33x19", "21x33", "19x21", "contracting_dims = [0] x [1]"),
	dotOf("dot_general of large matrices", "70x140", "140x90", "70x90", "contracting_dims = [1] x [0]"),
	dotOf("dot_general of a row", "1x67", "67x35", "1x35", "contracting_dims = [1] x [0]"),
	dotOf("dot_general of a column", "35x67", "67x1", "35x1", "contracting_dims = [1] x [0]"),
	dotOf("dot_general of vectors", "67", "67", "1", "contracting_dims = [0] x [0]").scalarResult(),
	dotOf("dot_general of batches", "3x5x7", "3x7x9", "3x5x9",
		"batching_dims = [0] x [0], contracting_dims = [2] x [1]"),
	{"ragged_dot of rows", stablehlo.OpChloRaggedDot, "i32 f32 f64", []string{"%x: tensor<11x5x<T>>",
		"%y: tensor<3x5x7x<T>>"}, `
  %g = stablehlo.constant dense<[4, 0, 5]> : tensor<3xi64>
  %s = "chlo.ragged_dot"(%x, %y, %g)
    {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1],
    rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}
    : (tensor<11x5x<T>>, tensor<3x5x7x<T>>, tensor<3xi64>) -> tensor<11x7x<T>>`,
		[]string{"%s: tensor<11x7x<T>>"}},
	{"ragged_dot of contracted dimensions", stablehlo.OpChloRaggedDot, "i32 f32 f64", []string{"%x: tensor<11x5x<T>>",
		"%y: tensor<11x7x<T>>"}, `
  %g = stablehlo.constant dense<[4, 0, 5]> : tensor<3xi64>
  %s = "chlo.ragged_dot"(%x, %y, %g)
    {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [0],
    rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [0]>}
    : (tensor<11x5x<T>>, tensor<11x7x<T>>, tensor<3xi64>) -> tensor<3x5x7x<T>>`,
		[]string{"%s: tensor<3x5x7x<T>>"}},

	convolutionOf("convolution", "2x9x7x3", "3x3x3x5", "2x7x5x5", "", "1"),
	convolutionOf("convolution with padding and strides", "2x9x7x3", "3x2x3x5", "2x5x4x5",
		"stride = [2, 2], pad = [[1, 1], [0, 1]]", "1"),
	convolutionOf("convolution with dilations", "2x9x7x3", "3x3x3x5", "2x13x9x5",
		"lhs_dilate = [2, 2], rhs_dilate = [2, 2]", "1"),
	convolutionOf("convolution of one point", "2x9x7x3", "1x1x3x5", "2x9x7x5", "", "1"),
	convolutionOf("convolution of the end of an image", "2x9x7x3", "3x3x3x5", "2x7x5x5", "", "1").
		ofPart("3x11x9x4", "1:3, 2:11, 2:9, 1:4"),
	convolutionOf("depthwise convolution of a part", "2x9x7x6", "3x3x1x6", "2x7x5x6", "", "6").
		ofPart("2x10x7x6", "0:2, 1:10, 0:7, 0:6"),
	convolutionOf("depthwise convolution", "2x9x7x6", "3x3x1x6", "2x7x5x6", "", "6"),
	convolutionOf("convolution of groups", "2x9x7x6", "3x3x2x6", "2x7x5x6", "", "3"),

	fftOf("fft of a power of two", "tensor<3x64xcomplex<<T>>>", "tensor<3x64xcomplex<<T>>>", "FFT", "64"),
	fftOf("fft of a product", "tensor<3x60xcomplex<<T>>>", "tensor<3x60xcomplex<<T>>>", "FFT", "60"),
	fftOf("fft of a prime length", "tensor<3x67xcomplex<<T>>>", "tensor<3x67xcomplex<<T>>>", "FFT", "67"),
	fftOf("inverse fft of two dimensions", "tensor<3x12x35xcomplex<<T>>>", "tensor<3x12x35xcomplex<<T>>>", "IFFT",
		"12, 35"),
	fftOf("fft of real numbers", "tensor<3x64x<T>>", "tensor<3x33xcomplex<<T>>>", "RFFT", "64"),
	fftOf("fft of an odd number of real numbers", "tensor<3x5x67x<T>>", "tensor<3x5x34xcomplex<<T>>>", "RFFT",
		"5, 67"),
	fftOf("inverse fft to real numbers", "tensor<3x33xcomplex<<T>>>", "tensor<3x64x<T>>", "IRFFT", "64"),
	fftOf("inverse fft to an odd number of real numbers", "tensor<3x5x34xcomplex<<T>>>", "tensor<3x5x67x<T>>",
		"IRFFT", "5, 67"),

	{"cholesky, lower", stablehlo.OpCholesky, floats, []string{"%x: tensor<3x13x13x<T>>"},
		`  %s = stablehlo.cholesky %x, lower = true : tensor<3x13x13x<T>>`, []string{"%s: tensor<3x13x13x<T>>"}},
	{"cholesky, upper, of many rows", stablehlo.OpCholesky, floats, []string{"%x: tensor<70x70x<T>>"},
		`  %s = stablehlo.cholesky %x, lower = false : tensor<70x70x<T>>`, []string{"%s: tensor<70x70x<T>>"}},
	solveOf("triangular_solve from the left", "3x13x13", "3x13x5",
		"left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>"),
	solveOf("triangular_solve from the right", "3x13x13", "3x5x13",
		"left_side = false, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>"),
	solveOf("triangular_solve of many rows", "70x70", "70x9",
		"left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE>"),

	blockOf("factorisation with row exchanges", "nx.lu", floats, []string{"3x13x9x<T>"},
		"3x13x9x<T>", "3x9xi32", "3x13xi32"),
	blockOf("factorisation by reflectors", "nx.householder_qr", floats, []string{"70x37x<T>"}, "70x37x<T>", "37x<T>"),
	blockOf("product of reflectors", "nx.householder_product", floats, []string{"3x13x9x<T>", "3x5x<T>"}, "3x13x9x<T>"),
	blockOf("eigenvalues and eigenvectors", "nx.eigh", "f32 f64", []string{"3x13x13x<T>"}, "3x13x<T>", "3x13x13x<T>"),
	blockOf("eigenvalues", "nx.eigvalsh", "f32 f64", []string{"3x13x13x<T>"}, "3x13x<T>"),
	blockOf("singular values and vectors", "nx.svd", "f32 f64", []string{"3x13x9x<T>"},
		"3x13x9x<T>", "3x9x<T>", "3x9x9x<T>"),
	blockOf("singular values", "nx.svdvals", "f32 f64", []string{"3x9x13x<T>"}, "3x9x<T>"),
	blockOf("factorisation with column exchanges", "nx.pivoted_qr", floats, []string{"3x13x9x<T>", "3x9xi32"},
		"3x13x9x<T>", "3x9x<T>", "3x9xi32"),
	blockOf("Hessenberg form", "nx.hessenberg", floats, []string{"3x13x13x<T>"}, "3x13x13x<T>", "3x12x<T>"),
	blockOf("Schur form", "nx.schur", floats, []string{"3x13x13x<T>"}, "3x13x13x<T>", "3x13x13x<T>"),

	blockOf("quantised product of few rows", "nx.quantized_dot", "f32",
		[]string{"2x3x320x<T>", "2x19x320xi8", "2x19x10x<T>"}, "2x3x19x<T>"),
	blockOf("quantised product of many rows and 4 bits", "nx.quantized_dot", "f32",
		[]string{"40x320x<T>", "50x160xui8", "50x0x<T>"}, "40x50x<T>"),

	{"rng, uniform", stablehlo.OpRng, "i8 i32 ui64 bf16 f32 f64", nil, `
  %a = stablehlo.constant dense<1> : tensor<i8>
  %b = stablehlo.constant dense<9> : tensor<i8>
  %c = stablehlo.convert %a : (tensor<i8>) -> tensor<<T>>
  %d = stablehlo.convert %b : (tensor<i8>) -> tensor<<T>>
  %n = stablehlo.constant dense<[3, 67]> : tensor<2xi64>
  %s = stablehlo.rng %c, %d, %n, distribution = UNIFORM : (tensor<<T>>, tensor<<T>>, tensor<2xi64>)
    -> tensor<3x67x<T>>`, []string{"%s: tensor<3x67x<T>>"}},
	{"rng, normal", stablehlo.OpRng, "bf16 f16 f32 f64", []string{"%a: tensor<<T>>", "%b: tensor<<T>>"}, `
  %n = stablehlo.constant dense<[3, 67]> : tensor<2xi64>
  %s = stablehlo.rng %a, %b, %n, distribution = NORMAL : (tensor<<T>>, tensor<<T>>, tensor<2xi64>)
    -> tensor<3x67x<T>>`, []string{"%s: tensor<3x67x<T>>"}},
	bitsOf("THREE_FRY", "2", "3x67"),
	bitsOf("PHILOX", "2", "3x67"),
	bitsOf("PHILOX", "3", "7"),
	topKOf("67", "5"),
	topKOf("13", "13"),
	topKOf("3000", "1"),

	{"interpreter.print", stablehlo.OpInterpPrint, "", []string{"%x: tensor<7xf32>"},
		`  interpreter.print %x : tensor<7xf32>`, nil},
	{"interpreter.probe", stablehlo.OpInterpProbe, "i8 f32 complex<f64>", []string{"%x: tensor<7x<T>>"}, `
  %s = interpreter.probe %x, probe_id = "a" : tensor<7x<T>>`, []string{"%s: tensor<7x<T>>"}},
	checkOf("check.expect_serialized_eq", stablehlo.OpCheckExpectSerializedEq,
		`%s = interpreter.probe %x, probe_id = "a" : tensor<7xf32>
  "check.expect_serialized_eq"(%x) {probe_id = "a", iteration = 0 : ui32} : (tensor<7xf32>) -> ()`),
	checkOf("check.expect_eq", stablehlo.OpCheckExpectEq, `check.expect_eq %x, %x : tensor<7xf32>`),
	checkOf("check.expect_almost_eq", stablehlo.OpCheckExpectAlmostEq,
		`check.expect_almost_eq %x, %x : tensor<7xf32>`),
	checkOf("check.expect_close", stablehlo.OpCheckExpectClose, `"check.expect_close"(%x, %x)
    {max_ulp_difference = 3 : ui64} : (tensor<7xf32>, tensor<7xf32>) -> ()`),
	checkOf("check.expect_eq_const", stablehlo.OpCheckExpectEqConst, `%c = stablehlo.compare EQ, %x, %x
    : (tensor<7xf32>, tensor<7xf32>) -> tensor<7xi1>
  check.expect_eq_const %c, dense<true> : tensor<7xi1>`),
	checkOf("check.expect_almost_eq_const", stablehlo.OpCheckExpectAlmostEqConst, `%c =
    stablehlo.subtract %x, %x : tensor<7xf32>
  check.expect_almost_eq_const %c, dense<0.0> : tensor<7xf32>`),
	checkOf("a check as a call", stablehlo.OpCustomCall, `stablehlo.custom_call @check.expect_close(%x, %x)
    {has_side_effect = true} : (tensor<7xf32>, tensor<7xf32>) -> ()`),

	{"a loop over vectors", stablehlo.OpWhile, "i8 i32 f32 f64", []string{"%x: tensor<13x<T>>",
		"%y: tensor<13x<T>>", "%n: tensor<i32>"}, `
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<5> : tensor<i32>
  %s:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<13x<T>>, tensor<13x<T>>
  cond { %p = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1> }
  do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %part = stablehlo.slice %a [2:5] : (tensor<13x<T>>) -> tensor<3x<T>>
    %u = stablehlo.dynamic_update_slice %b, %part, %i : (tensor<13x<T>>, tensor<3x<T>>, tensor<i32>) -> tensor<13x<T>>
    %v = stablehlo.add %a, %a : tensor<13x<T>>
    stablehlo.return %j, %u, %v : tensor<i32>, tensor<13x<T>>, tensor<13x<T>> }`,
		[]string{"%s#0: tensor<i32>", "%s#1: tensor<13x<T>>", "%s#2: tensor<13x<T>>"}},
	{"a loop over scalars", stablehlo.OpWhile, "i8 i32 f32 f64", []string{"%x: tensor<<T>>", "%y: tensor<<T>>"}, `
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %limit = stablehlo.constant dense<5> : tensor<i32>
  %s:3 = stablehlo.while(%i = %zero, %a = %x, %b = %y) : tensor<i32>, tensor<<T>>, tensor<<T>>
  cond { %p = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1> }
  do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %u = stablehlo.add %a, %b : tensor<<T>>
    stablehlo.return %j, %b, %u : tensor<i32>, tensor<<T>>, tensor<<T>> }`,
		[]string{"%s#1: tensor<<T>>", "%s#2: tensor<<T>>"}},
	{"case", stablehlo.OpCase, "i8 f32 f64", []string{"%i: tensor<i32>", "%x: tensor<13x<T>>", "%u: tensor<2x<T>>"}, `
  %s = "stablehlo.case"(%i) ({
    %a = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<13x<T>>, tensor<2x<T>>, tensor<i32>) -> tensor<13x<T>>
    stablehlo.return %a : tensor<13x<T>>
  }, {
    stablehlo.return %x : tensor<13x<T>>
  }, {
    %a = stablehlo.add %x, %x : tensor<13x<T>>
    stablehlo.return %a : tensor<13x<T>>
  }) : (tensor<i32>) -> tensor<13x<T>>`, []string{"%s: tensor<13x<T>>"}},
	{"if", stablehlo.OpIf, "i8 f32 f64", []string{"%p: tensor<i1>", "%x: tensor<13x<T>>", "%y: tensor<13x<T>>"}, `
  %s = "stablehlo.if"(%p) ({
    stablehlo.return %x : tensor<13x<T>>
  }, {
    %a = stablehlo.add %x, %y : tensor<13x<T>>
    stablehlo.return %a : tensor<13x<T>>
  }) : (tensor<i1>) -> tensor<13x<T>>`, []string{"%s: tensor<13x<T>>"}},
}

// scalarResult makes the only result a scalar.
func (p guardedProgram) scalarResult() guardedProgram {
	p.lines = p.lines[:len(p.lines)-len("tensor<1x<T>>")] + "tensor<<T>>"
	p.results = []string{"%s: tensor<<T>>"}
	return p
}

// doubled adds the only result to itself.
func (p guardedProgram) doubled() guardedProgram {
	typ := strings.TrimPrefix(p.results[0], "%s: ")
	p.lines = strings.Replace(p.lines, "%s = ", "%r = ", 1) + "\n  %s = stablehlo.add %r, %r : " + typ
	return p
}

// blockOf is a program of a block that the library has an algorithm for, without its decomposition.
func blockOf(name, block, elems string, args []string, results ...string) guardedProgram {
	p := guardedProgram{name: name, code: stablehlo.OpComposite, elems: elems}
	var names, in, out []string
	for i, a := range args {
		names, in = append(names, fmt.Sprintf("%%x%d", i)), append(in, "tensor<"+a+">")
		p.args = append(p.args, names[i]+": "+in[i])
	}
	for i, r := range results {
		out = append(out, "tensor<"+r+">")
		p.results = append(p.results, fmt.Sprintf("%%s#%d: %s", i, out[i]))
	}
	p.lines = fmt.Sprintf("  %%s:%d = stablehlo.composite %q %s {decomposition = @none} : (%s) -> (%s)", len(results),
		block, strings.Join(names, ", "), strings.Join(in, ", "), strings.Join(out, ", "))
	return p
}
