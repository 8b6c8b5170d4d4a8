"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x8xf32>, tensor<8xf32>, tensor<f32>, tensor<i64>) -> (), sym_name = "static"}> ({
  ^bb0(%x: tensor<3x8xf32>, %v: tensor<8xf32>, %s: tensor<f32>, %i: tensor<i64>):
    %0 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x10xi32>
    %1 = "stablehlo.reshape"(%x) : (tensor<3x8xf32>) -> tensor<24xf32>
    %2 = "stablehlo.bitcast_convert"(%x) : (tensor<3x8xf32>) -> tensor<3x8xi32>
    %3 = "stablehlo.broadcast"(%v) <{broadcast_sizes = array<i64: 1, 2>}> : (tensor<8xf32>) -> tensor<1x2x8xf32>
    %4 = "stablehlo.broadcast_in_dim"(%s) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x8xf32>
    %5 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<3x8xf32>) -> tensor<8x3xf32>
    %6 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0, 1>}> : (tensor<3x8xf32>) -> tensor<3x8xf32>
    %7 = "stablehlo.slice"(%x) <{limit_indices = array<i64: 3, 8>, start_indices = array<i64: 1, 4>, strides = array<i64: 1, 2>}> : (tensor<3x8xf32>) -> tensor<2x2xf32>
    %8 = "stablehlo.concatenate"(%x, %x) <{dimension = 0 : i64}> : (tensor<3x8xf32>, tensor<3x8xf32>) -> tensor<6x8xf32>
    %9 = "stablehlo.pad"(%v, %s) <{edge_padding_high = array<i64: 4>, edge_padding_low = array<i64: -1>, interior_padding = array<i64: 0>}> : (tensor<8xf32>, tensor<f32>) -> tensor<11xf32>
    %10 = "stablehlo.dynamic_slice"(%x, %i, %i) <{slice_sizes = array<i64: 1, 4>}> : (tensor<3x8xf32>, tensor<i64>, tensor<i64>) -> tensor<1x4xf32>
    %11 = "stablehlo.dynamic_update_slice"(%x, %10, %i, %i) : (tensor<3x8xf32>, tensor<1x4xf32>, tensor<i64>, tensor<i64>) -> tensor<3x8xf32>
    %12 = "stablehlo.get_dimension_size"(%x) <{dimension = 1 : i64}> : (tensor<3x8xf32>) -> tensor<i32>
    %13 = "stablehlo.set_dimension_size"(%x, %12) <{dimension = 1 : i64}> : (tensor<3x8xf32>, tensor<i32>) -> tensor<3x?xf32, #stablehlo.bounds<?, 8>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<?x8xf32>, tensor<f32>, tensor<2xindex>) -> tensor<?x8xf32, #stablehlo.bounds<3, ?>>, sym_name = "dynamic"}> ({
  ^bb0(%x: tensor<?x8xf32>, %s: tensor<f32>, %shape: tensor<2xindex>):
    %0 = "stablehlo.dynamic_iota"(%shape) <{iota_dimension = 0 : i64}> : (tensor<2xindex>) -> tensor<?x?xi32>
    %1 = "stablehlo.dynamic_reshape"(%x, %shape) : (tensor<?x8xf32>, tensor<2xindex>) -> tensor<?x?xf32>
    %2 = "stablehlo.dynamic_broadcast_in_dim"(%s, %shape) <{broadcast_dimensions = array<i64>, known_expanding_dimensions = array<i64>}> : (tensor<f32>, tensor<2xindex>) -> tensor<?x?xf32>
    %3 = "stablehlo.dynamic_pad"(%x, %s, %shape, %shape, %shape) : (tensor<?x8xf32>, tensor<f32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x?xf32>
    %4 = "stablehlo.real_dynamic_slice"(%x, %shape, %shape, %shape) : (tensor<?x8xf32>, tensor<2xindex>, tensor<2xindex>, tensor<2xindex>) -> tensor<?x?xf32>
    %5 = "test.cast"(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32, #stablehlo.bounds<3, ?>>
    "func.return"(%5) : (tensor<?x8xf32, #stablehlo.bounds<3, ?>>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "constants"}> ({
    %c = "stablehlo.constant"() <{value = dense<-1> : tensor<i64>}> : () -> tensor<i64>
    %c_0 = "stablehlo.constant"() <{value = dense<[[1, -2], [3, 4]]> : tensor<2x2xi8>}> {note} : () -> tensor<2x2xi8>
    %c_1 = "stablehlo.constant"() <{value = dense<[true, false]> : tensor<2xi1>}> : () -> tensor<2xi1>
    %c_2 = "stablehlo.constant"() <{value = dense<18446744073709551615> : tensor<3xui64>}> : () -> tensor<3xui64>
    %c_3 = "stablehlo.constant"() <{value = dense<> : tensor<0x2xi32>}> : () -> tensor<0x2xi32>
    %cst = "stablehlo.constant"() <{value = dense<[0.1, -0.0, 1.0e-07, 1.0e+16, 123.25, 0x7FC00000, 0xFF800000]> : tensor<7xf32>}> : () -> tensor<7xf32>
    %cst_4 = "stablehlo.constant"() <{value = dense<[3.14, 6.0e-08, 65500.0]> : tensor<3xf16>}> : () -> tensor<3xf16>
    %cst_5 = "stablehlo.constant"() <{value = dense<[(1.0,-2.5), (0.0,0x7FF0000000000000)]> : tensor<2xcomplex<f64>>}> : () -> tensor<2xcomplex<f64>>
    %q = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8<-127:127>:f32:0, {0.5, 0.25:-1}>>
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
