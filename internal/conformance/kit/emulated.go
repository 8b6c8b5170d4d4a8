package kit

import "flag"

var emulated = flag.Bool("emulated", false,
	"run machine code by the emulator, which knows AVX-512 and AMX on every machine; NX_CPU chooses the tier")

// Emulated reports whether machine code is run by the emulator.
func Emulated() bool { return *emulated }
