module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<5000xui8>, %arg1: tensor<16xui8>) -> (tensor<5000xi32> {jax.result_info = "result"}) {
    %0 = call @digitize(%arg0, %arg1) : (tensor<5000xui8>, tensor<16xui8>) -> tensor<5000xi32>
    return %0 : tensor<5000xi32>
  }
  func.func private @digitize(%arg0: tensor<5000xui8>, %arg1: tensor<16xui8>) -> tensor<5000xi32> {
    %0 = stablehlo.slice %arg1 [15:16] : (tensor<16xui8>) -> tensor<1xui8>
    %1 = stablehlo.reshape %0 : (tensor<1xui8>) -> tensor<ui8>
    %2 = stablehlo.slice %arg1 [0:1] : (tensor<16xui8>) -> tensor<1xui8>
    %3 = stablehlo.reshape %2 : (tensor<1xui8>) -> tensor<ui8>
    %4 = stablehlo.compare GE, %1, %3, UNSIGNED : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    %5 = call @searchsorted(%arg1, %arg0) : (tensor<16xui8>, tensor<5000xui8>) -> tensor<5000xi32>
    %6 = stablehlo.reverse %arg1, dims = [0] : tensor<16xui8>
    %7 = call @searchsorted(%6, %arg0) : (tensor<16xui8>, tensor<5000xui8>) -> tensor<5000xi32>
    %c = stablehlo.constant dense<16> : tensor<i32>
    %8 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5000xi32>
    %9 = stablehlo.subtract %8, %7 : tensor<5000xi32>
    %10 = call @_where(%4, %5, %9) : (tensor<i1>, tensor<5000xi32>, tensor<5000xi32>) -> tensor<5000xi32>
    return %10 : tensor<5000xi32>
  }
  func.func private @searchsorted(%arg0: tensor<16xui8>, %arg1: tensor<5000xui8>) -> tensor<5000xi32> {
    %0 = call @_searchsorted_scan_impl(%arg0, %arg1) : (tensor<16xui8>, tensor<5000xui8>) -> tensor<5000xi32>
    return %0 : tensor<5000xi32>
  }
  func.func private @_searchsorted_scan_impl(%arg0: tensor<16xui8>, %arg1: tensor<5000xui8>) -> tensor<5000xi32> {
    %0 = call @_searchsorted_scan_impl_0(%arg0, %arg1) : (tensor<16xui8>, tensor<5000xui8>) -> tensor<5000xi32>
    return %0 : tensor<5000xi32>
  }
  func.func private @_searchsorted_scan_impl_0(%arg0: tensor<16xui8>, %arg1: tensor<5000xui8>) -> tensor<5000xi32> {
    %c = stablehlo.constant dense<0> : tensor<ui32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<5000xui32>
    %c_0 = stablehlo.constant dense<16> : tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<ui32>) -> tensor<5000xui32>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %2:5 = stablehlo.while(%iterArg = %arg0, %iterArg_2 = %arg1, %iterArg_3 = %c_1, %iterArg_4 = %0, %iterArg_5 = %1) : tensor<16xui8>, tensor<5000xui8>, tensor<i64>, tensor<5000xui32>, tensor<5000xui32>
    cond {
      %c_6 = stablehlo.constant dense<5> : tensor<i64>
      %4 = stablehlo.compare LT, %iterArg_3, %c_6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4:2 = func.call @closed_call(%iterArg, %iterArg_2, %iterArg_4, %iterArg_5) : (tensor<16xui8>, tensor<5000xui8>, tensor<5000xui32>, tensor<5000xui32>) -> (tensor<5000xui32>, tensor<5000xui32>)
      %c_6 = stablehlo.constant dense<1> : tensor<i64>
      %5 = stablehlo.add %iterArg_3, %c_6 : tensor<i64>
      stablehlo.return %iterArg, %iterArg_2, %5, %4#0, %4#1 : tensor<16xui8>, tensor<5000xui8>, tensor<i64>, tensor<5000xui32>, tensor<5000xui32>
    }
    %3 = stablehlo.convert %2#4 : (tensor<5000xui32>) -> tensor<5000xi32>
    return %3 : tensor<5000xi32>
  }
  func.func private @closed_call(%arg0: tensor<16xui8>, %arg1: tensor<5000xui8>, %arg2: tensor<5000xui32>, %arg3: tensor<5000xui32>) -> (tensor<5000xui32>, tensor<5000xui32>) {
    %0 = stablehlo.subtract %arg3, %arg2 : tensor<5000xui32>
    %c = stablehlo.constant dense<2> : tensor<i64>
    %1 = call @floor_divide(%0, %c) : (tensor<5000xui32>, tensor<i64>) -> tensor<5000xui32>
    %2 = stablehlo.add %arg2, %1 : tensor<5000xui32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<5000xui32>) -> tensor<5000x1xui32>
    %4 = "stablehlo.gather"(%arg0, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1>}> : (tensor<16xui8>, tensor<5000x1xui32>) -> tensor<5000x1xui8>
    %5 = stablehlo.reshape %4 : (tensor<5000x1xui8>) -> tensor<5000xui8>
    %6 = stablehlo.compare LT, %arg1, %5, UNSIGNED : (tensor<5000xui8>, tensor<5000xui8>) -> tensor<5000xi1>
    %7 = stablehlo.select %6, %arg2, %2 : tensor<5000xi1>, tensor<5000xui32>
    %8 = stablehlo.select %6, %2, %arg3 : tensor<5000xi1>, tensor<5000xui32>
    return %7, %8 : tensor<5000xui32>, tensor<5000xui32>
  }
  func.func private @floor_divide(%arg0: tensor<5000xui32>, %arg1: tensor<i64>) -> tensor<5000xui32> {
    %0 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<ui32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<ui32>) -> tensor<5000xui32>
    %2 = stablehlo.divide %arg0, %1 : tensor<5000xui32>
    return %2 : tensor<5000xui32>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<5000xi32>, %arg2: tensor<5000xi32>) -> tensor<5000xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<i1>, tensor<5000xi32>
    return %0 : tensor<5000xi32>
  }
}
