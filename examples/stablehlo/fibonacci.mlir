// The first numbers of Fibonacci, by a loop over (i, a, b, numbers), and a
// check of the last one.
func.func @main() -> tensor<12xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<12> : tensor<i32>
  %empty = stablehlo.constant dense<0> : tensor<12xi32>
  %end:4 = stablehlo.while(%i = %zero, %a = %one, %b = %one, %numbers = %empty) : tensor<i32>, tensor<i32>, tensor<i32>, tensor<12xi32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %item = stablehlo.reshape %a : (tensor<i32>) -> tensor<1xi32>
    %updated = stablehlo.dynamic_update_slice %numbers, %item, %i : (tensor<12xi32>, tensor<1xi32>, tensor<i32>) -> tensor<12xi32>
    %next = stablehlo.add %a, %b : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %b, %next, %updated : tensor<i32>, tensor<i32>, tensor<i32>, tensor<12xi32>
  }
  check.expect_eq_const %end#1, dense<233> : tensor<i32>
  return %end#3 : tensor<12xi32>
}
