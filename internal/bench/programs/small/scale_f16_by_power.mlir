module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<123x457xf16>) -> (tensor<123x457xf16> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<3> : tensor<i64>
    %0 = call @ldexp(%arg0, %c) : (tensor<123x457xf16>, tensor<i64>) -> tensor<123x457xf16>
    return %0 : tensor<123x457xf16>
  }
  func.func private @ldexp(%arg0: tensor<123x457xf16>, %arg1: tensor<i64>) -> tensor<123x457xf16> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<f16>
    %1:2 = call @frexp(%arg0) : (tensor<123x457xf16>) -> (tensor<123x457xf16>, tensor<123x457xi32>)
    %2 = stablehlo.convert %1#1 : (tensor<123x457xi32>) -> tensor<123x457xf16>
    %3 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f16>) -> tensor<123x457xf16>
    %4 = stablehlo.add %2, %3 : tensor<123x457xf16>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %5 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<123x457xf16>
    %6 = stablehlo.compare GT, %4, %5, FLOAT : (tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xi1>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f16>
    %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<123x457xf16>
    %8 = stablehlo.multiply %1#0, %7 : tensor<123x457xf16>
    %9 = call @_where(%6, %8, %1#0) : (tensor<123x457xi1>, tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xf16>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %10 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f16>) -> tensor<123x457xf16>
    %11 = stablehlo.compare GT, %4, %10, FLOAT : (tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xi1>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f16>
    %12 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f16>) -> tensor<123x457xf16>
    %13 = stablehlo.subtract %4, %12 : tensor<123x457xf16>
    %14 = call @_where(%11, %13, %4) : (tensor<123x457xi1>, tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xf16>
    %cst_3 = stablehlo.constant dense<2.000000e+00> : tensor<f16>
    %15 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f16>) -> tensor<123x457xf16>
    %16 = stablehlo.power %15, %14 : tensor<123x457xf16>
    %17 = stablehlo.multiply %9, %16 : tensor<123x457xf16>
    %18 = call @isinf(%arg0) : (tensor<123x457xf16>) -> tensor<123x457xi1>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %19 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f16>) -> tensor<123x457xf16>
    %20 = stablehlo.compare EQ, %arg0, %19, FLOAT : (tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xi1>
    %21 = stablehlo.or %18, %20 : tensor<123x457xi1>
    %22 = call @_where(%21, %arg0, %17) : (tensor<123x457xi1>, tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xf16>
    return %22 : tensor<123x457xf16>
  }
  func.func private @frexp(%arg0: tensor<123x457xf16>) -> (tensor<123x457xf16>, tensor<123x457xi32>) {
    %0 = stablehlo.abs %arg0 : tensor<123x457xf16>
    %cst = stablehlo.constant dense<6.103520e-05> : tensor<f16>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<123x457xf16>
    %2 = stablehlo.compare LT, %0, %1, FLOAT : (tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xi1>
    %cst_0 = stablehlo.constant dense<1.024000e+03> : tensor<f16>
    %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f16>) -> tensor<123x457xf16>
    %4 = stablehlo.multiply %arg0, %3 : tensor<123x457xf16>
    %5 = call @_where(%2, %4, %arg0) : (tensor<123x457xi1>, tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xf16>
    %c = stablehlo.constant dense<-10> : tensor<i16>
    %c_1 = stablehlo.constant dense<0> : tensor<i16>
    %6 = call @_where_0(%2, %c, %c_1) : (tensor<123x457xi1>, tensor<i16>, tensor<i16>) -> tensor<123x457xi16>
    %7 = stablehlo.bitcast_convert %5 : (tensor<123x457xf16>) -> tensor<123x457xi16>
    %c_2 = stablehlo.constant dense<10> : tensor<i16>
    %8 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i16>) -> tensor<123x457xi16>
    %9 = stablehlo.shift_right_arithmetic %7, %8 : tensor<123x457xi16>
    %c_3 = stablehlo.constant dense<31> : tensor<i16>
    %10 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i16>) -> tensor<123x457xi16>
    %11 = stablehlo.and %9, %10 : tensor<123x457xi16>
    %c_4 = stablehlo.constant dense<15> : tensor<i16>
    %12 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i16>) -> tensor<123x457xi16>
    %13 = stablehlo.subtract %11, %12 : tensor<123x457xi16>
    %c_5 = stablehlo.constant dense<1> : tensor<i16>
    %14 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i16>) -> tensor<123x457xi16>
    %15 = stablehlo.add %13, %14 : tensor<123x457xi16>
    %16 = stablehlo.add %6, %15 : tensor<123x457xi16>
    %c_6 = stablehlo.constant dense<-31745> : tensor<i16>
    %17 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i16>) -> tensor<123x457xi16>
    %18 = stablehlo.and %7, %17 : tensor<123x457xi16>
    %c_7 = stablehlo.constant dense<14336> : tensor<i16>
    %19 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i16>) -> tensor<123x457xi16>
    %20 = stablehlo.or %18, %19 : tensor<123x457xi16>
    %21 = stablehlo.bitcast_convert %20 : (tensor<123x457xi16>) -> tensor<123x457xf16>
    %22 = call @isinf(%arg0) : (tensor<123x457xf16>) -> tensor<123x457xi1>
    %23 = stablehlo.compare NE, %arg0, %arg0, FLOAT : (tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xi1>
    %24 = stablehlo.or %22, %23 : tensor<123x457xi1>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f16>
    %25 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f16>) -> tensor<123x457xf16>
    %26 = stablehlo.compare EQ, %arg0, %25, FLOAT : (tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xi1>
    %27 = stablehlo.or %24, %26 : tensor<123x457xi1>
    %c_9 = stablehlo.constant dense<0> : tensor<i16>
    %28 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i16>) -> tensor<123x457xi16>
    %29 = call @_where_1(%27, %28, %16) : (tensor<123x457xi1>, tensor<123x457xi16>, tensor<123x457xi16>) -> tensor<123x457xi16>
    %30 = call @_where(%27, %arg0, %21) : (tensor<123x457xi1>, tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xf16>
    %31 = stablehlo.convert %29 : (tensor<123x457xi16>) -> tensor<123x457xi32>
    return %30, %31 : tensor<123x457xf16>, tensor<123x457xi32>
  }
  func.func private @_where(%arg0: tensor<123x457xi1>, %arg1: tensor<123x457xf16>, %arg2: tensor<123x457xf16>) -> tensor<123x457xf16> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<123x457xi1>, tensor<123x457xf16>
    return %0 : tensor<123x457xf16>
  }
  func.func private @_where_0(%arg0: tensor<123x457xi1>, %arg1: tensor<i16>, %arg2: tensor<i16>) -> tensor<123x457xi16> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<i16>) -> tensor<123x457xi16>
    %1 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<i16>) -> tensor<123x457xi16>
    %2 = stablehlo.select %arg0, %0, %1 : tensor<123x457xi1>, tensor<123x457xi16>
    return %2 : tensor<123x457xi16>
  }
  func.func private @isinf(%arg0: tensor<123x457xf16>) -> tensor<123x457xi1> {
    %0 = stablehlo.abs %arg0 : tensor<123x457xf16>
    %cst = stablehlo.constant dense<0x7C00> : tensor<f16>
    %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f16>) -> tensor<123x457xf16>
    %2 = stablehlo.compare EQ, %0, %1, FLOAT : (tensor<123x457xf16>, tensor<123x457xf16>) -> tensor<123x457xi1>
    return %2 : tensor<123x457xi1>
  }
  func.func private @_where_1(%arg0: tensor<123x457xi1>, %arg1: tensor<123x457xi16>, %arg2: tensor<123x457xi16>) -> tensor<123x457xi16> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<123x457xi1>, tensor<123x457xi16>
    return %0 : tensor<123x457xi16>
  }
}
