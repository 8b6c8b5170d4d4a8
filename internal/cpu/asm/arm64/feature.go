package arm64

import "strings"

// Feature is a set of extensions of Armv8.0-A with Advanced SIMD.
type Feature uint8

// The features, named as in the manual (FEAT_FP16 and so on).
const (
	FP16    Feature = 1 << iota // arithmetic of half precision
	DotProd                     // dot products of bytes
	BF16
	I8MM        // matrix products of bytes, and dot products of both signs
	numFeatures = iota
)

var featureNames = [numFeatures]string{"fp16", "dotprod", "bf16", "i8mm"}

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
