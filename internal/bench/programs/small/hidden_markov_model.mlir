module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<20x10xf32>, %arg1: tensor<20x20xf32>, %arg2: tensor<100xi32>) -> (tensor<f32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<100xf32>
    %c = stablehlo.constant dense<0> : tensor<i64>
    %2:6 = stablehlo.while(%iterArg = %arg2, %iterArg_2 = %arg1, %iterArg_3 = %arg0, %iterArg_4 = %c, %iterArg_5 = %0, %iterArg_6 = %1) : tensor<100xi32>, tensor<20x20xf32>, tensor<20x10xf32>, tensor<i64>, tensor<20xf32>, tensor<100xf32>
    cond {
      %c_7 = stablehlo.constant dense<100> : tensor<i64>
      %4 = stablehlo.compare LT, %iterArg_4, %c_7, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_4) : (tensor<100xi32>, tensor<i64>) -> tensor<i32>
      %5:2 = func.call @closed_call(%iterArg_2, %iterArg_3, %iterArg_5, %4) : (tensor<20x20xf32>, tensor<20x10xf32>, tensor<20xf32>, tensor<i32>) -> (tensor<20xf32>, tensor<f32>)
      %6 = func.call @dynamic_update_index_in_dim(%iterArg_6, %5#1, %iterArg_4) : (tensor<100xf32>, tensor<f32>, tensor<i64>) -> tensor<100xf32>
      %c_7 = stablehlo.constant dense<1> : tensor<i64>
      %7 = stablehlo.add %iterArg_4, %c_7 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_2, %iterArg_3, %7, %5#0, %6 : tensor<100xi32>, tensor<20x20xf32>, tensor<20x10xf32>, tensor<i64>, tensor<20xf32>, tensor<100xf32>
    }
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2#5 init: %cst_1) applies stablehlo.add across dimensions = [0] : (tensor<100xf32>, tensor<f32>) -> tensor<f32>
    return %3 : tensor<f32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<100xi32>, %arg1: tensor<i64>) -> tensor<i32> {
    %0 = stablehlo.dynamic_slice %arg0, %arg1, sizes = [1] : (tensor<100xi32>, tensor<i64>) -> tensor<1xi32>
    %1 = stablehlo.reshape %0 : (tensor<1xi32>) -> tensor<i32>
    return %1 : tensor<i32>
  }
  func.func private @closed_call(%arg0: tensor<20x20xf32>, %arg1: tensor<20x10xf32>, %arg2: tensor<20xf32>, %arg3: tensor<i32>) -> (tensor<20xf32>, tensor<f32>) {
    %0 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<20xf32>) -> tensor<20x1xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<20x1xf32>) -> tensor<20x20xf32>
    %2 = stablehlo.add %1, %arg0 : tensor<20x20xf32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.maximum across dimensions = [0] : (tensor<20x20xf32>, tensor<f32>) -> tensor<20xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %5 = stablehlo.maximum %4, %3 : tensor<20xf32>
    %6 = stablehlo.is_finite %5 : (tensor<20xf32>) -> tensor<20xi1>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %8 = stablehlo.select %6, %5, %7 : tensor<20xi1>, tensor<20xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [1] : (tensor<20xf32>) -> tensor<1x20xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x20xf32>) -> tensor<20x20xf32>
    %11 = stablehlo.subtract %2, %10 : tensor<20x20xf32>
    %12 = stablehlo.exponential %11 : tensor<20x20xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %13 = stablehlo.reduce(%12 init: %cst_2) applies stablehlo.add across dimensions = [0] : (tensor<20x20xf32>, tensor<f32>) -> tensor<20xf32>
    %14 = stablehlo.abs %13 : tensor<20xf32>
    %15 = stablehlo.log %14 : tensor<20xf32>
    %16 = stablehlo.add %15, %8 : tensor<20xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.compare LT, %c, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<20> : tensor<i32>
    %18 = stablehlo.add %c_4, %c_5 : tensor<i32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.select %17, %18, %c_6 : tensor<i1>, tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %20 = stablehlo.compare LT, %arg3, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<10> : tensor<i32>
    %21 = stablehlo.add %arg3, %c_8 : tensor<i32>
    %22 = stablehlo.select %20, %21, %arg3 : tensor<i1>, tensor<i32>
    %23 = stablehlo.dynamic_slice %arg1, %19, %22, sizes = [20, 1] : (tensor<20x10xf32>, tensor<i32>, tensor<i32>) -> tensor<20x1xf32>
    %24 = stablehlo.reshape %23 : (tensor<20x1xf32>) -> tensor<20xf32>
    %25 = stablehlo.add %16, %24 : tensor<20xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %26 = stablehlo.reduce(%25 init: %cst_9) applies stablehlo.maximum across dimensions = [0] : (tensor<20xf32>, tensor<f32>) -> tensor<f32>
    %cst_10 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %27 = stablehlo.maximum %cst_10, %26 : tensor<f32>
    %28 = stablehlo.is_finite %27 : (tensor<f32>) -> tensor<i1>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %29 = stablehlo.select %28, %27, %cst_11 : tensor<i1>, tensor<f32>
    %30 = stablehlo.broadcast_in_dim %29, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %31 = stablehlo.broadcast_in_dim %30, dims = [0] : (tensor<1xf32>) -> tensor<20xf32>
    %32 = stablehlo.subtract %25, %31 : tensor<20xf32>
    %33 = stablehlo.exponential %32 : tensor<20xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_12) applies stablehlo.add across dimensions = [0] : (tensor<20xf32>, tensor<f32>) -> tensor<f32>
    %35 = stablehlo.abs %34 : tensor<f32>
    %36 = stablehlo.log %35 : tensor<f32>
    %37 = stablehlo.add %36, %29 : tensor<f32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [] : (tensor<f32>) -> tensor<20xf32>
    %39 = stablehlo.subtract %25, %38 : tensor<20xf32>
    %cst_13 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %40 = stablehlo.reduce(%25 init: %cst_13) applies stablehlo.maximum across dimensions = [0] : (tensor<20xf32>, tensor<f32>) -> tensor<f32>
    %cst_14 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %41 = stablehlo.maximum %cst_14, %40 : tensor<f32>
    %42 = stablehlo.is_finite %41 : (tensor<f32>) -> tensor<i1>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %43 = stablehlo.select %42, %41, %cst_15 : tensor<i1>, tensor<f32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0] : (tensor<1xf32>) -> tensor<20xf32>
    %46 = stablehlo.subtract %25, %45 : tensor<20xf32>
    %47 = stablehlo.exponential %46 : tensor<20xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %48 = stablehlo.reduce(%47 init: %cst_16) applies stablehlo.add across dimensions = [0] : (tensor<20xf32>, tensor<f32>) -> tensor<f32>
    %49 = stablehlo.abs %48 : tensor<f32>
    %50 = stablehlo.log %49 : tensor<f32>
    %51 = stablehlo.add %50, %43 : tensor<f32>
    return %39, %51 : tensor<20xf32>, tensor<f32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<100xf32>, %arg1: tensor<f32>, %arg2: tensor<i64>) -> tensor<100xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2 : (tensor<100xf32>, tensor<1xf32>, tensor<i64>) -> tensor<100xf32>
    return %1 : tensor<100xf32>
  }
}
