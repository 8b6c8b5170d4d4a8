// A gather at computed indices transposes to a scatter that adds. gather clamps slices
// that are out of bounds, so the indices are clamped before.
func.func @main(%x: tensor<5x2xf32>, %i: tensor<3x1xi32>) -> tensor<3x2xf32> {
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<5x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}
// ----- JVP
module {
  func.func @main(%x: tensor<5x2xf32>, %i: tensor<3x1xi32>, %arg0: tensor<5x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<5x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
    %1 = "stablehlo.gather"(%arg0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<5x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
    return %0, %1 : tensor<3x2xf32>, tensor<3x2xf32>
  }
}
// ----- VJP
module {
  func.func @main(%x: tensor<5x2xf32>, %i: tensor<3x1xi32>, %arg0: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<5x2xf32>) {
    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 2>}> : (tensor<5x2xf32>, tensor<3x1xi32>) -> tensor<3x2xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<[4]> : tensor<1xi32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [1] : (tensor<1xi32>) -> tensor<3x1xi32>
    %2 = stablehlo.clamp %c, %i, %1 : (tensor<i32>, tensor<3x1xi32>, tensor<3x1xi32>) -> tensor<3x1xi32>
    %cst = stablehlo.constant dense<0.0> : tensor<5x2xf32>
    %3 = "stablehlo.scatter"(%cst, %2, %arg0) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %4 = stablehlo.add %arg1, %arg2 : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) : (tensor<5x2xf32>, tensor<3x1xi32>, tensor<3x2xf32>) -> tensor<5x2xf32>
    return %0, %3 : tensor<3x2xf32>, tensor<5x2xf32>
  }
}
