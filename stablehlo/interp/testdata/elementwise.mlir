// Conversions, comparisons, quantised and random ops.

func.func @bitcast_to_wider() {
  %x = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xui8>
  %y = stablehlo.bitcast_convert %x : (tensor<2x4xui8>) -> tensor<2xui32>
  check.expect_eq_const %y, dense<[0x04030201, 0x08070605]> : tensor<2xui32>
  func.return
}

func.func @bitcast_to_narrower() {
  %x = stablehlo.constant dense<0x0123456789ABCDEF> : tensor<i64>
  %y = stablehlo.bitcast_convert %x : (tensor<i64>) -> tensor<16xui4>
  check.expect_eq_const %y, dense<[15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> : tensor<16xui4>
  func.return
}

func.func @bitcast_below_a_byte() {
  %x = stablehlo.constant dense<[[-1, 1], [0, -2]]> : tensor<2x2xi2>
  %y = stablehlo.bitcast_convert %x : (tensor<2x2xi2>) -> tensor<2xi4>
  check.expect_eq_const %y, dense<[7, -8]> : tensor<2xi4>
  %z = stablehlo.bitcast_convert %y : (tensor<2xi4>) -> tensor<2x2xi2>
  check.expect_eq %z, %x : tensor<2x2xi2>
  func.return
}

func.func @bitcast_floats() {
  %x = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %y = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2x2xbf16>
  check.expect_eq_const %y, dense<[[0.0, 1.0], [0.0, -2.0]]> : tensor<2x2xbf16>
  func.return
}

func.func @compare_nan() {
  %x = stablehlo.constant dense<[0x7FC00000, 1.0, -0.0]> : tensor<3xf32>
  %y = stablehlo.constant dense<[0x7FC00000, 0x7FC00000, 0.0]> : tensor<3xf32>
  %eq = stablehlo.compare EQ, %x, %y, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %eq, dense<[false, false, true]> : tensor<3xi1>
  %ne = stablehlo.compare NE, %x, %y, FLOAT : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %ne, dense<[true, true, false]> : tensor<3xi1>
  %lt = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %lt, dense<[false, true, true]> : tensor<3xi1>
  %ge = stablehlo.compare GE, %x, %y, TOTALORDER : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  check.expect_eq_const %ge, dense<[true, false, false]> : tensor<3xi1>
  func.return
}

func.func @compare_complex() {
  %x = stablehlo.constant dense<[(1.0, 2.0), (1.0, 2.0), (0.0, 9.0)]> : tensor<3xcomplex<f32>>
  %y = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (1.0, 0.0)]> : tensor<3xcomplex<f32>>
  %le = stablehlo.compare LE, %x, %y, FLOAT : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %le, dense<true> : tensor<3xi1>
  %ge = stablehlo.compare GE, %x, %y, FLOAT : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  check.expect_eq_const %ge, dense<[true, false, false]> : tensor<3xi1>
  func.return
}

func.func @bool_arithmetic() {
  %x = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %y = stablehlo.constant dense<[false, true, false, true]> : tensor<4xi1>
  %add = stablehlo.add %x, %y : tensor<4xi1>
  check.expect_eq_const %add, dense<[false, true, true, true]> : tensor<4xi1>
  %mul = stablehlo.multiply %x, %y : tensor<4xi1>
  check.expect_eq_const %mul, dense<[false, false, false, true]> : tensor<4xi1>
  %max = stablehlo.maximum %x, %y : tensor<4xi1>
  check.expect_eq_const %max, dense<[false, true, true, true]> : tensor<4xi1>
  %not = stablehlo.not %x : tensor<4xi1>
  check.expect_eq_const %not, dense<[true, true, false, false]> : tensor<4xi1>
  func.return
}

func.func @clamp_of_crossed_bounds() {
  %lo = stablehlo.constant dense<5> : tensor<i8>
  %x = stablehlo.constant dense<[0, 4, 9]> : tensor<3xi8>
  %hi = stablehlo.constant dense<[3, 7, 7]> : tensor<3xi8>
  %y = stablehlo.clamp %lo, %x, %hi : (tensor<i8>, tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  check.expect_eq_const %y, dense<[3, 5, 7]> : tensor<3xi8>
  func.return
}

func.func @select_by_scalar() {
  %p = stablehlo.constant dense<false> : tensor<i1>
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<[3, 4]> : tensor<2xi32>
  %z = stablehlo.select %p, %x, %y : tensor<i1>, tensor<2xi32>
  check.expect_eq %z, %y : tensor<2xi32>
  func.return
}

func.func @quantised_multiply() {
  %x = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5>>
  %r = stablehlo.multiply %q, %q : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x!quant.uniform<i8:f32, 0.25:-3>>
  %i = stablehlo.bitcast_convert %r : (tensor<2x!quant.uniform<i8:f32, 0.25:-3>>) -> tensor<2xi8>
  check.expect_eq_const %i, dense<[1, 13]> : tensor<2xi8>
  %c = stablehlo.compare LT, %q, %q : (tensor<2x!quant.uniform<i8:f32, 0.5>>, tensor<2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2xi1>
  check.expect_eq_const %c, dense<false> : tensor<2xi1>
  func.return
}

// The example of the specification.
func.func @threefry() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %next, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x2xui64>)
  check.expect_eq_const %next, dense<[1, 6]> : tensor<2xui64>
  check.expect_eq_const %bits, dense<[[9236835810183407956, 16087790271692313299], [18212823393184779219, 2658481902456610144]]> : tensor<2x2xui64>
  func.return
}

