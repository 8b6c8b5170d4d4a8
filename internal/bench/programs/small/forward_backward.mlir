module @jit_hmmfb attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<16x16xf32>, %arg1: tensor<200x16xf32>) -> (tensor<200x16xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x16xf32>
    %1 = stablehlo.multiply %arg0, %0 : tensor<16x16xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
    %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %4 = stablehlo.maximum %3, %2 : tensor<16xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x16xf32>
    %7 = stablehlo.subtract %1, %6 : tensor<16x16xf32>
    %8 = stablehlo.exponential %7 : tensor<16x16xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<16x16xf32>, tensor<f32>) -> tensor<16xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<16xf32>) -> tensor<16x1xf32>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1] : (tensor<16x1xf32>) -> tensor<16x16xf32>
    %12 = stablehlo.divide %8, %11 : tensor<16x16xf32>
    %cst_3 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<200x16xf32>
    %14 = stablehlo.multiply %arg1, %13 : tensor<200x16xf32>
    %cst_4 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %15 = stablehlo.reduce(%14 init: %cst_4) applies stablehlo.maximum across dimensions = [1] : (tensor<200x16xf32>, tensor<f32>) -> tensor<200xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<200xf32>
    %17 = stablehlo.maximum %16, %15 : tensor<200xf32>
    %18 = stablehlo.broadcast_in_dim %17, dims = [0] : (tensor<200xf32>) -> tensor<200x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<200x1xf32>) -> tensor<200x16xf32>
    %20 = stablehlo.subtract %14, %19 : tensor<200x16xf32>
    %21 = stablehlo.exponential %20 : tensor<200x16xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.reduce(%21 init: %cst_6) applies stablehlo.add across dimensions = [1] : (tensor<200x16xf32>, tensor<f32>) -> tensor<200xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [0] : (tensor<200xf32>) -> tensor<200x1xf32>
    %24 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<200x1xf32>) -> tensor<200x16xf32>
    %25 = stablehlo.divide %21, %24 : tensor<200x16xf32>
    %cst_7 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %26 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %cst_8 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %27 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %28 = stablehlo.divide %26, %27 : tensor<16xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<200x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %30:5 = stablehlo.while(%iterArg = %25, %iterArg_14 = %12, %iterArg_15 = %c, %iterArg_16 = %28, %iterArg_17 = %29) : tensor<200x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<16xf32>, tensor<200x16xf32>
    cond {
      %c_18 = stablehlo.constant dense<200> : tensor<i32>
      %39 = stablehlo.compare LT, %iterArg_15, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %39 : tensor<i1>
    } do {
      %39 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_15) : (tensor<200x16xf32>, tensor<i32>) -> tensor<16xf32>
      %40:2 = func.call @closed_call(%iterArg_14, %iterArg_16, %39) : (tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
      %41 = func.call @dynamic_update_index_in_dim(%iterArg_17, %40#1, %iterArg_15) : (tensor<200x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<200x16xf32>
      %c_18 = stablehlo.constant dense<1> : tensor<i32>
      %42 = stablehlo.add %iterArg_15, %c_18 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_14, %42, %40#0, %41 : tensor<200x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<16xf32>, tensor<200x16xf32>
    }
    %cst_10 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %31 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %32 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<200x16xf32>
    %c_12 = stablehlo.constant dense<0> : tensor<i32>
    %33:5 = stablehlo.while(%iterArg = %25, %iterArg_14 = %12, %iterArg_15 = %c_12, %iterArg_16 = %31, %iterArg_17 = %32) : tensor<200x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<16xf32>, tensor<200x16xf32>
    cond {
      %c_18 = stablehlo.constant dense<200> : tensor<i32>
      %39 = stablehlo.compare LT, %iterArg_15, %c_18, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %39 : tensor<i1>
    } do {
      %c_18 = stablehlo.constant dense<200> : tensor<i32>
      %39 = stablehlo.subtract %c_18, %iterArg_15 : tensor<i32>
      %c_19 = stablehlo.constant dense<1> : tensor<i32>
      %40 = stablehlo.subtract %39, %c_19 : tensor<i32>
      %41 = func.call @dynamic_index_in_dim(%iterArg, %40) : (tensor<200x16xf32>, tensor<i32>) -> tensor<16xf32>
      %42:2 = func.call @closed_call_0(%iterArg_14, %iterArg_16, %41) : (tensor<16x16xf32>, tensor<16xf32>, tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
      %43 = func.call @dynamic_update_index_in_dim(%iterArg_17, %42#1, %40) : (tensor<200x16xf32>, tensor<16xf32>, tensor<i32>) -> tensor<200x16xf32>
      %c_20 = stablehlo.constant dense<1> : tensor<i32>
      %44 = stablehlo.add %iterArg_15, %c_20 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_14, %44, %42#0, %43 : tensor<200x16xf32>, tensor<16x16xf32>, tensor<i32>, tensor<16xf32>, tensor<200x16xf32>
    }
    %34 = stablehlo.multiply %30#4, %33#4 : tensor<200x16xf32>
    %cst_13 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %35 = stablehlo.reduce(%34 init: %cst_13) applies stablehlo.add across dimensions = [1] : (tensor<200x16xf32>, tensor<f32>) -> tensor<200xf32>
    %36 = stablehlo.broadcast_in_dim %35, dims = [0] : (tensor<200xf32>) -> tensor<200x1xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1] : (tensor<200x1xf32>) -> tensor<200x16xf32>
    %38 = stablehlo.divide %34, %37 : tensor<200x16xf32>
    return %38 : tensor<200x16xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<200x16xf32>, %arg1: tensor<i32>) -> tensor<16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, sizes = [1, 16] : (tensor<200x16xf32>, tensor<i32>, tensor<i32>) -> tensor<1x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x16xf32>) -> tensor<16xf32>
    return %1 : tensor<16xf32>
  }
  func.func private @closed_call(%arg0: tensor<16x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16xf32>, tensor<16x16xf32>) -> tensor<16xf32>
    %1 = stablehlo.multiply %0, %arg2 : tensor<16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %4 = stablehlo.divide %1, %3 : tensor<16xf32>
    return %4, %4 : tensor<16xf32>, tensor<16xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<200x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<i32>) -> tensor<200x16xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<16xf32>) -> tensor<1x16xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c : (tensor<200x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<200x16xf32>
    return %1 : tensor<200x16xf32>
  }
  func.func private @closed_call_0(%arg0: tensor<16x16xf32>, %arg1: tensor<16xf32>, %arg2: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
    %0 = stablehlo.multiply %arg1, %arg2 : tensor<16xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<16x16xf32>, tensor<16xf32>) -> tensor<16xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [] : (tensor<f32>) -> tensor<16xf32>
    %4 = stablehlo.divide %1, %3 : tensor<16xf32>
    return %4, %arg1 : tensor<16xf32>, tensor<16xf32>
  }
}
