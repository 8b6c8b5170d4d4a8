// seed 16000000: a panic of the compiler: a number becomes complex within a loop of scalars
module {
  func.func @main(%x: tensor<f64>, %y: tensor<complex<f32>>) -> (tensor<complex<f64>>, tensor<f64>, tensor<complex<f32>>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %z = stablehlo.constant dense<(0.5,-2.0)> : tensor<complex<f64>>
    %r:4 = stablehlo.while(%i = %c, %a = %z, %b = %x, %d = %y) : tensor<i32>, tensor<complex<f64>>, tensor<f64>, tensor<complex<f32>>
    cond {
      %n = stablehlo.constant dense<5> : tensor<i32>
      %t = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %t : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %k = stablehlo.convert %b : (tensor<f64>) -> tensor<complex<f64>>
      %s = stablehlo.add %k, %a : tensor<complex<f64>>
      %im = stablehlo.imag %s : (tensor<complex<f64>>) -> tensor<f64>
      %e = stablehlo.cosine %im : tensor<f64>
      %w = stablehlo.constant dense<(1.0,0.25)> : tensor<complex<f32>>
      %p = stablehlo.compare LT, %e, %b : (tensor<f64>, tensor<f64>) -> tensor<i1>
      %q = stablehlo.select %p, %d, %w : tensor<i1>, tensor<complex<f32>>
      %h = stablehlo.convert %q : (tensor<complex<f32>>) -> tensor<complex<f64>>
      %u = stablehlo.multiply %s, %h : tensor<complex<f64>>
      %v = stablehlo.convert %u : (tensor<complex<f64>>) -> tensor<complex<f32>>
      stablehlo.return %j, %u, %e, %v : tensor<i32>, tensor<complex<f64>>, tensor<f64>, tensor<complex<f32>>
    }
    return %r#1, %r#2, %r#3 : tensor<complex<f64>>, tensor<f64>, tensor<complex<f32>>
  }
}
