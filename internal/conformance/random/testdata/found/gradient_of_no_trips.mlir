// seed 2107: gradient: derivative: stablehlo.dynamic_update_slice: dimension 0 of update tensor<1x6xf64> must be within operand tensor<0x6xf64> (dynamic_update_slice_c6)
module {
  func.func @main(%arg0: tensor<6xf64>, %arg1: tensor<6xf64>, %arg2: tensor<6xf64>) -> tensor<6xf64> {
    %cst = stablehlo.constant dense<[1.125]> : tensor<1xf64>
    %c = stablehlo.constant dense<4> : tensor<i32>
    %0 = stablehlo.dynamic_update_slice %arg1, %cst, %c : (tensor<6xf64>, tensor<1xf64>, tensor<i32>) -> tensor<6xf64>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1:3 = stablehlo.while(%arg3 = %c_0, %arg4 = %0, %arg5 = %arg0) : tensor<i32>, tensor<6xf64>, tensor<6xf64>
    cond {
      %c_1 = stablehlo.constant dense<0> : tensor<i32>
      %2 = stablehlo.compare LT, %arg3, %c_1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %cst_2 = stablehlo.constant dense<3.0758797610511635> : tensor<6xf64>
      %3 = stablehlo.compare LT, %arg4, %cst_2 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xi1>
      %c_3 = stablehlo.constant dense<true> : tensor<i1>
      %4 = stablehlo.reduce(%3 init: %c_3) applies stablehlo.and across dimensions = [0] : (tensor<6xi1>, tensor<i1>) -> tensor<i1>
      %5 = stablehlo.and %2, %4 : tensor<i1>
      stablehlo.return %5 : tensor<i1>
    } do {
      %c_4 = stablehlo.constant dense<1> : tensor<i32>
      %6 = stablehlo.add %arg3, %c_4 : tensor<i32>
      %7 = stablehlo.while(%arg6 = %arg5) : tensor<6xf64>
      cond {
        %cst_5 = stablehlo.constant dense<-5.11043664787325> : tensor<6xf64>
        %8 = stablehlo.compare LT, %arg6, %cst_5 : (tensor<6xf64>, tensor<6xf64>) -> tensor<6xi1>
        %c_6 = stablehlo.constant dense<true> : tensor<i1>
        %9 = stablehlo.reduce(%8 init: %c_6) across dimensions = [0] : (tensor<6xi1>, tensor<i1>) -> tensor<i1>
         reducer(%arg7: tensor<i1>, %arg8: tensor<i1>)  {
          stablehlo.return %arg7 : tensor<i1>
        }
        stablehlo.return %9 : tensor<i1>
      } do {
        stablehlo.return %arg2 : tensor<6xf64>
      }
      stablehlo.return %6, %7, %7 : tensor<i32>, tensor<6xf64>, tensor<6xf64>
    }
    return %1#1 : tensor<6xf64>
  }
}
