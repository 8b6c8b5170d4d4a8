package rt

import (
	"sync"

	"github.com/go-nx/nx/internal/cpu/asm/amd64"
)

func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)
func xgetbv() uint32

// HostFeatures returns the features of the processor that the system enables; in tests, those of the executor.
func HostFeatures() amd64.Feature {
	if executor != nil {
		return executor.Features
	}
	return hostFeatures()
}

var hostFeatures = sync.OnceValue(detect)

// RunsAArch64 reports whether an executor runs code for AArch64.
func RunsAArch64() bool { return executor != nil && executor.Translator != nil }

// HasFastDot2BF16 reports whether the VDPBF16PS instruction is faster than two float32 FMAs. Intel processors start it
// every second cycle (Sapphire Rapids, measured), and two FMAs in each cycle.
func HasFastDot2BF16() bool { return executor != nil || !isIntel() }

// HasSlowDivide reports whether vector division takes longer than a product with the inverse and two corrections. Intel
// processors take 12 cycles for 16 float32s or 23 for 8 float64s (Sapphire Rapids, measured), AMD processors at most
// half of that.
func HasSlowDivide() bool { return executor != nil || isIntel() }

// isIntel reports whether Intel made the processor: CPUID has "Genu" of GenuineIntel in EBX.
func isIntel() bool {
	_, name, _, _ := cpuid(0, 0)
	return name == 0x756e6547
}

// featureBit is the CPUID bit of a feature, with the register state that the system must save.
type featureBit struct {
	feature amd64.Feature
	word    int // index in words
	bit     int
	state   uint32
}

// The words of CPUID.
const (
	leaf1ECX = iota
	leaf7EBX
	leaf7ECX
	leaf7EDX
	leaf71EAX
	numWords
)

// The states of XCR0.
const (
	stateAVX    = 1<<1 | 1<<2
	stateAVX512 = stateAVX | 1<<5 | 1<<6 | 1<<7
	stateAMX    = 1<<17 | 1<<18
)

var featureBits = [...]featureBit{
	{amd64.AVX, leaf1ECX, 28, stateAVX},
	{amd64.FMA, leaf1ECX, 12, stateAVX},
	{amd64.F16C, leaf1ECX, 29, stateAVX},
	{amd64.BMI1, leaf7EBX, 3, 0},
	{amd64.BMI2, leaf7EBX, 8, 0},
	{amd64.AVX2, leaf7EBX, 5, stateAVX},
	{amd64.AVX512F, leaf7EBX, 16, stateAVX512},
	{amd64.AVX512DQ, leaf7EBX, 17, stateAVX512},
	{amd64.AVX512BW, leaf7EBX, 30, stateAVX512},
	{amd64.AVX512VL, leaf7EBX, 31, stateAVX512},
	{amd64.AVX512VNNI, leaf7ECX, 11, stateAVX512},
	{amd64.AVX512FP16, leaf7EDX, 23, stateAVX512},
	{amd64.AMXBF16, leaf7EDX, 22, stateAMX},
	{amd64.AMXTILE, leaf7EDX, 24, stateAMX},
	{amd64.AMXINT8, leaf7EDX, 25, stateAMX},
	{amd64.AVXVNNI, leaf71EAX, 4, stateAVX},
	{amd64.AVX512BF16, leaf71EAX, 5, stateAVX512},
}

func detect() amd64.Feature {
	var words [numWords]uint32
	maxLeaf, _, _, _ := cpuid(0, 0)
	_, _, words[leaf1ECX], _ = cpuid(1, 0)
	if maxLeaf >= 7 {
		var subs uint32
		subs, words[leaf7EBX], words[leaf7ECX], words[leaf7EDX] = cpuid(7, 0)
		if subs >= 1 {
			words[leaf71EAX], _, _, _ = cpuid(7, 1)
		}
	}
	var enabled uint32 // saved by the system
	if words[leaf1ECX]&(1<<27) != 0 {
		enabled = xgetbv()
	}
	if enabled&stateAMX == stateAMX && words[leaf7EDX]&(1<<24) != 0 && !allowTiles() {
		enabled &^= stateAMX
	}
	var f amd64.Feature
	for _, b := range featureBits {
		if words[b.word]&(1<<b.bit) != 0 && enabled&b.state == b.state {
			f |= b.feature
		}
	}
	return f
}
