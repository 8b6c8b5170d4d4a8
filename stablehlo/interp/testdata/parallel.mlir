// Processes: channels, collectives and their groups.

module @send_along_pairs {
  func.func private @exchange(%x: tensor<i32>, %t: !stablehlo.token) -> tensor<i32> {
    %0 = "stablehlo.send"(%x, %t) {
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false,
      source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>
    } : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
    %1:2 = "stablehlo.recv"(%0) {
      channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false,
      source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>
    } : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
    return %1#0 : tensor<i32>
  }
  func.func @main() {
    %a = stablehlo.constant dense<10> : tensor<i32>
    %b = stablehlo.constant dense<11> : tensor<i32>
    %c = stablehlo.constant dense<12> : tensor<i32>
    %t = stablehlo.create_token : !stablehlo.token
    %r:3 = "interpreter.run_parallel"(%a, %t, %b, %t, %c, %t) {programs = [[@exchange], [@exchange], [@exchange]]}
      : (tensor<i32>, !stablehlo.token, tensor<i32>, !stablehlo.token, tensor<i32>, !stablehlo.token) -> (tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<0> : tensor<i32>
    check.expect_eq_const %r#1, dense<10> : tensor<i32>
    check.expect_eq_const %r#2, dense<11> : tensor<i32>
    return
  }
}

// -----

// Four devices in a mesh of 2 × 2; groups along the first axis.
module @groups_of_a_mesh {
  func.func private @sum(%x: tensor<i32>) -> tensor<i32> {
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) {
      replica_groups = #stablehlo.replica_group_mesh_axes<
        mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 2>]>,
        axes = [#stablehlo.axis_ref<name = "x">]>
    } : (tensor<i32>) -> tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.constant dense<10> : tensor<i32>
    %2 = stablehlo.constant dense<100> : tensor<i32>
    %3 = stablehlo.constant dense<1000> : tensor<i32>
    %r:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {programs = [[@sum], [@sum], [@sum], [@sum]]}
      : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<101> : tensor<i32>
    check.expect_eq_const %r#1, dense<1010> : tensor<i32>
    check.expect_eq_const %r#2, dense<101> : tensor<i32>
    check.expect_eq_const %r#3, dense<1010> : tensor<i32>
    return
  }
}

// -----

// The faster half of an axis of four: devices 0, 1 and devices 2, 3.
module @groups_of_a_part_of_an_axis {
  func.func private @gather(%x: tensor<1xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.all_gather"(%x) {
      all_gather_dim = 0 : i64,
      replica_groups = #stablehlo.replica_group_mesh_axes<
        mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 4>]>,
        axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (2)2>]>
    } : (tensor<1xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<0> : tensor<1xi32>
    %1 = stablehlo.constant dense<1> : tensor<1xi32>
    %2 = stablehlo.constant dense<2> : tensor<1xi32>
    %3 = stablehlo.constant dense<3> : tensor<1xi32>
    %r:4 = "interpreter.run_parallel"(%0, %1, %2, %3) {programs = [[@gather], [@gather], [@gather], [@gather]]}
      : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %r#1, dense<[0, 1]> : tensor<2xi32>
    check.expect_eq_const %r#2, dense<[2, 3]> : tensor<2xi32>
    return
  }
}

// -----

module @broadcast_from_a_dynamic_root {
  func.func private @send(%x: tensor<i32>) -> tensor<i32> {
    %root = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = "stablehlo.collective_broadcast"(%x, %root) {
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root
    } : (tensor<i32>, tensor<1xi32>) -> tensor<i32>
    return %0 : tensor<i32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<5> : tensor<i32>
    %1 = stablehlo.constant dense<6> : tensor<i32>
    %r:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@send], [@send]]} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    check.expect_eq_const %r#0, dense<6> : tensor<i32>
    check.expect_eq_const %r#1, dense<6> : tensor<i32>
    return
  }
}

// -----

// A plain call is a process of a grid of one.
module @alone {
  func.func @main() {
    %x = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
    %0 = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2xf32>) -> tensor<2xf32>
    check.expect_eq %0, %x : tensor<2xf32>
    %id = stablehlo.replica_id : tensor<ui32>
    check.expect_eq_const %id, dense<0> : tensor<ui32>
    return
  }
}

// -----

module @async {
  func.func private @gather(%x: tensor<1xi32>) -> tensor<2xi32> {
    %f = "stablehlo.async_start"(%x) ({
    ^bb0(%y: tensor<1xi32>):
      %0 = "stablehlo.all_gather"(%y) {all_gather_dim = 0 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<1xi32>) -> tensor<2xi32>
      "stablehlo.return"(%0) : (tensor<2xi32>) -> ()
    }) : (tensor<1xi32>) -> !stablehlo.future<tensor<2xi32>>
    %1 = "stablehlo.async_done"(%f) : (!stablehlo.future<tensor<2xi32>>) -> tensor<2xi32>
    return %1 : tensor<2xi32>
  }
  func.func @main() {
    %0 = stablehlo.constant dense<5> : tensor<1xi32>
    %1 = stablehlo.constant dense<6> : tensor<1xi32>
    %r:2 = "interpreter.run_parallel"(%0, %1) {programs = [[@gather], [@gather]]} : (tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    check.expect_eq_const %r#0, dense<[6, 5]> : tensor<2xi32>
    check.expect_eq_const %r#1, dense<[6, 5]> : tensor<2xi32>
    return
  }
}
