// Reductions, windows, sorting and scans, with regions of one op and of several.

func.func @reduce_two_values() {
  %x = stablehlo.constant dense<[[3.0, 1.0, 4.0], [1.0, 5.0, 2.0]]> : tensor<2x3xf32>
  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %lo = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:2 = "stablehlo.reduce"(%x, %i, %lo, %zero) ({
  ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
    %gt = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %v = stablehlo.select %gt, %a, %b : tensor<i1>, tensor<f32>
    %j = stablehlo.select %gt, %ai, %bi : tensor<i1>, tensor<i32>
    stablehlo.return %v, %j : tensor<f32>, tensor<i32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  check.expect_eq_const %r#0, dense<[4.0, 5.0]> : tensor<2xf32>
  check.expect_eq_const %r#1, dense<[2, 1]> : tensor<2xi32>
  return
}

// The order is that of the elements, from the initial value on the left.
func.func @reduce_in_order() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %init = stablehlo.constant dense<100> : tensor<i32>
  %l = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %d = stablehlo.subtract %a, %b : tensor<i32>
    stablehlo.return %d : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %l, dense<94> : tensor<i32>
  %r = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %d = stablehlo.subtract %b, %a : tensor<i32>
    stablehlo.return %d : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %r, dense<-98> : tensor<i32>
  return
}

func.func @reduce_of_nothing_is_the_initial_value() {
  %x = stablehlo.constant dense<> : tensor<2x0xf16>
  %init = stablehlo.constant dense<2.5> : tensor<f16>
  %r = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<f16>, %b: tensor<f16>):
    %d = stablehlo.add %a, %b : tensor<f16>
    stablehlo.return %d : tensor<f16>
  }) {dimensions = array<i64: 1>} : (tensor<2x0xf16>, tensor<f16>) -> tensor<2xf16>
  check.expect_eq_const %r, dense<2.5> : tensor<2xf16>
  return
}

func.func @reduce_in_a_wider_type() {
  %x = stablehlo.constant dense<[100, 100, 100]> : tensor<3xi8>
  %init = stablehlo.constant dense<0> : tensor<i8>
  %r = "stablehlo.reduce"(%x, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %d = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %d : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi8>, tensor<i8>) -> tensor<i32>
  check.expect_eq_const %r, dense<300> : tensor<i32>
  return
}

// Padding takes part in a window as the initial value.
func.func @reduce_window_dilated_and_padded() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %init = stablehlo.constant dense<10> : tensor<i32>
  // positions: 10 1 10 2 10 3 10 4; windows of two elements, two apart, in steps of three
  %r = "stablehlo.reduce_window"(%x, %init) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %d = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %d : tensor<i32>
  }) {
    window_dimensions = array<i64: 2>, window_strides = array<i64: 3>, base_dilations = array<i64: 2>,
    window_dilations = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>
  } : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[30, 15]> : tensor<2xi32>
  return
}

func.func @select_and_scatter_max() {
  %x = stablehlo.constant dense<[[1.0, 5.0, 2.0, 0.0], [3.0, 4.0, 9.0, 1.0]]> : tensor<2x4xf32>
  %s = stablehlo.constant dense<[[10.0, 20.0]]> : tensor<1x2xf32>
  %init = stablehlo.constant dense<0.5> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %init) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<2x4xf32>, tensor<1x2xf32>, tensor<f32>) -> tensor<2x4xf32>
  check.expect_eq_const %r, dense<[[0.5, 10.5, 0.5, 0.5], [0.5, 0.5, 20.5, 0.5]]> : tensor<2x4xf32>
  return
}

func.func @sort_is_stable_along_the_first_dimension() {
  %k = stablehlo.constant dense<[[2, 1], [1, 1], [2, 0]]> : tensor<3x2xi32>
  %v = stablehlo.constant dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi32>
  %r:2 = "stablehlo.sort"(%k, %v) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %lt = stablehlo.compare LT, %a, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<3x2xi32>, tensor<3x2xi32>) -> (tensor<3x2xi32>, tensor<3x2xi32>)
  check.expect_eq_const %r#0, dense<[[1, 0], [2, 1], [2, 1]]> : tensor<3x2xi32>
  check.expect_eq_const %r#1, dense<[[2, 5], [0, 1], [4, 3]]> : tensor<3x2xi32>
  return
}

