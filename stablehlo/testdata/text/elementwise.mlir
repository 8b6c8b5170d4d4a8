module {
  func.func @unary(%x: tensor<2xf32>, %i: tensor<2xi32>, %p: tensor<2xi1>, %z: tensor<2xcomplex<f32>>) {
    %0 = stablehlo.abs %x : tensor<2xf32>
    %1 = stablehlo.abs %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %2 = stablehlo.cbrt %x {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
    %3 = stablehlo.ceil %x : tensor<2xf32>
    %4 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xf16>
    %5 = stablehlo.cosine %x : tensor<2xf32>
    %6 = stablehlo.count_leading_zeros %i : tensor<2xi32>
    %7 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
    %8 = stablehlo.exponential_minus_one %x : tensor<2xf32>
    %9 = stablehlo.floor %x : tensor<2xf32>
    %10 = stablehlo.imag %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %11 = stablehlo.is_finite %x : (tensor<2xf32>) -> tensor<2xi1>
    %12 = stablehlo.log %x : tensor<2xf32>
    %13 = stablehlo.log_plus_one %x : tensor<2xf32>
    %14 = stablehlo.logistic %x : tensor<2xf32>
    %15 = stablehlo.negate %x : tensor<2xf32>
    %16 = stablehlo.not %p : tensor<2xi1>
    %17 = stablehlo.popcnt %i : tensor<2xi32>
    %18 = stablehlo.real %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
    %19 = stablehlo.round_nearest_afz %x : tensor<2xf32>
    %20 = stablehlo.round_nearest_even %x : tensor<2xf32>
    %21 = stablehlo.rsqrt %x : tensor<2xf32>
    %22 = stablehlo.sign %x : tensor<2xf32>
    %23 = stablehlo.sine %x : tensor<2xf32>
    %24 = stablehlo.sqrt %x : tensor<2xf32>
    %25 = stablehlo.tan %x : tensor<2xf32>
    %26 = stablehlo.tanh %x : tensor<2xf32>
    %27 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
    %28 = stablehlo.uniform_dequantize %27 : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2xf32>
    %29 = stablehlo.reduce_precision %x, format = e5m10 : tensor<2xf32>
    return
  }
  func.func @binary(%x: tensor<2xf32>, %y: tensor<?xf32>, %i: tensor<2xi32>, %p: tensor<2xi1>) {
    %0 = stablehlo.add %x, %x : tensor<2xf32>
    %1 = stablehlo.add %x, %y : (tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>
    %2 = stablehlo.and %p, %p : tensor<2xi1>
    %3 = stablehlo.atan2 %x, %x : tensor<2xf32>
    %4 = stablehlo.complex %x, %x : tensor<2xcomplex<f32>>
    %5 = stablehlo.complex %x, %y : (tensor<2xf32>, tensor<?xf32>) -> tensor<2xcomplex<f32>>
    %6 = stablehlo.compare LT, %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %7 = stablehlo.compare EQ, %x, %x, TOTALORDER {note = "all bits"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
    %8 = stablehlo.divide %x, %x : tensor<2xf32>
    %9 = stablehlo.maximum %x, %x : tensor<2xf32>
    %10 = stablehlo.minimum %x, %x : tensor<2xf32>
    %11 = stablehlo.multiply %x, %x : tensor<2xf32>
    %12 = stablehlo.or %p, %p : tensor<2xi1>
    %13 = stablehlo.power %x, %x : tensor<2xf32>
    %14 = stablehlo.remainder %x, %x : tensor<2xf32>
    %15 = stablehlo.shift_left %i, %i : tensor<2xi32>
    %16 = stablehlo.shift_right_arithmetic %i, %i : tensor<2xi32>
    %17 = stablehlo.shift_right_logical %i, %i : tensor<2xi32>
    %18 = stablehlo.subtract %x, %x : tensor<2xf32>
    %19 = stablehlo.xor %p, %p : tensor<2xi1>
    return
  }
  func.func @ternary(%x: tensor<2xf32>, %y: tensor<?xf32>, %p: tensor<2xi1>) {
    %0 = stablehlo.select %p, %x, %x : tensor<2xi1>, tensor<2xf32>
    %1 = stablehlo.select %p, %x, %y : (tensor<2xi1>, tensor<2xf32>, tensor<?xf32>) -> tensor<2xf32>
    %2 = stablehlo.clamp %x, %x, %x : tensor<2xf32>
    return
  }
}
