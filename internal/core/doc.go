// Package core implements package nx: tensors, tracing, the ops, transformations, compiled functions. Package nx
// declares what programs see of it, with the documentation; so do packages debug, fft, shard and tree.
//
// Files by layer, from the bottom:
//
//   - values: spec.go, vectors.go, tensor.go, validity.go, recipe.go, number.go, operand.go, axis.go, option.go
//   - graphs: emit.go, trace.go, staging.go, call.go, apply.go
//   - eager execution: home.go, events.go, cache.go, code.go, eager.go, operation.go
//   - ops: cast.go, elementwise.go, unary.go, binary.go, reduce.go, shape.go, …, a file per family
//   - containers and control flow: container.go, tree.go, body.go, cond.go, while.go, scan.go
//   - transformations: callable.go, functrace.go, grad.go, linear.go, jacobian.go, vmap.go, custom.go, composite.go
//   - compiled functions: jit.go, jit_form.go, jit_call.go, jit_direct.go, compile.go, lower.go, stream.go
//   - the search for NaNs: nan.go, nan_find.go, nan_compute.go, nan_range.go
//   - meshes: mesh.go, shardings.go, shardmap.go, shardjit.go, collective.go, shards.go
//   - programs from files: model.go, load.go, load_func.go, load_weights.go
//   - tensors from files: files.go, load_tensors.go
//
// # The way of an op
//
// nx.Exp(t) calls [Exp], which calls the variable expOp, an operation. An operation describes its results (types) and
// emits ops of the graph; it knows nothing but its attributes and the types of its operands, which are therefore the
// key of its compiled code.
//
//   - Warm: operation.call finds the code used last and runs it (runDirect), or finds it in the cache (runCached).
//   - Cold: describeAndApply checks and describes the operands, and apply goes on from there: beside a traced operand
//     trace.append adds the ops to the graph under construction; on data runEager looks the code up, compiles and
//     keeps it, and runs it.
//
// A call of a function of nx.Jit has the same form: its arguments' types are the key of a compiled form (jit_call.go),
// which is traced and compiled where there is none (jit_form.go).
package core
