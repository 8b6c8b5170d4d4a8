// Control flow, calls, tuples, and broadcasting of operands.

module @control {
  func.func @case_out_of_range_takes_the_last() {
    %i = stablehlo.constant dense<-1> : tensor<i32>
    %r = "stablehlo.case"(%i) ({
      %a = stablehlo.constant dense<1> : tensor<i64>
      stablehlo.return %a : tensor<i64>
    }, {
      %b = stablehlo.constant dense<2> : tensor<i64>
      stablehlo.return %b : tensor<i64>
    }) : (tensor<i32>) -> tensor<i64>
    check.expect_eq_const %r, dense<2> : tensor<i64>
    return
  }

  func.func @while_never_entered() {
    %x = stablehlo.constant dense<7> : tensor<i32>
    %r = stablehlo.while(%a = %x) : tensor<i32>
    cond {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %c = stablehlo.compare LT, %a, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      stablehlo.return %a : tensor<i32>
    }
    check.expect_eq_const %r, dense<7> : tensor<i32>
    return
  }

  // Loops inside loops, with the outer state swapped.
  func.func @fibonacci_in_nested_loops() {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %ten = stablehlo.constant dense<10> : tensor<i32>
    %r:3 = stablehlo.while(%i = %zero, %a = %zero, %b = %one) : tensor<i32>, tensor<i32>, tensor<i32>
    cond {
      %c = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      // a + b, counted up one at a time
      %s:2 = stablehlo.while(%k = %zero, %v = %a) : tensor<i32>, tensor<i32>
      cond {
        %c = stablehlo.compare LT, %k, %b : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %c : tensor<i1>
      } do {
        %k1 = stablehlo.add %k, %one : tensor<i32>
        %v1 = stablehlo.add %v, %one : tensor<i32>
        stablehlo.return %k1, %v1 : tensor<i32>, tensor<i32>
      }
      %i1 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %i1, %b, %s#1 : tensor<i32>, tensor<i32>, tensor<i32>
    }
    check.expect_eq_const %r#1, dense<55> : tensor<i32>
    return
  }

  func.func private @factorial(%n: tensor<i64>) -> tensor<i64> {
    %one = stablehlo.constant dense<1> : tensor<i64>
    %more = stablehlo.compare GT, %n, %one : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %r = "stablehlo.if"(%more) ({
      %m = stablehlo.subtract %n, %one : tensor<i64>
      %f = func.call @factorial(%m) : (tensor<i64>) -> tensor<i64>
      %p = stablehlo.multiply %n, %f : tensor<i64>
      stablehlo.return %p : tensor<i64>
    }, {
      stablehlo.return %one : tensor<i64>
    }) : (tensor<i1>) -> tensor<i64>
    return %r : tensor<i64>
  }

  func.func @recursion() {
    %n = stablehlo.constant dense<20> : tensor<i64>
    %f = func.call @factorial(%n) : (tensor<i64>) -> tensor<i64>
    check.expect_eq_const %f, dense<2432902008176640000> : tensor<i64>
    return
  }

  func.func @tuples() {
    %a = stablehlo.constant dense<1> : tensor<i32>
    %b = stablehlo.constant dense<2.0> : tensor<f32>
    %t = stablehlo.tuple %a, %b : tuple<tensor<i32>, tensor<f32>>
    %u = stablehlo.tuple %t, %a : tuple<tuple<tensor<i32>, tensor<f32>>, tensor<i32>>
    %v = stablehlo.get_tuple_element %u[0] : (tuple<tuple<tensor<i32>, tensor<f32>>, tensor<i32>>) -> tuple<tensor<i32>, tensor<f32>>
    %w = stablehlo.get_tuple_element %v[1] : (tuple<tensor<i32>, tensor<f32>>) -> tensor<f32>
    check.expect_eq_const %w, dense<2.0> : tensor<f32>
    return
  }

  func.func @broadcast_add_aligns_at_the_end() {
    %a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
    %b = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
    %r = chlo.broadcast_add %a, %b : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
    check.expect_eq_const %r, dense<[[11, 21, 31], [12, 22, 32]]> : tensor<2x3xi32>
    %c = stablehlo.constant dense<100> : tensor<2xi32>
    %d = chlo.broadcast_subtract %a, %c {broadcast_dimensions = array<i64: 0>} : (tensor<2x1xi32>, tensor<2xi32>) -> tensor<2x1xi32>
    check.expect_eq_const %d, dense<[[-99], [-98]]> : tensor<2x1xi32>
    return
  }

  func.func @broadcast_select_of_three() {
    %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
    %x = stablehlo.constant dense<1.0> : tensor<f32>
    %y = stablehlo.constant dense<[[2.0], [3.0]]> : tensor<2x1xf32>
    %r = chlo.broadcast_select %p, %x, %y : (tensor<2xi1>, tensor<f32>, tensor<2x1xf32>) -> tensor<2x2xf32>
    check.expect_eq_const %r, dense<[[1.0, 2.0], [1.0, 3.0]]> : tensor<2x2xf32>
    return
  }

  func.func @constant_like() {
    %x = stablehlo.constant dense<0.0> : tensor<2xf32>
    %r = "chlo.constant_like"(%x) {value = 1.5 : f32} : (tensor<2xf32>) -> tensor<2xf32>
    check.expect_eq_const %r, dense<1.5> : tensor<2xf32>
    return
  }

  func.func private @ends_as_a_region(%x: tensor<f32>) -> tensor<f32> {
    stablehlo.return %x : tensor<f32>
  }

  func.func @call_of_a_function_that_ends_as_a_region() {
    %x = stablehlo.constant dense<2.0> : tensor<f32>
    %r = func.call @ends_as_a_region(%x) : (tensor<f32>) -> tensor<f32>
    check.expect_eq_const %r, dense<2.0> : tensor<f32>
    return
  }
}
