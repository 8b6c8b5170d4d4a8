func.func @pad(%x: tensor<2x3xf32>, %by: tensor<f32>) -> tensor<4x4xf32> {
  %0 = stablehlo.pad %x, %by, low = [1, -1], high = [0, 0], interior = [1, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @broadcasts(%x: tensor<2xf32>, %y: tensor<f32>) -> (tensor<3x2xf32>, tensor<2x3xf32>, tensor<4xf32>) {
  %0 = stablehlo.broadcast %x, sizes = [3] : (tensor<2xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.broadcast %y, sizes = [4] : (tensor<f32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<3x2xf32>, tensor<2x3xf32>, tensor<4xf32>
}
func.func @moves(%x: tensor<2x3x4xi16>, %y: tensor<2x3x4xi16>) -> tensor<4x2x3xi16> {
  %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<2x3x4xi16>, tensor<2x3x4xi16>) -> tensor<2x6x4xi16>
  %1 = stablehlo.slice %0 [0:2, 1:6:2, 0:4] : (tensor<2x6x4xi16>) -> tensor<2x3x4xi16>
  %2 = stablehlo.reverse %1, dims = [2, 0] : tensor<2x3x4xi16>
  %3 = stablehlo.transpose %2, dims = [2, 0, 1] : (tensor<2x3x4xi16>) -> tensor<4x2x3xi16>
  return %3 : tensor<4x2x3xi16>
}
func.func @elements(%p: tensor<i1>, %x: tensor<3xf32>, %y: tensor<3xf32>, %low: tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = stablehlo.select %p, %x, %y : tensor<i1>, tensor<3xf32>
  %1 = stablehlo.clamp %low, %x, %y : (tensor<f32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
func.func @bits(%x: tensor<3xi32>) -> (tensor<3x4xi8>, tensor<i32>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<3xi32>) -> tensor<3x4xi8>
  %1 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<3xi32>) -> tensor<i32>
  return %0, %1 : tensor<3x4xi8>, tensor<i32>
}
func.func @broadcasting(%x: tensor<2x3xf32>, %y: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}
func.func @random(%state: tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>) {
  %0, %1 = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
  return %0, %1 : tensor<2xui64>, tensor<3xui32>
}
