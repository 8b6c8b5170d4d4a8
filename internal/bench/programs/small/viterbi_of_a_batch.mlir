module @jit_vit attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<9x9xf32>, %arg1: tensor<32x40x9xf32>) -> (tensor<32x39xi32> {jax.result_info = "result[0]"}, tensor<32xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg1 [0:32, 0:1, 0:9] : (tensor<32x40x9xf32>) -> tensor<32x1x9xf32>
    %1 = stablehlo.reshape %0 : (tensor<32x1x9xf32>) -> tensor<32x9xf32>
    %2 = stablehlo.slice %arg1 [0:32, 1:40, 0:9] : (tensor<32x40x9xf32>) -> tensor<32x39x9xf32>
    %3 = stablehlo.transpose %2, dims = [1, 0, 2] : (tensor<32x39x9xf32>) -> tensor<39x32x9xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<39x32x9xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %5:5 = stablehlo.while(%iterArg = %3, %iterArg_3 = %arg0, %iterArg_4 = %c_0, %iterArg_5 = %1, %iterArg_6 = %4) : tensor<39x32x9xf32>, tensor<9x9xf32>, tensor<i32>, tensor<32x9xf32>, tensor<39x32x9xi32>
    cond {
      %c_7 = stablehlo.constant dense<39> : tensor<i32>
      %11 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %11 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_4) : (tensor<39x32x9xf32>, tensor<i32>) -> tensor<32x9xf32>
      %12:2 = func.call @closed_call(%iterArg_3, %iterArg_5, %11) : (tensor<9x9xf32>, tensor<32x9xf32>, tensor<32x9xf32>) -> (tensor<32x9xf32>, tensor<32x9xi32>)
      %13 = func.call @dynamic_update_index_in_dim(%iterArg_6, %12#1, %iterArg_4) : (tensor<39x32x9xi32>, tensor<32x9xi32>, tensor<i32>) -> tensor<39x32x9xi32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %14 = stablehlo.add %iterArg_4, %c_7 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_3, %14, %12#0, %13 : tensor<39x32x9xf32>, tensor<9x9xf32>, tensor<i32>, tensor<32x9xf32>, tensor<39x32x9xi32>
    }
    %6 = call @argmax_0(%5#3) : (tensor<32x9xf32>) -> tensor<32xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<39x32xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %8:4 = stablehlo.while(%iterArg = %5#4, %iterArg_3 = %c_2, %iterArg_4 = %6, %iterArg_5 = %7) : tensor<39x32x9xi32>, tensor<i32>, tensor<32xi32>, tensor<39x32xi32>
    cond {
      %c_6 = stablehlo.constant dense<39> : tensor<i32>
      %11 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %c_6 = stablehlo.constant dense<39> : tensor<i32>
      %11 = stablehlo.subtract %c_6, %iterArg_3 : tensor<i32>
      %c_7 = stablehlo.constant dense<1> : tensor<i32>
      %12 = stablehlo.subtract %11, %c_7 : tensor<i32>
      %13 = func.call @dynamic_index_in_dim_1(%iterArg, %12) : (tensor<39x32x9xi32>, tensor<i32>) -> tensor<32x9xi32>
      %14:2 = func.call @closed_call_2(%iterArg_4, %13) : (tensor<32xi32>, tensor<32x9xi32>) -> (tensor<32xi32>, tensor<32xi32>)
      %15 = func.call @dynamic_update_index_in_dim_3(%iterArg_5, %14#1, %12) : (tensor<39x32xi32>, tensor<32xi32>, tensor<i32>) -> tensor<39x32xi32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %16 = stablehlo.add %iterArg_3, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %16, %14#0, %15 : tensor<39x32x9xi32>, tensor<i32>, tensor<32xi32>, tensor<39x32xi32>
    }
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%5#3 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<32x9xf32>, tensor<f32>) -> tensor<32xf32>
    %10 = stablehlo.transpose %8#3, dims = [1, 0] : (tensor<39x32xi32>) -> tensor<32x39xi32>
    return %10, %9 : tensor<32x39xi32>, tensor<32xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<39x32x9xf32>, %arg1: tensor<i32>) -> tensor<32x9xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 9] : (tensor<39x32x9xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x9xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x9xf32>) -> tensor<32x9xf32>
    return %1 : tensor<32x9xf32>
  }
  func.func private @closed_call(%arg0: tensor<9x9xf32>, %arg1: tensor<32x9xf32>, %arg2: tensor<32x9xf32>) -> (tensor<32x9xf32>, tensor<32x9xi32>) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [0, 1] : (tensor<32x9xf32>) -> tensor<32x9x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<9x9xf32>) -> tensor<1x9x9xf32>
    %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<32x9x1xf32>) -> tensor<32x9x9xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x9x9xf32>) -> tensor<32x9x9xf32>
    %4 = stablehlo.add %2, %3 : tensor<32x9x9xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<32x9x9xf32>, tensor<f32>) -> tensor<32x9xf32>
    %6 = stablehlo.add %5, %arg2 : tensor<32x9xf32>
    %7 = call @argmax(%4) : (tensor<32x9x9xf32>) -> tensor<32x9xi32>
    return %6, %7 : tensor<32x9xf32>, tensor<32x9xi32>
  }
  func.func private @argmax(%arg0: tensor<32x9x9xf32>) -> tensor<32x9xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<32x9x9xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<32x9x9xf32>, tensor<32x9x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<32x9xf32>, tensor<32x9xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<32x9xi32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<39x32x9xi32>, %arg1: tensor<32x9xi32>, %arg2: tensor<i32>) -> tensor<39x32x9xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<32x9xi32>) -> tensor<1x32x9xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<39x32x9xi32>, tensor<1x32x9xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<39x32x9xi32>
    return %1 : tensor<39x32x9xi32>
  }
  func.func private @argmax_0(%arg0: tensor<32x9xf32>) -> tensor<32xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<32x9xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<32x9xf32>, tensor<32x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<32xf32>, tensor<32xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<32xi32>
  }
  func.func private @dynamic_index_in_dim_1(%arg0: tensor<39x32x9xi32>, %arg1: tensor<i32>) -> tensor<32x9xi32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 32, 9] : (tensor<39x32x9xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x9xi32>
    %1 = stablehlo.reshape %0 : (tensor<1x32x9xi32>) -> tensor<32x9xi32>
    return %1 : tensor<32x9xi32>
  }
  func.func private @closed_call_2(%arg0: tensor<32xi32>, %arg1: tensor<32x9xi32>) -> (tensor<32xi32>, tensor<32xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<32xi32>
    %1 = stablehlo.compare LT, %arg0, %0, SIGNED : (tensor<32xi32>, tensor<32xi32>) -> tensor<32xi1>
    %c_0 = stablehlo.constant dense<9> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<32xi32>
    %3 = stablehlo.add %arg0, %2 : tensor<32xi32>
    %4 = stablehlo.select %1, %3, %arg0 : tensor<32xi1>, tensor<32xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<32xi32>) -> tensor<32x1xi32>
    %6 = "stablehlo.gather"(%arg1, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 1>}> : (tensor<32x9xi32>, tensor<32x1xi32>) -> tensor<32x1xi32>
    %7 = stablehlo.reshape %6 : (tensor<32x1xi32>) -> tensor<32xi32>
    return %7, %arg0 : tensor<32xi32>, tensor<32xi32>
  }
  func.func private @dynamic_update_index_in_dim_3(%arg0: tensor<39x32xi32>, %arg1: tensor<32xi32>, %arg2: tensor<i32>) -> tensor<39x32xi32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<32xi32>) -> tensor<1x32xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<39x32xi32>, tensor<1x32xi32>, tensor<i32>, tensor<i32>) -> tensor<39x32xi32>
    return %1 : tensor<39x32xi32>
  }
}
