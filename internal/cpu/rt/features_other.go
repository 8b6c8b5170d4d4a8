//go:build !amd64

package rt

import "github.com/go-nx/nx/internal/cpu/asm/amd64"

// HostFeatures returns no features: this is another processor.
func HostFeatures() amd64.Feature { return 0 }

// HasFastDot2BF16 returns false.
func HasFastDot2BF16() bool { return false }

// HasSlowDivide returns false: there are no vectors.
func HasSlowDivide() bool { return false }
