func.func @dynamic_slice(%x: tensor<4x5xf32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<2x3xf32> {
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @dynamic_update_slice(%x: tensor<4x5xf32>, %u: tensor<2x3xf32>, %i: tensor<i64>, %j: tensor<i64>) -> tensor<4x5xf32> {
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %j
    : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i64>, tensor<i64>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
func.func @unsigned_places(%x: tensor<6xf32>, %i: tensor<ui8>) -> (tensor<2xf32>, tensor<6xf32>) {
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [2] : (tensor<6xf32>, tensor<ui8>) -> tensor<2xf32>
  %1 = stablehlo.negate %0 : tensor<2xf32>
  %2 = stablehlo.dynamic_update_slice %x, %1, %i : (tensor<6xf32>, tensor<2xf32>, tensor<ui8>) -> tensor<6xf32>
  return %0, %2 : tensor<2xf32>, tensor<6xf32>
}
func.func @gather_rows(%x: tensor<5x3xf32>, %i: tensor<4xi32>) -> tensor<4x3xf32> {
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
    start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}>
    : (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}
func.func @gather_windows(%x: tensor<4x5xf32>, %i: tensor<2x3xi32>) -> tensor<2x3x2xf32> {
  %1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 2], start_index_map = [1, 0],
    index_vector_dim = 0>, slice_sizes = array<i64: 2, 2>}>
    : (tensor<4x5xf32>, tensor<2x3xi32>) -> tensor<2x3x2xf32>
  return %1 : tensor<2x3x2xf32>
}
func.func @gather_batching(%x: tensor<3x5xf32>, %i: tensor<3x2xi32>) -> tensor<3x2xf32> {
  %0 = stablehlo.reshape %i : (tensor<3x2xi32>) -> tensor<3x2x1xi32>
  %1 = "stablehlo.gather"(%x, %0) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1],
    operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1>}> : (tensor<3x5xf32>, tensor<3x2x1xi32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}
func.func @scatter_add(%x: tensor<5x3xf32>, %i: tensor<4xi32>, %u: tensor<4x3xf32>) -> tensor<5x3xf32> {
  %0 = stablehlo.reshape %i : (tensor<4xi32>) -> tensor<4x1xi32>
  %1 = "stablehlo.scatter"(%x, %0, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
    inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<4x3xf32>) -> tensor<5x3xf32>
  return %1 : tensor<5x3xf32>
}
func.func @scatter_batching(%x: tensor<3x5xf32>, %i: tensor<3x2xi32>, %u: tensor<3x2xf32>) -> tensor<3x5xf32> {
  %0 = stablehlo.reshape %i : (tensor<3x2xi32>) -> tensor<3x2x1xi32>
  %1 = "stablehlo.scatter"(%x, %0, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1],
    input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1],
    index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<3x5xf32>, tensor<3x2x1xi32>, tensor<3x2xf32>) -> tensor<3x5xf32>
  return %1 : tensor<3x5xf32>
}
func.func @scatter_pair(%x: tensor<4xf32>, %y: tensor<4xi32>, %i: tensor<2x1xi32>, %u: tensor<2xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %v = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %1:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
    scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, indices_are_sorted = true}> ({
  ^bb0(%a: tensor<f32>, %c: tensor<i32>, %b: tensor<f32>, %d: tensor<i32>):
    %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %s = stablehlo.select %less, %b, %a : tensor<i1>, tensor<f32>
    %t = stablehlo.select %less, %d, %c : tensor<i1>, tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<2x1xi32>, tensor<2xf32>, tensor<2xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %1#0, %1#1 : tensor<4xf32>, tensor<4xi32>
}