// Descending by the second input, with a comparator of several ops.
func.func @sort_by_the_second_input() {
  %k = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xui8>
  %v = stablehlo.constant dense<[0.5, 2.5, -1.0, 2.0]> : tensor<4xbf16>
  %r:2 = "stablehlo.sort"(%k, %v) ({
  ^bb0(%a: tensor<ui8>, %b: tensor<ui8>, %c: tensor<bf16>, %d: tensor<bf16>):
    %n = stablehlo.negate %c : tensor<bf16>
    %m = stablehlo.negate %d : tensor<bf16>
    %lt = stablehlo.compare LT, %n, %m : (tensor<bf16>, tensor<bf16>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  }) : (tensor<4xui8>, tensor<4xbf16>) -> (tensor<4xui8>, tensor<4xbf16>)
  check.expect_eq_const %r#0, dense<[2, 4, 1, 3]> : tensor<4xui8>
  return
}

func.func @top_k_rows() {
  %x = stablehlo.constant dense<[[1.0, 3.0, 2.0, 3.0], [0.0, -1.0, 0x7FC00000, 5.0]]> : tensor<2x4xf32>
  %v, %i = chlo.top_k(%x, k = 2) : tensor<2x4xf32> -> (tensor<2x2xf32>, tensor<2x2xi32>)
  check.expect_eq_const %v, dense<[[3.0, 3.0], [0x7FC00000, 5.0]]> : tensor<2x2xf32>
  check.expect_eq_const %i, dense<[[1, 3], [2, 3]]> : tensor<2x2xi32>
  return
}

func.func @map_of_two() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %r = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.multiply %a, %b : tensor<i32>
    %d = stablehlo.add %c, %a : tensor<i32>
    stablehlo.return %d : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<[11, 42]> : tensor<2xi32>
  return
}

// A region may use values from outside.
func.func @region_captures() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %k = stablehlo.constant dense<10> : tensor<i32>
  %r = "stablehlo.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.multiply %b, %k : tensor<i32>
    %d = stablehlo.add %c, %a : tensor<i32>
    stablehlo.return %d : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %r, dense<60> : tensor<i32>
  return
}

// Regions with ops that are not elementwise, and with several kinds of them.
func.func @region_with_calls_and_loops() {
  %x = stablehlo.constant dense<[3, 0, 2]> : tensor<3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce"(%x, %zero) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    // a + 1 + … + b
    %s:2 = stablehlo.while(%n = %b, %sum = %a) : tensor<i32>, tensor<i32>
    cond {
      %z = stablehlo.constant dense<0> : tensor<i32>
      %c = stablehlo.compare GT, %n, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %t = stablehlo.add %sum, %n : tensor<i32>
      %m = func.call @one_less(%n) : (tensor<i32>) -> tensor<i32>
      stablehlo.return %m, %t : tensor<i32>, tensor<i32>
    }
    stablehlo.return %s#1 : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
  check.expect_eq_const %r, dense<9> : tensor<i32>
  return
}

func.func private @one_less(%n: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %m = stablehlo.subtract %n, %one : tensor<i32>
  return %m : tensor<i32>
}

func.func @region_of_many_elementwise_ops() {
  %x = stablehlo.constant dense<[1.5, -4.0, 0.25]> : tensor<3xf32>
  %y = stablehlo.constant dense<[2, 3, 4]> : tensor<3xi32>
  %lo = stablehlo.constant dense<-2.0> : tensor<f32>
  %r = "stablehlo.map"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    %hi = stablehlo.constant dense<1.0> : tensor<f32>
    %c = stablehlo.clamp %lo, %a, %hi : tensor<f32>
    %d = stablehlo.convert %b : (tensor<i32>) -> tensor<f32>
    %e = stablehlo.multiply %c, %d : tensor<f32>
    %f = stablehlo.bitcast_convert %e : (tensor<f32>) -> tensor<i32>
    %g = stablehlo.bitcast_convert %f : (tensor<i32>) -> tensor<f32>
    %z = stablehlo.complex %g, %hi : tensor<complex<f32>>
    %re = stablehlo.real %z : (tensor<complex<f32>>) -> tensor<f32>
    stablehlo.return %re : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<3xf32>, tensor<3xi32>) -> tensor<3xf32>
  check.expect_eq_const %r, dense<[2.0, -6.0, 1.0]> : tensor<3xf32>
  return
}

func.func @region_that_returns_an_argument_or_a_constant() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %k = stablehlo.constant dense<7> : tensor<i32>
  %r = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return %k : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq_const %r, dense<7> : tensor<2xi32>
  %s = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %s, %x : tensor<2xi32>
  return
}
