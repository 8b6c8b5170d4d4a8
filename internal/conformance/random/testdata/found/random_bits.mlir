// seed 1: generators of random bits whose counters pass their end, as elementwise ops
func.func @main(%z: tensor<ui64>) -> (tensor<2xui64>, tensor<5x3xui32>, tensor<2xui64>, tensor<5x3xui32>, tensor<3xui64>, tensor<5x3xui32>, tensor<2xui64>, tensor<3x4xui32>, tensor<2xui64>, tensor<3x4xui32>, tensor<3xui64>, tensor<3x4xui32>, tensor<2xui64>, tensor<7xi16>, tensor<2xui64>, tensor<7xi16>, tensor<3xui64>, tensor<7xi16>, tensor<2xui64>, tensor<2x3x2xui8>, tensor<2xui64>, tensor<2x3x2xui8>, tensor<3xui64>, tensor<2x3x2xui8>, tensor<2xui64>, tensor<i32>, tensor<2xui64>, tensor<i32>, tensor<3xui64>, tensor<i32>, tensor<2xui64>, tensor<9xf32>, tensor<2xui64>, tensor<9xf32>, tensor<3xui64>, tensor<9xf32>, tensor<2xui64>, tensor<6xbf16>, tensor<2xui64>, tensor<6xbf16>, tensor<3xui64>, tensor<6xbf16>, tensor<2xui64>, tensor<5xi64>, tensor<2xui64>, tensor<5xi64>, tensor<3xui64>, tensor<5xi64>, tensor<2xui64>, tensor<3x3xf64>, tensor<2xui64>, tensor<3x3xf64>, tensor<3xui64>, tensor<3x3xf64>) {
  %sixty = stablehlo.constant dense<60> : tensor<ui64>
  %few = stablehlo.shift_right_logical %z, %sixty : tensor<ui64>
  %c0 = stablehlo.constant dense<[1311768467463790320, 18446744073709551613]> : tensor<2xui64>
  %a0 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s0 = stablehlo.add %c0, %a0 : tensor<2xui64>
  %n0, %r0 = stablehlo.rng_bit_generator %s0, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x3xui32>)
  %c1 = stablehlo.constant dense<[1311768467463790320, 18446744073709551614]> : tensor<2xui64>
  %a1 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s1 = stablehlo.add %c1, %a1 : tensor<2xui64>
  %n1, %r1 = stablehlo.rng_bit_generator %s1, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5x3xui32>)
  %c2 = stablehlo.constant dense<[7, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %a2 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<3xui64>
  %s2 = stablehlo.add %c2, %a2 : tensor<3xui64>
  %n2, %r2 = stablehlo.rng_bit_generator %s2, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5x3xui32>)
  %c3 = stablehlo.constant dense<[1311768467463790320, 18446744073709551613]> : tensor<2xui64>
  %a3 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s3 = stablehlo.add %c3, %a3 : tensor<2xui64>
  %n3, %r3 = stablehlo.rng_bit_generator %s3, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  %c4 = stablehlo.constant dense<[1311768467463790320, 18446744073709551614]> : tensor<2xui64>
  %a4 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s4 = stablehlo.add %c4, %a4 : tensor<2xui64>
  %n4, %r4 = stablehlo.rng_bit_generator %s4, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x4xui32>)
  %c5 = stablehlo.constant dense<[7, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %a5 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<3xui64>
  %s5 = stablehlo.add %c5, %a5 : tensor<3xui64>
  %n5, %r5 = stablehlo.rng_bit_generator %s5, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x4xui32>)
  %c6 = stablehlo.constant dense<[1311768467463790320, 18446744073709551613]> : tensor<2xui64>
  %a6 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s6 = stablehlo.add %c6, %a6 : tensor<2xui64>
  %n6, %r6 = stablehlo.rng_bit_generator %s6, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xi16>)
  %c7 = stablehlo.constant dense<[1311768467463790320, 18446744073709551614]> : tensor<2xui64>
  %a7 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s7 = stablehlo.add %c7, %a7 : tensor<2xui64>
  %n7, %r7 = stablehlo.rng_bit_generator %s7, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7xi16>)
  %c8 = stablehlo.constant dense<[7, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %a8 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<3xui64>
  %s8 = stablehlo.add %c8, %a8 : tensor<3xui64>
  %n8, %r8 = stablehlo.rng_bit_generator %s8, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<7xi16>)
  %c9 = stablehlo.constant dense<[1311768467463790320, 18446744073709551613]> : tensor<2xui64>
  %a9 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s9 = stablehlo.add %c9, %a9 : tensor<2xui64>
  %n9, %r9 = stablehlo.rng_bit_generator %s9, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3x2xui8>)
  %c10 = stablehlo.constant dense<[1311768467463790320, 18446744073709551614]> : tensor<2xui64>
  %a10 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s10 = stablehlo.add %c10, %a10 : tensor<2xui64>
  %n10, %r10 = stablehlo.rng_bit_generator %s10, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2x3x2xui8>)
  %c11 = stablehlo.constant dense<[7, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %a11 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<3xui64>
  %s11 = stablehlo.add %c11, %a11 : tensor<3xui64>
  %n11, %r11 = stablehlo.rng_bit_generator %s11, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x3x2xui8>)
  %c12 = stablehlo.constant dense<[1311768467463790320, 18446744073709551613]> : tensor<2xui64>
  %a12 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s12 = stablehlo.add %c12, %a12 : tensor<2xui64>
  %n12, %r12 = stablehlo.rng_bit_generator %s12, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<i32>)
  %c13 = stablehlo.constant dense<[1311768467463790320, 18446744073709551614]> : tensor<2xui64>
  %a13 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s13 = stablehlo.add %c13, %a13 : tensor<2xui64>
  %n13, %r13 = stablehlo.rng_bit_generator %s13, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<i32>)
  %c14 = stablehlo.constant dense<[7, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %a14 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<3xui64>
  %s14 = stablehlo.add %c14, %a14 : tensor<3xui64>
  %n14, %r14 = stablehlo.rng_bit_generator %s14, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<i32>)
  %c15 = stablehlo.constant dense<[1311768467463790320, 18446744073709551613]> : tensor<2xui64>
  %a15 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s15 = stablehlo.add %c15, %a15 : tensor<2xui64>
  %n15, %r15 = stablehlo.rng_bit_generator %s15, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9xf32>)
  %c16 = stablehlo.constant dense<[1311768467463790320, 18446744073709551614]> : tensor<2xui64>
  %a16 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s16 = stablehlo.add %c16, %a16 : tensor<2xui64>
  %n16, %r16 = stablehlo.rng_bit_generator %s16, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9xf32>)
  %c17 = stablehlo.constant dense<[7, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %a17 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<3xui64>
  %s17 = stablehlo.add %c17, %a17 : tensor<3xui64>
  %n17, %r17 = stablehlo.rng_bit_generator %s17, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<9xf32>)
  %c18 = stablehlo.constant dense<[1311768467463790320, 18446744073709551613]> : tensor<2xui64>
  %a18 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s18 = stablehlo.add %c18, %a18 : tensor<2xui64>
  %n18, %r18 = stablehlo.rng_bit_generator %s18, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xbf16>)
  %c19 = stablehlo.constant dense<[1311768467463790320, 18446744073709551614]> : tensor<2xui64>
  %a19 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s19 = stablehlo.add %c19, %a19 : tensor<2xui64>
  %n19, %r19 = stablehlo.rng_bit_generator %s19, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<6xbf16>)
  %c20 = stablehlo.constant dense<[7, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %a20 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<3xui64>
  %s20 = stablehlo.add %c20, %a20 : tensor<3xui64>
  %n20, %r20 = stablehlo.rng_bit_generator %s20, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<6xbf16>)
  %c21 = stablehlo.constant dense<[1311768467463790320, 18446744073709551613]> : tensor<2xui64>
  %a21 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s21 = stablehlo.add %c21, %a21 : tensor<2xui64>
  %n21, %r21 = stablehlo.rng_bit_generator %s21, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xi64>)
  %c22 = stablehlo.constant dense<[1311768467463790320, 18446744073709551614]> : tensor<2xui64>
  %a22 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s22 = stablehlo.add %c22, %a22 : tensor<2xui64>
  %n22, %r22 = stablehlo.rng_bit_generator %s22, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xi64>)
  %c23 = stablehlo.constant dense<[7, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %a23 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<3xui64>
  %s23 = stablehlo.add %c23, %a23 : tensor<3xui64>
  %n23, %r23 = stablehlo.rng_bit_generator %s23, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<5xi64>)
  %c24 = stablehlo.constant dense<[1311768467463790320, 18446744073709551613]> : tensor<2xui64>
  %a24 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s24 = stablehlo.add %c24, %a24 : tensor<2xui64>
  %n24, %r24 = stablehlo.rng_bit_generator %s24, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xf64>)
  %c25 = stablehlo.constant dense<[1311768467463790320, 18446744073709551614]> : tensor<2xui64>
  %a25 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<2xui64>
  %s25 = stablehlo.add %c25, %a25 : tensor<2xui64>
  %n25, %r25 = stablehlo.rng_bit_generator %s25, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3x3xf64>)
  %c26 = stablehlo.constant dense<[7, 18446744073709551614, 18446744073709551615]> : tensor<3xui64>
  %a26 = stablehlo.broadcast_in_dim %few, dims = [] : (tensor<ui64>) -> tensor<3xui64>
  %s26 = stablehlo.add %c26, %a26 : tensor<3xui64>
  %n26, %r26 = stablehlo.rng_bit_generator %s26, algorithm = DEFAULT : (tensor<3xui64>) -> (tensor<3xui64>, tensor<3x3xf64>)
  return %n0, %r0, %n1, %r1, %n2, %r2, %n3, %r3, %n4, %r4, %n5, %r5, %n6, %r6, %n7, %r7, %n8, %r8, %n9, %r9, %n10, %r10, %n11, %r11, %n12, %r12, %n13, %r13, %n14, %r14, %n15, %r15, %n16, %r16, %n17, %r17, %n18, %r18, %n19, %r19, %n20, %r20, %n21, %r21, %n22, %r22, %n23, %r23, %n24, %r24, %n25, %r25, %n26, %r26 : tensor<2xui64>, tensor<5x3xui32>, tensor<2xui64>, tensor<5x3xui32>, tensor<3xui64>, tensor<5x3xui32>, tensor<2xui64>, tensor<3x4xui32>, tensor<2xui64>, tensor<3x4xui32>, tensor<3xui64>, tensor<3x4xui32>, tensor<2xui64>, tensor<7xi16>, tensor<2xui64>, tensor<7xi16>, tensor<3xui64>, tensor<7xi16>, tensor<2xui64>, tensor<2x3x2xui8>, tensor<2xui64>, tensor<2x3x2xui8>, tensor<3xui64>, tensor<2x3x2xui8>, tensor<2xui64>, tensor<i32>, tensor<2xui64>, tensor<i32>, tensor<3xui64>, tensor<i32>, tensor<2xui64>, tensor<9xf32>, tensor<2xui64>, tensor<9xf32>, tensor<3xui64>, tensor<9xf32>, tensor<2xui64>, tensor<6xbf16>, tensor<2xui64>, tensor<6xbf16>, tensor<3xui64>, tensor<6xbf16>, tensor<2xui64>, tensor<5xi64>, tensor<2xui64>, tensor<5xi64>, tensor<3xui64>, tensor<5xi64>, tensor<2xui64>, tensor<3x3xf64>, tensor<2xui64>, tensor<3x3xf64>, tensor<3xui64>, tensor<3x3xf64>
}
