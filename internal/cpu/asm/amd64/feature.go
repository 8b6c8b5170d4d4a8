package amd64

import "strings"

// Feature is a set of processor features beyond baseline amd64.
type Feature uint32

// The features. AVX2 includes AVX for integers of both lengths; AVX512F is for 512 bits, and shorter vectors of AVX-512
// also need AVX512VL.
const (
	AVX Feature = 1 << iota
	AVX2
	FMA
	F16C
	BMI1
	BMI2
	AVXVNNI
	AVX512F
	AVX512VL
	AVX512DQ
	AVX512BW
	AVX512VNNI
	AVX512BF16
	AVX512FP16
	AMXTILE
	AMXBF16
	AMXINT8
	numFeatures = iota

	X64 Feature = 0
)

var featureNames = [numFeatures]string{
	"avx", "avx2", "fma", "f16c", "bmi1", "bmi2", "avx_vnni", "avx512f", "avx512vl", "avx512dq", "avx512bw",
	"avx512_vnni", "avx512_bf16", "avx512_fp16", "amx_tile", "amx_bf16", "amx_int8",
}

// String lists the names of the features.
func (f Feature) String() string {
	var names []string
	for i, n := range featureNames {
		if f&(1<<i) != 0 {
			names = append(names, n)
		}
	}
	return strings.Join(names, " ")
}

// features returns the features that a form requires at a vector length.
func (f *form) features(l length) Feature {
	if f.enc == evex && f.lens&lig == 0 && l != len512 && f.usesLength() {
		return f.feat | AVX512VL
	}
	return f.feat
}

// usesLength reports whether the vector length matters: forms with only XMM registers, such as moves of one element, do
// not need AVX512VL.
func (f *form) usesLength() bool {
	for _, a := range f.args {
		if a&classBits == ofVL {
			return true
		}
	}
	return false
}
