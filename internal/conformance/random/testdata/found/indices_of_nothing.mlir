// seed 1: indices without components have no memory, which the strides over their batches left
func.func @main(%x: tensor<8xi1>, %u: tensor<4x8xi1>) -> (tensor<8xi1>, tensor<4x8xi1>) {
  %i = stablehlo.constant dense<0> : tensor<0x4x8xi64>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [0], scatter_indices_batching_dims = [2]>}> ({
    ^bb0(%a: tensor<i1>, %b: tensor<i1>):
      %s = stablehlo.and %a, %b : tensor<i1>
      stablehlo.return %s : tensor<i1>
  }) : (tensor<8xi1>, tensor<0x4x8xi64>, tensor<4x8xi1>) -> tensor<8xi1>
  %1 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<operand_batching_dims = [0], start_indices_batching_dims = [2]>, slice_sizes = array<i64: 1>}> : (tensor<8xi1>, tensor<0x4x8xi64>) -> tensor<4x8xi1>
  return %0, %1 : tensor<8xi1>, tensor<4x8xi1>
}
