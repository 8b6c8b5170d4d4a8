package autodiff_test

import (
	"strings"
	"testing"
)

func TestShape(t *testing.T) {
	for _, c := range []gradCase{
		{name: "broadcast_in_dim", text: `
func.func @main(%x: tensor<3x1xf64>) -> tensor<2x3x4xf64> {
  %0 = stablehlo.multiply %x, %x : tensor<3x1xf64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [1, 2] : (tensor<3x1xf64>) -> tensor<2x3x4xf64>
  return %1 : tensor<2x3x4xf64>
}`},
		{name: "broadcast_in_dim that permutes", text: `
func.func @main(%x: tensor<3x2xf64>) -> tensor<2x4x3xf64> {
  %0 = stablehlo.multiply %x, %x : tensor<3x2xf64>
  %1 = stablehlo.broadcast_in_dim %0, dims = [2, 0] : (tensor<3x2xf64>) -> tensor<2x4x3xf64>
  return %1 : tensor<2x4x3xf64>
}`},
		{name: "dynamic_broadcast_in_dim", text: `
func.func @main(%x: tensor<3x1xf64>) -> tensor<2x3x4xf64> {
  %s = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi64>
  %0 = stablehlo.multiply %x, %x : tensor<3x1xf64>
  %1 = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [1, 2] : (tensor<3x1xf64>, tensor<3xi64>) -> tensor<2x3x4xf64>
  return %1 : tensor<2x3x4xf64>
}`},
		{name: "broadcast", text: `
func.func @main(%x: tensor<3xf64>) -> tensor<2x3xf64> {
  %0 = "stablehlo.broadcast"(%x) {broadcast_sizes = array<i64: 2>} : (tensor<3xf64>) -> tensor<2x3xf64>
  %1 = stablehlo.multiply %0, %0 : tensor<2x3xf64>
  return %1 : tensor<2x3xf64>
}`},
		{name: "reshape and transpose", text: `
func.func @main(%x: tensor<2x3x4xf64>) -> tensor<12x2xf64> {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x3x4xf64>) -> tensor<4x2x3xf64>
  %1 = stablehlo.reshape %0 : (tensor<4x2x3xf64>) -> tensor<12x2xf64>
  %2 = stablehlo.sine %1 : tensor<12x2xf64>
  return %2 : tensor<12x2xf64>
}`},
		{name: "dynamic_reshape", text: `
func.func @main(%x: tensor<2x3xf64>) -> tensor<6xf64> {
  %s = stablehlo.constant dense<[6]> : tensor<1xi64>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xf64>, tensor<1xi64>) -> tensor<6xf64>
  %1 = stablehlo.sine %0 : tensor<6xf64>
  return %1 : tensor<6xf64>
}`},
		{name: "slice with strides", text: `
func.func @main(%x: tensor<7x5xf64>) -> tensor<3x2xf64> {
  %0 = stablehlo.sine %x : tensor<7x5xf64>
  %1 = stablehlo.slice %0 [1:6:2, 2:5:2] : (tensor<7x5xf64>) -> tensor<3x2xf64>
  return %1 : tensor<3x2xf64>
}`},
		{name: "real_dynamic_slice", text: `
func.func @main(%x: tensor<7xf64>) -> tensor<3xf64> {
  %a = stablehlo.constant dense<1> : tensor<1xi64>
  %b = stablehlo.constant dense<6> : tensor<1xi64>
  %c = stablehlo.constant dense<2> : tensor<1xi64>
  %0 = stablehlo.sine %x : tensor<7xf64>
  %1 = stablehlo.real_dynamic_slice %0, %a, %b, %c : (tensor<7xf64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf64>
  return %1 : tensor<3xf64>
}`},
		{name: "pad with everything", text: `
func.func @main(%x: tensor<4x5xf64>, %v: tensor<f64>) -> tensor<8x8xf64> {
  %0 = stablehlo.sine %x : tensor<4x5xf64>
  %1 = stablehlo.multiply %v, %v : tensor<f64>
  %2 = stablehlo.pad %0, %1, low = [2, -1], high = [-1, 0], interior = [1, 1] : (tensor<4x5xf64>, tensor<f64>) -> tensor<8x8xf64>
  return %2 : tensor<8x8xf64>
}`},
		{name: "dynamic_pad", text: `
func.func @main(%x: tensor<4xf64>, %v: tensor<f64>) -> tensor<8xf64> {
  %l = stablehlo.constant dense<2> : tensor<1xi64>
  %h = stablehlo.constant dense<-1> : tensor<1xi64>
  %i = stablehlo.constant dense<1> : tensor<1xi64>
  %0 = stablehlo.sine %x : tensor<4xf64>
  %1 = stablehlo.dynamic_pad %0, %v, %l, %h, %i : (tensor<4xf64>, tensor<f64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<8xf64>
  return %1 : tensor<8xf64>
}`},
		{name: "concatenate", text: `
func.func @main(%x: tensor<2x3xf64>, %y: tensor<2x1xf64>) -> tensor<2x7xf64> {
  %0 = stablehlo.sine %x : tensor<2x3xf64>
  %1 = stablehlo.concatenate %0, %y, %x, dim = 1 : (tensor<2x3xf64>, tensor<2x1xf64>, tensor<2x3xf64>) -> tensor<2x7xf64>
  return %1 : tensor<2x7xf64>
}`},
		{name: "reverse", text: `
func.func @main(%x: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %0 = stablehlo.reverse %x, dims = [1] : tensor<2x3xf64>
  %1 = stablehlo.multiply %0, %x : tensor<2x3xf64>
  return %1 : tensor<2x3xf64>
}`},
		{name: "dynamic_slice and dynamic_update_slice", text: `
func.func @main(%x: tensor<4x5xf64>, %u: tensor<2x2xf64>) -> (tensor<4x5xf64>, tensor<2x3xf64>) {
  %i = stablehlo.constant dense<1> : tensor<i32>
  %j = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.multiply %x, %x : tensor<4x5xf64>
  %1 = stablehlo.sine %u : tensor<2x2xf64>
  %2 = stablehlo.dynamic_update_slice %0, %1, %i, %j : (tensor<4x5xf64>, tensor<2x2xf64>, tensor<i32>, tensor<i32>) -> tensor<4x5xf64>
  %3 = stablehlo.dynamic_slice %2, %i, %i, sizes = [2, 3] : (tensor<4x5xf64>, tensor<i32>, tensor<i32>) -> tensor<2x3xf64>
  %4 = stablehlo.dynamic_slice %0, %j, %i, sizes = [2, 3] : (tensor<4x5xf64>, tensor<i32>, tensor<i32>) -> tensor<2x3xf64>
  %5 = stablehlo.multiply %3, %4 : tensor<2x3xf64>
  return %2, %5 : tensor<4x5xf64>, tensor<2x3xf64>
}`},
		{name: "sort of two tensors", text: `
func.func @main(%x: tensor<2x5xf64>, %y: tensor<2x5xf64>) -> (tensor<2x5xf64>, tensor<2x5xf64>) {
  %0 = stablehlo.multiply %x, %x : tensor<2x5xf64>
  %1:2 = "stablehlo.sort"(%0, %y) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>, %c: tensor<f64>, %d: tensor<f64>):
    %2 = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<2x5xf64>, tensor<2x5xf64>) -> (tensor<2x5xf64>, tensor<2x5xf64>)
  %3 = stablehlo.multiply %1#0, %1#1 : tensor<2x5xf64>
  return %3, %1#1 : tensor<2x5xf64>, tensor<2x5xf64>
}`},
		{name: "top_k", text: `
func.func @main(%x: tensor<2x5xf64>) -> (tensor<2x3xf64>, tensor<2x3xi32>) {
  %0 = stablehlo.sine %x : tensor<2x5xf64>
  %1:2 = "chlo.top_k"(%0) {k = 3 : i64} : (tensor<2x5xf64>) -> (tensor<2x3xf64>, tensor<2x3xi32>)
  return %1#0, %1#1 : tensor<2x3xf64>, tensor<2x3xi32>
}`},
	} {
		t.Run(c.name, func(t *testing.T) { checkGrad(t, c) })
	}
}

