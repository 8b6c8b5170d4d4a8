module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64xf32>, %arg1: tensor<256x64xf32>, %arg2: tensor<256xf32>, %arg3: tensor<64x256xf32>, %arg4: tensor<500x64xf32>, %arg5: tensor<64xf32>, %arg6: tensor<64xf32>, %arg7: tensor<64xf32>, %arg8: tensor<64xf32>, %arg9: tensor<64xf32>, %arg10: tensor<64xf32>, %arg11: tensor<4x16xf32>, %arg12: tensor<64x4x16xf32>, %arg13: tensor<64xf32>, %arg14: tensor<4x16x64xf32>, %arg15: tensor<4x16xf32>, %arg16: tensor<64x4x16xf32>, %arg17: tensor<4x16xf32>, %arg18: tensor<64x4x16xf32>, %arg19: tensor<50x64xf32>, %arg20: tensor<4x50xi32>) -> (tensor<4x50x500xf32> {jax.result_info = "result"}) {
    %0 = call @_take(%arg4, %arg20) : (tensor<500x64xf32>, tensor<4x50xi32>) -> tensor<4x50x64xf32>
    %1 = stablehlo.broadcast_in_dim %arg19, dims = [1, 2] : (tensor<50x64xf32>) -> tensor<1x50x64xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x50x64xf32>) -> tensor<4x50x64xf32>
    %3 = stablehlo.add %0, %2 : tensor<4x50x64xf32>
    %4 = stablehlo.iota dim = 0 : tensor<50xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [1] : (tensor<50xi32>) -> tensor<4x50xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<4x50xi32>) -> tensor<4x50x1xi32>
    %7 = stablehlo.broadcast_in_dim %5, dims = [0, 2] : (tensor<4x50xi32>) -> tensor<4x1x50xi32>
    %8 = stablehlo.broadcast_in_dim %6, dims = [0, 1, 2] : (tensor<4x50x1xi32>) -> tensor<4x50x50xi32>
    %9 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<4x1x50xi32>) -> tensor<4x50x50xi32>
    %10 = stablehlo.compare GE, %8, %9, SIGNED : (tensor<4x50x50xi32>, tensor<4x50x50xi32>) -> tensor<4x50x50xi1>
    %11 = stablehlo.broadcast_in_dim %10, dims = [0, 2, 3] : (tensor<4x50x50xi1>) -> tensor<4x1x50x50xi1>
    %12 = stablehlo.convert %11 : (tensor<4x1x50x50xi1>) -> tensor<4x1x50x50xf32>
    %13 = chlo.square %3 : tensor<4x50x64xf32> -> tensor<4x50x64xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %14 = stablehlo.reduce(%3 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<4x50x64xf32>, tensor<f32>) -> tensor<4x50xf32>
    %cst_0 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x50xf32>
    %16 = stablehlo.divide %14, %15 : tensor<4x50xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<4x50x64xf32>, tensor<f32>) -> tensor<4x50xf32>
    %cst_2 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %18 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<4x50xf32>
    %19 = stablehlo.divide %17, %18 : tensor<4x50xf32>
    %20 = chlo.square %16 : tensor<4x50xf32> -> tensor<4x50xf32>
    %21 = stablehlo.subtract %19, %20 : tensor<4x50xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<4x50xf32>
    %23 = stablehlo.maximum %22, %21 : tensor<4x50xf32>
    %24 = stablehlo.broadcast_in_dim %16, dims = [0, 1] : (tensor<4x50xf32>) -> tensor<4x50x1xf32>
    %25 = stablehlo.broadcast_in_dim %23, dims = [0, 1] : (tensor<4x50xf32>) -> tensor<4x50x1xf32>
    %26 = stablehlo.broadcast_in_dim %24, dims = [0, 1, 2] : (tensor<4x50x1xf32>) -> tensor<4x50x64xf32>
    %27 = stablehlo.subtract %3, %26 : tensor<4x50x64xf32>
    %cst_4 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %28 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<4x50x1xf32>
    %29 = stablehlo.add %25, %28 : tensor<4x50x1xf32>
    %30 = stablehlo.rsqrt %29 : tensor<4x50x1xf32>
    %31 = stablehlo.reshape %arg6 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %32 = stablehlo.broadcast_in_dim %30, dims = [0, 1, 2] : (tensor<4x50x1xf32>) -> tensor<4x50x64xf32>
    %33 = stablehlo.broadcast_in_dim %31, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<4x50x64xf32>
    %34 = stablehlo.multiply %32, %33 : tensor<4x50x64xf32>
    %35 = stablehlo.multiply %27, %34 : tensor<4x50x64xf32>
    %36 = stablehlo.reshape %arg5 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<4x50x64xf32>
    %38 = stablehlo.add %35, %37 : tensor<4x50x64xf32>
    %39 = stablehlo.dot_general %38, %arg16, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x50x64xf32>, tensor<64x4x16xf32>) -> tensor<4x50x4x16xf32>
    %40 = stablehlo.reshape %arg15 : (tensor<4x16xf32>) -> tensor<1x1x4x16xf32>
    %41 = stablehlo.broadcast_in_dim %40, dims = [0, 1, 2, 3] : (tensor<1x1x4x16xf32>) -> tensor<4x50x4x16xf32>
    %42 = stablehlo.add %39, %41 : tensor<4x50x4x16xf32>
    %43 = stablehlo.dot_general %38, %arg12, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x50x64xf32>, tensor<64x4x16xf32>) -> tensor<4x50x4x16xf32>
    %44 = stablehlo.reshape %arg11 : (tensor<4x16xf32>) -> tensor<1x1x4x16xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [0, 1, 2, 3] : (tensor<1x1x4x16xf32>) -> tensor<4x50x4x16xf32>
    %46 = stablehlo.add %43, %45 : tensor<4x50x4x16xf32>
    %47 = stablehlo.dot_general %38, %arg18, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x50x64xf32>, tensor<64x4x16xf32>) -> tensor<4x50x4x16xf32>
    %48 = stablehlo.reshape %arg17 : (tensor<4x16xf32>) -> tensor<1x1x4x16xf32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2, 3] : (tensor<1x1x4x16xf32>) -> tensor<4x50x4x16xf32>
    %50 = stablehlo.add %47, %49 : tensor<4x50x4x16xf32>
    %cst_5 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %51 = stablehlo.sqrt %cst_5 : tensor<f32>
    %52 = stablehlo.convert %51 : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %52, dims = [] : (tensor<f32>) -> tensor<4x50x4x16xf32>
    %54 = stablehlo.divide %42, %53 : tensor<4x50x4x16xf32>
    %55 = stablehlo.dot_general %54, %46, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x50x4x16xf32>, tensor<4x50x4x16xf32>) -> tensor<4x4x50x50xf32>
    %cst_6 = stablehlo.constant dense<-3.40282347E+38> : tensor<f32>
    %56 = call @_where_0(%12, %55, %cst_6) : (tensor<4x1x50x50xf32>, tensor<4x4x50x50xf32>, tensor<f32>) -> tensor<4x4x50x50xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %57 = stablehlo.reduce(%56 init: %cst_7) applies stablehlo.maximum across dimensions = [3] : (tensor<4x4x50x50xf32>, tensor<f32>) -> tensor<4x4x50xf32>
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %58 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4x4x50xf32>
    %59 = stablehlo.maximum %58, %57 : tensor<4x4x50xf32>
    %60 = stablehlo.broadcast_in_dim %59, dims = [0, 1, 2] : (tensor<4x4x50xf32>) -> tensor<4x4x50x1xf32>
    %61 = stablehlo.broadcast_in_dim %60, dims = [0, 1, 2, 3] : (tensor<4x4x50x1xf32>) -> tensor<4x4x50x50xf32>
    %62 = stablehlo.subtract %56, %61 : tensor<4x4x50x50xf32>
    %63 = stablehlo.exponential %62 : tensor<4x4x50x50xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %64 = stablehlo.reduce(%63 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<4x4x50x50xf32>, tensor<f32>) -> tensor<4x4x50xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2] : (tensor<4x4x50xf32>) -> tensor<4x4x50x1xf32>
    %66 = stablehlo.broadcast_in_dim %65, dims = [0, 1, 2, 3] : (tensor<4x4x50x1xf32>) -> tensor<4x4x50x50xf32>
    %67 = stablehlo.divide %63, %66 : tensor<4x4x50x50xf32>
    %68 = stablehlo.dot_general %50, %67, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3], precision = [DEFAULT, DEFAULT] : (tensor<4x50x4x16xf32>, tensor<4x4x50x50xf32>) -> tensor<4x4x16x50xf32>
    %69 = stablehlo.transpose %68, dims = [0, 3, 1, 2] : (tensor<4x4x16x50xf32>) -> tensor<4x50x4x16xf32>
    %70 = stablehlo.dot_general %69, %arg14, contracting_dims = [2, 3] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<4x50x4x16xf32>, tensor<4x16x64xf32>) -> tensor<4x50x64xf32>
    %71 = stablehlo.reshape %arg13 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %72 = stablehlo.broadcast_in_dim %71, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<4x50x64xf32>
    %73 = stablehlo.add %70, %72 : tensor<4x50x64xf32>
    %74 = stablehlo.add %3, %73 : tensor<4x50x64xf32>
    %75 = chlo.square %74 : tensor<4x50x64xf32> -> tensor<4x50x64xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %76 = stablehlo.reduce(%74 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<4x50x64xf32>, tensor<f32>) -> tensor<4x50xf32>
    %cst_11 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %77 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x50xf32>
    %78 = stablehlo.divide %76, %77 : tensor<4x50xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %79 = stablehlo.reduce(%75 init: %cst_12) applies stablehlo.add across dimensions = [2] : (tensor<4x50x64xf32>, tensor<f32>) -> tensor<4x50xf32>
    %cst_13 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %80 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<4x50xf32>
    %81 = stablehlo.divide %79, %80 : tensor<4x50xf32>
    %82 = chlo.square %78 : tensor<4x50xf32> -> tensor<4x50xf32>
    %83 = stablehlo.subtract %81, %82 : tensor<4x50xf32>
    %cst_14 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<4x50xf32>
    %85 = stablehlo.maximum %84, %83 : tensor<4x50xf32>
    %86 = stablehlo.broadcast_in_dim %78, dims = [0, 1] : (tensor<4x50xf32>) -> tensor<4x50x1xf32>
    %87 = stablehlo.broadcast_in_dim %85, dims = [0, 1] : (tensor<4x50xf32>) -> tensor<4x50x1xf32>
    %88 = stablehlo.broadcast_in_dim %86, dims = [0, 1, 2] : (tensor<4x50x1xf32>) -> tensor<4x50x64xf32>
    %89 = stablehlo.subtract %74, %88 : tensor<4x50x64xf32>
    %cst_15 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %90 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<4x50x1xf32>
    %91 = stablehlo.add %87, %90 : tensor<4x50x1xf32>
    %92 = stablehlo.rsqrt %91 : tensor<4x50x1xf32>
    %93 = stablehlo.reshape %arg8 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %94 = stablehlo.broadcast_in_dim %92, dims = [0, 1, 2] : (tensor<4x50x1xf32>) -> tensor<4x50x64xf32>
    %95 = stablehlo.broadcast_in_dim %93, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<4x50x64xf32>
    %96 = stablehlo.multiply %94, %95 : tensor<4x50x64xf32>
    %97 = stablehlo.multiply %89, %96 : tensor<4x50x64xf32>
    %98 = stablehlo.reshape %arg7 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %99 = stablehlo.broadcast_in_dim %98, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<4x50x64xf32>
    %100 = stablehlo.add %97, %99 : tensor<4x50x64xf32>
    %101 = stablehlo.dot_general %100, %arg3, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x50x64xf32>, tensor<64x256xf32>) -> tensor<4x50x256xf32>
    %102 = stablehlo.reshape %arg2 : (tensor<256xf32>) -> tensor<1x1x256xf32>
    %103 = stablehlo.broadcast_in_dim %102, dims = [0, 1, 2] : (tensor<1x1x256xf32>) -> tensor<4x50x256xf32>
    %104 = stablehlo.add %101, %103 : tensor<4x50x256xf32>
    %105 = stablehlo.multiply %104, %104 : tensor<4x50x256xf32>
    %106 = stablehlo.multiply %105, %104 : tensor<4x50x256xf32>
    %cst_16 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %107 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<4x50x256xf32>
    %108 = stablehlo.multiply %107, %106 : tensor<4x50x256xf32>
    %109 = stablehlo.add %104, %108 : tensor<4x50x256xf32>
    %cst_17 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %110 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<4x50x256xf32>
    %111 = stablehlo.multiply %110, %109 : tensor<4x50x256xf32>
    %112 = stablehlo.tanh %111 : tensor<4x50x256xf32>
    %cst_18 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %113 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<4x50x256xf32>
    %114 = stablehlo.add %113, %112 : tensor<4x50x256xf32>
    %cst_19 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %115 = stablehlo.broadcast_in_dim %cst_19, dims = [] : (tensor<f32>) -> tensor<4x50x256xf32>
    %116 = stablehlo.multiply %115, %114 : tensor<4x50x256xf32>
    %117 = stablehlo.multiply %104, %116 : tensor<4x50x256xf32>
    %118 = stablehlo.dot_general %117, %arg1, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x50x256xf32>, tensor<256x64xf32>) -> tensor<4x50x64xf32>
    %119 = stablehlo.reshape %arg0 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %120 = stablehlo.broadcast_in_dim %119, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<4x50x64xf32>
    %121 = stablehlo.add %118, %120 : tensor<4x50x64xf32>
    %122 = stablehlo.add %74, %121 : tensor<4x50x64xf32>
    %123 = chlo.square %122 : tensor<4x50x64xf32> -> tensor<4x50x64xf32>
    %cst_20 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %124 = stablehlo.reduce(%122 init: %cst_20) applies stablehlo.add across dimensions = [2] : (tensor<4x50x64xf32>, tensor<f32>) -> tensor<4x50xf32>
    %cst_21 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %125 = stablehlo.broadcast_in_dim %cst_21, dims = [] : (tensor<f32>) -> tensor<4x50xf32>
    %126 = stablehlo.divide %124, %125 : tensor<4x50xf32>
    %cst_22 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%123 init: %cst_22) applies stablehlo.add across dimensions = [2] : (tensor<4x50x64xf32>, tensor<f32>) -> tensor<4x50xf32>
    %cst_23 = stablehlo.constant dense<6.400000e+01> : tensor<f32>
    %128 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<4x50xf32>
    %129 = stablehlo.divide %127, %128 : tensor<4x50xf32>
    %130 = chlo.square %126 : tensor<4x50xf32> -> tensor<4x50xf32>
    %131 = stablehlo.subtract %129, %130 : tensor<4x50xf32>
    %cst_24 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %132 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x50xf32>
    %133 = stablehlo.maximum %132, %131 : tensor<4x50xf32>
    %134 = stablehlo.broadcast_in_dim %126, dims = [0, 1] : (tensor<4x50xf32>) -> tensor<4x50x1xf32>
    %135 = stablehlo.broadcast_in_dim %133, dims = [0, 1] : (tensor<4x50xf32>) -> tensor<4x50x1xf32>
    %136 = stablehlo.broadcast_in_dim %134, dims = [0, 1, 2] : (tensor<4x50x1xf32>) -> tensor<4x50x64xf32>
    %137 = stablehlo.subtract %122, %136 : tensor<4x50x64xf32>
    %cst_25 = stablehlo.constant dense<9.99999997E-7> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_25, dims = [] : (tensor<f32>) -> tensor<4x50x1xf32>
    %139 = stablehlo.add %135, %138 : tensor<4x50x1xf32>
    %140 = stablehlo.rsqrt %139 : tensor<4x50x1xf32>
    %141 = stablehlo.reshape %arg10 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %142 = stablehlo.broadcast_in_dim %140, dims = [0, 1, 2] : (tensor<4x50x1xf32>) -> tensor<4x50x64xf32>
    %143 = stablehlo.broadcast_in_dim %141, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<4x50x64xf32>
    %144 = stablehlo.multiply %142, %143 : tensor<4x50x64xf32>
    %145 = stablehlo.multiply %137, %144 : tensor<4x50x64xf32>
    %146 = stablehlo.reshape %arg9 : (tensor<64xf32>) -> tensor<1x1x64xf32>
    %147 = stablehlo.broadcast_in_dim %146, dims = [0, 1, 2] : (tensor<1x1x64xf32>) -> tensor<4x50x64xf32>
    %148 = stablehlo.add %145, %147 : tensor<4x50x64xf32>
    %149 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<500x64xf32>) -> tensor<64x500xf32>
    %150 = stablehlo.dot_general %148, %149, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x50x64xf32>, tensor<64x500xf32>) -> tensor<4x50x500xf32>
    return %150 : tensor<4x50x500xf32>
  }
  func.func private @_take(%arg0: tensor<500x64xf32>, %arg1: tensor<4x50xi32>) -> tensor<4x50x64xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<4x50xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<4x50xi32>, tensor<4x50xi32>) -> tensor<4x50xi1>
    %c_0 = stablehlo.constant dense<500> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<4x50xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<4x50xi32>
    %4 = call @_where(%1, %3, %arg1) : (tensor<4x50xi1>, tensor<4x50xi32>, tensor<4x50xi32>) -> tensor<4x50xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<4x50xi32>) -> tensor<4x50x1xi32>
    %c_1 = stablehlo.constant dense<499> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<4x50x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<4x50x1xi32>, tensor<4x50x1xi32>) -> tensor<4x50x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<4x50x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<4x50x1xi32>, tensor<4x50x1xi32>) -> tensor<4x50x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<4x50x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<4x50x1xi1>, tensor<i1>) -> tensor<4x50xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<500x64xf32>, tensor<4x50x1xi32>) -> tensor<4x50x64xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<4x50xi1>) -> tensor<4x50x64xi1>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x50x64xf32>
    %16 = stablehlo.select %14, %13, %15 : tensor<4x50x64xi1>, tensor<4x50x64xf32>
    return %16 : tensor<4x50x64xf32>
  }
  func.func private @_where(%arg0: tensor<4x50xi1>, %arg1: tensor<4x50xi32>, %arg2: tensor<4x50xi32>) -> tensor<4x50xi32> {
    %0 = stablehlo.select %arg0, %arg1, %arg2 : tensor<4x50xi1>, tensor<4x50xi32>
    return %0 : tensor<4x50xi32>
  }
  func.func private @_where_0(%arg0: tensor<4x1x50x50xf32>, %arg1: tensor<4x4x50x50xf32>, %arg2: tensor<f32>) -> tensor<4x4x50x50xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x1x50x50xf32>
    %1 = stablehlo.compare NE, %arg0, %0, FLOAT : (tensor<4x1x50x50xf32>, tensor<4x1x50x50xf32>) -> tensor<4x1x50x50xi1>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<4x1x50x50xi1>) -> tensor<4x4x50x50xi1>
    %3 = stablehlo.broadcast_in_dim %arg2, dims = [] : (tensor<f32>) -> tensor<4x4x50x50xf32>
    %4 = stablehlo.select %2, %arg1, %3 : tensor<4x4x50x50xi1>, tensor<4x4x50x50xf32>
    return %4 : tensor<4x4x50x50xf32>
  }
}
