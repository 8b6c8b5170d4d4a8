module @jit_unrolled_scatter attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<100000xf32>, %arg1: tensor<i32>) -> (tensor<100000xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.multiply %arg1, %c : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare LT, %0, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_1 = stablehlo.constant dense<100000> : tensor<i32>
    %2 = stablehlo.add %0, %c_1 : tensor<i32>
    %3 = stablehlo.select %1, %2, %0 : tensor<i1>, tensor<i32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %5 = "stablehlo.scatter"(%arg0, %4, %cst) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.multiply %arg1, %c_2 : tensor<i32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.compare LT, %6, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_4 = stablehlo.constant dense<100000> : tensor<i32>
    %8 = stablehlo.add %6, %c_4 : tensor<i32>
    %9 = stablehlo.select %7, %8, %6 : tensor<i1>, tensor<i32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %11 = "stablehlo.scatter"(%5, %10, %cst_5) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_6 = stablehlo.constant dense<2> : tensor<i32>
    %12 = stablehlo.multiply %arg1, %c_6 : tensor<i32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %13 = stablehlo.compare LT, %12, %c_7, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_8 = stablehlo.constant dense<100000> : tensor<i32>
    %14 = stablehlo.add %12, %c_8 : tensor<i32>
    %15 = stablehlo.select %13, %14, %12 : tensor<i1>, tensor<i32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_9 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %17 = "stablehlo.scatter"(%11, %16, %cst_9) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_10 = stablehlo.constant dense<3> : tensor<i32>
    %18 = stablehlo.multiply %arg1, %c_10 : tensor<i32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %19 = stablehlo.compare LT, %18, %c_11, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_12 = stablehlo.constant dense<100000> : tensor<i32>
    %20 = stablehlo.add %18, %c_12 : tensor<i32>
    %21 = stablehlo.select %19, %20, %18 : tensor<i1>, tensor<i32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_13 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %23 = "stablehlo.scatter"(%17, %22, %cst_13) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_14 = stablehlo.constant dense<4> : tensor<i32>
    %24 = stablehlo.multiply %arg1, %c_14 : tensor<i32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %25 = stablehlo.compare LT, %24, %c_15, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_16 = stablehlo.constant dense<100000> : tensor<i32>
    %26 = stablehlo.add %24, %c_16 : tensor<i32>
    %27 = stablehlo.select %25, %26, %24 : tensor<i1>, tensor<i32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_17 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %29 = "stablehlo.scatter"(%23, %28, %cst_17) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_18 = stablehlo.constant dense<5> : tensor<i32>
    %30 = stablehlo.multiply %arg1, %c_18 : tensor<i32>
    %c_19 = stablehlo.constant dense<0> : tensor<i32>
    %31 = stablehlo.compare LT, %30, %c_19, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_20 = stablehlo.constant dense<100000> : tensor<i32>
    %32 = stablehlo.add %30, %c_20 : tensor<i32>
    %33 = stablehlo.select %31, %32, %30 : tensor<i1>, tensor<i32>
    %34 = stablehlo.broadcast_in_dim %33, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_21 = stablehlo.constant dense<5.000000e+00> : tensor<f32>
    %35 = "stablehlo.scatter"(%29, %34, %cst_21) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_22 = stablehlo.constant dense<6> : tensor<i32>
    %36 = stablehlo.multiply %arg1, %c_22 : tensor<i32>
    %c_23 = stablehlo.constant dense<0> : tensor<i32>
    %37 = stablehlo.compare LT, %36, %c_23, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_24 = stablehlo.constant dense<100000> : tensor<i32>
    %38 = stablehlo.add %36, %c_24 : tensor<i32>
    %39 = stablehlo.select %37, %38, %36 : tensor<i1>, tensor<i32>
    %40 = stablehlo.broadcast_in_dim %39, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_25 = stablehlo.constant dense<6.000000e+00> : tensor<f32>
    %41 = "stablehlo.scatter"(%35, %40, %cst_25) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_26 = stablehlo.constant dense<7> : tensor<i32>
    %42 = stablehlo.multiply %arg1, %c_26 : tensor<i32>
    %c_27 = stablehlo.constant dense<0> : tensor<i32>
    %43 = stablehlo.compare LT, %42, %c_27, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_28 = stablehlo.constant dense<100000> : tensor<i32>
    %44 = stablehlo.add %42, %c_28 : tensor<i32>
    %45 = stablehlo.select %43, %44, %42 : tensor<i1>, tensor<i32>
    %46 = stablehlo.broadcast_in_dim %45, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_29 = stablehlo.constant dense<7.000000e+00> : tensor<f32>
    %47 = "stablehlo.scatter"(%41, %46, %cst_29) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_30 = stablehlo.constant dense<8> : tensor<i32>
    %48 = stablehlo.multiply %arg1, %c_30 : tensor<i32>
    %c_31 = stablehlo.constant dense<0> : tensor<i32>
    %49 = stablehlo.compare LT, %48, %c_31, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_32 = stablehlo.constant dense<100000> : tensor<i32>
    %50 = stablehlo.add %48, %c_32 : tensor<i32>
    %51 = stablehlo.select %49, %50, %48 : tensor<i1>, tensor<i32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_33 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %53 = "stablehlo.scatter"(%47, %52, %cst_33) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_34 = stablehlo.constant dense<9> : tensor<i32>
    %54 = stablehlo.multiply %arg1, %c_34 : tensor<i32>
    %c_35 = stablehlo.constant dense<0> : tensor<i32>
    %55 = stablehlo.compare LT, %54, %c_35, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_36 = stablehlo.constant dense<100000> : tensor<i32>
    %56 = stablehlo.add %54, %c_36 : tensor<i32>
    %57 = stablehlo.select %55, %56, %54 : tensor<i1>, tensor<i32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_37 = stablehlo.constant dense<9.000000e+00> : tensor<f32>
    %59 = "stablehlo.scatter"(%53, %58, %cst_37) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_38 = stablehlo.constant dense<10> : tensor<i32>
    %60 = stablehlo.multiply %arg1, %c_38 : tensor<i32>
    %c_39 = stablehlo.constant dense<0> : tensor<i32>
    %61 = stablehlo.compare LT, %60, %c_39, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_40 = stablehlo.constant dense<100000> : tensor<i32>
    %62 = stablehlo.add %60, %c_40 : tensor<i32>
    %63 = stablehlo.select %61, %62, %60 : tensor<i1>, tensor<i32>
    %64 = stablehlo.broadcast_in_dim %63, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_41 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
    %65 = "stablehlo.scatter"(%59, %64, %cst_41) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_42 = stablehlo.constant dense<11> : tensor<i32>
    %66 = stablehlo.multiply %arg1, %c_42 : tensor<i32>
    %c_43 = stablehlo.constant dense<0> : tensor<i32>
    %67 = stablehlo.compare LT, %66, %c_43, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_44 = stablehlo.constant dense<100000> : tensor<i32>
    %68 = stablehlo.add %66, %c_44 : tensor<i32>
    %69 = stablehlo.select %67, %68, %66 : tensor<i1>, tensor<i32>
    %70 = stablehlo.broadcast_in_dim %69, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_45 = stablehlo.constant dense<1.100000e+01> : tensor<f32>
    %71 = "stablehlo.scatter"(%65, %70, %cst_45) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_46 = stablehlo.constant dense<12> : tensor<i32>
    %72 = stablehlo.multiply %arg1, %c_46 : tensor<i32>
    %c_47 = stablehlo.constant dense<0> : tensor<i32>
    %73 = stablehlo.compare LT, %72, %c_47, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_48 = stablehlo.constant dense<100000> : tensor<i32>
    %74 = stablehlo.add %72, %c_48 : tensor<i32>
    %75 = stablehlo.select %73, %74, %72 : tensor<i1>, tensor<i32>
    %76 = stablehlo.broadcast_in_dim %75, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_49 = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %77 = "stablehlo.scatter"(%71, %76, %cst_49) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_50 = stablehlo.constant dense<13> : tensor<i32>
    %78 = stablehlo.multiply %arg1, %c_50 : tensor<i32>
    %c_51 = stablehlo.constant dense<0> : tensor<i32>
    %79 = stablehlo.compare LT, %78, %c_51, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_52 = stablehlo.constant dense<100000> : tensor<i32>
    %80 = stablehlo.add %78, %c_52 : tensor<i32>
    %81 = stablehlo.select %79, %80, %78 : tensor<i1>, tensor<i32>
    %82 = stablehlo.broadcast_in_dim %81, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_53 = stablehlo.constant dense<1.300000e+01> : tensor<f32>
    %83 = "stablehlo.scatter"(%77, %82, %cst_53) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_54 = stablehlo.constant dense<14> : tensor<i32>
    %84 = stablehlo.multiply %arg1, %c_54 : tensor<i32>
    %c_55 = stablehlo.constant dense<0> : tensor<i32>
    %85 = stablehlo.compare LT, %84, %c_55, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_56 = stablehlo.constant dense<100000> : tensor<i32>
    %86 = stablehlo.add %84, %c_56 : tensor<i32>
    %87 = stablehlo.select %85, %86, %84 : tensor<i1>, tensor<i32>
    %88 = stablehlo.broadcast_in_dim %87, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_57 = stablehlo.constant dense<1.400000e+01> : tensor<f32>
    %89 = "stablehlo.scatter"(%83, %88, %cst_57) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_58 = stablehlo.constant dense<15> : tensor<i32>
    %90 = stablehlo.multiply %arg1, %c_58 : tensor<i32>
    %c_59 = stablehlo.constant dense<0> : tensor<i32>
    %91 = stablehlo.compare LT, %90, %c_59, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_60 = stablehlo.constant dense<100000> : tensor<i32>
    %92 = stablehlo.add %90, %c_60 : tensor<i32>
    %93 = stablehlo.select %91, %92, %90 : tensor<i1>, tensor<i32>
    %94 = stablehlo.broadcast_in_dim %93, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_61 = stablehlo.constant dense<1.500000e+01> : tensor<f32>
    %95 = "stablehlo.scatter"(%89, %94, %cst_61) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_62 = stablehlo.constant dense<16> : tensor<i32>
    %96 = stablehlo.multiply %arg1, %c_62 : tensor<i32>
    %c_63 = stablehlo.constant dense<0> : tensor<i32>
    %97 = stablehlo.compare LT, %96, %c_63, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_64 = stablehlo.constant dense<100000> : tensor<i32>
    %98 = stablehlo.add %96, %c_64 : tensor<i32>
    %99 = stablehlo.select %97, %98, %96 : tensor<i1>, tensor<i32>
    %100 = stablehlo.broadcast_in_dim %99, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_65 = stablehlo.constant dense<1.600000e+01> : tensor<f32>
    %101 = "stablehlo.scatter"(%95, %100, %cst_65) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_66 = stablehlo.constant dense<17> : tensor<i32>
    %102 = stablehlo.multiply %arg1, %c_66 : tensor<i32>
    %c_67 = stablehlo.constant dense<0> : tensor<i32>
    %103 = stablehlo.compare LT, %102, %c_67, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_68 = stablehlo.constant dense<100000> : tensor<i32>
    %104 = stablehlo.add %102, %c_68 : tensor<i32>
    %105 = stablehlo.select %103, %104, %102 : tensor<i1>, tensor<i32>
    %106 = stablehlo.broadcast_in_dim %105, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_69 = stablehlo.constant dense<1.700000e+01> : tensor<f32>
    %107 = "stablehlo.scatter"(%101, %106, %cst_69) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_70 = stablehlo.constant dense<18> : tensor<i32>
    %108 = stablehlo.multiply %arg1, %c_70 : tensor<i32>
    %c_71 = stablehlo.constant dense<0> : tensor<i32>
    %109 = stablehlo.compare LT, %108, %c_71, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_72 = stablehlo.constant dense<100000> : tensor<i32>
    %110 = stablehlo.add %108, %c_72 : tensor<i32>
    %111 = stablehlo.select %109, %110, %108 : tensor<i1>, tensor<i32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_73 = stablehlo.constant dense<1.800000e+01> : tensor<f32>
    %113 = "stablehlo.scatter"(%107, %112, %cst_73) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_74 = stablehlo.constant dense<19> : tensor<i32>
    %114 = stablehlo.multiply %arg1, %c_74 : tensor<i32>
    %c_75 = stablehlo.constant dense<0> : tensor<i32>
    %115 = stablehlo.compare LT, %114, %c_75, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_76 = stablehlo.constant dense<100000> : tensor<i32>
    %116 = stablehlo.add %114, %c_76 : tensor<i32>
    %117 = stablehlo.select %115, %116, %114 : tensor<i1>, tensor<i32>
    %118 = stablehlo.broadcast_in_dim %117, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_77 = stablehlo.constant dense<1.900000e+01> : tensor<f32>
    %119 = "stablehlo.scatter"(%113, %118, %cst_77) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_78 = stablehlo.constant dense<20> : tensor<i32>
    %120 = stablehlo.multiply %arg1, %c_78 : tensor<i32>
    %c_79 = stablehlo.constant dense<0> : tensor<i32>
    %121 = stablehlo.compare LT, %120, %c_79, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_80 = stablehlo.constant dense<100000> : tensor<i32>
    %122 = stablehlo.add %120, %c_80 : tensor<i32>
    %123 = stablehlo.select %121, %122, %120 : tensor<i1>, tensor<i32>
    %124 = stablehlo.broadcast_in_dim %123, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_81 = stablehlo.constant dense<2.000000e+01> : tensor<f32>
    %125 = "stablehlo.scatter"(%119, %124, %cst_81) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_82 = stablehlo.constant dense<21> : tensor<i32>
    %126 = stablehlo.multiply %arg1, %c_82 : tensor<i32>
    %c_83 = stablehlo.constant dense<0> : tensor<i32>
    %127 = stablehlo.compare LT, %126, %c_83, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_84 = stablehlo.constant dense<100000> : tensor<i32>
    %128 = stablehlo.add %126, %c_84 : tensor<i32>
    %129 = stablehlo.select %127, %128, %126 : tensor<i1>, tensor<i32>
    %130 = stablehlo.broadcast_in_dim %129, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_85 = stablehlo.constant dense<2.100000e+01> : tensor<f32>
    %131 = "stablehlo.scatter"(%125, %130, %cst_85) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_86 = stablehlo.constant dense<22> : tensor<i32>
    %132 = stablehlo.multiply %arg1, %c_86 : tensor<i32>
    %c_87 = stablehlo.constant dense<0> : tensor<i32>
    %133 = stablehlo.compare LT, %132, %c_87, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_88 = stablehlo.constant dense<100000> : tensor<i32>
    %134 = stablehlo.add %132, %c_88 : tensor<i32>
    %135 = stablehlo.select %133, %134, %132 : tensor<i1>, tensor<i32>
    %136 = stablehlo.broadcast_in_dim %135, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_89 = stablehlo.constant dense<2.200000e+01> : tensor<f32>
    %137 = "stablehlo.scatter"(%131, %136, %cst_89) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_90 = stablehlo.constant dense<23> : tensor<i32>
    %138 = stablehlo.multiply %arg1, %c_90 : tensor<i32>
    %c_91 = stablehlo.constant dense<0> : tensor<i32>
    %139 = stablehlo.compare LT, %138, %c_91, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_92 = stablehlo.constant dense<100000> : tensor<i32>
    %140 = stablehlo.add %138, %c_92 : tensor<i32>
    %141 = stablehlo.select %139, %140, %138 : tensor<i1>, tensor<i32>
    %142 = stablehlo.broadcast_in_dim %141, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_93 = stablehlo.constant dense<2.300000e+01> : tensor<f32>
    %143 = "stablehlo.scatter"(%137, %142, %cst_93) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_94 = stablehlo.constant dense<24> : tensor<i32>
    %144 = stablehlo.multiply %arg1, %c_94 : tensor<i32>
    %c_95 = stablehlo.constant dense<0> : tensor<i32>
    %145 = stablehlo.compare LT, %144, %c_95, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_96 = stablehlo.constant dense<100000> : tensor<i32>
    %146 = stablehlo.add %144, %c_96 : tensor<i32>
    %147 = stablehlo.select %145, %146, %144 : tensor<i1>, tensor<i32>
    %148 = stablehlo.broadcast_in_dim %147, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_97 = stablehlo.constant dense<2.400000e+01> : tensor<f32>
    %149 = "stablehlo.scatter"(%143, %148, %cst_97) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_98 = stablehlo.constant dense<25> : tensor<i32>
    %150 = stablehlo.multiply %arg1, %c_98 : tensor<i32>
    %c_99 = stablehlo.constant dense<0> : tensor<i32>
    %151 = stablehlo.compare LT, %150, %c_99, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_100 = stablehlo.constant dense<100000> : tensor<i32>
    %152 = stablehlo.add %150, %c_100 : tensor<i32>
    %153 = stablehlo.select %151, %152, %150 : tensor<i1>, tensor<i32>
    %154 = stablehlo.broadcast_in_dim %153, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_101 = stablehlo.constant dense<2.500000e+01> : tensor<f32>
    %155 = "stablehlo.scatter"(%149, %154, %cst_101) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_102 = stablehlo.constant dense<26> : tensor<i32>
    %156 = stablehlo.multiply %arg1, %c_102 : tensor<i32>
    %c_103 = stablehlo.constant dense<0> : tensor<i32>
    %157 = stablehlo.compare LT, %156, %c_103, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_104 = stablehlo.constant dense<100000> : tensor<i32>
    %158 = stablehlo.add %156, %c_104 : tensor<i32>
    %159 = stablehlo.select %157, %158, %156 : tensor<i1>, tensor<i32>
    %160 = stablehlo.broadcast_in_dim %159, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_105 = stablehlo.constant dense<2.600000e+01> : tensor<f32>
    %161 = "stablehlo.scatter"(%155, %160, %cst_105) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_106 = stablehlo.constant dense<27> : tensor<i32>
    %162 = stablehlo.multiply %arg1, %c_106 : tensor<i32>
    %c_107 = stablehlo.constant dense<0> : tensor<i32>
    %163 = stablehlo.compare LT, %162, %c_107, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_108 = stablehlo.constant dense<100000> : tensor<i32>
    %164 = stablehlo.add %162, %c_108 : tensor<i32>
    %165 = stablehlo.select %163, %164, %162 : tensor<i1>, tensor<i32>
    %166 = stablehlo.broadcast_in_dim %165, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_109 = stablehlo.constant dense<2.700000e+01> : tensor<f32>
    %167 = "stablehlo.scatter"(%161, %166, %cst_109) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_110 = stablehlo.constant dense<28> : tensor<i32>
    %168 = stablehlo.multiply %arg1, %c_110 : tensor<i32>
    %c_111 = stablehlo.constant dense<0> : tensor<i32>
    %169 = stablehlo.compare LT, %168, %c_111, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_112 = stablehlo.constant dense<100000> : tensor<i32>
    %170 = stablehlo.add %168, %c_112 : tensor<i32>
    %171 = stablehlo.select %169, %170, %168 : tensor<i1>, tensor<i32>
    %172 = stablehlo.broadcast_in_dim %171, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_113 = stablehlo.constant dense<2.800000e+01> : tensor<f32>
    %173 = "stablehlo.scatter"(%167, %172, %cst_113) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_114 = stablehlo.constant dense<29> : tensor<i32>
    %174 = stablehlo.multiply %arg1, %c_114 : tensor<i32>
    %c_115 = stablehlo.constant dense<0> : tensor<i32>
    %175 = stablehlo.compare LT, %174, %c_115, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_116 = stablehlo.constant dense<100000> : tensor<i32>
    %176 = stablehlo.add %174, %c_116 : tensor<i32>
    %177 = stablehlo.select %175, %176, %174 : tensor<i1>, tensor<i32>
    %178 = stablehlo.broadcast_in_dim %177, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_117 = stablehlo.constant dense<2.900000e+01> : tensor<f32>
    %179 = "stablehlo.scatter"(%173, %178, %cst_117) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_118 = stablehlo.constant dense<30> : tensor<i32>
    %180 = stablehlo.multiply %arg1, %c_118 : tensor<i32>
    %c_119 = stablehlo.constant dense<0> : tensor<i32>
    %181 = stablehlo.compare LT, %180, %c_119, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_120 = stablehlo.constant dense<100000> : tensor<i32>
    %182 = stablehlo.add %180, %c_120 : tensor<i32>
    %183 = stablehlo.select %181, %182, %180 : tensor<i1>, tensor<i32>
    %184 = stablehlo.broadcast_in_dim %183, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_121 = stablehlo.constant dense<3.000000e+01> : tensor<f32>
    %185 = "stablehlo.scatter"(%179, %184, %cst_121) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    %c_122 = stablehlo.constant dense<31> : tensor<i32>
    %186 = stablehlo.multiply %arg1, %c_122 : tensor<i32>
    %c_123 = stablehlo.constant dense<0> : tensor<i32>
    %187 = stablehlo.compare LT, %186, %c_123, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %c_124 = stablehlo.constant dense<100000> : tensor<i32>
    %188 = stablehlo.add %186, %c_124 : tensor<i32>
    %189 = stablehlo.select %187, %188, %186 : tensor<i1>, tensor<i32>
    %190 = stablehlo.broadcast_in_dim %189, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_125 = stablehlo.constant dense<3.100000e+01> : tensor<f32>
    %191 = "stablehlo.scatter"(%185, %190, %cst_125) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      stablehlo.return %arg3 : tensor<f32>
    }) : (tensor<100000xf32>, tensor<1xi32>, tensor<f32>) -> tensor<100000xf32>
    return %191 : tensor<100000xf32>
  }
}
