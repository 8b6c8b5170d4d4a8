// seed 1: indices as a concatenation of their components, which kernels compute, also where the concatenation is read as well, in loops and by batches
module {
  func.func @main(%x: tensor<5x7xf32>, %y: tensor<6x5xf64>, %i: tensor<40xi32>, %j: tensor<40xi32>, %k: tensor<40xi64>) -> (tensor<40xf32>, tensor<40xf32>, tensor<40xf64>, tensor<40x2xi32>, tensor<40xf32>, tensor<f32>, tensor<8x5xf32>) {
    %c = stablehlo.constant dense<5> : tensor<40xi32>
    %z = stablehlo.constant dense<0> : tensor<40xi32>
    %0 = stablehlo.compare LT, %i, %z : (tensor<40xi32>, tensor<40xi32>) -> tensor<40xi1>
    %1 = stablehlo.add %i, %c : tensor<40xi32>
    %2 = stablehlo.select %0, %1, %i : tensor<40xi1>, tensor<40xi32>
    %3 = stablehlo.reshape %2 : (tensor<40xi32>) -> tensor<40x1xi32>
    %4 = stablehlo.reshape %j : (tensor<40xi32>) -> tensor<40x1xi32>
    %5 = stablehlo.concatenate %3, %4, dim = 1 : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x2xi32>
    %6 = "stablehlo.gather"(%x, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x7xf32>, tensor<40x2xi32>) -> tensor<40xf32>
    %7 = stablehlo.concatenate %4, %3, dim = 1 : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x2xi32>
    %8 = "stablehlo.gather"(%x, %7) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x7xf32>, tensor<40x2xi32>) -> tensor<40xf32>
    %9 = stablehlo.convert %j : (tensor<40xi32>) -> tensor<40xi64>
    %10 = stablehlo.reshape %k : (tensor<40xi64>) -> tensor<1x40xi64>
    %11 = stablehlo.reshape %9 : (tensor<40xi64>) -> tensor<1x40xi64>
    %12 = stablehlo.concatenate %10, %11, dim = 0 : (tensor<1x40xi64>, tensor<1x40xi64>) -> tensor<2x40xi64>
    %13 = "stablehlo.gather"(%y, %12) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x5xf64>, tensor<2x40xi64>) -> tensor<40xf64>
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %14:2 = stablehlo.while(%n = %zero, %a = %6) : tensor<i32>, tensor<40xf32>
    cond {
      %15 = stablehlo.compare LT, %n, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %15 : tensor<i1>
    } do {
      %15 = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<40x1xi32>
      %16 = stablehlo.concatenate %3, %15, dim = 1 : (tensor<40x1xi32>, tensor<40x1xi32>) -> tensor<40x2xi32>
      %17 = "stablehlo.gather"(%x, %16) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x7xf32>, tensor<40x2xi32>) -> tensor<40xf32>
      %18 = stablehlo.add %17, %a : tensor<40xf32>
      %19 = stablehlo.add %n, %one : tensor<i32>
      stablehlo.return %19, %18 : tensor<i32>, tensor<40xf32>
    }
    %f0 = stablehlo.constant dense<0.0> : tensor<f32>
    %20 = stablehlo.reduce(%8 init: %f0) applies stablehlo.add across dimensions = [0] : (tensor<40xf32>, tensor<f32>) -> tensor<f32>
    %21 = stablehlo.reshape %2 : (tensor<40xi32>) -> tensor<8x5x1xi32>
    %22 = stablehlo.reshape %j : (tensor<40xi32>) -> tensor<8x5x1xi32>
    %23 = stablehlo.concatenate %21, %22, dim = 2 : (tensor<8x5x1xi32>, tensor<8x5x1xi32>) -> tensor<8x5x2xi32>
    %24 = "stablehlo.gather"(%x, %23) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<5x7xf32>, tensor<8x5x2xi32>) -> tensor<8x5xf32>
    return %6, %8, %13, %5, %14#1, %20, %24 : tensor<40xf32>, tensor<40xf32>, tensor<40xf64>, tensor<40x2xi32>, tensor<40xf32>, tensor<f32>, tensor<8x5xf32>
  }
}
