package library

import (
	"sync"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/kernels/half"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/lazy"
)

// withConverted runs f on two operands and a result of type acc: operands of other types are converted before, the
// result after. A nil operand stays nil.
func withConverted(env *rt.Env, acc dtype.Type, types [3]dtype.Type, ins [][]byte, out []byte,
	f func(x, y, z []byte) error) error {
	x, own, err := convert(env, acc, ins[0], types[0])
	if err != nil {
		return err
	}
	if own {
		defer env.Free(x)
	}
	y, own, err := convert(env, acc, ins[1], types[1])
	if err != nil {
		return err
	}
	if own {
		defer env.Free(y)
	}
	if sameBits(acc, types[2]) {
		return f(x, y, out)
	}
	z, err := env.Scratch(len(out) / types[2].Size() * acc.Size())
	if err != nil {
		return err
	}
	defer env.Free(z)
	if err := f(x, y, z); err != nil {
		return err
	}
	convertElems(env, out, types[2], z, acc)
	return nil
}

// sameBits reports whether elements of both types have the same bits.
func sameBits(a, b dtype.Type) bool {
	return a == b || a.IsInteger() && b.IsInteger() && a.Bits() == b.Bits()
}

// convert returns the elements as type to, and whether they are in scratch memory.
func convert(env *rt.Env, to dtype.Type, b []byte, from dtype.Type) ([]byte, bool, error) {
	if b == nil || sameBits(to, from) {
		return b, false, nil
	}
	c, err := env.Scratch(len(b) / from.Size() * to.Size())
	if err != nil {
		return nil, false, err
	}
	convertElems(env, c, to, b, from)
	return c, true, nil
}

// convertElems is [dtype.Convert] on all workers, with fast loops for common types.
func convertElems(env *rt.Env, dst []byte, to dtype.Type, src []byte, from dtype.Type) {
	chunks := (len(src)/from.Size() + convertChunk - 1) / convertChunk
	c := conversions.get()
	*c = conversion{dst: dst, src: src, to: to, from: from}
	env.Run(chunks, c)
	*c = conversion{}
	conversions.put(c)
}

var conversions freeList[conversion]

// convertChunk is the number of elements of a chunk.
const convertChunk = 1 << 14

type conversion struct {
	dst, src []byte
	to, from dtype.Type
}

func (c *conversion) Do(_ rt.Worker, chunk int) {
	part := func(b []byte, t dtype.Type) []byte {
		first := chunk * convertChunk * t.Size()
		return b[first:min(first+convertChunk*t.Size(), len(b))]
	}
	dst, src := part(c.dst, c.to), part(c.src, c.from)
	if f := converters.Get(listConverters)[[2]dtype.Type{c.from, c.to}]; f != nil {
		f(dst, src)
	} else {
		convertGeneric(dst, c.to, src, c.from)
	}
}

// converter returns a function that converts elements as [dtype.Convert] does, from the first to the last.
func converter(from, to dtype.Type) func(dst, src []byte) {
	if f := converters.Get(listConverters)[[2]dtype.Type{from, to}]; f != nil {
		return f
	}
	return func(dst, src []byte) { convertGeneric(dst, to, src, from) }
}

func convertGeneric(dst []byte, to dtype.Type, src []byte, from dtype.Type) {
	if err := dtype.Convert(dst, to, src, from); err != nil {
		panic(err) // types and lengths are valid
	}
}

// converters are the fast conversions, between the types of operands and of sums.
var converters lazy.Value[map[[2]dtype.Type]func(dst, src []byte)]

func listConverters() map[[2]dtype.Type]func(dst, src []byte) {
	converters := map[[2]dtype.Type]func(dst, src []byte){
		{dtype.F16, dtype.F32}: func(dst, src []byte) {
			half.WidenF16(rt.View[float32](dst), rt.View[uint16](src))
		},
		{dtype.BF16, dtype.F32}: func(dst, src []byte) {
			half.WidenBF16(rt.View[float32](dst), rt.View[uint16](src))
		},
		{dtype.F32, dtype.F16}: func(dst, src []byte) {
			half.NarrowF16(rt.View[uint16](dst), rt.View[float32](src))
		},
		{dtype.F32, dtype.BF16}: func(dst, src []byte) {
			half.NarrowBF16(rt.View[uint16](dst), rt.View[float32](src))
		},

		{dtype.S8, dtype.S32}: convertWrapping[int32, int8], {dtype.U8, dtype.S32}: convertWrapping[int32, uint8],
		{dtype.S16, dtype.S32}: convertWrapping[int32, int16], {dtype.U16, dtype.S32}: convertWrapping[int32, uint16],
		{dtype.S32, dtype.S8}: convertWrapping[int8, int32], {dtype.S32, dtype.U8}: convertWrapping[uint8, int32],
		{dtype.S32, dtype.S16}: convertWrapping[int16, int32], {dtype.S32, dtype.U16}: convertWrapping[uint16, int32],
		{dtype.S32, dtype.S64}: convertWrapping[int64, int32], {dtype.U32, dtype.S64}: convertWrapping[int64, uint32],

		{dtype.S8, dtype.F32}: convertWrapping[float32, int8], {dtype.U8, dtype.F32}: convertWrapping[float32, uint8],
		{dtype.S8, dtype.F64}: convertWrapping[float64, int8], {dtype.U8, dtype.F64}: convertWrapping[float64, uint8],
		{dtype.S16, dtype.F64}: convertWrapping[float64, int16],
		{dtype.U16, dtype.F64}: convertWrapping[float64, uint16],
	}
	for t := dtype.F8E3M4; t <= dtype.F8E8M0FNU; t++ {
		converters[[2]dtype.Type{t, dtype.F32}] = byTable(t)
	}
	return converters
}

// number is the type constraint of the fast conversions.
type number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | float32 | float64
}

// convertWrapping converts integers modulo 2 to the width of D, or to floats that represent them exactly.
func convertWrapping[D, S number](dst, src []byte) {
	d, s := rt.View[D](dst), rt.View[S](src)
	d = d[:len(s)]
	for i, v := range s {
		d[i] = D(v)
	}
}

// byTable returns a conversion of 8-bit floats by a table.
func byTable(t dtype.Type) func(dst, src []byte) {
	numbers := sync.OnceValue(func() *[256]float32 {
		var out [256]float32
		for i := range out {
			out[i] = float32(t.LoadFloat([]byte{byte(i)}, 0))
		}
		return &out
	})
	return func(dst, src []byte) {
		d, numbers := rt.View[float32](dst)[:len(src)], numbers()
		for i, b := range src {
			d[i] = numbers[b]
		}
	}
}
