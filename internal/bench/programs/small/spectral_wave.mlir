module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32x256xf32>) -> (tensor<32x256xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<32x256xf32>
    cond {
      %c_1 = stablehlo.constant dense<10> : tensor<i32>
      %1 = stablehlo.compare LT, %iterArg, %c_1, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @closed_call(%iterArg_0) : (tensor<32x256xf32>) -> tensor<32x256xf32>
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      stablehlo.return %2, %1 : tensor<i32>, tensor<32x256xf32>
    }
    return %0#1 : tensor<32x256xf32>
  }
  func.func private @closed_call(%arg0: tensor<32x256xf32>) -> tensor<32x256xf32> {
    %0 = call @fft(%arg0) : (tensor<32x256xf32>) -> tensor<32x129xcomplex<f32>>
    %1 = stablehlo.iota dim = 0 : tensor<129xi32>
    %2 = stablehlo.convert %1 : (tensor<129xi32>) -> tensor<129xf32>
    %cst = stablehlo.constant dense<-0.00999999977> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<129xf32>
    %4 = stablehlo.multiply %3, %2 : tensor<129xf32>
    %5 = stablehlo.exponential %4 : tensor<129xf32>
    %6 = stablehlo.convert %5 : (tensor<129xf32>) -> tensor<129xcomplex<f32>>
    %7 = stablehlo.broadcast_in_dim %6, dims = [1] : (tensor<129xcomplex<f32>>) -> tensor<1x129xcomplex<f32>>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x129xcomplex<f32>>) -> tensor<32x129xcomplex<f32>>
    %9 = stablehlo.multiply %0, %8 : tensor<32x129xcomplex<f32>>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %10 = call @_pad(%9, %c) : (tensor<32x129xcomplex<f32>>, tensor<i32>) -> tensor<32x129xcomplex<f32>>
    %11 = call @fft_0(%10) : (tensor<32x129xcomplex<f32>>) -> tensor<32x256xf32>
    return %11 : tensor<32x256xf32>
  }
  func.func private @fft(%arg0: tensor<32x256xf32>) -> tensor<32x129xcomplex<f32>> {
    %0 = stablehlo.fft %arg0, type = RFFT, length = [256] : (tensor<32x256xf32>) -> tensor<32x129xcomplex<f32>>
    return %0 : tensor<32x129xcomplex<f32>>
  }
  func.func private @_pad(%arg0: tensor<32x129xcomplex<f32>>, %arg1: tensor<i32>) -> tensor<32x129xcomplex<f32>> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<complex<f32>>
    %1 = stablehlo.pad %arg0, %0, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<32x129xcomplex<f32>>, tensor<complex<f32>>) -> tensor<32x129xcomplex<f32>>
    return %1 : tensor<32x129xcomplex<f32>>
  }
  func.func private @fft_0(%arg0: tensor<32x129xcomplex<f32>>) -> tensor<32x256xf32> {
    %0 = stablehlo.fft %arg0, type = IRFFT, length = [256] : (tensor<32x129xcomplex<f32>>) -> tensor<32x256xf32>
    return %0 : tensor<32x256xf32>
  }
}
