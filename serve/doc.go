// Package serve answers many callers by one model: it puts their rows together into batches, which a compiled function
// computes in about the time of one row.
//
//	b := serve.Batch(predict, serve.Size(32))
//	y, err := b.Do(ctx, x) // from any number of goroutines; x has any number of rows
//
// The way of a request:
//
//   - batch.go takes it, or refuses it at once if the queue is full or its deadline cannot be met;
//   - queue.go keeps it with those whose rows have the same shapes, in order;
//   - lane.go takes what waits when a lane is free, puts it together, runs it, and gives each request its rows.
//
// A request that finds a free lane and an empty queue runs on the goroutine of its caller, without a copy.
package serve
