// Manual computations on a mesh of 2 × 2 devices, as JAX writes shard_map; the results are
// those that JAX computes.
sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func @collectives() {
  %ia = stablehlo.iota dim = 0 : tensor<24xf32>
  %five = stablehlo.constant dense<5.0> : tensor<24xf32>
  %ma = stablehlo.remainder %ia, %five : tensor<24xf32>
  %a = stablehlo.reshape %ma : (tensor<24xf32>) -> tensor<4x6xf32>
  %ib = stablehlo.iota dim = 0 : tensor<12xf32>
  %seven = stablehlo.constant dense<7.0> : tensor<12xf32>
  %mb = stablehlo.remainder %ib, %seven : tensor<12xf32>
  %b = stablehlo.reshape %mb : (tensor<12xf32>) -> tensor<6x2xf32>
  %ic = stablehlo.iota dim = 0 : tensor<32xf32>
  %x = stablehlo.reshape %ic : (tensor<32xf32>) -> tensor<8x4xf32>
  %r:5 = sdy.manual_computation(%a, %b, %x) in_shardings=[<@mesh, [{"x"}, {"y"}]>, <@mesh, [{"y"}, {}]>, <@mesh, [{"x", "y"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x", "y"}, {}]>, <@mesh, [{"x"}, {"y"}]>] manual_axes={"x", "y"} (%arg3: tensor<2x3xf32>, %arg4: tensor<3x2xf32>, %arg5: tensor<2x4xf32>) {
    %1 = stablehlo.dot_general %arg3, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %18 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %18 : tensor<f32>
    }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %3 = "stablehlo.all_gather"(%arg5) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %4 = "stablehlo.reduce_scatter"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %18 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %18 : tensor<f32>
    }) : (tensor<4x4xf32>) -> tensor<2x4xf32>
    %5 = "stablehlo.all_to_all"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2x4xf32>) -> tensor<1x8xf32>
    %6 = "stablehlo.collective_permute"(%arg5) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    %c = stablehlo.constant dense<2> : tensor<ui32>
    %c_0 = stablehlo.constant dense<2> : tensor<ui32>
    %7 = stablehlo.partition_id : tensor<ui32>
    %8 = stablehlo.divide %7, %c : tensor<ui32>
    %9 = stablehlo.remainder %8, %c_0 : tensor<ui32>
    %10 = stablehlo.convert %9 : (tensor<ui32>) -> tensor<i32>
    %c_1 = stablehlo.constant dense<10> : tensor<i32>
    %11 = stablehlo.multiply %10, %c_1 : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<ui32>
    %c_3 = stablehlo.constant dense<2> : tensor<ui32>
    %12 = stablehlo.partition_id : tensor<ui32>
    %13 = stablehlo.divide %12, %c_2 : tensor<ui32>
    %14 = stablehlo.remainder %13, %c_3 : tensor<ui32>
    %15 = stablehlo.convert %14 : (tensor<ui32>) -> tensor<i32>
    %16 = stablehlo.add %11, %15 : tensor<i32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [] : (tensor<i32>) -> tensor<1x1xi32>
    sdy.return %2, %4, %5, %6, %17 : tensor<2x2xf32>, tensor<2x4xf32>, tensor<1x8xf32>, tensor<2x4xf32>, tensor<1x1xi32>
  } : (tensor<4x6xf32>, tensor<6x2xf32>, tensor<8x4xf32>) -> (tensor<4x2xf32>, tensor<4x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<2x2xi32>)
  check.expect_eq_const %r#0, dense<[[32.0, 21.0], [43.0, 26.0], [29.0, 41.0], [25.0, 31.0]]> : tensor<4x2xf32>
  check.expect_eq_const %r#1, dense<[[8.0, 10.0, 12.0, 14.0], [16.0, 18.0, 20.0, 22.0], [40.0, 42.0, 44.0, 46.0], [48.0, 50.0, 52.0, 54.0]]> : tensor<4x4xf32>
  check.expect_eq_const %r#2, dense<[[0.0, 1.0, 2.0, 3.0, 16.0, 17.0, 18.0, 19.0], [8.0, 9.0, 10.0, 11.0, 24.0, 25.0, 26.0, 27.0], [4.0, 5.0, 6.0, 7.0, 20.0, 21.0, 22.0, 23.0], [12.0, 13.0, 14.0, 15.0, 28.0, 29.0, 30.0, 31.0]]> : tensor<4x8xf32>
  check.expect_eq_const %r#3, dense<[[16.0, 17.0, 18.0, 19.0], [20.0, 21.0, 22.0, 23.0], [24.0, 25.0, 26.0, 27.0], [28.0, 29.0, 30.0, 31.0], [0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]]> : tensor<8x4xf32>
  check.expect_eq_const %r#4, dense<[[0, 1], [10, 11]]> : tensor<2x2xi32>
  return
}

// A dimension cut along both axes, one manual axis alone, and the mesh's devices in another
// order: partition_id is the number of the device.
sdy.mesh @turned = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>

func.func @numbers() {
  %a = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %0 = sdy.manual_computation(%a) in_shardings=[<@turned, [{"y", "x"}]>] out_shardings=[<@turned, [{"x", "y"}]>] manual_axes={"x", "y"} (%p: tensor<1xi32>) {
    %id = stablehlo.partition_id : tensor<ui32>
    %n = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %v = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %ten = stablehlo.constant dense<10> : tensor<1xi32>
    %t = stablehlo.multiply %p, %ten : tensor<1xi32>
    %s = stablehlo.add %t, %v : tensor<1xi32>
    sdy.return %s : tensor<1xi32>
  } : (tensor<4xi32>) -> tensor<4xi32>
  check.expect_eq_const %0, dense<[13, 32, 21, 40]> : tensor<4xi32>
  return
}

func.func @replicated() {
  %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {}], replicated={"x"}>] manual_axes={"y"} (%p: tensor<2x1xi32>) {
    %1 = "stablehlo.all_gather"(%p) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x1xi32>) -> tensor<2x2xi32>
    sdy.return %1 : tensor<2x2xi32>
  } : (tensor<2x2xi32>) -> tensor<2x2xi32>
  check.expect_eq_const %0, dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  return
}
