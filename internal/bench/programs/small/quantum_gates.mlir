module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1024xcomplex<f32>>, %arg1: tensor<8xf32>) -> (tensor<1024xcomplex<f32>> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0:4 = stablehlo.while(%iterArg = %arg1, %iterArg_1 = %c_0, %iterArg_2 = %c, %iterArg_3 = %arg0) : tensor<8xf32>, tensor<i32>, tensor<i32>, tensor<1024xcomplex<f32>>
    cond {
      %c_4 = stablehlo.constant dense<8> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg_1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_3) : (tensor<8xf32>, tensor<i32>, tensor<1024xcomplex<f32>>) -> (tensor<i32>, tensor<1024xcomplex<f32>>)
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg_1, %c_4 : tensor<i32>
      stablehlo.return %iterArg, %2, %1#0, %1#1 : tensor<8xf32>, tensor<i32>, tensor<i32>, tensor<1024xcomplex<f32>>
    }
    return %0#3 : tensor<1024xcomplex<f32>>
  }
  func.func private @closed_call(%arg0: tensor<8xf32>, %arg1: tensor<i32>, %arg2: tensor<1024xcomplex<f32>>) -> (tensor<i32>, tensor<1024xcomplex<f32>>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg1, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %arg1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %2 = stablehlo.convert %arg1 : tensor<i32>
    %c_1 = stablehlo.constant dense<8> : tensor<i32>
    %3 = stablehlo.add %2, %c_1 : tensor<i32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<i1>, tensor<i32>
    %5 = stablehlo.dynamic_slice %arg0, %4, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
    %6 = stablehlo.reshape %5 : (tensor<1xf32>) -> tensor<f32>
    %7 = stablehlo.cosine %6 : tensor<f32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %8 = stablehlo.compare LT, %arg1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %9 = stablehlo.convert %arg1 : tensor<i32>
    %c_3 = stablehlo.constant dense<8> : tensor<i32>
    %10 = stablehlo.add %9, %c_3 : tensor<i32>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<i1>, tensor<i32>
    %12 = stablehlo.dynamic_slice %arg0, %11, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
    %13 = stablehlo.reshape %12 : (tensor<1xf32>) -> tensor<f32>
    %14 = stablehlo.sine %13 : tensor<f32>
    %15 = stablehlo.convert %14 : (tensor<f32>) -> tensor<complex<f32>>
    %cst = stablehlo.constant dense<(-0.000000e+00,-1.000000e+00)> : tensor<complex<f32>>
    %16 = stablehlo.multiply %cst, %15 : tensor<complex<f32>>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %17 = stablehlo.compare LT, %arg1, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %18 = stablehlo.convert %arg1 : tensor<i32>
    %c_5 = stablehlo.constant dense<8> : tensor<i32>
    %19 = stablehlo.add %18, %c_5 : tensor<i32>
    %20 = stablehlo.select %17, %19, %arg1 : tensor<i1>, tensor<i32>
    %21 = stablehlo.dynamic_slice %arg0, %20, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
    %22 = stablehlo.reshape %21 : (tensor<1xf32>) -> tensor<f32>
    %23 = stablehlo.sine %22 : tensor<f32>
    %24 = stablehlo.convert %23 : (tensor<f32>) -> tensor<complex<f32>>
    %cst_6 = stablehlo.constant dense<(-0.000000e+00,-1.000000e+00)> : tensor<complex<f32>>
    %25 = stablehlo.multiply %cst_6, %24 : tensor<complex<f32>>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.compare LT, %arg1, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %27 = stablehlo.convert %arg1 : tensor<i32>
    %c_8 = stablehlo.constant dense<8> : tensor<i32>
    %28 = stablehlo.add %27, %c_8 : tensor<i32>
    %29 = stablehlo.select %26, %28, %arg1 : tensor<i1>, tensor<i32>
    %30 = stablehlo.dynamic_slice %arg0, %29, sizes = [1] : (tensor<8xf32>, tensor<i32>) -> tensor<1xf32>
    %31 = stablehlo.reshape %30 : (tensor<1xf32>) -> tensor<f32>
    %32 = stablehlo.cosine %31 : tensor<f32>
    %33 = stablehlo.convert %7 : (tensor<f32>) -> tensor<complex<f32>>
    %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %35 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %36 = stablehlo.concatenate %34, %35, dim = 0 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    %37 = stablehlo.broadcast_in_dim %36, dims = [1] : (tensor<2xcomplex<f32>>) -> tensor<1x2xcomplex<f32>>
    %38 = stablehlo.broadcast_in_dim %25, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %39 = stablehlo.convert %32 : (tensor<f32>) -> tensor<complex<f32>>
    %40 = stablehlo.broadcast_in_dim %39, dims = [] : (tensor<complex<f32>>) -> tensor<1xcomplex<f32>>
    %41 = stablehlo.concatenate %38, %40, dim = 0 : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    %42 = stablehlo.broadcast_in_dim %41, dims = [1] : (tensor<2xcomplex<f32>>) -> tensor<1x2xcomplex<f32>>
    %43 = stablehlo.concatenate %37, %42, dim = 0 : (tensor<1x2xcomplex<f32>>, tensor<1x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    %44 = stablehlo.reshape %arg2 : (tensor<1024xcomplex<f32>>) -> tensor<2x512xcomplex<f32>>
    %45 = stablehlo.dot_general %43, %44, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xcomplex<f32>>, tensor<2x512xcomplex<f32>>) -> tensor<2x512xcomplex<f32>>
    %46 = stablehlo.reshape %45 : (tensor<2x512xcomplex<f32>>) -> tensor<1024xcomplex<f32>>
    %47 = stablehlo.reshape %46 : (tensor<1024xcomplex<f32>>) -> tensor<2x512xcomplex<f32>>
    %48 = stablehlo.transpose %47, dims = [1, 0] : (tensor<2x512xcomplex<f32>>) -> tensor<512x2xcomplex<f32>>
    %49 = stablehlo.reshape %48 : (tensor<512x2xcomplex<f32>>) -> tensor<1024xcomplex<f32>>
    return %0, %49 : tensor<i32>, tensor<1024xcomplex<f32>>
  }
}