// Words of 32 bits are those of 64 taken apart along the first even dimension.
func.func @threefry_words() {
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %n0, %wide = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3xui64>)
  %n1, %words = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4x3xui32>)
  check.expect_eq %n0, %n1 : tensor<2xui64>
  %r = stablehlo.reshape %words : (tensor<4x3xui32>) -> tensor<2x2x3xui32>
  %t = stablehlo.transpose %r, dims = [0, 2, 1] : (tensor<2x2x3xui32>) -> tensor<2x3x2xui32>
  %joined = stablehlo.bitcast_convert %t : (tensor<2x3x2xui32>) -> tensor<2x3xui64>
  check.expect_eq %joined, %wide : tensor<2x3xui64>
  func.return
}

// The 128-bit counter carries, and a block of four words counts one.
func.func @philox() {
  %state = stablehlo.constant dense<[0, 18446744073709551615, 7]> : tensor<3xui64>
  %next, %bits = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xui32>)
  check.expect_eq_const %next, dense<[0, 1, 8]> : tensor<3xui64>
  %zero = stablehlo.constant dense<0> : tensor<3xui64>
  %n, %first = stablehlo.rng_bit_generator %zero, algorithm = PHILOX : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  check.expect_eq_const %first, dense<[0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]> : tensor<4xui32>
  %short = stablehlo.constant dense<0> : tensor<2xui64>
  %m, %default = stablehlo.rng_bit_generator %short, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui64>)
  check.expect_eq_const %m, dense<[0, 1]> : tensor<2xui64>
  check.expect_eq_const %default, dense<[0xe169c58d6627e8d5, 0x9b00dbd8bc57ac4c]> : tensor<2xui64>
  func.return
}

func.func @rng_stays_in_bounds() {
  %a = stablehlo.constant dense<-2> : tensor<i32>
  %b = stablehlo.constant dense<3> : tensor<i32>
  %shape = stablehlo.constant dense<[20, 30]> : tensor<2xi64>
  %x = stablehlo.rng %a, %b, %shape, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<20x30xi32>
  %lo = stablehlo.reduce(%x init: %b) applies stablehlo.minimum across dimensions = [0, 1] : (tensor<20x30xi32>, tensor<i32>) -> tensor<i32>
  %hi = stablehlo.reduce(%x init: %a) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<20x30xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %lo, dense<-2> : tensor<i32>
  check.expect_eq_const %hi, dense<2> : tensor<i32>
  func.return
}

// Ops draw different numbers; the mean of 10,000 normal ones is near theirs.
func.func @rng_normal() {
  %a = stablehlo.constant dense<3.0> : tensor<f64>
  %b = stablehlo.constant dense<1.0> : tensor<f64>
  %zero = stablehlo.constant dense<0.0> : tensor<f64>
  %n = stablehlo.constant dense<10000.0> : tensor<f64>
  %shape = stablehlo.constant dense<[10000]> : tensor<1xi64>
  %x = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<10000xf64>
  %y = stablehlo.rng %a, %b, %shape, distribution = NORMAL : (tensor<f64>, tensor<f64>, tensor<1xi64>) -> tensor<10000xf64>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10000xf64>, tensor<f64>) -> tensor<f64>
  %mean = stablehlo.divide %sum, %n : tensor<f64>
  check.expect_almost_eq_const %mean, dense<3.0> : tensor<f64>, tolerance = 0.04
  %d = stablehlo.subtract %x, %y : tensor<10000xf64>
  %sq = stablehlo.multiply %d, %d : tensor<10000xf64>
  %sumsq = stablehlo.reduce(%sq init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10000xf64>, tensor<f64>) -> tensor<f64>
  %var = stablehlo.divide %sumsq, %n : tensor<f64>
  check.expect_almost_eq_const %var, dense<2.0> : tensor<f64>, tolerance = 0.12
  func.return
}
