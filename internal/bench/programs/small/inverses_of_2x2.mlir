module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5000x2x2xf32>) -> (tensor<5000x2x2xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg0 [0:5000, 1:2, 1:2] : (tensor<5000x2x2xf32>) -> tensor<5000x1x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<5000x1x1xf32>) -> tensor<5000xf32>
    %2 = stablehlo.slice %arg0 [0:5000, 0:1, 1:2] : (tensor<5000x2x2xf32>) -> tensor<5000x1x1xf32>
    %3 = stablehlo.reshape %2 : (tensor<5000x1x1xf32>) -> tensor<5000xf32>
    %4 = stablehlo.negate %3 : tensor<5000xf32>
    %5 = stablehlo.slice %arg0 [0:5000, 1:2, 0:1] : (tensor<5000x2x2xf32>) -> tensor<5000x1x1xf32>
    %6 = stablehlo.reshape %5 : (tensor<5000x1x1xf32>) -> tensor<5000xf32>
    %7 = stablehlo.negate %6 : tensor<5000xf32>
    %8 = stablehlo.slice %arg0 [0:5000, 0:1, 0:1] : (tensor<5000x2x2xf32>) -> tensor<5000x1x1xf32>
    %9 = stablehlo.reshape %8 : (tensor<5000x1x1xf32>) -> tensor<5000xf32>
    %10 = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<5000xf32>) -> tensor<5000x1xf32>
    %11 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<5000xf32>) -> tensor<5000x1xf32>
    %12 = stablehlo.concatenate %10, %11, dim = 1 : (tensor<5000x1xf32>, tensor<5000x1xf32>) -> tensor<5000x2xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 2] : (tensor<5000x2xf32>) -> tensor<5000x1x2xf32>
    %14 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<5000xf32>) -> tensor<5000x1xf32>
    %15 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<5000xf32>) -> tensor<5000x1xf32>
    %16 = stablehlo.concatenate %14, %15, dim = 1 : (tensor<5000x1xf32>, tensor<5000x1xf32>) -> tensor<5000x2xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 2] : (tensor<5000x2xf32>) -> tensor<5000x1x2xf32>
    %18 = stablehlo.concatenate %13, %17, dim = 1 : (tensor<5000x1x2xf32>, tensor<5000x1x2xf32>) -> tensor<5000x2x2xf32>
    %19 = stablehlo.slice %arg0 [0:5000, 0:1, 0:1] : (tensor<5000x2x2xf32>) -> tensor<5000x1x1xf32>
    %20 = stablehlo.reshape %19 : (tensor<5000x1x1xf32>) -> tensor<5000xf32>
    %21 = stablehlo.slice %arg0 [0:5000, 1:2, 1:2] : (tensor<5000x2x2xf32>) -> tensor<5000x1x1xf32>
    %22 = stablehlo.reshape %21 : (tensor<5000x1x1xf32>) -> tensor<5000xf32>
    %23 = stablehlo.multiply %20, %22 : tensor<5000xf32>
    %24 = stablehlo.slice %arg0 [0:5000, 0:1, 1:2] : (tensor<5000x2x2xf32>) -> tensor<5000x1x1xf32>
    %25 = stablehlo.reshape %24 : (tensor<5000x1x1xf32>) -> tensor<5000xf32>
    %26 = stablehlo.slice %arg0 [0:5000, 1:2, 0:1] : (tensor<5000x2x2xf32>) -> tensor<5000x1x1xf32>
    %27 = stablehlo.reshape %26 : (tensor<5000x1x1xf32>) -> tensor<5000xf32>
    %28 = stablehlo.multiply %25, %27 : tensor<5000xf32>
    %29 = stablehlo.subtract %23, %28 : tensor<5000xf32>
    %cst = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5000xf32>
    %31 = stablehlo.add %29, %30 : tensor<5000xf32>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0] : (tensor<5000xf32>) -> tensor<5000x1x1xf32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1, 2] : (tensor<5000x1x1xf32>) -> tensor<5000x2x2xf32>
    %34 = stablehlo.divide %18, %33 : tensor<5000x2x2xf32>
    return %34 : tensor<5000x2x2xf32>
  }
}
