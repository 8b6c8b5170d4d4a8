module @control attributes {mhlo.num_partitions = 1 : i32, "needs quotes" = [1 : i64, "a\22\\\0A"]} {
  func.func private @declared(tensor<f32> {jax.buffer_donor = true}, tensor<i32>) -> (tensor<f32> {jax.result_info = "x"})
  func.func nested @f(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) attributes {no_inline} {
    return %x, %x : tensor<f32>, tensor<f32>
  }
  func.func public @main(%x: tensor<4x4xf32>, %s: tensor<f32> {mhlo.sharding = "{replicated}"}, %n: tensor<i32>, %p: tensor<i1>) -> tensor<f32> {
    %0:2 = call @f(%s) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    %1 = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %2:2 = stablehlo.reduce(%x init: %s), (%x init: %s) across dimensions = [0, 1] {note} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
     reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>)  {
      %8 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %8, %d : tensor<f32>, tensor<f32>
    }
    %3:2 = stablehlo.while(%iter = %n, %acc = %0#1) : tensor<i32>, tensor<f32> attributes {note = 1 : i64}
    cond {
      %8 = stablehlo.compare LT, %iter, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %8:2 = func.call @f(%acc) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
      stablehlo.return %iter, %8#0 : tensor<i32>, tensor<f32>
    }
    %4 = "stablehlo.if"(%p) ({
      stablehlo.return %s : tensor<f32>
    }, {
      %8 = stablehlo.negate %s : tensor<f32>
      stablehlo.return %8 : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    %5 = stablehlo.custom_call @"foo-bar"(%x, %s) {backend_config = {a = 1 : i64, b}, has_side_effect = true} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %6 = stablehlo.composite "my.op" %x, %s {composite_attributes = {axis = 0 : i64}, decomposition = @f, version = 1 : i32} : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %7, %state:2 = "test.many"() {refs = @a::@b::@"c d"} : () -> (tensor<f32>, tensor<i32>, tensor<i32>)
    return %7 : tensor<f32>
  }
  func.func @no_operands() {
    stablehlo.while()
    cond {
      %c = stablehlo.constant dense<false> : tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      stablehlo.return
    }
    stablehlo.optimization_barrier()
    return
  }
  func.func @tokens(%t: !stablehlo.token, %x: tensor<f32>, %tuple: tuple<tensor<f32>, tuple<>>) {
    %0 = stablehlo.create_token : !stablehlo.token
    %1 = stablehlo.after_all %t, %0 : !stablehlo.token
    %2 = stablehlo.after_all : !stablehlo.token
    %3 = stablehlo.tuple %x, %x : tuple<tensor<f32>, tensor<f32>>
    %4 = stablehlo.tuple : tuple<>
    %5 = stablehlo.get_tuple_element %tuple[0] : (tuple<tensor<f32>, tuple<>>) -> tensor<f32>
    %6:2 = stablehlo.optimization_barrier %x, %t : tensor<f32>, !stablehlo.token
    %7 = stablehlo.replica_id : tensor<ui32>
    %8 = stablehlo.partition_id : tensor<ui32>
    %9 = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<f32>):
      stablehlo.return %a : tensor<f32>
    }) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
    return
  }
  func.func @random(%s: tensor<f32>, %shape: tensor<2xi64>, %state: tensor<2xui64>) {
    %0 = stablehlo.rng %s, %s, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
    %output_state, %output = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    return
  }
}
