package random

import (
	"sync/atomic"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/core"
)

// Keys hands out keys, one after another: see [Stream].
type Keys struct {
	key   nx.Tensor
	next  atomic.Uint64
	scope core.Scope // in which it was made
}

// Stream returns what hands out keys derived from one, each once, for programs that draw in many places.
//
//	keys := random.Stream(random.Key(42))
//	w := random.Normal(keys.Next(), 0, 0.1, nx.Shape{784, 10}, nx.F32)
//	u := random.Uniform(keys.Next(), -1, 1, nx.Shape{10}, nx.F32)
//
// Several goroutines may take keys at the same time: each key goes to one of them, and which it is depends on their
// order. Where the numbers must not, give each goroutine a Stream of its own, of a key of [Split].
//
// A function that is traced may make a Stream of a key that is its argument. What is traced once and runs many times
// would draw the same numbers each time from a Stream that was made outside of it; so a compiled function and the body
// of a loop cannot take keys of one. Give them a key: step(keys.Next(), batch), or FoldIn(key, i) in step i.
//
// Errors: [nx.ErrArgument] for an operand that is not a key.
func Stream(key nx.Tensor) *Keys {
	defer calledAs("Stream")
	check("Stream", key, nx.Shape{2})
	return &Keys{key: key, scope: core.CurrentScope()}
}

// Next returns the next key: call i, from 0, returns FoldIn(key, i).
//
// Shapes: [2]. DTypes: u32. Gradient: none. Accuracy: bits are exact. Errors: [nx.ErrState] in a compiled function or
// the body of a loop, where the Stream was made outside of it; [nx.ErrArgument] for the zero Keys.
func (k *Keys) Next() nx.Tensor {
	const op = "Keys.Next"
	defer calledAs(op)
	if k == nil || k.key.IsZero() {
		fail(op, nx.ErrArgument, "make one with random.Stream", "the Keys are the zero ones")
	}
	if in := k.scope.RepeatedSince(); in != "" {
		fail(op, nx.ErrState, "pass a key to the function and make the Stream in it; in a loop, random.FoldIn(key, i) is "+
			"the key of step i", "the Stream was made outside of the function of %s, which is traced once and would draw "+
			"the same numbers each time", in)
	}
	return FoldIn(k.key, k.next.Add(1)-1)
}
