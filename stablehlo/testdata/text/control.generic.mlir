"builtin.module"() <{sym_name = "control"}> ({
  "func.func"() <{arg_attrs = [{jax.buffer_donor = true}, {}], function_type = (tensor<f32>, tensor<i32>) -> tensor<f32>, res_attrs = [{jax.result_info = "x"}], sym_name = "declared", sym_visibility = "private"}> ({}) : () -> ()
  "func.func"() <{function_type = (tensor<f32>) -> (tensor<f32>, tensor<f32>), no_inline, sym_name = "f", sym_visibility = "nested"}> ({
  ^bb0(%x: tensor<f32>):
    "func.return"(%x, %x) : (tensor<f32>, tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {mhlo.sharding = "{replicated}"}, {}, {}], function_type = (tensor<4x4xf32>, tensor<f32>, tensor<i32>, tensor<i1>) -> tensor<f32>, sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%x: tensor<4x4xf32>, %s: tensor<f32>, %n: tensor<i32>, %p: tensor<i1>):
    %0:2 = "func.call"(%s) <{callee = @f}> : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    %1 = "stablehlo.reduce"(%x, %s) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg0: tensor<f32>, %arg1: tensor<f32>):
      %2 = "stablehlo.add"(%arg0, %arg1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %2:2 = "stablehlo.reduce"(%x, %x, %s, %s) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%a: tensor<f32>, %c: tensor<f32>, %b: tensor<f32>, %d: tensor<f32>):
      %8 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%8, %d) : (tensor<f32>, tensor<f32>) -> ()
    }) {note} : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
    %3:2 = "stablehlo.while"(%n, %0#1) ({
    ^bb0(%iter: tensor<i32>, %acc: tensor<f32>):
      %8 = "stablehlo.compare"(%iter, %n) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%8) : (tensor<i1>) -> ()
    }, {
    ^bb0(%iter: tensor<i32>, %acc: tensor<f32>):
      %8:2 = "func.call"(%acc) <{callee = @f}> : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
      "stablehlo.return"(%iter, %8#0) : (tensor<i32>, tensor<f32>) -> ()
    }) {note = 1 : i64} : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>)
    %4 = "stablehlo.if"(%p) ({
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }, {
      %8 = "stablehlo.negate"(%s) : (tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%8) : (tensor<f32>) -> ()
    }) : (tensor<i1>) -> tensor<f32>
    %5 = "stablehlo.custom_call"(%x, %s) <{backend_config = {a = 1 : i64, b}, call_target_name = "foo-bar", has_side_effect = true}> : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %6 = "stablehlo.composite"(%x, %s) <{composite_attributes = {axis = 0 : i64}, decomposition = @f, name = "my.op", version = 1 : i32}> : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    %7, %state:2 = "test.many"() {refs = @a::@b::@"c d"} : () -> (tensor<f32>, tensor<i32>, tensor<i32>)
    "func.return"(%7) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "no_operands"}> ({
    "stablehlo.while"() ({
      %c = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
      "stablehlo.return"() : () -> ()
    }) : () -> ()
    "stablehlo.optimization_barrier"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!stablehlo.token, tensor<f32>, tuple<tensor<f32>, tuple<>>) -> (), sym_name = "tokens"}> ({
  ^bb0(%t: !stablehlo.token, %x: tensor<f32>, %tuple: tuple<tensor<f32>, tuple<>>):
    %0 = "stablehlo.create_token"() : () -> !stablehlo.token
    %1 = "stablehlo.after_all"(%t, %0) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
    %2 = "stablehlo.after_all"() : () -> !stablehlo.token
    %3 = "stablehlo.tuple"(%x, %x) : (tensor<f32>, tensor<f32>) -> tuple<tensor<f32>, tensor<f32>>
    %4 = "stablehlo.tuple"() : () -> tuple<>
    %5 = "stablehlo.get_tuple_element"(%tuple) <{index = 0 : i32}> : (tuple<tensor<f32>, tuple<>>) -> tensor<f32>
    %6:2 = "stablehlo.optimization_barrier"(%x, %t) : (tensor<f32>, !stablehlo.token) -> (tensor<f32>, !stablehlo.token)
    %7 = "stablehlo.replica_id"() : () -> tensor<ui32>
    %8 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %9 = "stablehlo.async_start"(%x) ({
    ^bb0(%a: tensor<f32>):
      "stablehlo.return"(%a) : (tensor<f32>) -> ()
    }) : (tensor<f32>) -> !stablehlo.future<tensor<f32>>
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<f32>, tensor<2xi64>, tensor<2xui64>) -> (), sym_name = "random"}> ({
  ^bb0(%s: tensor<f32>, %shape: tensor<2xi64>, %state: tensor<2xui64>):
    %0 = "stablehlo.rng"(%s, %s, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
    %output_state, %output = "stablehlo.rng_bit_generator"(%state) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    "func.return"() : () -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, "needs quotes" = [1 : i64, "a\22\\\0A"]} : () -> ()
