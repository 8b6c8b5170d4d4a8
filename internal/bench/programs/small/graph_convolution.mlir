module @jit_gcn attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<300x32xf32>, %arg1: tensor<2000xi32>, %arg2: tensor<2000xi32>, %arg3: tensor<32x64xf32>, %arg4: tensor<64x7xf32>) -> (tensor<300x7xf64> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<2000xf64>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f64>) -> tensor<300xf64>
    %2 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %3 = "stablehlo.scatter"(%1, %2, %0) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f64>, %arg6: tensor<f64>):
      %65 = stablehlo.add %arg5, %arg6 : tensor<f64>
      stablehlo.return %65 : tensor<f64>
    }) : (tensor<300xf64>, tensor<2000x1xi32>, tensor<2000xf64>) -> tensor<300xf64>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f64>
    %4 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f64>) -> tensor<300xf64>
    %5 = stablehlo.add %3, %4 : tensor<300xf64>
    %6 = stablehlo.dot_general %arg0, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<300x32xf32>, tensor<32x64xf32>) -> tensor<300x64xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %8 = stablehlo.compare LT, %arg1, %7, SIGNED : (tensor<2000xi32>, tensor<2000xi32>) -> tensor<2000xi1>
    %c_2 = stablehlo.constant dense<300> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %10 = stablehlo.add %arg1, %9 : tensor<2000xi32>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<2000xi1>, tensor<2000xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %13 = "stablehlo.gather"(%6, %12) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<300x64xf32>, tensor<2000x1xi32>) -> tensor<2000x64xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %15 = stablehlo.compare LT, %arg1, %14, SIGNED : (tensor<2000xi32>, tensor<2000xi32>) -> tensor<2000xi1>
    %c_4 = stablehlo.constant dense<300> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %17 = stablehlo.add %arg1, %16 : tensor<2000xi32>
    %18 = stablehlo.select %15, %17, %arg1 : tensor<2000xi1>, tensor<2000xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %20 = "stablehlo.gather"(%5, %19) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<300xf64>, tensor<2000x1xi32>) -> tensor<2000xf64>
    %21 = stablehlo.sqrt %20 : tensor<2000xf64>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<2000xf64>) -> tensor<2000x1xf64>
    %23 = stablehlo.convert %13 : (tensor<2000x64xf32>) -> tensor<2000x64xf64>
    %24 = stablehlo.broadcast_in_dim %22, dims = [0, 1] : (tensor<2000x1xf64>) -> tensor<2000x64xf64>
    %25 = stablehlo.divide %23, %24 : tensor<2000x64xf64>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %26 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f64>) -> tensor<300x64xf64>
    %27 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %28 = "stablehlo.scatter"(%26, %27, %25) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f64>, %arg6: tensor<f64>):
      %65 = stablehlo.add %arg5, %arg6 : tensor<f64>
      stablehlo.return %65 : tensor<f64>
    }) : (tensor<300x64xf64>, tensor<2000x1xi32>, tensor<2000x64xf64>) -> tensor<300x64xf64>
    %29 = stablehlo.convert %6 : (tensor<300x64xf32>) -> tensor<300x64xf64>
    %30 = stablehlo.add %28, %29 : tensor<300x64xf64>
    %31 = stablehlo.sqrt %5 : tensor<300xf64>
    %32 = stablehlo.broadcast_in_dim %31, dims = [0] : (tensor<300xf64>) -> tensor<300x1xf64>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0, 1] : (tensor<300x1xf64>) -> tensor<300x64xf64>
    %34 = stablehlo.divide %30, %33 : tensor<300x64xf64>
    %35 = call @relu(%34) : (tensor<300x64xf64>) -> tensor<300x64xf64>
    %36 = stablehlo.convert %35 : tensor<300x64xf64>
    %37 = stablehlo.convert %arg4 : (tensor<64x7xf32>) -> tensor<64x7xf64>
    %38 = stablehlo.dot_general %36, %37, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<300x64xf64>, tensor<64x7xf64>) -> tensor<300x7xf64>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %40 = stablehlo.compare LT, %arg1, %39, SIGNED : (tensor<2000xi32>, tensor<2000xi32>) -> tensor<2000xi1>
    %c_7 = stablehlo.constant dense<300> : tensor<i32>
    %41 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %42 = stablehlo.add %arg1, %41 : tensor<2000xi32>
    %43 = stablehlo.select %40, %42, %arg1 : tensor<2000xi1>, tensor<2000xi32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %45 = "stablehlo.gather"(%38, %44) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 7>}> : (tensor<300x7xf64>, tensor<2000x1xi32>) -> tensor<2000x7xf64>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %46 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %47 = stablehlo.compare LT, %arg1, %46, SIGNED : (tensor<2000xi32>, tensor<2000xi32>) -> tensor<2000xi1>
    %c_9 = stablehlo.constant dense<300> : tensor<i32>
    %48 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<2000xi32>
    %49 = stablehlo.add %arg1, %48 : tensor<2000xi32>
    %50 = stablehlo.select %47, %49, %arg1 : tensor<2000xi1>, tensor<2000xi32>
    %51 = stablehlo.broadcast_in_dim %50, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %52 = "stablehlo.gather"(%5, %51) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<300xf64>, tensor<2000x1xi32>) -> tensor<2000xf64>
    %53 = stablehlo.sqrt %52 : tensor<2000xf64>
    %54 = stablehlo.broadcast_in_dim %53, dims = [0] : (tensor<2000xf64>) -> tensor<2000x1xf64>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1] : (tensor<2000x1xf64>) -> tensor<2000x7xf64>
    %56 = stablehlo.divide %45, %55 : tensor<2000x7xf64>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %57 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f64>) -> tensor<300x7xf64>
    %58 = stablehlo.broadcast_in_dim %arg2, dims = [0] : (tensor<2000xi32>) -> tensor<2000x1xi32>
    %59 = "stablehlo.scatter"(%57, %58, %56) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg5: tensor<f64>, %arg6: tensor<f64>):
      %65 = stablehlo.add %arg5, %arg6 : tensor<f64>
      stablehlo.return %65 : tensor<f64>
    }) : (tensor<300x7xf64>, tensor<2000x1xi32>, tensor<2000x7xf64>) -> tensor<300x7xf64>
    %60 = stablehlo.add %59, %38 : tensor<300x7xf64>
    %61 = stablehlo.sqrt %5 : tensor<300xf64>
    %62 = stablehlo.broadcast_in_dim %61, dims = [0] : (tensor<300xf64>) -> tensor<300x1xf64>
    %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<300x1xf64>) -> tensor<300x7xf64>
    %64 = stablehlo.divide %60, %63 : tensor<300x7xf64>
    return %64 : tensor<300x7xf64>
  }
  func.func private @relu(%arg0: tensor<300x64xf64>) -> tensor<300x64xf64> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f64>) -> tensor<300x64xf64>
    %1 = stablehlo.maximum %arg0, %0 : tensor<300x64xf64>
    return %1 : tensor<300x64xf64>
  }
}
