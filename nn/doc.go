// Package nn has layers of neural networks: plain structs whose fields are tensors.
//
// A model is a struct of layers. It is a container, so it compiles, differentiates, batches, is saved and sharded as
// any other (see package tree):
//
//	type MLP struct{ Hidden, Out *nn.Linear }
//
//	func (m *MLP) Apply(c *nn.Ctx, x nx.Tensor) nx.Tensor {
//		return m.Out.Apply(c, nx.Relu(m.Hidden.Apply(c, x)))
//	}
//
// # Rules
//
//   - NewX(key, sizes…, options…) makes a layer X; its zero value is not valid. Apply computes it on a batch: the first
//     axis is the batch, and channels follow it where a layer has channels.
//   - Weights have the layouts and the names of PyTorch: Linear has Weight [out, in], Conv [out, in/groups, k…]. The
//     state_dict of a PyTorch model is loaded by [LoadWeights] without transposing, and stays mapped.
//   - [Ctx] says whether a layer trains, and has the key of the step for layers that draw random numbers. The zero
//     Ctx, and nil, are inference.
//   - A field of type [Buffer] is saved but not trained: the running mean of a batch norm. Apply in training writes
//     it. That is pure: a function that nx.Jit or nx.Grad calls gets a copy of its containers, so what it writes is
//     kept by returning the model, as package train does. A function inside (of nx.Checkpoint, nx.Scan, nx.Vmap)
//     must have the layer as its argument, not from outside; [Remat] does that for nx.Checkpoint.
//   - Two fields with one tensor are two parameters after a step. Sharing is by use, such as [Embedding.Attend].
//   - Norms, softmax and losses compute in f32 at least, whatever the type of the weights.
package nn
