// Ops that move data, with sizes and starts at their edges.

func.func @transpose_3d() {
  %x = stablehlo.iota dim = 0 : tensor<24xi16>
  %y = stablehlo.reshape %x : (tensor<24xi16>) -> tensor<2x3x4xi16>
  %z = stablehlo.transpose %y, dims = [2, 0, 1] : (tensor<2x3x4xi16>) -> tensor<4x2x3xi16>
  check.expect_eq_const %z, dense<[[[0, 4, 8], [12, 16, 20]], [[1, 5, 9], [13, 17, 21]],
                                   [[2, 6, 10], [14, 18, 22]], [[3, 7, 11], [15, 19, 23]]]> : tensor<4x2x3xi16>
  return
}

func.func @reverse_empty_and_one() {
  %x = stablehlo.constant dense<> : tensor<0x2xf32>
  %y = stablehlo.reverse %x, dims = [0, 1] : tensor<0x2xf32>
  check.expect_eq %x, %y : tensor<0x2xf32>
  %a = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi4>
  %b = stablehlo.reverse %a, dims = [0, 1] : tensor<1x3xi4>
  check.expect_eq_const %b, dense<[[3, 2, 1]]> : tensor<1x3xi4>
  return
}

func.func @slice_with_steps() {
  %x = stablehlo.iota dim = 0 : tensor<10xf8E4M3FN>
  %y = stablehlo.slice %x [1:9:3] : (tensor<10xf8E4M3FN>) -> tensor<3xf8E4M3FN>
  check.expect_eq_const %y, dense<[1.0, 4.0, 7.0]> : tensor<3xf8E4M3FN>
  %z = stablehlo.slice %x [4:4] : (tensor<10xf8E4M3FN>) -> tensor<0xf8E4M3FN>
  %e = stablehlo.constant dense<> : tensor<0xf8E4M3FN>
  check.expect_eq %z, %e : tensor<0xf8E4M3FN>
  return
}

func.func @dynamic_slice_is_moved_inside() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi32>
  %far = stablehlo.constant dense<100> : tensor<ui8>
  %low = stablehlo.constant dense<-100> : tensor<i8>
  %0 = stablehlo.dynamic_slice %x, %far, %far, sizes = [2, 1] : (tensor<3x3xi32>, tensor<ui8>, tensor<ui8>) -> tensor<2x1xi32>
  check.expect_eq_const %0, dense<[[6], [9]]> : tensor<2x1xi32>
  %1 = stablehlo.dynamic_slice %x, %low, %low, sizes = [1, 2] : (tensor<3x3xi32>, tensor<i8>, tensor<i8>) -> tensor<1x2xi32>
  check.expect_eq_const %1, dense<[[1, 2]]> : tensor<1x2xi32>
  %max = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  %2 = stablehlo.dynamic_slice %x, %max, %max, sizes = [1, 1] : (tensor<3x3xi32>, tensor<ui64>, tensor<ui64>) -> tensor<1x1xi32>
  check.expect_eq_const %2, dense<[[9]]> : tensor<1x1xi32>
  return
}

func.func @dynamic_update_slice_leaves_operand() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
  %u = stablehlo.constant dense<[8, 9]> : tensor<2xi64>
  %i = stablehlo.constant dense<3> : tensor<i32>
  %y = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<4xi64>, tensor<2xi64>, tensor<i32>) -> tensor<4xi64>
  check.expect_eq_const %y, dense<[1, 2, 8, 9]> : tensor<4xi64>
  check.expect_eq_const %x, dense<[1, 2, 3, 4]> : tensor<4xi64>
  return
}

func.func @concatenate_three_with_empty() {
  %a = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi8>
  %b = stablehlo.constant dense<> : tensor<2x0xi8>
  %c = stablehlo.constant dense<[[3, 4], [5, 6]]> : tensor<2x2xi8>
  %y = stablehlo.concatenate %a, %b, %c, dim = 1 : (tensor<2x1xi8>, tensor<2x0xi8>, tensor<2x2xi8>) -> tensor<2x3xi8>
  check.expect_eq_const %y, dense<[[1, 3, 4], [2, 5, 6]]> : tensor<2x3xi8>
  return
}

func.func @pad_negative_with_interior() {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %v = stablehlo.constant dense<0> : tensor<i32>
  // 1 0 0 2 0 0 3 0 0 4, cut by two in front and by three behind
  %y = stablehlo.pad %x, %v, low = [-2], high = [-3], interior = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<5xi32>
  check.expect_eq_const %y, dense<[0, 2, 0, 0, 3]> : tensor<5xi32>
  return
}

func.func @pad_of_nothing() {
  %x = stablehlo.constant dense<> : tensor<0xf32>
  %v = stablehlo.constant dense<7.0> : tensor<f32>
  %y = stablehlo.pad %x, %v, low = [1], high = [1], interior = [5] : (tensor<0xf32>, tensor<f32>) -> tensor<2xf32>
  check.expect_eq_const %y, dense<7.0> : tensor<2xf32>
  return
}

func.func @broadcast_in_front() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = "stablehlo.broadcast"(%x) {broadcast_sizes = array<i64: 2, 1>} : (tensor<2xi32>) -> tensor<2x1x2xi32>
  check.expect_eq_const %y, dense<[[[1, 2]], [[1, 2]]]> : tensor<2x1x2xi32>
  return
}

func.func @iota_of_types() {
  %c = stablehlo.iota dim = 1 : tensor<2x3xcomplex<f32>>
  check.expect_eq_const %c, dense<[[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]]> : tensor<2x3xcomplex<f32>>
  %u = stablehlo.iota dim = 0 : tensor<5xui2>
  check.expect_eq_const %u, dense<[0, 1, 2, 3, 0]> : tensor<5xui2>
  return
}

