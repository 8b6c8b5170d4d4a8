// Package random draws pseudo-random tensors from explicit keys: the same key
// and shape give the same numbers on every machine, and drawing changes no
// hidden state. [Split] makes new keys of one; [Stream] hands them out one after another.
//
//	keys := random.Split(random.Key(42), 2)
//	w := random.Normal(keys.At(0), 0, 0.1, nx.Shape{784, 10}, nx.F32)
//	u := random.Uniform(keys.At(1), -1, 1, nx.Shape{10}, nx.F32)
//
// The generator is Threefry-2x32 with 20 rounds (Salmon, Moraes, Dror, Shaw:
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011,
// doi:10.1145/2063384.2063405). Its blocks are numbered as Nx numbers them, and JAX with
// jax_threefry_partitionable=False; keys made by [Partitionable] number them as JAX does by
// default.
package random

import (
	"math"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/internal/core"
)

// Key returns the key of a seed: u32[2], its high and low word.
//
// Shapes: [2]. DTypes: u32. Gradient: none. Accuracy: bits are exact. Source: Salmon, Moraes,
// Dror, Shaw, doi:10.1145/2063384.2063405.
func Key(seed int64) nx.Tensor {
	u := uint64(seed)
	return nx.Stack([]nx.Tensor{nx.New(uint32(u >> 32)), nx.New(uint32(u))}) // of constants: it goes where it is used
}

// Split returns n keys derived from one: u32[n][2].
//
// Shapes: [2] → [n, 2]. DTypes: u32. Gradient: none. Accuracy: bits are exact. Errors:
// [nx.ErrArgument] for an operand that is not a key. Source: Salmon, Moraes, Dror, Shaw,
// doi:10.1145/2063384.2063405.
func Split(key nx.Tensor, n int) nx.Tensor {
	defer calledAs("Split")
	check("Split", key, nx.Shape{n, 2})
	return nx.Rename(split.call(draw{Key: key, N: n}), "", schemeOf(key))
}

// Bits returns uniform u32 numbers.
//
// Shapes: shape. DTypes: u32. Gradient: none. Accuracy: exact bits. Errors:
// [nx.ErrArgument] for an operand that is not a key. Source: Salmon, Moraes, Dror, Shaw,
// doi:10.1145/2063384.2063405.
func Bits(key nx.Tensor, shape nx.Shape) nx.Tensor {
	defer calledAs("Bits")
	check("Bits", key, shape)
	return nx.Reshape(words(key, shape.Size()), shape...)
}

// Uniform returns numbers of type d uniform in [lo, hi): all of the numbers there whose
// distance from lo is a multiple of the spacing just below hi-lo. Where rounding reaches hi, which
// JAX then returns, the number is lo; where lo and hi are the same number of the type, it is that.
// The parts of complex numbers are drawn separately.
//
// Shapes: shape. DTypes: floats and complex numbers. Gradient: none. Accuracy: exact bits,
// the same everywhere. Errors: [nx.ErrValue] where there is no number to draw,
// [nx.ErrDType]. Source: Salmon, Moraes, Dror, Shaw, doi:10.1145/2063384.2063405.
func Uniform(key nx.Tensor, lo, hi float64, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Uniform")
	check("Uniform", key, shape)
	if d.IsComplex() {
		return joined(Uniform(key, lo, hi, append(slices.Clone(shape), 2), d.Real()))
	}
	checkFloat("Uniform", d)
	lo, hi = rounded(d, lo), rounded(d, hi)
	width := rounded(d, hi-lo)
	if !(width >= 0) || math.IsInf(width, 0) {
		fail("Uniform", nx.ErrValue, "hi - lo must be a finite number of the type and not negative",
			"no number of the type is in [%v, %v)", lo, hi)
	}
	u := uniform01.call(draw{Key: key, N: shape.Size(), DType: d})
	u = nx.Add(nx.Mul(u, width), lo)
	u = nx.Where(nx.Less(u, hi), u, lo) // the cell of numbers that are rounded to hi and that of lo make up one
	return nx.Reshape(nx.Maximum(u, lo), shape...)
}

// inner returns numbers of type d uniform in (0, 1): 0 stands for all numbers that are nearer to it
// than the next one, and becomes the middle of them.
func inner(key nx.Tensor, shape nx.Shape, d nx.DType) nx.Tensor {
	return nx.Maximum(Uniform(key, d.SmallestNormal(), 1, shape, d), halfStep(d))
}

