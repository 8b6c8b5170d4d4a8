package gemm

// packA copies rows × depth elements, element (i, k) at src[i*rs+k*ks], into panels of microM rows, padded with 0.
// Zeros beyond depth add nothing to a sum; those beyond rows end in elements of C that are dropped.
func packA[T Accumulator](dst []panelA[T], src []T, rs, ks, rows, depth int) {
	panels := (depth + microK - 1) / microK
	for i := 0; i < rows; i += microM {
		out := dst[i/microM*panels:][:panels]
		s0 := src[i*rs:]
		if rows-i < microM {
			packRagged(out, s0, rs, ks, rows-i, depth)
			continue
		}
		s1 := s0[rs:]
		full := depth / microK
		if ks == 1 {
			for p := range out[:full] {
				q := p * microK
				x, y, o := s0[q:q+microK:q+microK], s1[q:q+microK:q+microK], &out[p]
				o[0], o[1], o[2], o[3] = x[0], y[0], x[1], y[1]
				o[4], o[5], o[6], o[7] = x[2], y[2], x[3], y[3]
			}
		} else {
			for p := range out[:full] {
				q, o := p*microK*ks, &out[p]
				o[0], o[1] = s0[q], s1[q]
				q += ks
				o[2], o[3] = s0[q], s1[q]
				q += ks
				o[4], o[5] = s0[q], s1[q]
				q += ks
				o[6], o[7] = s0[q], s1[q]
			}
		}
		if full < panels {
			packRagged(out[full:], s0[full*microK*ks:], rs, ks, microM, depth-full*microK)
		}
	}
}

func packRagged[T Accumulator](dst []panelA[T], src []T, rs, ks, rows, depth int) {
	clear(dst)
	for k := range depth {
		for i := range rows {
			dst[k/microK][k%microK*microM+i] = src[i*rs+k*ks]
		}
	}
}

// packB copies depth × cols elements, element (k, j) at src[k*ks+j*cs], into panels of microN columns, padded as in
// packA.
func packB[T Accumulator](dst []panelB[T], src []T, ks, cs, depth, cols int) {
	panels := (depth + microK - 1) / microK
	full := depth / microK
	for j := 0; j < cols; j += microN {
		out := dst[j/microN*panels:][:panels]
		s := src[j*cs:]
		if cols-j < microN {
			packRaggedB(out, s, ks, cs, depth, cols-j)
			continue
		}
		switch {
		case cs == 1:
			for p := range out[:full] {
				q, o := p*microK*ks, &out[p]
				*(*[microN]T)(o[0:4]) = [microN]T(s[q:])
				q += ks
				*(*[microN]T)(o[4:8]) = [microN]T(s[q:])
				q += ks
				*(*[microN]T)(o[8:12]) = [microN]T(s[q:])
				q += ks
				*(*[microN]T)(o[12:16]) = [microN]T(s[q:])
			}
		case ks == 1:
			s1, s2, s3 := s[cs:], s[2*cs:], s[3*cs:]
			for p := range out[:full] {
				q, o := p*microK, &out[p]
				w, x, y, z := s[q:q+4:q+4], s1[q:q+4:q+4], s2[q:q+4:q+4], s3[q:q+4:q+4]
				o[0], o[1], o[2], o[3] = w[0], x[0], y[0], z[0]
				o[4], o[5], o[6], o[7] = w[1], x[1], y[1], z[1]
				o[8], o[9], o[10], o[11] = w[2], x[2], y[2], z[2]
				o[12], o[13], o[14], o[15] = w[3], x[3], y[3], z[3]
			}
		default:
			for p := range out[:full] {
				o := &out[p]
				for k := range microK {
					q := (p*microK + k) * ks
					o[4*k], o[4*k+1], o[4*k+2], o[4*k+3] = s[q], s[q+cs], s[q+2*cs], s[q+3*cs]
				}
			}
		}
		if full < panels {
			packRaggedB(out[full:], s[full*microK*ks:], ks, cs, depth-full*microK, microN)
		}
	}
}

func packRaggedB[T Accumulator](dst []panelB[T], src []T, ks, cs, depth, cols int) {
	clear(dst)
	for k := range depth {
		for j := range cols {
			dst[k/microK][k%microK*microN+j] = src[k*ks+j*cs]
		}
	}
}
