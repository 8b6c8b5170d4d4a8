// The number of trips depends on the element.
func.func @collatz(%start: tensor<i32>, %weight: tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %2 = stablehlo.constant dense<2> : tensor<i32>
  %3 = stablehlo.constant dense<3> : tensor<i32>
  %mask = stablehlo.constant dense<63> : tensor<i32>
  %low = stablehlo.and %start, %mask : tensor<i32>
  %n = stablehlo.add %low, %1 : tensor<i32>
  %r:3 = stablehlo.while(%x = %n, %steps = %0, %w = %weight) : tensor<i32>, tensor<i32>, tensor<2xf32>
  cond {
    %more = stablehlo.compare GT, %x, %1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %rest = stablehlo.remainder %x, %2 : tensor<i32>
    %odd = stablehlo.compare EQ, %rest, %1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %next = "stablehlo.if"(%odd) ({
      %a = stablehlo.multiply %x, %3 : tensor<i32>
      %b = stablehlo.add %a, %1 : tensor<i32>
      stablehlo.return %b : tensor<i32>
    }, {
      %a = stablehlo.divide %x, %2 : tensor<i32>
      stablehlo.return %a : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    %s = stablehlo.add %steps, %1 : tensor<i32>
    %v = stablehlo.add %w, %weight : tensor<2xf32>
    stablehlo.return %next, %s, %v : tensor<i32>, tensor<i32>, tensor<2xf32>
  }
  return %r#1, %r#2 : tensor<i32>, tensor<2xf32>
}

// The inner loop only ends for elements for which the outer one still runs.
func.func @inner_loop_of_those_that_run(%n: tensor<i32>, %m: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %mask = stablehlo.constant dense<7> : tensor<i32>
  %outer = stablehlo.and %n, %mask : tensor<i32>
  %inner = stablehlo.and %m, %mask : tensor<i32>
  %r:2 = stablehlo.while(%i = %outer, %sum = %0) : tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare GT, %i, %0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %start = stablehlo.multiply %i, %i : tensor<i32>
    %q:2 = stablehlo.while(%j = %start, %s = %sum) : tensor<i32>, tensor<i32>
    cond {
      // For an element that is done j is 0, and goes down without ever meeting 1.
      %more = stablehlo.compare NE, %j, %1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %k = stablehlo.subtract %j, %1 : tensor<i32>
      %t = stablehlo.add %s, %inner : tensor<i32>
      stablehlo.return %k, %t : tensor<i32>, tensor<i32>
    }
    %next = stablehlo.subtract %i, %1 : tensor<i32>
    stablehlo.return %next, %q#1 : tensor<i32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<i32>, tensor<i32>
}

// An index below 0 or beyond the end takes the last branch.
func.func @branches(%i: tensor<i32>, %x: tensor<3xf32>, %y: tensor<f32>) -> (tensor<3xf32>, tensor<f32>) {
  %mask = stablehlo.constant dense<7> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %low = stablehlo.and %i, %mask : tensor<i32>
  %index = stablehlo.subtract %low, %three : tensor<i32>
  %r:2 = "stablehlo.case"(%index) ({
    %a = stablehlo.exponential %x : tensor<3xf32>
    stablehlo.return %a, %y : tensor<3xf32>, tensor<f32>
  }, {
    %a = stablehlo.negate %x : tensor<3xf32>
    %b = stablehlo.constant dense<4.0> : tensor<f32>
    stablehlo.return %a, %b : tensor<3xf32>, tensor<f32>
  }, {
    %b = stablehlo.add %y, %y : tensor<f32>
    stablehlo.return %x, %b : tensor<3xf32>, tensor<f32>
  }) : (tensor<i32>) -> (tensor<3xf32>, tensor<f32>)
  return %r#0, %r#1 : tensor<3xf32>, tensor<f32>
}

// A state that depends on some arguments, and one that is exchanged with it.
func.func @counted(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<i64>) {
  %0 = stablehlo.constant dense<0> : tensor<i64>
  %1 = stablehlo.constant dense<1> : tensor<i64>
  %5 = stablehlo.constant dense<5> : tensor<i64>
  %r:4 = stablehlo.while(%i = %0, %a = %x, %b = %y, %c = %x) : tensor<i64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  cond {
    %more = stablehlo.compare LT, %i, %5 : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %j = stablehlo.add %i, %1 : tensor<i64>
    %d = stablehlo.add %c, %c : tensor<4xf32>
    stablehlo.return %j, %b, %a, %d : tensor<i64>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
  return %r#1, %r#3, %r#0 : tensor<4xf32>, tensor<4xf32>, tensor<i64>
}

func.func @barrier(%x: tensor<2xf32>, %y: tensor<f32>) -> (tensor<2xf32>, tensor<f32>) {
  %r:2 = stablehlo.optimization_barrier %x, %y : tensor<2xf32>, tensor<f32>
  return %r#0, %r#1 : tensor<2xf32>, tensor<f32>
}

func.func @calls(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = call @twice(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