// halfStep is half the distance of the numbers in [0, 1) that are drawn.
func halfStep(d nx.DType) float64 { return math.Ldexp(1, -mantissas[d]-1) }

// rounded returns the element of a float type that is the nearest to v.
func rounded(d nx.DType, v float64) float64 { return d.Float64(d.FromFloat64(v)) }

// Normal returns numbers of type d with the given mean and standard deviation, normally distributed. For
// complex numbers these are those of each part, as in Nx; for a [Partitionable] key they are those of the
// number, as in JAX: the deviation of a part is 1/√2 of it, and the mean is real.
//
// Shapes: shape. DTypes: f32, f64, bf16, f16 and complex numbers. Gradient: none. Accuracy: ≤ 4
// ulp, by the inverse of the error function of exact uniform bits. Errors: [nx.ErrDType]. Source:
// the inverse of the distribution function.
func Normal(key nx.Tensor, mean, deviation float64, shape nx.Shape, d nx.DType) nx.Tensor {
	defer calledAs("Normal")
	check("Normal", key, shape)
	if d.IsComplex() && isPartitionable(key) {
		return nx.Add(nx.Mul(normalParts(key, shape, d), deviation/math.Sqrt2), mean)
	}
	if d.IsComplex() {
		return joined(Normal(key, mean, deviation, append(slices.Clone(shape), 2), d.Real()))
	}
	if checkFloat("Normal", d); d.Bits() == 8 {
		fail("Normal", nx.ErrDType, "draw f32 and convert with nx.Cast", "the type %s has too few normal numbers", d)
	}
	n := normal01.call(draw{Key: key, N: shape.Size(), DType: d})
	return nx.Reshape(nx.Add(nx.Mul(n, deviation), mean), shape...)
}

// joined makes complex numbers of the last axis.
func joined(parts nx.Tensor) nx.Tensor {
	return nx.Complex(parts.At(nx.Ellipsis, 0), parts.At(nx.Ellipsis, 1))
}

// check rejects operands that are not keys, and invalid shapes.
func check(op string, key nx.Tensor, shape nx.Shape) {
	if s := key.Spec(); s.DType != nx.U32 || len(s.Shape) != 1 || s.Shape[0] != 2 {
		what := s.String()
		if key.IsZero() {
			what = "absent (the zero Tensor)"
		}
		fail(op, nx.ErrArgument, "make one with random.Key, or take one of random.Split: keys.At(0)",
			"a key must be u32[2], got %s", what)
	}
	var err error
	func() {
		defer nx.Catch(&err)
		nx.Zeros(shape, nx.U64) // refuses sizes that are negative or too large
	}()
	if e := diag.As(err); e != nil {
		e.Op = op
		panic(e)
	}
}

func checkFloat(op string, d nx.DType) {
	if _, ok := mantissas[d]; !ok {
		fail(op, nx.ErrDType, "draw f32 and convert with nx.Cast",
			"the type of random floats must be f32, f64, bf16, f16 or f8, got %s", d)
	}
}

// calledAs gives errors of functions that implement another the name of that one; it is deferred.
func calledAs(op string) { diag.CalledAs(recover(), op, nil) }

func fail(op string, code diag.Code, hint, format string, args ...any) {
	panic(core.NewError(code, op, nil, hint, format, args...))
}

// draw is a request for n numbers; N and DType are part of the signature of
// the compiled functions.
type draw struct {
	Key   nx.Tensor
	N     int
	DType nx.DType
}

// words returns n u32 numbers.
func words(key nx.Tensor, n int) nx.Tensor { return threefry.call(draw{Key: key, N: n}) }

var threefry = compiled[draw]{f: func(r draw) nx.Tensor { return generate(r.Key, r.N) }}

// split returns n keys of one.
var split = compiled[draw]{f: func(r draw) nx.Tensor {
	if isPartitionable(r.Key) {
		a, b := blocks(r.Key, r.N)
		return nx.Stack([]nx.Tensor{a, b}, nx.Axis(-1))
	}
	return nx.Reshape(halves(r.Key, 2*r.N), r.N, 2)
}}