func TestGatherScatter(t *testing.T) {
	const index = `
  %i = stablehlo.constant dense<[[0, 1], [3, 2], [0, 1], [7, 0]]> : tensor<4x2xi32>`
	const sorted = `
  %i = stablehlo.constant dense<[[0, 1], [0, 2], [3, 0]]> : tensor<3x2xi32>`
	scatter := func(body string) string {
		return `
func.func @main(%x: tensor<4x5xf64>, %u: tensor<4x2xf64>) -> tensor<4x5xf64> {` + index + `
  %0 = stablehlo.multiply %x, %x : tensor<4x5xf64>
  %1 = stablehlo.sine %u : tensor<4x2xf64>
  %2 = "stablehlo.scatter"(%0, %i, %1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):` + body + `
  }) : (tensor<4x5xf64>, tensor<4x2xi32>, tensor<4x2xf64>) -> tensor<4x5xf64>
  return %2 : tensor<4x5xf64>
}`
	}
	combine := func(op string) string {
		return scatter(`
    %3 = stablehlo.` + op + ` %a, %b : tensor<f64>
    stablehlo.return %3 : tensor<f64>`)
	}
	for _, c := range []gradCase{
		{name: "gather with clamped indices", text: `
func.func @main(%x: tensor<4x5xf64>) -> tensor<4x2xf64> {` + index + `
  %0 = stablehlo.multiply %x, %x : tensor<4x5xf64>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<4x5xf64>, tensor<4x2xi32>) -> tensor<4x2xf64>
  return %1 : tensor<4x2xf64>
}`},
		{name: "gather with sorted indices", text: `
func.func @main(%x: tensor<4x5xf64>) -> tensor<3x2xf64> {` + sorted + `
  %0 = stablehlo.multiply %x, %x : tensor<4x5xf64>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 2>}> : (tensor<4x5xf64>, tensor<3x2xi32>) -> tensor<3x2xf64>
  return %1 : tensor<3x2xf64>
}`},
		{name: "gather with batching", text: `
func.func @main(%x: tensor<3x4x5xf64>) -> tensor<2x3x5xf64> {
  %i = stablehlo.constant dense<[[1, 9, 0], [2, 2, 1]]> : tensor<2x3xi8>
  %0 = stablehlo.multiply %x, %x : tensor<3x4x5xf64>
  %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 5>}> : (tensor<3x4x5xf64>, tensor<2x3xi8>) -> tensor<2x3x5xf64>
  return %1 : tensor<2x3x5xf64>
}`},
		{name: "dynamic_gather", text: `
func.func @main(%x: tensor<4x5xf64>) -> tensor<4x2xf64> {` + index + `
  %s = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = stablehlo.multiply %x, %x : tensor<4x5xf64>
  %1 = "stablehlo.dynamic_gather"(%0, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>}> : (tensor<4x5xf64>, tensor<4x2xi32>, tensor<2xi32>) -> tensor<4x2xf64>
  return %1 : tensor<4x2xf64>
}`},
		{name: "cross-replica-sum of one process", text: `
func.func @main(%x: tensor<4xf64>) -> tensor<4xf64> {
  %0 = stablehlo.sine %x : tensor<4xf64>
  %1 = "stablehlo.cross-replica-sum"(%0) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4xf64>) -> tensor<4xf64>
  return %1 : tensor<4xf64>
}`},
		{name: "manual_computation of parts", text: `
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%x: tensor<4x2xf64>, %w: tensor<2xf64>) -> tensor<4x2xf64> {
  %0 = sdy.manual_computation(%x, %w) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"y"}]>] out_shardings=[<@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%p: tensor<2x1xf64>, %v: tensor<1xf64>) {
    %b = stablehlo.broadcast_in_dim %v, dims = [1] : (tensor<1xf64>) -> tensor<2x1xf64>
    %m = stablehlo.multiply %p, %b : tensor<2x1xf64>
    %s = stablehlo.sine %m : tensor<2x1xf64>
    sdy.return %s : tensor<2x1xf64>
  } : (tensor<4x2xf64>, tensor<2xf64>) -> tensor<4x2xf64>
  return %0 : tensor<4x2xf64>
}`},
		{name: "manual_computation of a replicated result", text: `
sdy.mesh @mesh = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
func.func @main(%x: tensor<4x2xf64>, %w: tensor<2xf64>) -> tensor<2xf64> {
  %0 = sdy.manual_computation(%x, %w) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x", "y"} (%p: tensor<2x2xf64>, %v: tensor<2xf64>) {
    %d = stablehlo.dot_general %p, %v, contracting_dims = [1] x [0] : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %s = stablehlo.sine %d : tensor<2xf64>
    %r = "stablehlo.all_reduce"(%s) ({
      ^bb0(%a: tensor<f64>, %b: tensor<f64>):
        %t = stablehlo.add %a, %b : tensor<f64>
        stablehlo.return %t : tensor<f64>
    }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[3, 1], [2, 0]]> : tensor<2x2xi64>, use_global_device_ids} : (tensor<2xf64>) -> tensor<2xf64>
    sdy.return %r : tensor<2xf64>
  } : (tensor<4x2xf64>, tensor<2xf64>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}`},
		{name: "torch_index_select", text: `
func.func @main(%x: tensor<2x4x3xf64>) -> tensor<2x5x3xf64> {
  %i = stablehlo.constant dense<[[1, 3, 0, 1, 1], [2, 2, 1, 0, 3]]> : tensor<2x5xi32>
  %0 = stablehlo.multiply %x, %x : tensor<2x4x3xf64>
  %1 = "stablehlo.torch_index_select"(%0, %i) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x4x3xf64>, tensor<2x5xi32>) -> tensor<2x5x3xf64>
  return %1 : tensor<2x5x3xf64>
}`},
		{name: "scatter multiply with sorted indices", text: `
func.func @main(%x: tensor<4x5xf64>, %u: tensor<3x2xf64>) -> tensor<4x5xf64> {` + sorted + `
  %0 = stablehlo.multiply %x, %x : tensor<4x5xf64>
  %1 = stablehlo.sine %u : tensor<3x2xf64>
  %2 = "stablehlo.scatter"(%0, %i, %1) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %3 = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %3 : tensor<f64>
  }) : (tensor<4x5xf64>, tensor<3x2xi32>, tensor<3x2xf64>) -> tensor<4x5xf64>
  return %2 : tensor<4x5xf64>
}`},
		{name: "scatter set", text: scatter(`
    stablehlo.return %b : tensor<f64>`)},
		{name: "scatter add", text: combine("add")},
		{name: "scatter subtract", text: combine("subtract")},
		{name: "scatter multiply", text: combine("multiply")},
		{name: "scatter maximum", text: combine("maximum")},
		{name: "scatter minimum", text: combine("minimum")},
		{name: "scatter add of windows that lie partly outside", text: `
func.func @main(%x: tensor<4x5xf64>, %u: tensor<5x2x3xf64>) -> tensor<4x5xf64> {
  %i = stablehlo.constant dense<[[0, 1], [3, 2], [-1, 4], [3, -2], [9, 0]]> : tensor<5x2xi32>
  %1 = stablehlo.sine %u : tensor<5x2x3xf64>
  %2 = "stablehlo.scatter"(%x, %i, %1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %3 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %3 : tensor<f64>
  }) : (tensor<4x5xf64>, tensor<5x2xi32>, tensor<5x2x3xf64>) -> tensor<4x5xf64>
  return %2 : tensor<4x5xf64>
}`},
		{name: "scatter maximum of windows that lie partly outside", text: `
func.func @main(%x: tensor<5xf64>, %u: tensor<3x2xf64>) -> tensor<5xf64> {
  %i = stablehlo.constant dense<[-1, 4, 3]> : tensor<3xi8>
  %2 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %3 = stablehlo.maximum %a, %b : tensor<f64>
    stablehlo.return %3 : tensor<f64>
  }) : (tensor<5xf64>, tensor<3xi8>, tensor<3x2xf64>) -> tensor<5xf64>
  return %2 : tensor<5xf64>
}`},
		{name: "scatter of two tensors", text: `
func.func @main(%x: tensor<5xf64>, %y: tensor<5xf64>, %u: tensor<3xf64>, %v: tensor<3xf64>, %s: tensor<f64>) -> (tensor<5xf64>, tensor<5xf64>) {
  %i = stablehlo.constant dense<[[1], [4], [1]]> : tensor<3x1xi32>
  %2:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %c: tensor<f64>, %b: tensor<f64>, %d: tensor<f64>):
    %3 = stablehlo.add %a, %b : tensor<f64>
    %4 = stablehlo.multiply %c, %d : tensor<f64>
    stablehlo.return %3, %4 : tensor<f64>, tensor<f64>
  }) : (tensor<5xf64>, tensor<5xf64>, tensor<3x1xi32>, tensor<3xf64>, tensor<3xf64>) -> (tensor<5xf64>, tensor<5xf64>)
  return %2#0, %2#1 : tensor<5xf64>, tensor<5xf64>
}`},
		{name: "scatter multiply to unique indices, one out of bounds", text: `
func.func @main(%x: tensor<5xf64>, %u: tensor<3xf64>) -> tensor<5xf64> {
  %i = stablehlo.constant dense<[[1], [7], [4]]> : tensor<3x1xi32>
  %2 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %3 = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %3 : tensor<f64>
  }) : (tensor<5xf64>, tensor<3x1xi32>, tensor<3xf64>) -> tensor<5xf64>
  return %2 : tensor<5xf64>
}`},
		{name: "scatter multiply with a zero", text: `
func.func @main(%x: tensor<3xf64>, %v: tensor<4xf64>) -> tensor<3xf64> {
  %i = stablehlo.constant dense<[[0], [0], [1], [2]]> : tensor<4x1xi32>
  %mask = stablehlo.constant dense<[0.0, 1.0, 1.0, 1.0]> : tensor<4xf64>
  %u = stablehlo.multiply %v, %mask : tensor<4xf64>
  %w = stablehlo.add %u, %v : tensor<4xf64>
  %z = stablehlo.subtract %w, %v : tensor<4xf64>
  %2 = "stablehlo.scatter"(%x, %i, %z) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %3 = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %3 : tensor<f64>
  }) : (tensor<3xf64>, tensor<4x1xi32>, tensor<4xf64>) -> tensor<3xf64>
  return %2 : tensor<3xf64>
}`},
	} {
		t.Run(c.name, func(t *testing.T) { checkGrad(t, c) })
	}
}

