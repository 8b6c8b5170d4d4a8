// Package optim has optimisers, transformations of gradients and schedules of rates.
//
// A [Transform] turns gradients into updates, which are added to the parameters. Optimisers are transforms that end
// with the factor -rate, and [Chain] puts transforms one after another:
//
//	opt := optim.AdamW(optim.WarmupCosine(0, 3e-4, 500, 20_000, 3e-5), .1)
//	opt = optim.Chain(optim.ClipGlobalNorm(1), opt)
//	state := optim.Init(opt, params)
//	params, state = optim.Update(opt, grads, state, params)
//
// # Rules
//
//   - Parameters are any container (see package tree). A transform has no type parameter: it sees the tensors of a
//     container as leaves with paths.
//   - A state is a container too, whose maps have the paths of parameters as keys. So it is compiled, donated, sharded
//     and saved as a model is.
//   - A rate, or a weight decay, is a number or a [Schedule]: a function of the number of updates made, computed inside
//     of the program. A changing rate compiles nothing.
//   - Updates are computed in f32 at least: moments of bf16 parameters are f32. New parameters have the types of the
//     old. Factors that depend only on the step are computed in f64.
//   - Other tensors pass through: integers, buffers of package nn, absent ones, and parameters whose gradient is
//     absent.
//   - Names and defaults are those of Optax. Options say what PyTorch and Keras do otherwise.
//   - Weight decay is decoupled (it is added after the moments) and skips vectors: biases and scales of norms. Chain
//     [AddDecay] before an optimiser is the L2 penalty of torch.optim.Adam.
package optim