// generate returns n random words: all draws take their bits from it or from [generate64].
func generate(key nx.Tensor, n int) nx.Tensor {
	if isPartitionable(key) {
		a, b := blocks(key, n)
		return substitute(key, nx.BitwiseXor(a, b))
	}
	return substitute(key, halves(key, n))
}

// halves encrypts the counters 0…n-1, the first half as first words and the
// second half as second words of blocks; an odd n is filled up with a counter 0.
func halves(key nx.Tensor, n int) nx.Tensor {
	half := (n + 1) / 2
	count := nx.Iota(nx.Shape{half}, nx.U32)
	x0, x1 := count, nx.Add(count, uint32(half))
	if n%2 == 1 {
		x1 = nx.Where(nx.Equal(count, uint32(half-1)), 0, x1)
	}
	x0, x1 = rounds(key.At(0), key.At(1), x0, x1)
	return nx.Concatenate([]nx.Tensor{x0, x1}).At(nx.To(n))
}

var rotations = [2][4]uint32{{13, 15, 26, 6}, {17, 29, 16, 24}}

// rounds is the block cipher on the words x0, x1.
func rounds(k0, k1, x0, x1 nx.Tensor) (nx.Tensor, nx.Tensor) {
	k2 := nx.BitwiseXor(nx.BitwiseXor(k0, k1), uint32(0x1BD11BDA))
	keys := [3]nx.Tensor{k0, k1, k2}
	x0, x1 = nx.Add(x0, k0), nx.Add(x1, k1)
	for g := range 5 {
		for _, r := range rotations[g%2] {
			x0 = nx.Add(x0, x1)
			x1 = nx.BitwiseOr(nx.LeftShift(x1, r), nx.RightShift(x1, 32-r))
			x1 = nx.BitwiseXor(x0, x1)
		}
		x0 = nx.Add(x0, keys[(g+1)%3])
		x1 = nx.Add(nx.Add(x1, keys[(g+2)%3]), uint32(g+1))
	}
	return x0, x1
}

// mantissas are the fraction bits of the float types.
var mantissas = map[nx.DType]int{nx.F32: 23, nx.F64: 52, nx.BF16: 7, nx.F16: 10, nx.F8E5M2: 2, nx.F8E4M3FN: 3}

var uniform01 = compiled[draw]{f: func(r draw) nx.Tensor { return unit(r) }}

// unit returns floats uniform in [0, 1): random fraction bits under the
// exponent of 1, minus 1.
func unit(r draw) nx.Tensor {
	m := mantissas[r.DType]
	if r.DType == nx.F64 {
		bits := nx.BitwiseOr(nx.RightShift(generate64(r.Key, r.N), 12), math.Float64bits(1))
		return nx.Sub(nx.Bitcast(bits, nx.F64), 1)
	}
	bits := generate(r.Key, r.N)
	if r.DType == nx.F32 {
		bits = nx.BitwiseOr(nx.RightShift(bits, 32-m), math.Float32bits(1))
		return nx.Sub(nx.Bitcast(bits, nx.F32), 1)
	}
	if r.DType.Bits() == 8 {
		one := uint8(0x3C) // e5m2
		if r.DType == nx.F8E4M3FN {
			one = 0x38
		}
		small := nx.Cast(nx.BitwiseAnd(bits, uint32(0xFF)), nx.U8)
		small = nx.BitwiseOr(nx.RightShift(small, 8-m), one)
		return nx.Sub(nx.Bitcast(small, r.DType), 1)
	}
	one := uint16(0x3F80) // bf16
	if r.DType == nx.F16 {
		one = 0x3C00
	}
	width := 16
	if isPartitionable(r.Key) && m < 8 { // JAX draws bytes where they suffice
		width = 8
	}
	small := nx.Cast(nx.BitwiseAnd(bits, uint32(1)<<width-1), nx.U16)
	small = nx.BitwiseOr(nx.RightShift(small, width-m), one)
	return nx.Sub(nx.Bitcast(small, r.DType), 1)
}

var normal01 = compiled[draw]{f: func(r draw) nx.Tensor {
	lo := -1 + math.Ldexp(1, -mantissas[r.DType]-1) // the number after -1
	u := nx.Maximum(nx.Add(nx.Mul(unit(r), 1-lo), lo), lo)
	return nx.Mul(nx.ErfInv(u), math.Sqrt2)
}}
