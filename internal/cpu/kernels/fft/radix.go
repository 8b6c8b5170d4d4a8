package fft

import "github.com/go-nx/nx/internal/cpu/rt"

// One pass of Stockham's algorithm: x holds stride transforms of length n, with element p of number q at x[p·stride+q].
// With m = n/r, y gets transforms of length m:
//
//	y[(r·p+k)·stride+q] = w^(p·k) Σ_j x[(p+j·m)·stride+q] exp(−2πi·j·k/r)
//
// where w = exp(−2πi/n) = roots[step]. For a batch of lines, stride is step times their number.

// pass is a pass by the tier's code if available, which gives the same bits as plain Go.
func pass(env *rt.Env, radix int, y, x, roots []complex128, n, step, lines int) {
	if env == nil || env.Fourier == nil || radix > 5 {
		goPass(radix, y, x, roots, n, step, lines)
		return
	}
	env.Fourier.Pass(radix, y, x, roots, n/radix, step, lines)
}

// goPass is a pass in plain Go.
func goPass(radix int, y, x, roots []complex128, n, step, lines int) {
	stride := step * lines
	switch radix {
	case 2:
		radix2(y, x, roots, n, step, stride)
	case 3:
		radix3(y, x, roots, n, step, stride)
	case 4:
		radix4(y, x, roots, n, step, stride)
	case 5:
		radix5(y, x, roots, n, step, stride)
	default:
		radixAny(y, x, roots, radix, n, step, stride)
	}
}

func radix2(y, x, roots []complex128, n, step, stride int) {
	m := n / 2
	for p := range m {
		w := roots[p*step]
		x0, x1 := x[p*stride:][:stride], x[(p+m)*stride:][:stride]
		y0 := y[2*p*stride:][:stride]
		y1 := y[(2*p+1)*stride:][:stride]
		for q, a := range x0 {
			b := x1[q]
			y0[q] = a + b
			y1[q] = cmul(a-b, w)
		}
	}
}

func radix4(y, x, roots []complex128, n, step, stride int) {
	m := n / 4
	if stride == 1 {
		x0, x1, x2, x3 := x[:m], x[m:2*m], x[2*m:3*m], x[3*m:4*m]
		for p := range x0 {
			a, b, c, d := x0[p], x1[p], x2[p], x3[p]
			ac, a_c, bd, b_d := a+c, a-c, b+d, b-d
			out := y[4*p : 4*p+4 : 4*p+4]
			out[0] = ac + bd
			out[1] = cmul(complex(real(a_c)+imag(b_d), imag(a_c)-real(b_d)), roots[p])
			out[2] = cmul(ac-bd, roots[2*p])
			out[3] = cmul(complex(real(a_c)-imag(b_d), imag(a_c)+real(b_d)), roots[3*p])
		}
		return
	}
	for p := range m {
		w1, w2, w3 := roots[p*step], roots[2*p*step], roots[3*p*step]
		x0, x1 := x[p*stride:][:stride], x[(p+m)*stride:][:stride]
		x2, x3 := x[(p+2*m)*stride:][:stride], x[(p+3*m)*stride:][:stride]
		out := y[4*p*stride:][:4*stride]
		y0, y1, y2, y3 := out[:stride], out[stride:][:stride], out[2*stride:][:stride], out[3*stride:][:stride]
		for q, a := range x0 {
			b, c, d := x1[q], x2[q], x3[q]
			ac, a_c, bd, b_d := a+c, a-c, b+d, b-d
			y0[q] = ac + bd
			y1[q] = cmul(complex(real(a_c)+imag(b_d), imag(a_c)-real(b_d)), w1)
			y2[q] = cmul(ac-bd, w2)
			y3[q] = cmul(complex(real(a_c)-imag(b_d), imag(a_c)+real(b_d)), w3)
		}
	}
}

func radix3(y, x, roots []complex128, n, step, stride int) {
	const sin = 0.866025403784438646763723170752936183 // of a third of a turn
	m := n / 3
	for p := range m {
		w1, w2 := roots[p*step], roots[2*p*step]
		x0, x1, x2 := x[p*stride:][:stride], x[(p+m)*stride:][:stride], x[(p+2*m)*stride:][:stride]
		out := y[3*p*stride:][:3*stride]
		y0, y1, y2 := out[:stride], out[stride:][:stride], out[2*stride:][:stride]
		for q, a := range x0 {
			s, d := x1[q]+x2[q], x1[q]-x2[q]
			re, im := real(a)-float64(0.5*real(s)), imag(a)-float64(0.5*imag(s))
			u, v := float64(sin*imag(d)), float64(sin*real(d))
			y0[q] = a + s
			y1[q] = cmul(complex(re+u, im-v), w1)
			y2[q] = cmul(complex(re-u, im+v), w2)
		}
	}
}

func radix5(y, x, roots []complex128, n, step, stride int) {
	const ( // of one and two fifths of a turn
		c1 = 0.309016994374947424102293417182819059
		c2 = -0.809016994374947424102293417182819059
		s1 = 0.951056516295153572116439333379382143
		s2 = 0.587785252292473129168705954639072769
	)
	m := n / 5
	for p := range m {
		w1, w2, w3, w4 := roots[p*step], roots[2*p*step], roots[3*p*step], roots[4*p*step]
		out := y[5*p*stride:][:5*stride]
		for q := range stride {
			i := p*stride + q
			a, b, c, d, e := x[i], x[i+m*stride], x[i+2*m*stride], x[i+3*m*stride], x[i+4*m*stride]
			be, b_e, cd, c_d := b+e, b-e, c+d, c-d
			r1 := real(a) + float64(c1*real(be)) + float64(c2*real(cd))
			i1 := imag(a) + float64(c1*imag(be)) + float64(c2*imag(cd))
			r2 := real(a) + float64(c2*real(be)) + float64(c1*real(cd))
			i2 := imag(a) + float64(c2*imag(be)) + float64(c1*imag(cd))
			u1 := float64(s1*imag(b_e)) + float64(s2*imag(c_d))
			v1 := float64(s1*real(b_e)) + float64(s2*real(c_d))
			u2 := float64(s2*imag(b_e)) - float64(s1*imag(c_d))
			v2 := float64(s2*real(b_e)) - float64(s1*real(c_d))
			out[q] = a + be + cd
			out[stride+q] = cmul(complex(r1+u1, i1-v1), w1)
			out[2*stride+q] = cmul(complex(r2+u2, i2-v2), w2)
			out[3*stride+q] = cmul(complex(r2-u2, i2+v2), w3)
			out[4*stride+q] = cmul(complex(r1-u1, i1+v1), w4)
		}
	}
}

// radixAny is the pass for any small radix, by the definition.
func radixAny(y, x, roots []complex128, r, n, step, stride int) {
	m := n / r
	part := n * step / r // the root exp(−2πi/r)
	var v [maxRadix]complex128
	for p := range m {
		for q := range stride {
			for j := range r {
				v[j] = x[(p+j*m)*stride+q]
			}
			for k := range r {
				sum := v[0]
				for j := 1; j < r; j++ {
					sum += cmul(v[j], roots[j*k%r*part])
				}
				y[(r*p+k)*stride+q] = cmul(sum, roots[p*k*step])
			}
		}
	}
}