func.func @dynamic_shapes() {
  %dims = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %i = stablehlo.dynamic_iota %dims, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  %flat = stablehlo.constant dense<6> : tensor<1xi64>
  %r = stablehlo.dynamic_reshape %i, %flat : (tensor<?x?xi32>, tensor<1xi64>) -> tensor<?xi32>
  %n = stablehlo.get_dimension_size %r, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  check.expect_eq_const %n, dense<6> : tensor<i32>
  %out = stablehlo.constant dense<[2, 6]> : tensor<2xi64>
  %b = stablehlo.dynamic_broadcast_in_dim %r, %out, dims = [1] : (tensor<?xi32>, tensor<2xi64>) -> tensor<2x6xi32>
  check.expect_eq_const %b, dense<[[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1]]> : tensor<2x6xi32>
  return
}

func.func @real_dynamic_slice_backwards_sizes() {
  %x = stablehlo.iota dim = 0 : tensor<8xi32>
  %s = stablehlo.constant dense<1> : tensor<1xi64>
  %l = stablehlo.constant dense<8> : tensor<1xi64>
  %t = stablehlo.constant dense<3> : tensor<1xi64>
  %y = stablehlo.real_dynamic_slice %x, %s, %l, %t : (tensor<8xi32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32>
  %z = stablehlo.reshape %y : (tensor<?xi32>) -> tensor<3xi32>
  check.expect_eq_const %z, dense<[1, 4, 7]> : tensor<3xi32>
  return
}

func.func @set_dimension_size_cuts() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %n = stablehlo.constant dense<2> : tensor<i32>
  %y = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x?xi32, #stablehlo.bounds<?, 3>>
  %m = stablehlo.get_dimension_size %y, dim = 1 : (tensor<2x?xi32, #stablehlo.bounds<?, 3>>) -> tensor<i32>
  check.expect_eq_const %m, dense<2> : tensor<i32>
  return
}

func.func @torch_index_select_with_batch() {
  %x = stablehlo.iota dim = 0 : tensor<12xi32>
  %y = stablehlo.reshape %x : (tensor<12xi32>) -> tensor<2x3x2xi32>
  %i = stablehlo.constant dense<[[2, 0], [1, 1]]> : tensor<2x2xi64>
  %z = "stablehlo.torch_index_select"(%y, %i) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3x2xi32>, tensor<2x2xi64>) -> tensor<2x2x2xi32>
  check.expect_eq_const %z, dense<[[[4, 5], [0, 1]], [[8, 9], [8, 9]]]> : tensor<2x2x2xi32>
  return
}

func.func @gather_clamps() {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %i = stablehlo.constant dense<[[0, 9], [-5, 1], [1, 0]]> : tensor<3x2xi32>
  %y = "stablehlo.gather"(%x, %i) {
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 2>
  } : (tensor<2x3xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  check.expect_eq_const %y, dense<[[2, 3], [2, 3], [4, 5]]> : tensor<3x2xi32>
  return
}

func.func @scatter_drops_outside_and_adds_twice() {
  %x = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %i = stablehlo.constant dense<[[0], [5], [-1], [0]]> : tensor<4x1xi32>
  %u = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %y = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<3xi32>, tensor<4x1xi32>, tensor<4xi32>) -> tensor<3xi32>
  check.expect_eq_const %y, dense<[15, 20, 30]> : tensor<3xi32>
  return
}

func.func @scatter_window_hangs_over() {
  %x = stablehlo.constant dense<[0, 0, 0, 0]> : tensor<4xi32>
  %i = stablehlo.constant dense<[-1, 2]> : tensor<2xi32>
  %u = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %y = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>
  } : (tensor<4xi32>, tensor<2xi32>, tensor<2x3xi32>) -> tensor<4xi32>
  check.expect_eq_const %y, dense<[2, 3, 4, 5]> : tensor<4xi32>
  return
}

// Index vectors of no components: the batch dimension alone places the windows.
func.func @scatter_batched_without_indices() {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = stablehlo.constant dense<> : tensor<3x2x0xi32>
  %u = stablehlo.constant dense<[[10, 20], [30, 40], [50, 60]]> : tensor<3x2xi32>
  %y = "stablehlo.scatter"(%x, %i, %u) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %c : tensor<i32>
  }) {
    scatter_dimension_numbers = #stablehlo.scatter<input_batching_dims = [0], scatter_indices_batching_dims = [0], index_vector_dim = 2>
  } : (tensor<3xi32>, tensor<3x2x0xi32>, tensor<3x2xi32>) -> tensor<3xi32>
  check.expect_eq_const %y, dense<[31, 72, 113]> : tensor<3xi32>
  return
}

func.func @sizes_that_the_operand_determines() {
  %n = stablehlo.constant dense<[6]> : tensor<1xi32>
  %x = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xi32, #stablehlo.bounds<8>>
  %r = stablehlo.reshape %x : (tensor<?xi32, #stablehlo.bounds<8>>) -> tensor<2x?xi32, #stablehlo.bounds<?, 4>>
  %b = stablehlo.broadcast_in_dim %r, dims = [1, 2] : (tensor<2x?xi32, #stablehlo.bounds<?, 4>>) -> tensor<1x2x?xi32, #stablehlo.bounds<?, ?, 4>>
  %e = stablehlo.constant dense<[[[0, 1, 2], [3, 4, 5]]]> : tensor<1x2x3xi32>
  %s = stablehlo.subtract %b, %e : (tensor<1x2x?xi32, #stablehlo.bounds<?, ?, 4>>, tensor<1x2x3xi32>) -> tensor<1x2x3xi32>
  check.expect_eq_const %s, dense<0> : tensor<1x2x3xi32>
  return
}
