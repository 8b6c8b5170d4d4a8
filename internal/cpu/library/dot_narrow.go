package library

import (
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/exact"
)

// Products of narrow elements are computed as those of floats, which have the fastest loops: float16, bfloat16 and
// 8-bit floats as f32, integers as floats that represent all their sums. Conversions work on a block at a time.

// compileNarrow returns the function of a product with elements narrower than its accumulators; nil for others, and for
// products that are too small, or of integers and too thin for packing.
func (p *contraction) compileNarrow(acc dtype.Type) Func {
	depth := int64(p.a.cols.Size())
	if int64(p.c.batch.Size()*p.c.rows.Size()*p.c.cols.Size())*depth < minNarrowWork ||
		!p.in.IsFloat() && (p.c.rows.Size() == 1 || p.c.cols.Size() == 1) {
		return nil
	}
	if acc == dtype.F32 && gemm.UsesBatched(p.c.batch.Size(), p.c.rows.Size(), p.c.cols.Size(),
		p.a.cols.Size()) {
		return nil
	}
	switch t := narrowSums(p.in, p.rhs, p.out, acc, depth); t {
	case dtype.F32:
		return multiplyConverted[float32](p, t)
	case dtype.F64:
		return multiplyConverted[float64](p, t)
	}
	return nil
}

// narrowSums returns the type that sums the given number of products with the bits of sums of type acc: floats are
// exact for integers within their precision. It is Invalid if there is none.
func narrowSums(in, rhs, out, acc dtype.Type, terms int64) dtype.Type {
	if acc == dtype.F32 && in.IsFloat() && rhs.IsFloat() && out.IsFloat() {
		return acc
	}
	if acc != dtype.S32 || sumConverter(dtype.F64, out) == nil {
		return dtype.Invalid
	}
	for _, t := range []dtype.Type{in, rhs} {
		if t != dtype.S8 && t != dtype.U8 && t != dtype.S16 && t != dtype.U16 {
			return dtype.Invalid
		}
	}
	return exact.FloatOfSums(in, rhs, terms)
}

// sumConverter returns a conversion from exact integer sums to a type, modulo 2 to its width; nil for other types.
func sumConverter(sums, out dtype.Type) func(dst, src []byte) {
	if sums == dtype.F32 {
		return sumConverters[float32](out)
	}
	return sumConverters[float64](out)
}

func sumConverters[F float32 | float64](out dtype.Type) func(dst, src []byte) {
	switch out {
	case dtype.S8, dtype.U8:
		return sumsTo[uint8, F]
	case dtype.S16, dtype.U16:
		return sumsTo[uint16, F]
	case dtype.S32, dtype.U32:
		return sumsTo[uint32, F]
	}
	return nil
}

func sumsTo[D uint8 | uint16 | uint32, F float32 | float64](dst, src []byte) {
	d, s := rt.View[D](dst), rt.View[F](src)
	d = d[:len(s)]
	for i, v := range s {
		d[i] = D(int64(v))
	}
}

// narrowOf returns the narrow type that a tier may have code for, to convert it to t, or 0.
func narrowOf(of, t dtype.Type) rt.Narrow {
	if t != dtype.F32 {
		return 0
	}
	return map[dtype.Type]rt.Narrow{dtype.BF16: rt.NarrowBF16, dtype.F16: rt.NarrowF16, dtype.S8: rt.NarrowS8,
		dtype.U8: rt.NarrowU8}[of]
}

// multiplyConverted returns the function of a product computed in type t.
func multiplyConverted[T float32 | float64](p *contraction, t dtype.Type) Func {
	from := func(of dtype.Type) gemm.Conversion {
		if of == t {
			return gemm.Conversion{Size: t.Size()}
		}
		return gemm.Conversion{Size: of.Size(), Convert: converter(of, t), Widens: narrowOf(of, t)}
	}
	a, b := from(p.in), from(p.rhs)
	c := gemm.Conversion{Size: p.out.Size()}
	switch {
	case p.out.IsFloat() && p.out != t:
		c.Convert, c.ToBF16 = converter(t, p.out), t == dtype.F32 && p.out == dtype.BF16
	case !p.out.IsFloat():
		c.Convert = sumConverter(t, p.out)
	}
	ofBytes := p.int8()
	bf16 := p.in == dtype.BF16 && p.rhs == dtype.BF16
	few := gemm.HasFewRows(p.c.rows.Size(), p.c.cols.Size())
	return func(env *rt.Env, ins, outs [][]byte) error {
		to, x, y := matrix[byte](outs[0], p.c), matrix[byte](ins[0], p.a), matrix[byte](ins[1], p.b)
		if bf16 && env != nil && env.Gemm.BF16 != nil && !few {
			return gemm.MatMulBF16(env, to, x, y, c)
		}
		if done, err := ofBytes.run(env, ins, outs); done {
			return err
		}
		return gemm.MatMulConverted[T](env, to, x, y, c, a, b)
	}
}

// int8Gemm is a product of 8-bit integers, signed or unsigned, for tiers with a dot4 step.
type int8Gemm struct {
	*contraction
	leftSigned, rightSigned bool            // signedness of the operands
	convertSums             gemm.Conversion // from int32 to the result
}

// int8 returns the product as one of 8-bit integers; nil if an operand has another type.
func (p *contraction) int8() *int8Gemm {
	isByte := func(t dtype.Type) bool { return t == dtype.S8 || t == dtype.U8 }
	b := &int8Gemm{contraction: p, leftSigned: p.in == dtype.S8, rightSigned: p.rhs == dtype.S8}
	b.convertSums.Size = p.out.Size()
	if b.convertSums.Size != 4 {
		b.convertSums.Convert = converters.Get(listConverters)[[2]dtype.Type{dtype.S32, p.out}]
	}
	if !isByte(p.in) || !isByte(p.rhs) || !p.out.IsInteger() || b.convertSums.Size != 4 &&
		b.convertSums.Convert == nil {
		return nil
	}
	return b
}

// run computes the product; done is false if the tier has no step for it.
func (b *int8Gemm) run(env *rt.Env, ins, outs [][]byte) (done bool, err error) {
	if b == nil || env == nil {
		return false, nil
	}
	step := env.Gemm.Int8.Of(b.leftSigned, b.rightSigned)
	if step == nil {
		return false, nil
	}
	return true, gemm.MatMulInt8(env, step, matrix[byte](outs[0], b.c), matrix[byte](ins[0], b.a),
		matrix[byte](ins[1], b.b), b.convertSums)
}
