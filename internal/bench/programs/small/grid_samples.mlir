module @jit_gsample attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4x32x32x4xf32>, %arg1: tensor<4x32x32x2xf32>) -> (tensor<4x32x32x4xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.slice %arg1 [0:4, 0:32, 0:32, 0:1] : (tensor<4x32x32x2xf32>) -> tensor<4x32x32x1xf32>
    %1 = stablehlo.reshape %0 : (tensor<4x32x32x1xf32>) -> tensor<4x32x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %3 = stablehlo.add %1, %2 : tensor<4x32x32xf32>
    %cst_0 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %5 = stablehlo.multiply %3, %4 : tensor<4x32x32xf32>
    %cst_1 = stablehlo.constant dense<3.100000e+01> : tensor<f32>
    %6 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %7 = stablehlo.multiply %5, %6 : tensor<4x32x32xf32>
    %8 = stablehlo.slice %arg1 [0:4, 0:32, 0:32, 1:2] : (tensor<4x32x32x2xf32>) -> tensor<4x32x32x1xf32>
    %9 = stablehlo.reshape %8 : (tensor<4x32x32x1xf32>) -> tensor<4x32x32xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %10 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %11 = stablehlo.add %9, %10 : tensor<4x32x32xf32>
    %cst_3 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %12 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %13 = stablehlo.multiply %11, %12 : tensor<4x32x32xf32>
    %cst_4 = stablehlo.constant dense<3.100000e+01> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %15 = stablehlo.multiply %13, %14 : tensor<4x32x32xf32>
    %16 = stablehlo.floor %7 : tensor<4x32x32xf32>
    %17 = stablehlo.floor %15 : tensor<4x32x32xf32>
    %18 = stablehlo.subtract %7, %16 : tensor<4x32x32xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1, 2] : (tensor<4x32x32xf32>) -> tensor<4x32x32x1xf32>
    %20 = stablehlo.subtract %15, %17 : tensor<4x32x32xf32>
    %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2] : (tensor<4x32x32xf32>) -> tensor<4x32x32x1xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_5 = stablehlo.constant dense<31> : tensor<i32>
    %22 = call @clip(%17, %c, %c_5) : (tensor<4x32x32xf32>, tensor<i32>, tensor<i32>) -> tensor<4x32x32xf32>
    %23 = stablehlo.convert %22 : (tensor<4x32x32xf32>) -> tensor<4x32x32xi32>
    %c_6 = stablehlo.constant dense<0> : tensor<i32>
    %c_7 = stablehlo.constant dense<31> : tensor<i32>
    %24 = call @clip(%16, %c_6, %c_7) : (tensor<4x32x32xf32>, tensor<i32>, tensor<i32>) -> tensor<4x32x32xf32>
    %25 = stablehlo.convert %24 : (tensor<4x32x32xf32>) -> tensor<4x32x32xi32>
    %c_8 = stablehlo.constant dense<0> : tensor<i32>
    %26 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %27 = stablehlo.compare LT, %23, %26, SIGNED : (tensor<4x32x32xi32>, tensor<4x32x32xi32>) -> tensor<4x32x32xi1>
    %c_9 = stablehlo.constant dense<32> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %29 = stablehlo.add %23, %28 : tensor<4x32x32xi32>
    %30 = stablehlo.select %27, %29, %23 : tensor<4x32x32xi1>, tensor<4x32x32xi32>
    %c_10 = stablehlo.constant dense<0> : tensor<i32>
    %31 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %32 = stablehlo.compare LT, %25, %31, SIGNED : (tensor<4x32x32xi32>, tensor<4x32x32xi32>) -> tensor<4x32x32xi1>
    %c_11 = stablehlo.constant dense<32> : tensor<i32>
    %33 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %34 = stablehlo.add %25, %33 : tensor<4x32x32xi32>
    %35 = stablehlo.select %32, %34, %25 : tensor<4x32x32xi1>, tensor<4x32x32xi32>
    %36 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<4x32x32xi32>) -> tensor<4x32x32x1xi32>
    %37 = stablehlo.broadcast_in_dim %35, dims = [0, 1, 2] : (tensor<4x32x32xi32>) -> tensor<4x32x32x1xi32>
    %38 = stablehlo.concatenate %36, %37, dim = 3 : (tensor<4x32x32x1xi32>, tensor<4x32x32x1xi32>) -> tensor<4x32x32x2xi32>
    %39 = "stablehlo.gather"(%arg0, %38) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1, 4>}> : (tensor<4x32x32x4xf32>, tensor<4x32x32x2xi32>) -> tensor<4x32x32x4xf32>
    %cst_12 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %40 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<4x32x32x1xf32>
    %41 = stablehlo.subtract %40, %19 : tensor<4x32x32x1xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2, 3] : (tensor<4x32x32x1xf32>) -> tensor<4x32x32x4xf32>
    %43 = stablehlo.multiply %39, %42 : tensor<4x32x32x4xf32>
    %cst_13 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %44 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x32x32x1xf32>
    %45 = stablehlo.subtract %44, %21 : tensor<4x32x32x1xf32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [0, 1, 2, 3] : (tensor<4x32x32x1xf32>) -> tensor<4x32x32x4xf32>
    %47 = stablehlo.multiply %43, %46 : tensor<4x32x32x4xf32>
    %cst_14 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %48 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %49 = stablehlo.add %16, %48 : tensor<4x32x32xf32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %c_16 = stablehlo.constant dense<31> : tensor<i32>
    %50 = call @clip(%17, %c_15, %c_16) : (tensor<4x32x32xf32>, tensor<i32>, tensor<i32>) -> tensor<4x32x32xf32>
    %51 = stablehlo.convert %50 : (tensor<4x32x32xf32>) -> tensor<4x32x32xi32>
    %c_17 = stablehlo.constant dense<0> : tensor<i32>
    %c_18 = stablehlo.constant dense<31> : tensor<i32>
    %52 = call @clip(%49, %c_17, %c_18) : (tensor<4x32x32xf32>, tensor<i32>, tensor<i32>) -> tensor<4x32x32xf32>
    %53 = stablehlo.convert %52 : (tensor<4x32x32xf32>) -> tensor<4x32x32xi32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %55 = stablehlo.compare LT, %51, %54, SIGNED : (tensor<4x32x32xi32>, tensor<4x32x32xi32>) -> tensor<4x32x32xi1>
    %c_20 = stablehlo.constant dense<32> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_20, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %57 = stablehlo.add %51, %56 : tensor<4x32x32xi32>
    %58 = stablehlo.select %55, %57, %51 : tensor<4x32x32xi1>, tensor<4x32x32xi32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %59 = stablehlo.broadcast_in_dim %c_21, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %60 = stablehlo.compare LT, %53, %59, SIGNED : (tensor<4x32x32xi32>, tensor<4x32x32xi32>) -> tensor<4x32x32xi1>
    %c_22 = stablehlo.constant dense<32> : tensor<i32>
    %61 = stablehlo.broadcast_in_dim %c_22, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %62 = stablehlo.add %53, %61 : tensor<4x32x32xi32>
    %63 = stablehlo.select %60, %62, %53 : tensor<4x32x32xi1>, tensor<4x32x32xi32>
    %64 = stablehlo.broadcast_in_dim %58, dims = [0, 1, 2] : (tensor<4x32x32xi32>) -> tensor<4x32x32x1xi32>
    %65 = stablehlo.broadcast_in_dim %63, dims = [0, 1, 2] : (tensor<4x32x32xi32>) -> tensor<4x32x32x1xi32>
    %66 = stablehlo.concatenate %64, %65, dim = 3 : (tensor<4x32x32x1xi32>, tensor<4x32x32x1xi32>) -> tensor<4x32x32x2xi32>
    %67 = "stablehlo.gather"(%arg0, %66) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1, 4>}> : (tensor<4x32x32x4xf32>, tensor<4x32x32x2xi32>) -> tensor<4x32x32x4xf32>
    %68 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<4x32x32x1xf32>) -> tensor<4x32x32x4xf32>
    %69 = stablehlo.multiply %67, %68 : tensor<4x32x32x4xf32>
    %cst_23 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x32x32x1xf32>
    %71 = stablehlo.subtract %70, %21 : tensor<4x32x32x1xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2, 3] : (tensor<4x32x32x1xf32>) -> tensor<4x32x32x4xf32>
    %73 = stablehlo.multiply %69, %72 : tensor<4x32x32x4xf32>
    %74 = stablehlo.add %47, %73 : tensor<4x32x32x4xf32>
    %cst_24 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %75 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %76 = stablehlo.add %17, %75 : tensor<4x32x32xf32>
    %c_25 = stablehlo.constant dense<0> : tensor<i32>
    %c_26 = stablehlo.constant dense<31> : tensor<i32>
    %77 = call @clip(%76, %c_25, %c_26) : (tensor<4x32x32xf32>, tensor<i32>, tensor<i32>) -> tensor<4x32x32xf32>
    %78 = stablehlo.convert %77 : (tensor<4x32x32xf32>) -> tensor<4x32x32xi32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %c_28 = stablehlo.constant dense<31> : tensor<i32>
    %79 = call @clip(%16, %c_27, %c_28) : (tensor<4x32x32xf32>, tensor<i32>, tensor<i32>) -> tensor<4x32x32xf32>
    %80 = stablehlo.convert %79 : (tensor<4x32x32xf32>) -> tensor<4x32x32xi32>
    %c_29 = stablehlo.constant dense<0> : tensor<i32>
    %81 = stablehlo.broadcast_in_dim %c_29, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %82 = stablehlo.compare LT, %78, %81, SIGNED : (tensor<4x32x32xi32>, tensor<4x32x32xi32>) -> tensor<4x32x32xi1>
    %c_30 = stablehlo.constant dense<32> : tensor<i32>
    %83 = stablehlo.broadcast_in_dim %c_30, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %84 = stablehlo.add %78, %83 : tensor<4x32x32xi32>
    %85 = stablehlo.select %82, %84, %78 : tensor<4x32x32xi1>, tensor<4x32x32xi32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %86 = stablehlo.broadcast_in_dim %c_31, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %87 = stablehlo.compare LT, %80, %86, SIGNED : (tensor<4x32x32xi32>, tensor<4x32x32xi32>) -> tensor<4x32x32xi1>
    %c_32 = stablehlo.constant dense<32> : tensor<i32>
    %88 = stablehlo.broadcast_in_dim %c_32, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %89 = stablehlo.add %80, %88 : tensor<4x32x32xi32>
    %90 = stablehlo.select %87, %89, %80 : tensor<4x32x32xi1>, tensor<4x32x32xi32>
    %91 = stablehlo.broadcast_in_dim %85, dims = [0, 1, 2] : (tensor<4x32x32xi32>) -> tensor<4x32x32x1xi32>
    %92 = stablehlo.broadcast_in_dim %90, dims = [0, 1, 2] : (tensor<4x32x32xi32>) -> tensor<4x32x32x1xi32>
    %93 = stablehlo.concatenate %91, %92, dim = 3 : (tensor<4x32x32x1xi32>, tensor<4x32x32x1xi32>) -> tensor<4x32x32x2xi32>
    %94 = "stablehlo.gather"(%arg0, %93) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1, 4>}> : (tensor<4x32x32x4xf32>, tensor<4x32x32x2xi32>) -> tensor<4x32x32x4xf32>
    %cst_33 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %95 = stablehlo.broadcast_in_dim %cst_33, dims = [] : (tensor<f32>) -> tensor<4x32x32x1xf32>
    %96 = stablehlo.subtract %95, %19 : tensor<4x32x32x1xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1, 2, 3] : (tensor<4x32x32x1xf32>) -> tensor<4x32x32x4xf32>
    %98 = stablehlo.multiply %94, %97 : tensor<4x32x32x4xf32>
    %99 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<4x32x32x1xf32>) -> tensor<4x32x32x4xf32>
    %100 = stablehlo.multiply %98, %99 : tensor<4x32x32x4xf32>
    %101 = stablehlo.add %74, %100 : tensor<4x32x32x4xf32>
    %cst_34 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %102 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %103 = stablehlo.add %17, %102 : tensor<4x32x32xf32>
    %cst_35 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %104 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %105 = stablehlo.add %16, %104 : tensor<4x32x32xf32>
    %c_36 = stablehlo.constant dense<0> : tensor<i32>
    %c_37 = stablehlo.constant dense<31> : tensor<i32>
    %106 = call @clip(%103, %c_36, %c_37) : (tensor<4x32x32xf32>, tensor<i32>, tensor<i32>) -> tensor<4x32x32xf32>
    %107 = stablehlo.convert %106 : (tensor<4x32x32xf32>) -> tensor<4x32x32xi32>
    %c_38 = stablehlo.constant dense<0> : tensor<i32>
    %c_39 = stablehlo.constant dense<31> : tensor<i32>
    %108 = call @clip(%105, %c_38, %c_39) : (tensor<4x32x32xf32>, tensor<i32>, tensor<i32>) -> tensor<4x32x32xf32>
    %109 = stablehlo.convert %108 : (tensor<4x32x32xf32>) -> tensor<4x32x32xi32>
    %c_40 = stablehlo.constant dense<0> : tensor<i32>
    %110 = stablehlo.broadcast_in_dim %c_40, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %111 = stablehlo.compare LT, %107, %110, SIGNED : (tensor<4x32x32xi32>, tensor<4x32x32xi32>) -> tensor<4x32x32xi1>
    %c_41 = stablehlo.constant dense<32> : tensor<i32>
    %112 = stablehlo.broadcast_in_dim %c_41, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %113 = stablehlo.add %107, %112 : tensor<4x32x32xi32>
    %114 = stablehlo.select %111, %113, %107 : tensor<4x32x32xi1>, tensor<4x32x32xi32>
    %c_42 = stablehlo.constant dense<0> : tensor<i32>
    %115 = stablehlo.broadcast_in_dim %c_42, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %116 = stablehlo.compare LT, %109, %115, SIGNED : (tensor<4x32x32xi32>, tensor<4x32x32xi32>) -> tensor<4x32x32xi1>
    %c_43 = stablehlo.constant dense<32> : tensor<i32>
    %117 = stablehlo.broadcast_in_dim %c_43, dims = [] : (tensor<i32>) -> tensor<4x32x32xi32>
    %118 = stablehlo.add %109, %117 : tensor<4x32x32xi32>
    %119 = stablehlo.select %116, %118, %109 : tensor<4x32x32xi1>, tensor<4x32x32xi32>
    %120 = stablehlo.broadcast_in_dim %114, dims = [0, 1, 2] : (tensor<4x32x32xi32>) -> tensor<4x32x32x1xi32>
    %121 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<4x32x32xi32>) -> tensor<4x32x32x1xi32>
    %122 = stablehlo.concatenate %120, %121, dim = 3 : (tensor<4x32x32x1xi32>, tensor<4x32x32x1xi32>) -> tensor<4x32x32x2xi32>
    %123 = "stablehlo.gather"(%arg0, %122) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1, 2], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1, 2], index_vector_dim = 3>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 1, 4>}> : (tensor<4x32x32x4xf32>, tensor<4x32x32x2xi32>) -> tensor<4x32x32x4xf32>
    %124 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<4x32x32x1xf32>) -> tensor<4x32x32x4xf32>
    %125 = stablehlo.multiply %123, %124 : tensor<4x32x32x4xf32>
    %126 = stablehlo.broadcast_in_dim %21, dims = [0, 1, 2, 3] : (tensor<4x32x32x1xf32>) -> tensor<4x32x32x4xf32>
    %127 = stablehlo.multiply %125, %126 : tensor<4x32x32x4xf32>
    %128 = stablehlo.add %101, %127 : tensor<4x32x32x4xf32>
    return %128 : tensor<4x32x32x4xf32>
  }
  func.func private @clip(%arg0: tensor<4x32x32xf32>, %arg1: tensor<i32>, %arg2: tensor<i32>) -> tensor<4x32x32xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<4x32x32xf32>
    %3 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<4x32x32xf32>
    %5 = stablehlo.minimum %4, %2 : tensor<4x32x32xf32>
    return %5 : tensor<4x32x32xf32>
  }
}
