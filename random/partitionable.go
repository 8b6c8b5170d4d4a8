package random

import (
	"math"

	"github.com/go-nx/nx"
)

// A scheme is how a key numbers blocks. It is the name of the key's axis and so part of its type:
// no function can forget it.
type scheme struct {
	partitionable bool
	words         func(words nx.Tensor) nx.Tensor // a replacement in tests, or nil
}

// schemes are those of the keys that [Partitionable] makes, and of tests. Other names are ignored.
var schemes = map[string]scheme{partitionable: {partitionable: true}}

const partitionable = "partitionable"

// Partitionable returns a key that draws as JAX does by default, with jax_threefry_partitionable=True: number
// i of a tensor depends only on block i, so that parts of it can be drawn separately.
//
//	key := random.Partitionable(random.Key(42)) // jax.random.key(42)
//
// It is the same key with the name "partitionable" for its axis, which [Split] and [FoldIn] propagate. The
// bits, uniform floats and integers of every function are JAX's; results computed from them have the
// documented accuracy. Where JAX returns values outside of a distribution, such as the end of a range or a
// number far beyond the resolution, the functions document their result.
//
// Shapes: [2]. DTypes: u32. Gradient: none. Accuracy: bits are exact. Errors: [nx.ErrArgument] for
// an operand that is not a key. Source: JAX 0.10.
func Partitionable(key nx.Tensor) nx.Tensor {
	defer calledAs("Partitionable")
	check("Partitionable", key, nx.Shape{})
	return nx.Rename(key, partitionable)
}

func isPartitionable(key nx.Tensor) bool { return schemes[key.Names()[0]].partitionable }

// schemeOf returns the name of the scheme of a key, or "".
func schemeOf(key nx.Tensor) string {
	name := key.Names()[0]
	if _, ok := schemes[name]; !ok {
		return ""
	}
	return name
}

// substitute returns random words as the scheme of a key has them.
func substitute(key, words nx.Tensor) nx.Tensor {
	if f := schemes[key.Names()[0]].words; f != nil {
		return f(words)
	}
	return words
}

// blocks encrypts the counters 0…n-1, the high word first.
func blocks(key nx.Tensor, n int) (nx.Tensor, nx.Tensor) {
	hi, lo := nx.Zeros(nx.Shape{n}, nx.U32), nx.Iota(nx.Shape{n}, nx.U32)
	if uint64(n) > math.MaxUint32 {
		count := nx.Iota(nx.Shape{n}, nx.U64)
		hi = nx.Cast(nx.RightShift(count, 32), nx.U32)
		lo = nx.Cast(nx.BitwiseAnd(count, uint64(math.MaxUint32)), nx.U32)
	}
	return rounds(key.At(0), key.At(1), hi, lo)
}

// generate64 returns n u64 numbers.
func generate64(key nx.Tensor, n int) nx.Tensor {
	var hi, lo nx.Tensor
	if isPartitionable(key) {
		hi, lo = blocks(key, n)
		hi, lo = substitute(key, hi), substitute(key, lo)
	} else {
		w := nx.Reshape(generate(key, 2*n), 2, n)
		hi, lo = w.At(0), w.At(1)
	}
	return nx.BitwiseOr(nx.LeftShift(nx.Cast(hi, nx.U64), 32), nx.Cast(lo, nx.U64))
}

// integersOfHalves returns n integers in [lo, hi) as JAX computes them: from two numbers drawn with separate
// keys, in arithmetic of 32 bits, or 64 for types of 64.
func integersOfHalves(key nx.Tensor, lo, hi int64, n int, d nx.DType) nx.Tensor {
	u := nx.U32
	if d.Bits() == 64 {
		u = nx.U64
	}
	keys := Split(key, 2)
	number := func(i int) nx.Tensor {
		return nx.Cast(integers.call(bitsDraw{Key: keys.At(i), N: n, Width: u.Bits()}), u)
	}
	offset, span := number(1), uint64(hi-lo)
	if u.Bits() == 64 || span < 1<<u.Bits() { // else all numbers of d
		by := nx.Full(nx.Shape{}, span, u)
		m := nx.Remainder(nx.Full(nx.Shape{}, uint64(1)<<(u.Bits()/2), u), by)
		m = nx.Remainder(nx.Mul(m, m), by)
		offset = nx.Add(nx.Mul(nx.Remainder(number(0), by), m), nx.Remainder(offset, by))
		offset = nx.Remainder(offset, by)
	}
	return nx.Cast(nx.Add(nx.Cast(offset, nx.S64), lo), d)
}
