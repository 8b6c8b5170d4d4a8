package rt

import (
	"sync"

	"golang.org/x/sys/cpu"

	"github.com/go-nx/nx/internal/cpu/asm/arm64"
)

// RunsAArch64 reports whether this process runs code for AArch64: on such a processor, unless an executor runs that of
// another.
func RunsAArch64() bool { return executor == nil || executor.Translator != nil }

// ARM64Features returns the features of the processor that the system reports, as far as generated code uses them.
var ARM64Features = sync.OnceValue(func() arm64.Feature {
	var features arm64.Feature
	for f, has := range map[arm64.Feature]bool{
		arm64.FP16:    cpu.ARM64.HasFPHP && cpu.ARM64.HasASIMDHP,
		arm64.DotProd: cpu.ARM64.HasASIMDDP,
		arm64.BF16:    hasBF16(),
		arm64.I8MM:    cpu.ARM64.HasI8MM,
	} {
		if has {
			features |= f
		}
	}
	return features
})
