module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<32xf32>, %arg1: tensor<16x32xf32>, %arg2: tensor<32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<400x16xf32>, %arg5: tensor<2x2000xi32>) -> (tensor<32xf32> {jax.result_info = "result['params']['Dense_0']['bias']"}, tensor<16x32xf32> {jax.result_info = "result['params']['Dense_0']['kernel']"}, tensor<32xf32> {jax.result_info = "result['params']['Dense_1']['bias']"}, tensor<32x32xf32> {jax.result_info = "result['params']['Dense_1']['kernel']"}) {
    %0 = stablehlo.slice %arg5 [0:1, 0:2000] : (tensor<2x2000xi32>) -> tensor<1x2000xi32>
    %1 = stablehlo.reshape %0 : (tensor<1x2000xi32>) -> tensor<2000xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %3 = stablehlo.compare LT, %1, %2, SIGNED : (tensor<2000xi32>, tensor<2000xi32>) -> tensor<2000xi1>
    %c_0 = stablehlo.constant dense<400> : tensor<i32>
    %4 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %5 = stablehlo.add %1, %4 : tensor<2000xi32>
    %6 = stablehlo.select %3, %5, %1 : tensor<2000xi1>, tensor<2000xi32>
    %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %8 = "stablehlo.gather"(%arg4, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 16>}> : (tensor<400x16xf32>, tensor<2000x1xi32>) -> tensor<2000x16xf32>
    %9 = stablehlo.slice %arg5 [1:2, 0:2000] : (tensor<2x2000xi32>) -> tensor<1x2000xi32>
    %10 = stablehlo.reshape %9 : (tensor<1x2000xi32>) -> tensor<2000xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<400x16xf32>
    %12 = stablehlo.broadcast_in_dim %10, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %13 = "stablehlo.scatter"(%11, %12, %8) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %80 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %80 : tensor<f32>
    }) : (tensor<400x16xf32>, tensor<2000x1xi32>, tensor<2000x16xf32>) -> tensor<400x16xf32>
    %14 = stablehlo.add %arg4, %13 : tensor<400x16xf32>
    %15 = stablehlo.dot_general %14, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<400x16xf32>, tensor<16x32xf32>) -> tensor<400x32xf32>
    %16 = stablehlo.reshape %arg0 : (tensor<32xf32>) -> tensor<1x32xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<400x32xf32>
    %18 = stablehlo.add %15, %17 : tensor<400x32xf32>
    %19 = call @relu(%18) : (tensor<400x32xf32>) -> tensor<400x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<400x32xf32>
    %21 = stablehlo.compare GT, %18, %20, FLOAT : (tensor<400x32xf32>, tensor<400x32xf32>) -> tensor<400x32xi1>
    %22 = stablehlo.slice %arg5 [0:1, 0:2000] : (tensor<2x2000xi32>) -> tensor<1x2000xi32>
    %23 = stablehlo.reshape %22 : (tensor<1x2000xi32>) -> tensor<2000xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %24 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %25 = stablehlo.compare LT, %23, %24, SIGNED : (tensor<2000xi32>, tensor<2000xi32>) -> tensor<2000xi1>
    %c_3 = stablehlo.constant dense<400> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %27 = stablehlo.add %23, %26 : tensor<2000xi32>
    %28 = stablehlo.select %25, %27, %23 : tensor<2000xi1>, tensor<2000xi32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %30 = "stablehlo.gather"(%19, %29) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<400x32xf32>, tensor<2000x1xi32>) -> tensor<2000x32xf32>
    %31 = stablehlo.slice %arg5 [1:2, 0:2000] : (tensor<2x2000xi32>) -> tensor<1x2000xi32>
    %32 = stablehlo.reshape %31 : (tensor<1x2000xi32>) -> tensor<2000xi32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %33 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<400x32xf32>
    %34 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %35 = "stablehlo.scatter"(%33, %34, %30) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %80 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %80 : tensor<f32>
    }) : (tensor<400x32xf32>, tensor<2000x1xi32>, tensor<2000x32xf32>) -> tensor<400x32xf32>
    %36 = stablehlo.add %19, %35 : tensor<400x32xf32>
    %37 = stablehlo.dot_general %36, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<400x32xf32>, tensor<32x32xf32>) -> tensor<400x32xf32>
    %38 = stablehlo.reshape %arg2 : (tensor<32xf32>) -> tensor<1x32xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1] : (tensor<1x32xf32>) -> tensor<400x32xf32>
    %40 = stablehlo.add %37, %39 : tensor<400x32xf32>
    %41 = call @relu(%40) : (tensor<400x32xf32>) -> tensor<400x32xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<400x32xf32>
    %43 = stablehlo.compare GT, %40, %42, FLOAT : (tensor<400x32xf32>, tensor<400x32xf32>) -> tensor<400x32xi1>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %44 = stablehlo.reduce(%41 init: %cst_6) applies stablehlo.add across dimensions = [0] : (tensor<400x32xf32>, tensor<f32>) -> tensor<32xf32>
    %cst_7 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %45 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %46 = stablehlo.multiply %45, %44 : tensor<32xf32>
    %cst_8 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_9 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %47 = stablehlo.divide %cst_8, %cst_9 : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %49 = stablehlo.multiply %48, %46 : tensor<32xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [1] : (tensor<32xf32>) -> tensor<400x32xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<400x32xf32>
    %52 = stablehlo.select %43, %50, %51 : tensor<400x32xi1>, tensor<400x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.reduce(%52 init: %cst_11) applies stablehlo.add across dimensions = [0] : (tensor<400x32xf32>, tensor<f32>) -> tensor<32xf32>
    %54 = stablehlo.reshape %53 : (tensor<32xf32>) -> tensor<1x32xf32>
    %55 = stablehlo.reshape %54 : (tensor<1x32xf32>) -> tensor<32xf32>
    %56 = stablehlo.dot_general %52, %36, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<400x32xf32>, tensor<400x32xf32>) -> tensor<32x32xf32>
    %57 = stablehlo.transpose %56, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %58 = stablehlo.dot_general %52, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<400x32xf32>, tensor<32x32xf32>) -> tensor<400x32xf32>
    %c_12 = stablehlo.constant dense<399> : tensor<1xi32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %59 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<2000x1xi32>
    %60 = stablehlo.compare GE, %34, %59, SIGNED : (tensor<2000x1xi32>, tensor<2000x1xi32>) -> tensor<2000x1xi1>
    %61 = stablehlo.broadcast_in_dim %c_12, dims = [1] : (tensor<1xi32>) -> tensor<1x1xi32>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0, 1] : (tensor<1x1xi32>) -> tensor<2000x1xi32>
    %63 = stablehlo.compare LE, %34, %62, SIGNED : (tensor<2000x1xi32>, tensor<2000x1xi32>) -> tensor<2000x1xi1>
    %64 = stablehlo.and %60, %63 : tensor<2000x1xi1>
    %c_14 = stablehlo.constant dense<true> : tensor<i1>
    %65 = stablehlo.reduce(%64 init: %c_14) applies stablehlo.and across dimensions = [1] : (tensor<2000x1xi1>, tensor<i1>) -> tensor<2000xi1>
    %66 = "stablehlo.gather"(%58, %34) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<400x32xf32>, tensor<2000x1xi32>) -> tensor<2000x32xf32>
    %67 = stablehlo.broadcast_in_dim %65, dims = [0] : (tensor<2000xi1>) -> tensor<2000x32xi1>
    %cst_15 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %68 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<2000x32xf32>
    %69 = stablehlo.select %67, %66, %68 : tensor<2000x32xi1>, tensor<2000x32xf32>
    %cst_16 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<400x32xf32>
    %71 = "stablehlo.scatter"(%70, %29, %69) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
      %80 = stablehlo.add %arg6, %arg7 : tensor<f32>
      stablehlo.return %80 : tensor<f32>
    }) : (tensor<400x32xf32>, tensor<2000x1xi32>, tensor<2000x32xf32>) -> tensor<400x32xf32>
    %72 = stablehlo.add %58, %71 : tensor<400x32xf32>
    %cst_17 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<400x32xf32>
    %74 = stablehlo.select %21, %72, %73 : tensor<400x32xi1>, tensor<400x32xf32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %75 = stablehlo.reduce(%74 init: %cst_18) applies stablehlo.add across dimensions = [0] : (tensor<400x32xf32>, tensor<f32>) -> tensor<32xf32>
    %76 = stablehlo.reshape %75 : (tensor<32xf32>) -> tensor<1x32xf32>
    %77 = stablehlo.reshape %76 : (tensor<1x32xf32>) -> tensor<32xf32>
    %78 = stablehlo.dot_general %74, %14, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<400x32xf32>, tensor<400x16xf32>) -> tensor<32x16xf32>
    %79 = stablehlo.transpose %78, dims = [1, 0] : (tensor<32x16xf32>) -> tensor<16x32xf32>
    return %77, %79, %55, %57 : tensor<32xf32>, tensor<16x32xf32>, tensor<32xf32>, tensor<32x32xf32>
  }
  func.func private @relu(%arg0: tensor<400x32xf32>) -> tensor<400x32xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<400x32xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<400x32xf32>
    return %1 : tensor<400x32xf32>
  }
}
