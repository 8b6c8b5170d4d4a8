// Ops that observe or annotate values and change none.

module @sharded_on_one_device {
  sdy.mesh @mesh = <["x"=1]>
  func.func @main() {
    %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    %0 = sdy.sharding_constraint %x <@mesh, [{"x"}]> : tensor<2xi32>
    %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%local: tensor<2xi32>) {
      %2 = stablehlo.add %local, %local : tensor<2xi32>
      sdy.return %2 : tensor<2xi32>
    } : (tensor<2xi32>) -> tensor<2xi32>
    check.expect_eq_const %1, dense<[2, 4]> : tensor<2xi32>
    return
  }
}

// -----

// A probe in a loop is seen once an iteration.
module @probes {
  func.func @main() {
    %0 = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<3> : tensor<i32>
    %r = stablehlo.while(%i = %0) : tensor<i32>
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %seen = interpreter.probe %next, probe_id = "next" : tensor<i32>
      stablehlo.return %seen : tensor<i32>
    }
    "check.expect_serialized_eq"(%one) <{iteration = 0 : ui32, probe_id = "next"}> : (tensor<i32>) -> ()
    "check.expect_serialized_eq"(%n) <{iteration = 2 : ui32, probe_id = "next"}> : (tensor<i32>) -> ()
    return
  }
}
