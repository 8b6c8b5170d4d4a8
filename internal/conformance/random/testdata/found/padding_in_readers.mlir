// seed 1: padding is read by the kernels that need it, which see it sliced, reversed,
// transposed, reshaped, cut and folded; written by hand
module {
  func.func @main(%a: tensor<30x40xf32>, %b: tensor<7xi8>, %z: tensor<f32>, %c: tensor<0x3xf32>, %h: tensor<5x6x3xbf16>) -> (tensor<30x40xf32>, tensor<34x50xf32>, tensor<50xf32>, tensor<17x25xf32>, tensor<50x34xf32>, tensor<1700xf32>, tensor<12xi8>, tensor<2x4xf32>, tensor<9x10x3xbf16>) {
    %p = stablehlo.pad %a, %z, low = [2, 3], high = [2, 7], interior = [0, 0] : (tensor<30x40xf32>, tensor<f32>) -> tensor<34x50xf32>
    %q = stablehlo.pad %a, %z, low = [4, -5], high = [0, 15], interior = [0, 0] : (tensor<30x40xf32>, tensor<f32>) -> tensor<34x50xf32>
    %s = stablehlo.add %p, %q : tensor<34x50xf32>
    %i = stablehlo.constant dense<0.0> : tensor<f32>
    %r = stablehlo.reduce(%s init: %i) applies stablehlo.add across dimensions = [0] : (tensor<34x50xf32>, tensor<f32>) -> tensor<50xf32>
    %p1 = stablehlo.pad %a, %z, low = [2, 3], high = [2, 7], interior = [0, 0] : (tensor<30x40xf32>, tensor<f32>) -> tensor<34x50xf32>
    %v = stablehlo.reverse %p1, dims = [0, 1] : tensor<34x50xf32>
    %t0 = stablehlo.slice %v [0:34:2, 1:50:2] : (tensor<34x50xf32>) -> tensor<17x25xf32>
    %t = stablehlo.negate %t0 : tensor<17x25xf32>
    %u0 = stablehlo.pad %a, %z, low = [1, 0], high = [3, 10], interior = [0, 0] : (tensor<30x40xf32>, tensor<f32>) -> tensor<34x50xf32>
    %u1 = stablehlo.transpose %u0, dims = [1, 0] : (tensor<34x50xf32>) -> tensor<50x34xf32>
    %u = stablehlo.negate %u1 : tensor<50x34xf32>
    %w0 = stablehlo.pad %a, %z, low = [0, 5], high = [4, 5], interior = [0, 0] : (tensor<30x40xf32>, tensor<f32>) -> tensor<34x50xf32>
    %w1 = stablehlo.reshape %w0 : (tensor<34x50xf32>) -> tensor<1700xf32>
    %w = stablehlo.abs %w1 : tensor<1700xf32>
    %k = stablehlo.constant dense<-3> : tensor<i8>
    %b0 = stablehlo.pad %b, %k, low = [9], high = [-4], interior = [0] : (tensor<7xi8>, tensor<i8>) -> tensor<12xi8>
    %b1 = stablehlo.add %b0, %b0 : tensor<12xi8>
    %e0 = stablehlo.pad %c, %z, low = [1, 1], high = [1, 0], interior = [0, 0] : (tensor<0x3xf32>, tensor<f32>) -> tensor<2x4xf32>
    %e = stablehlo.negate %e0 : tensor<2x4xf32>
    %hz = stablehlo.constant dense<2.0> : tensor<bf16>
    %h0 = stablehlo.pad %h, %hz, low = [1, 2, 0], high = [3, 2, 0], interior = [0, 0, 0] : (tensor<5x6x3xbf16>, tensor<bf16>) -> tensor<9x10x3xbf16>
    %hz1 = stablehlo.broadcast_in_dim %hz, dims = [] : (tensor<bf16>) -> tensor<9x10x3xbf16>
    %h1 = stablehlo.multiply %h0, %hz1 : tensor<9x10x3xbf16>
    %o = stablehlo.add %a, %a : tensor<30x40xf32>
    %o1 = stablehlo.pad %o, %z, low = [2, -1], high = [-2, 1], interior = [0, 0] : (tensor<30x40xf32>, tensor<f32>) -> tensor<30x40xf32>
    %o2 = stablehlo.multiply %o1, %o : tensor<30x40xf32>
    return %o2, %s, %r, %t, %u, %w, %b1, %e, %h1 : tensor<30x40xf32>, tensor<34x50xf32>, tensor<50xf32>, tensor<17x25xf32>, tensor<50x34xf32>, tensor<1700xf32>, tensor<12xi8>, tensor<2x4xf32>, tensor<9x10x3xbf16>
  }
}
