module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<50x8x12xf32>, %arg1: tensor<12x12xf32>) -> (tensor<50x8x12xf32> {jax.result_info = "result[0]"}, tensor<12x12xf32> {jax.result_info = "result[1]"}) {
    %0 = stablehlo.slice %arg0 [0:1, 0:8, 0:12] : (tensor<50x8x12xf32>) -> tensor<1x8x12xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x12xf32>) -> tensor<8x12xf32>
    %2 = stablehlo.slice %arg0 [1:50, 0:8, 0:12] : (tensor<50x8x12xf32>) -> tensor<49x8x12xf32>
    %3 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<12x12xf32>) -> tensor<1x12x12xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<49x8x12x12xf32>
    %c = stablehlo.constant dense<false> : tensor<i1>
    %6 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<49x8x12xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<49x8x12xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %8:8 = stablehlo.while(%iterArg = %2, %iterArg_15 = %3, %iterArg_16 = %4, %iterArg_17 = %c_2, %iterArg_18 = %1, %iterArg_19 = %5, %iterArg_20 = %6, %iterArg_21 = %7) : tensor<49x8x12xf32>, tensor<1x12x12xf32>, tensor<8x12xf32>, tensor<i64>, tensor<8x12xf32>, tensor<49x8x12x12xf32>, tensor<49x8x12xi1>, tensor<49x8x12xf32>
    cond {
      %c_22 = stablehlo.constant dense<49> : tensor<i64>
      %39 = stablehlo.compare LT, %iterArg_17, %c_22, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %39 : tensor<i1>
    } do {
      %39 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_17) : (tensor<49x8x12xf32>, tensor<i64>) -> tensor<8x12xf32>
      %40:4 = func.call @closed_call(%iterArg_15, %iterArg_16, %iterArg_18, %39) : (tensor<1x12x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>) -> (tensor<8x12xf32>, tensor<8x12x12xf32>, tensor<8x12xi1>, tensor<8x12xf32>)
      %41 = func.call @dynamic_update_index_in_dim(%iterArg_19, %40#1, %iterArg_17) : (tensor<49x8x12x12xf32>, tensor<8x12x12xf32>, tensor<i64>) -> tensor<49x8x12x12xf32>
      %42 = func.call @dynamic_update_index_in_dim_0(%iterArg_20, %40#2, %iterArg_17) : (tensor<49x8x12xi1>, tensor<8x12xi1>, tensor<i64>) -> tensor<49x8x12xi1>
      %43 = func.call @dynamic_update_index_in_dim_1(%iterArg_21, %40#3, %iterArg_17) : (tensor<49x8x12xf32>, tensor<8x12xf32>, tensor<i64>) -> tensor<49x8x12xf32>
      %c_22 = stablehlo.constant dense<1> : tensor<i64>
      %44 = stablehlo.add %iterArg_17, %c_22 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_15, %iterArg_16, %44, %40#0, %41, %42, %43 : tensor<49x8x12xf32>, tensor<1x12x12xf32>, tensor<8x12xf32>, tensor<i64>, tensor<8x12xf32>, tensor<49x8x12x12xf32>, tensor<49x8x12xi1>, tensor<49x8x12xf32>
    }
    %cst_3 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %9 = stablehlo.reduce(%8#4 init: %cst_3) applies stablehlo.maximum across dimensions = [1] : (tensor<8x12xf32>, tensor<f32>) -> tensor<8xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %11 = stablehlo.maximum %10, %9 : tensor<8xf32>
    %12 = stablehlo.is_finite %11 : (tensor<8xf32>) -> tensor<8xi1>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %14 = stablehlo.select %12, %11, %13 : tensor<8xi1>, tensor<8xf32>
    %15 = stablehlo.broadcast_in_dim %14, dims = [0] : (tensor<8xf32>) -> tensor<8x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<8x1xf32>) -> tensor<8x12xf32>
    %17 = stablehlo.subtract %8#4, %16 : tensor<8x12xf32>
    %18 = stablehlo.exponential %17 : tensor<8x12xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %19 = stablehlo.reduce(%18 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<8x12xf32>, tensor<f32>) -> tensor<8xf32>
    %20 = stablehlo.abs %19 : tensor<8xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %21 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %22 = stablehlo.compare GE, %19, %21, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %23 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %24 = stablehlo.divide %23, %20 : tensor<8xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %26 = stablehlo.select %22, %25, %24 : tensor<8xi1>, tensor<8xf32>
    %27 = stablehlo.select %22, %24, %25 : tensor<8xi1>, tensor<8xf32>
    %28 = stablehlo.negate %26 : tensor<8xf32>
    %29 = stablehlo.add %27, %28 : tensor<8xf32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [0] : (tensor<8xf32>) -> tensor<8x12xf32>
    %31 = stablehlo.multiply %30, %18 : tensor<8x12xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<12x12xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<49x8x12xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i64>
    %34:7 = stablehlo.while(%iterArg = %8#5, %iterArg_15 = %8#6, %iterArg_16 = %8#7, %iterArg_17 = %c_12, %iterArg_18 = %32, %iterArg_19 = %31, %iterArg_20 = %33) : tensor<49x8x12x12xf32>, tensor<49x8x12xi1>, tensor<49x8x12xf32>, tensor<i64>, tensor<12x12xf32>, tensor<8x12xf32>, tensor<49x8x12xf32>
    cond {
      %c_21 = stablehlo.constant dense<49> : tensor<i64>
      %39 = stablehlo.compare LT, %iterArg_17, %c_21, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %39 : tensor<i1>
    } do {
      %c_21 = stablehlo.constant dense<49> : tensor<i64>
      %39 = stablehlo.subtract %c_21, %iterArg_17 : tensor<i64>
      %c_22 = stablehlo.constant dense<1> : tensor<i64>
      %40 = stablehlo.subtract %39, %c_22 : tensor<i64>
      %41 = func.call @dynamic_index_in_dim_2(%iterArg, %40) : (tensor<49x8x12x12xf32>, tensor<i64>) -> tensor<8x12x12xf32>
      %42 = func.call @dynamic_index_in_dim_3(%iterArg_15, %40) : (tensor<49x8x12xi1>, tensor<i64>) -> tensor<8x12xi1>
      %43 = func.call @dynamic_index_in_dim(%iterArg_16, %40) : (tensor<49x8x12xf32>, tensor<i64>) -> tensor<8x12xf32>
      %44:3 = func.call @closed_call_4(%iterArg_18, %iterArg_19, %41, %42, %43) : (tensor<12x12xf32>, tensor<8x12xf32>, tensor<8x12x12xf32>, tensor<8x12xi1>, tensor<8x12xf32>) -> (tensor<12x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>)
      %45 = func.call @dynamic_update_index_in_dim_1(%iterArg_20, %44#2, %40) : (tensor<49x8x12xf32>, tensor<8x12xf32>, tensor<i64>) -> tensor<49x8x12xf32>
      %c_23 = stablehlo.constant dense<1> : tensor<i64>
      %46 = stablehlo.add %iterArg_17, %c_23 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_15, %iterArg_16, %46, %44#0, %44#1, %45 : tensor<49x8x12x12xf32>, tensor<49x8x12xi1>, tensor<49x8x12xf32>, tensor<i64>, tensor<12x12xf32>, tensor<8x12xf32>, tensor<49x8x12xf32>
    }
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.pad %34#6, %cst_13, low = [1, 0, 0], high = [0, 0, 0], interior = [0, 0, 0] : (tensor<49x8x12xf32>, tensor<f32>) -> tensor<50x8x12xf32>
    %36 = stablehlo.broadcast_in_dim %34#5, dims = [1, 2] : (tensor<8x12xf32>) -> tensor<1x8x12xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %37 = stablehlo.pad %36, %cst_14, low = [0, 0, 0], high = [49, 0, 0], interior = [0, 0, 0] : (tensor<1x8x12xf32>, tensor<f32>) -> tensor<50x8x12xf32>
    %38 = stablehlo.add %35, %37 : tensor<50x8x12xf32>
    return %38, %34#4 : tensor<50x8x12xf32>, tensor<12x12xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<49x8x12xf32>, %arg1: tensor<i64>) -> tensor<8x12xf32> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 12] : (tensor<49x8x12xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x8x12xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x12xf32>) -> tensor<8x12xf32>
    return %1 : tensor<8x12xf32>
  }
  func.func private @closed_call(%arg0: tensor<1x12x12xf32>, %arg1: tensor<8x12xf32>, %arg2: tensor<8x12xf32>, %arg3: tensor<8x12xf32>) -> (tensor<8x12xf32>, tensor<8x12x12xf32>, tensor<8x12xi1>, tensor<8x12xf32>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0, 1] : (tensor<8x12xf32>) -> tensor<8x12x1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x12x1xf32>) -> tensor<8x12x12xf32>
    %2 = stablehlo.broadcast_in_dim %arg0, dims = [0, 1, 2] : (tensor<1x12x12xf32>) -> tensor<8x12x12xf32>
    %3 = stablehlo.add %1, %2 : tensor<8x12x12xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<8x12x12xf32>, tensor<f32>) -> tensor<8x12xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %6 = stablehlo.maximum %5, %4 : tensor<8x12xf32>
    %7 = stablehlo.is_finite %6 : (tensor<8x12xf32>) -> tensor<8x12xi1>
    %8 = stablehlo.select %7, %6, %arg1 : tensor<8x12xi1>, tensor<8x12xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 2] : (tensor<8x12xf32>) -> tensor<8x1x12xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2] : (tensor<8x1x12xf32>) -> tensor<8x12x12xf32>
    %11 = stablehlo.subtract %3, %10 : tensor<8x12x12xf32>
    %12 = stablehlo.exponential %11 : tensor<8x12x12xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<8x12x12xf32>, tensor<f32>) -> tensor<8x12xf32>
    %14 = stablehlo.abs %13 : tensor<8x12xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %16 = stablehlo.compare GE, %13, %15, FLOAT : (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x12xi1>
    %17 = stablehlo.log %14 : tensor<8x12xf32>
    %18 = stablehlo.add %17, %8 : tensor<8x12xf32>
    %19 = stablehlo.add %18, %arg3 : tensor<8x12xf32>
    return %19, %12, %16, %14 : tensor<8x12xf32>, tensor<8x12x12xf32>, tensor<8x12xi1>, tensor<8x12xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<49x8x12x12xf32>, %arg1: tensor<8x12x12xf32>, %arg2: tensor<i64>) -> tensor<49x8x12x12xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2, 3] : (tensor<8x12x12xf32>) -> tensor<1x8x12x12xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0, %c_1 : (tensor<49x8x12x12xf32>, tensor<1x8x12x12xf32>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<49x8x12x12xf32>
    return %1 : tensor<49x8x12x12xf32>
  }
  func.func private @dynamic_update_index_in_dim_0(%arg0: tensor<49x8x12xi1>, %arg1: tensor<8x12xi1>, %arg2: tensor<i64>) -> tensor<49x8x12xi1> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x12xi1>) -> tensor<1x8x12xi1>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<49x8x12xi1>, tensor<1x8x12xi1>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<49x8x12xi1>
    return %1 : tensor<49x8x12xi1>
  }
  func.func private @dynamic_update_index_in_dim_1(%arg0: tensor<49x8x12xf32>, %arg1: tensor<8x12xf32>, %arg2: tensor<i64>) -> tensor<49x8x12xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<8x12xf32>) -> tensor<1x8x12xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<49x8x12xf32>, tensor<1x8x12xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<49x8x12xf32>
    return %1 : tensor<49x8x12xf32>
  }
  func.func private @dynamic_index_in_dim_2(%arg0: tensor<49x8x12x12xf32>, %arg1: tensor<i64>) -> tensor<8x12x12xf32> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, %c_1, sizes = [1, 8, 12, 12] : (tensor<49x8x12x12xf32>, tensor<i64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x8x12x12xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x8x12x12xf32>) -> tensor<8x12x12xf32>
    return %1 : tensor<8x12x12xf32>
  }
  func.func private @dynamic_index_in_dim_3(%arg0: tensor<49x8x12xi1>, %arg1: tensor<i64>) -> tensor<8x12xi1> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 8, 12] : (tensor<49x8x12xi1>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<1x8x12xi1>
    %1 = stablehlo.reshape %0 : (tensor<1x8x12xi1>) -> tensor<8x12xi1>
    return %1 : tensor<8x12xi1>
  }
  func.func private @closed_call_4(%arg0: tensor<12x12xf32>, %arg1: tensor<8x12xf32>, %arg2: tensor<8x12x12xf32>, %arg3: tensor<8x12xi1>, %arg4: tensor<8x12xf32>) -> (tensor<12x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>) {
    %0 = stablehlo.divide %arg1, %arg4 : tensor<8x12xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
    %2 = stablehlo.select %arg3, %1, %0 : tensor<8x12xi1>, tensor<8x12xf32>
    %3 = stablehlo.select %arg3, %0, %1 : tensor<8x12xi1>, tensor<8x12xf32>
    %4 = stablehlo.negate %2 : tensor<8x12xf32>
    %5 = stablehlo.add %3, %4 : tensor<8x12xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 2] : (tensor<8x12xf32>) -> tensor<8x12x12xf32>
    %7 = stablehlo.multiply %6, %arg2 : tensor<8x12x12xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %8 = stablehlo.reduce(%7 init: %cst_0) applies stablehlo.add across dimensions = [2] : (tensor<8x12x12xf32>, tensor<f32>) -> tensor<8x12xf32>
    %9 = stablehlo.reshape %8 : (tensor<8x12xf32>) -> tensor<8x12x1xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.reduce(%7 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<8x12x12xf32>, tensor<f32>) -> tensor<12x12xf32>
    %11 = stablehlo.reshape %10 : (tensor<12x12xf32>) -> tensor<1x12x12xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %12 = stablehlo.reduce(%11 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<1x12x12xf32>, tensor<f32>) -> tensor<12x12xf32>
    %13 = stablehlo.add %arg0, %12 : tensor<12x12xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%9 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<8x12x1xf32>, tensor<f32>) -> tensor<8x12xf32>
    return %13, %14, %arg1 : tensor<12x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>
  }
}
