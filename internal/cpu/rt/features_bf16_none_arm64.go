//go:build arm64 && !linux && !darwin

package rt

// hasBF16 returns false: other systems do not report it.
func hasBF16() bool { return false }
