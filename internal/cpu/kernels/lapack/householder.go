package lapack

import (
	"math"

	"github.com/go-nx/nx/internal/cpu/kernels/gemm"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// QR factors batch matrices of m × n elements, dense in src, into dst: R in the upper triangle, with a real diagonal,
// and below it the elementary reflectors of Q = H₀·H₁·…: Hᵢ = I - taus[i]·v·vᴴ, where v has a one in row i and below it
// the elements of column i. dst and src may be the same.
//
// Columns are factored in panels of 32, whose reflectors are applied to the trailing columns as GEMMs.
func QR[T field](env *rt.Env, dst, taus, src []T, batch, m, n int) error {
	k := min(m, n)
	return eachMatrix(env, batch, 2*m*n*k, func(env *rt.Env, i int) error {
		a := dst[i*m*n:][:m*n]
		copy(a, src[i*m*n:][:m*n])
		return factorQR(env, a, taus[i*k:][:k], m, n)
	})
}

func factorQR[T field](env *rt.Env, a, taus []T, m, n int) error {
	for j := 0; j < len(taus); j += panel {
		env.CheckCancel()
		width := min(panel, len(taus)-j)
		v, err := newReflectors[T](env, width, m-j)
		if err != nil {
			return err
		}
		for c := range width { // the panel, column by column in memory
			for r := range m - j {
				v.vt[c*v.length+r] = a[(j+r)*n+j+c]
			}
		}
		for c := range width {
			x := v.vt[c*v.length:][c:v.length]
			tau, beta := reflector(x)
			taus[j+c], x[0] = tau, 1
			v.applyToPanel(c, x, width, tau)
			for r := range m - j {
				switch {
				case r == c:
					a[(j+r)*n+j+c] = scalar[T](beta, 0)
				default:
					a[(j+r)*n+j+c] = v.vt[c*v.length+r]
				}
			}
			clear(v.vt[c*v.length:][:c])
		}
		v.formT(env, taus[j:][:width])
		right := n - j - width
		err = v.apply(env, stridedMatrix(a, j*n+j+width, m-j, n, right, 1), true)
		v.free(env)
		if err != nil {
			return err
		}
	}
	return nil
}

// applyToPanel applies the adjoint of reflector c, with the nonzero part x, to the following columns of the panel.
func (v *reflectors[T]) applyToPanel(c int, x []T, width int, tau T) {
	if tau == 0 {
		return
	}
	copy(v.conj[:len(x)], x)
	conjugate(v.conj[:len(x)])
	f := conjugated(tau)
	for k := c + 1; k < width; k++ {
		y := v.vt[k*v.length:][c:v.length]
		axpy(y, x, -f*dot(v.conj[:len(x)], y))
	}
}

// HouseholderProduct forms the first n columns of Q = H₀·H₁·… of batch matrices from k reflectors as [QR] stores them
// in a, m × n with k ≤ n ≤ m.
func HouseholderProduct[T field](env *rt.Env, dst, a, taus []T, batch, m, n, k int) error {
	return eachMatrix(env, batch, 2*m*n*k, func(env *rt.Env, i int) error {
		q := dst[i*m*n:][:m*n]
		clear(q)
		for r := range n {
			q[r*n+r] = 1
		}
		p := packedReflectors[T]{a: a[i*m*n:][:m*n], taus: taus[i*k:][:k], elemStride: n, vectorStride: 1, length: m}
		return p.apply(env, q, n, n, false, true)
	})
}

// packedReflectors are reflectors in the storage of a factorisation. Vector i has length elements: zeros, a one at
// shift+i, and then the elements from i·vectorStride on with stride elemStride.
type packedReflectors[T field] struct {
	a, taus                  []T
	elemStride, vectorStride int
	shift                    int
	length                   int
}

// apply multiplies c, length × cols elements with row stride stride, by Q or its adjoint from the left. If c is the
// identity, columns that stay zero are skipped.
func (p *packedReflectors[T]) apply(env *rt.Env, c []T, stride, cols int, adjoint, isIdentity bool) error {
	count := len(p.taus)
	panels := rt.CeilDiv(count, panel)
	for i := range panels {
		j := i * panel
		if !adjoint {
			j = (panels - 1 - i) * panel
		}
		env.CheckCancel()
		width := min(panel, count-j)
		from := j + p.shift
		v, err := newReflectors[T](env, width, p.length-from)
		if err != nil {
			return err
		}
		for k := range width {
			x := v.vt[k*v.length:][:v.length]
			clear(x[:k])
			x[k] = 1
			at := (j + k) * p.vectorStride
			for r := k + 1; r < v.length; r++ {
				x[r] = p.a[at+(from+r)*p.elemStride]
			}
		}
		v.formT(env, p.taus[j:][:width])
		first := 0
		if isIdentity {
			first = from
		}
		err = v.apply(env, stridedMatrix(c, from*stride+first, v.length, stride, cols-first, 1),
			adjoint)
		v.free(env)
		if err != nil {
			return err
		}
	}
	return nil
}

// reflectors is a product of elementary reflectors in compact WY form, I - V·T·Vᴴ, with the vectors as rows of vt.
type reflectors[T field] struct {
	vt, vc, t, conj []T // Vᵀ, Vᴴ, T, scratch for a vector
	count, length   int
	buf             []byte
}

func newReflectors[T field](env *rt.Env, count, length int) (*reflectors[T], error) {
	buf, err := env.Scratch((2*count*length + count*count + length) * rt.SizeOf[T]())
	if err != nil {
		return nil, err
	}
	work := rt.View[T](buf)
	n := count * length
	return &reflectors[T]{vt: work[:n], vc: work[n : 2*n], t: work[2*n:][:count*count],
		conj:  work[2*n+count*count:][:length],
		count: count, length: length, buf: buf}, nil
}

func (v *reflectors[T]) free(env *rt.Env) { env.Free(v.buf) }

// formT computes T, as LAPACK's larft.
func (v *reflectors[T]) formT(env *rt.Env, taus []T) {
	k, n := v.count, v.length
	copy(v.vc, v.vt)
	conjugate(v.vc)
	clear(v.t)
	for i := range k {
		t := v.t[i*k+i:]
		t[0] = taus[i]
		rowDots(env, v.conj[:i], v.vc[i:], n, v.vt[i*n+i:(i+1)*n], v.conj[i:]) // column i is -τ·T·(Vᴴ·v)
		for r := range i {
			sum := T(0)
			for j := r; j < i; j++ {
				sum += T(v.t[r*k+j] * v.conj[j])
			}
			v.t[r*k+i] = -taus[i] * sum
		}
	}
}

// apply multiplies c by the product, or its adjoint, from the left, as LAPACK's larfb.
func (v *reflectors[T]) apply(env *rt.Env, c gemm.Matrix[T], adjoint bool) error {
	k, cols := v.count, c.Cols.Size()
	if cols == 0 || v.length == 0 {
		return nil
	}
	buf, err := env.Scratch(2 * k * cols * rt.SizeOf[T]())
	if err != nil {
		return err
	}
	defer env.Free(buf)
	work := rt.View[T](buf)
	w, u := denseMatrix(work[:k*cols], k, cols), denseMatrix(work[k*cols:], k, cols)
	if err := matMul(env, w, denseMatrix(v.vc, k, v.length), c); err != nil {
		return err
	}
	t := denseMatrix(v.t, k, k)
	if adjoint {
		conjugate(v.t)
		t.Rows, t.Cols = t.Cols, t.Rows
	}
	err = matMul(env, u, t, w)
	if adjoint {
		conjugate(v.t)
	}
	if err != nil {
		return err
	}
	return subtractMatMul(env, c, stridedMatrix(v.vt, 0, v.length, 1, k, v.length), u)
}

// denseMatrix returns a matrix of m × n elements without gaps.
func denseMatrix[T any](data []T, m, n int) gemm.Matrix[T] { return stridedMatrix(data, 0, m, n, n, 1) }

// stridedMatrix returns a matrix of rows and columns with one stride each.
func stridedMatrix[T any](data []T, offset, rows, rowStride, cols, colStride int) gemm.Matrix[T] {
	return gemm.Matrix[T]{Data: data, Offset: offset, Rows: gemm.Dims{{Size: rows, Stride: rowStride}},
		Cols: gemm.Dims{{Size: cols, Stride: colStride}}}
}

// multiplier is a function that multiplies matrices of one type.
type multiplier[T field] func(env *rt.Env, c, a, b gemm.Matrix[T]) error

// multipliers has one for each type. The one for T is looked up as a value, since a type switch on the matrices would
// copy them.
type multipliers struct {
	f32  multiplier[float32]
	f64  multiplier[float64]
	c64  multiplier[complex64]
	c128 multiplier[complex128]
}

func multiplierOf[T field](of *multipliers) multiplier[T] {
	var f any
	switch any(*new(T)).(type) {
	case float32:
		f = of.f32
	case float64:
		f = of.f64
	case complex64:
		f = of.c64
	case complex128:
		f = of.c128
	}
	return f.(multiplier[T])
}

// matMuls compute a product, subtractMatMuls subtract the product from the result.
var (
	matMuls = multipliers{gemm.MatMul[float32], gemm.MatMul[float64], gemm.MatMulComplex[complex64],
		gemm.MatMulComplex[complex128]}
	subtractMatMuls = multipliers{gemm.SubtractMatMul[float32], gemm.SubtractMatMul[float64],
		gemm.SubtractMatMulComplex[float32, complex64], gemm.SubtractMatMulComplex[float64, complex128]}
)

// matMul computes c = a·b.
func matMul[T field](env *rt.Env, c, a, b gemm.Matrix[T]) error {
	return multiplierOf[T](&matMuls)(env, c, a, b)
}

// subtractMatMul subtracts a·b from c.
func subtractMatMul[T field](env *rt.Env, c, a, b gemm.Matrix[T]) error {
	return multiplierOf[T](&subtractMatMuls)(env, c, a, b)
}

// reflector computes H = I - tau·v·vᴴ, v[0] = 1, with Hᴴ·x = (beta, 0, …) for a real beta, and stores v in x, except
// for its first element.
func reflector[T field](x []T) (tau T, beta float64) {
	re, im := parts64(x[0])
	rest := norm2(x[1:])
	if rest == 0 && im == 0 {
		return 0, re
	}
	beta = -math.Copysign(math.Hypot(math.Hypot(re, im), rest), re)
	if math.Abs(beta) < 0x1p-900 { // smaller numbers lose digits
		first := x[0]
		for i := range x {
			x[i] *= scalar[T](0x1p600, 0)
		}
		tau, beta = reflector(x)
		x[0] = first
		return tau, beta * 0x1p-600
	}
	tau = scalar[T]((beta-re)/beta, -im/beta)
	divide(x[1:], re-beta, im)
	return tau, beta
}

// divide divides by re + im·i: by its inverse, unless that is infinite.
func divide[T field](x []T, re, im float64) {
	d := complex(re, im)
	inverse := scalar[T](real(1/d), imag(1/d))
	if inverse*0 == 0 {
		for i := range x {
			x[i] *= inverse
		}
		return
	}
	for i := range x { // in f64: narrower types have too few digits of this divisor
		a, b := parts64(x[i])
		q := complex(a, b) / d
		x[i] = scalar[T](real(q), imag(q))
	}
}

// scalar returns re + im·i; real types keep the real part only.
//
//go:noinline
func scalar[T field](re, im float64) (x T) {
	switch p := any(&x).(type) {
	case *float32:
		*p = float32(re)
	case *float64:
		*p = re
	case *complex64:
		*p = complex(float32(re), float32(im))
	case *complex128:
		*p = complex(re, im)
	}
	return x
}

// parts64 returns the real and the imaginary part.
func parts64[T field](x T) (re, im float64) {
	switch p := any(&x).(type) {
	case *float32:
		return float64(*p), 0
	case *float64:
		return *p, 0
	case *complex64:
		return float64(real(*p)), float64(imag(*p))
	case *complex128:
		return real(*p), imag(*p)
	}
	return 0, 0
}

func conjugated[T field](x T) T {
	re, im := parts64(x)
	return scalar[T](re, -im)
}

// norm2 returns the Euclidean norm, without intermediate overflow.
func norm2[T field](x []T) float64 {
	sum := squares(x, 1)
	if sum > 1e-280 && sum < 1e280 || sum != sum {
		return math.Sqrt(sum)
	}
	largest := 0.0
	for _, v := range x {
		re, im := parts64(v)
		largest = max(largest, math.Abs(re), math.Abs(im))
	}
	if largest == 0 || math.IsInf(largest, 0) {
		return largest
	}
	_, e := math.Frexp(largest)
	return math.Ldexp(math.Sqrt(squares(x, math.Ldexp(1, -max(e, -1000)))), max(e, -1000))
}

// squares sums the squares of the elements, each multiplied by scale first.
func squares[T field](x []T, scale float64) (sum float64) {
	switch x := any(x).(type) {
	case []float32:
		for _, v := range x {
			sum += float64(float64(v) * float64(v) * scale * scale)
		}
	case []float64:
		for _, v := range x {
			v *= scale
			sum += float64(v * v)
		}
	case []complex64:
		for _, v := range x {
			re, im := float64(real(v))*scale, float64(imag(v))*scale
			sum += float64(re*re) + float64(im*im)
		}
	case []complex128:
		for _, v := range x {
			re, im := real(v)*scale, imag(v)*scale
			sum += float64(re*re) + float64(im*im)
		}
	}
	return sum
}
