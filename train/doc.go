// Package train trains models: a loss, an optimiser and batches become a loop of compiled steps that can be killed at
// any moment and resumed with the same result.
//
//	t := train.New(loss, optim.AdamW(optim.Constant(1e-3), .01))
//	s := t.Init(model, random.Key(1))
//	files := t.Checkpoints("run1", train.Every(500), train.Keep(3))
//	at, err := files.Resume(&s)
//	…
//	for e, err := range t.Run(ctx, &s, loader, train.From(at), train.Save(files)) {
//		if err != nil { return err }
//		if e.EpochEnd {
//			fmt.Println(e.Epoch, e.LossValue())
//		}
//	}
//
// A callback is the loop's body, and early stopping is break. Package train/progress shows a bar.
//
// # State
//
// [State] is everything that a step changes: the model with its buffers, the state of the optimiser, averages, the
// scale of the loss, the number of steps. It is one container, donated to the step, whose result takes its place. A
// checkpoint is that container with the position in the data and the sums of the epoch, in a safetensors file.
//
// # A step
//
// The key of a step is that of the state with the number of the step folded in. The step computes the loss and
// gradients, over micro-batches one after another if so asked, checks that all gradients are finite, transforms them,
// and changes the parameters; with a gradient that is not finite nothing changes but the numbers of steps and the
// scale of the loss. [OnNaN] says whether the run goes on then. A step is one program, compiled once for each form of
// batch.
package train
