module {
  sdy.mesh @mesh = <["x"=2, "y"=4]> {note}
  func.func @chlo(%x: tensor<4xf32>, %u: tensor<*xf32>, %i: tensor<4xi32>, %p: tensor<4xi1>) {
    %0 = chlo.acos %x : tensor<4xf32> -> tensor<4xf32>
    %1 = chlo.erf_inv %x : tensor<4xf32> -> tensor<4xf32>
    %2 = chlo.is_inf %x : tensor<4xf32> -> tensor<4xi1>
    %3 = chlo.next_after %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %4 = chlo.polygamma %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %5 = chlo.zeta %x, %x : tensor<4xf32>, tensor<4xf32> -> tensor<4xf32>
    %6 = chlo.mulhi %i, %i : tensor<4xi32>, tensor<4xi32> -> tensor<4xi32>
    %7 = chlo.broadcast_add %x, %u {broadcast_dimensions = array<i64: 1>} : (tensor<4xf32>, tensor<*xf32>) -> tensor<*xf32>
    %8 = chlo.broadcast_select %p, %x, %x : (tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %9 = chlo.broadcast_compare %x, %x {comparison_direction = #chlo<comparison_direction GE>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %10 = chlo.constant dense<1> : tensor<4xi32>
    %11 = "chlo.constant_like"(%x) <{value = 1.5 : f32}> : (tensor<4xf32>) -> tensor<4xf32>
    %values, %indices = chlo.top_k(%x, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
    %12:2 = chlo.top_k(%x, k = 2, is_stable = false) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
    %13:2 = chlo.scan(%x) inits (%x) dimension=0 attributes {is_reverse = true} {
    ^bb0(%input: tensor<f32>, %carry: tensor<4xf32>):
      stablehlo.return %input, %carry : tensor<f32>, tensor<4xf32>
    } : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    return
  }
  func.func @check(%x: tensor<4xf32>) {
    check.expect_eq %x, %x : tensor<4xf32>
    check.expect_eq_const %x, dense<1.0> : tensor<4xf32>
    check.expect_almost_eq %x, %x : tensor<4xf32>
    check.expect_almost_eq %x, %x, tolerance = 0.1 : tensor<4xf32>
    check.expect_almost_eq_const %x, dense<1.0> : tensor<4xf32>
    check.expect_almost_eq_const %x, dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>, tolerance = 0.001
    check.expect_close %x, %x, max_ulp_difference = 3 : tensor<4xf32>, tensor<4xf32>
    check.expect_close %x, %x, max_ulp_difference = 18446744073709551615, min_ulp_difference = 1 : tensor<4xf32>, tensor<4xf32>
    check.expect_serialized_eq %x, probe_id = "a" : tensor<4xf32>
    check.expect_serialized_eq %x, probe_id = "a", iter = 2 : tensor<4xf32>
    interpreter.print %x : tensor<4xf32>
    %0 = interpreter.probe %x, probe_id = "a" : tensor<4xf32>
    %1 = "interpreter.run_parallel"(%x) <{programs = [[@f], [@f]]}> : (tensor<4xf32>) -> tensor<4xf32>
    return
  }
  func.func @sharded(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %0 = sdy.sharding_constraint %x <@mesh, [{"x"}, {}]> : tensor<8x8xf32>
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {?}]>] manual_axes={"x"} (%local: tensor<4x8xf32>) {
      sdy.return %local : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    return %1 : tensor<8x8xf32>
  }
}
