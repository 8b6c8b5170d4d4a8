package stablehlo

import "github.com/go-nx/nx/internal/lazy"

// enumKeywords holds the keywords of each enumeration by its mnemonic. CHLO has
// enumerations of the same names with the same keywords.
var enumKeywords lazy.Value[map[string][]string]

func listKeywords() map[string][]string {
	return map[string][]string{
		"comparison_direction": {"EQ", "NE", "GE", "GT", "LE", "LT"},
		"comparison_type":      {"NOTYPE", "FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"},
		"fft_type":             {"FFT", "IFFT", "RFFT", "IRFFT"},
		"precision":            {"DEFAULT", "HIGH", "HIGHEST"},
		"result_accuracy_mode": {"DEFAULT", "HIGHEST", "TOLERANCE"},
		"rng_algorithm":        {"DEFAULT", "THREE_FRY", "PHILOX"},
		"rng_distribution":     {"UNIFORM", "NORMAL"},
		"transpose":            {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"},
	}
}

// EnumKeywords returns the keywords of an enumeration ("precision"), nil when
// there is none of that mnemonic. The caller must not change it.
func EnumKeywords(mnemonic string) []string { return enumKeywords.Get(listKeywords)[mnemonic] }