func TestReduce(t *testing.T) {
	reduce := func(op string) string {
		init := map[string]string{"add": "0.0", "multiply": "1.0", "maximum": "0xFFF0000000000000",
			"minimum": "0x7FF0000000000000"}[op]
		return `
func.func @main(%x: tensor<2x5x3xf64>) -> tensor<5xf64> {
  %c = stablehlo.constant dense<` + init + `> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.` + op + ` across dimensions = [0, 2] : (tensor<2x5x3xf64>, tensor<f64>) -> tensor<5xf64>
  %1 = stablehlo.multiply %0, %0 : tensor<5xf64>
  return %1 : tensor<5xf64>
}`
	}
	window := func(op, attrs, from, to string) string {
		init := map[string]string{"add": "0.0", "multiply": "1.0",
			"maximum": "0xFFF0000000000000", "minimum": "0.9"}[op]
		return `
func.func @main(%x: tensor<` + from + `xf64>) -> tensor<` + to + `xf64> {
  %c = stablehlo.constant dense<` + init + `> : tensor<f64>
  %y = stablehlo.multiply %x, %x : tensor<` + from + `xf64>
  %0 = "stablehlo.reduce_window"(%y, %c) <{` + attrs + `}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.` + op + ` %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<` + from + `xf64>, tensor<f64>) -> tensor<` + to + `xf64>
  return %0 : tensor<` + to + `xf64>
}`
	}
	const plain = "window_dimensions = array<i64: 2, 3>"
	const odd = "window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>, base_dilations = array<i64: 1, 2>, window_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [2, -1]]> : tensor<2x2xi64>"
	const tiles = "window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 3>, padding = dense<[[0, 0], [-1, 0]]> : tensor<2x2xi64>"
	cases := []gradCase{
		{name: "add", text: reduce("add")},
		{name: "multiply", text: reduce("multiply")},
		{name: "maximum", text: reduce("maximum")},
		{name: "minimum", text: reduce("minimum")},
		{name: "multiply with a zero", text: `
func.func @main(%x: tensor<5xf64>) -> tensor<f64> {
  %one = stablehlo.constant dense<1.0> : tensor<f64>
  %mask = stablehlo.constant dense<[1.0, 0.0, 1.0, 1.0, 1.0]> : tensor<5xf64>
  %0 = stablehlo.multiply %x, %mask : tensor<5xf64>
  %y = stablehlo.concatenate %0, %x, dim = 0 : (tensor<5xf64>, tensor<5xf64>) -> tensor<10xf64>
  %1 = stablehlo.reduce(%y init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<10xf64>, tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}`},
		{name: "initial values with tangents", text: `
func.func @main(%x: tensor<5xf64>, %c: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0] : (tensor<5xf64>, tensor<f64>) -> tensor<f64>
  %1 = stablehlo.reduce(%x init: %c) applies stablehlo.maximum across dimensions = [0] : (tensor<5xf64>, tensor<f64>) -> tensor<f64>
  return %0, %1 : tensor<f64>, tensor<f64>
}`},
		{name: "maximum and its index", text: `
func.func @main(%x: tensor<2x5xf64>) -> (tensor<2xf64>, tensor<2xi32>) {
  %i = stablehlo.iota dim = 1 : tensor<2x5xi32>
  %c = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.sine %x : tensor<2x5xf64>
  %0:2 = stablehlo.reduce(%y init: %c), (%i init: %z) across dimensions = [1] : (tensor<2x5xf64>, tensor<2x5xi32>, tensor<f64>, tensor<i32>) -> (tensor<2xf64>, tensor<2xi32>)
   reducer(%a: tensor<f64>, %b: tensor<f64>) (%p: tensor<i32>, %q: tensor<i32>) {
    %1 = stablehlo.compare GT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %2 = stablehlo.select %1, %a, %b : tensor<i1>, tensor<f64>
    %3 = stablehlo.select %1, %p, %q : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f64>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<2xf64>, tensor<2xi32>
}`},
		{name: "region with captured values", text: `
func.func @main(%x: tensor<4xf64>, %c: tensor<f64>) -> tensor<f64> {
  %z = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
   reducer(%a: tensor<f64>, %b: tensor<f64>) {
    %1 = stablehlo.multiply %a, %b : tensor<f64>
    %2 = stablehlo.multiply %1, %c : tensor<f64>
    %3 = stablehlo.add %a, %b : tensor<f64>
    %4 = stablehlo.add %3, %2 : tensor<f64>
    stablehlo.return %4 : tensor<f64>
  }
  return %0 : tensor<f64>
}`},
		{name: "windows of different reductions", text: `
func.func @main(%x: tensor<6xf64>) -> tensor<6xf64> {
  %c = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 6>, padding = dense<[[5, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.maximum %a, %b : tensor<f64>
    %2 = stablehlo.minimum %a, %b : tensor<f64>
    %3 = stablehlo.subtract %2, %1 : tensor<f64>
    %4 = stablehlo.exponential %3 : tensor<f64>
    %5 = stablehlo.log_plus_one %4 : tensor<f64>
    %6 = stablehlo.add %1, %5 : tensor<f64>
    %7 = stablehlo.compare EQ, %a, %c : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %8 = stablehlo.compare EQ, %b, %c : (tensor<f64>, tensor<f64>) -> tensor<i1>
    %9 = stablehlo.select %8, %a, %6 : tensor<i1>, tensor<f64>
    %10 = stablehlo.select %7, %b, %9 : tensor<i1>, tensor<f64>
    stablehlo.return %10 : tensor<f64>
  }) : (tensor<6xf64>, tensor<f64>) -> tensor<6xf64>
  return %0 : tensor<6xf64>
}`, once: "-∞ - -∞ in the branch that is not selected"},
		{name: "select_and_scatter of products", text: `
func.func @main(%x: tensor<5xf64>, %s: tensor<4xf64>, %c: tensor<f64>) -> tensor<5xf64> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %c) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.multiply %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<5xf64>, tensor<4xf64>, tensor<f64>) -> tensor<5xf64>
  return %0 : tensor<5xf64>
}`},
		{name: "select_and_scatter", text: `
func.func @main(%x: tensor<5x4xf64>, %s: tensor<3x2xf64>, %c: tensor<f64>) -> tensor<5x4xf64> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %c) <{padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<5x4xf64>, tensor<3x2xf64>, tensor<f64>) -> tensor<5x4xf64>
  %2 = stablehlo.multiply %0, %0 : tensor<5x4xf64>
  return %2 : tensor<5x4xf64>
}`},
	}
	for name, attributes := range map[string]string{
		"tiles":                "window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>",
		"windows with gaps":    "window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 2, 2>",
		"windows that overlap": "window_dimensions = array<i64: 2, 3>, window_strides = array<i64: 2, 1>",
	} {
		cases = append(cases, gradCase{name: "select_and_scatter in " + name, text: selectAndScatter(attributes)})
	}
	for _, op := range []string{"add", "multiply", "maximum", "minimum"} {
		cases = append(cases,
			gradCase{name: "window of " + op, text: window(op, plain, "4x5", "3x3")},
			gradCase{name: "odd window of " + op, text: window(op, odd, "4x5", "2x8")},
			gradCase{name: "tiles of " + op, text: window(op, tiles, "5x8", "2x2")})
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { checkGrad(t, c) })
	}
}

// selectAndScatter returns a program that adds numbers at the minima of windows with such
// attributes.
func selectAndScatter(attributes string) string { return selectAndScatterOf("4x4", "2x2", attributes) }

func selectAndScatterOf(shape, source, attributes string) string {
	return strings.NewReplacer("SHAPE", shape, "SOURCE", source, "ATTRIBUTES", attributes).Replace(`
func.func @main(%x: tensor<SHAPExf64>, %s: tensor<SOURCExf64>, %c: tensor<f64>) -> tensor<SHAPExf64> {
  %0 = "stablehlo.select_and_scatter"(%x, %s, %c) <{ATTRIBUTES}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<SHAPExf64>, tensor<SOURCExf64>, tensor<f64>) -> tensor<SHAPExf64>
  %2 = stablehlo.multiply %0, %0 : tensor<SHAPExf64>
  return %2 : tensor<SHAPExf64>
}`)
}
