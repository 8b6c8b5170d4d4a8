// Package data feeds training: records with random access, in an order that is a function of a seed, made into batches
// by goroutines.
//
//	loader := data.Batches(source, data.Stack, data.Size(64), data.Shuffle(1), data.Epochs(5))
//	for item, err := range loader.All(ctx) {
//		if err != nil { return err }
//		train(item.Batch)
//	}
//
// A [Source] has a length and reads the record of an index. The order of an epoch is a permutation that is computed
// index by index from the seed and the epoch, so nothing is kept of it, and a run is resumed at any batch by
// [Loader.From] in constant time. The random numbers of a record (for augmentation) depend on the seed, the epoch and
// its index, never on the number of workers.
//
// Batches arrive in order, whatever number of workers makes them. Breaking out of the loop, or the end of the context,
// ends all goroutines before the loop returns.
package data
