package kit

import (
	"flag"
	"os"
	"testing"
)

// Main is TestMain of a package whose tests run machine code. It declares the flag -emulated.
func Main(m *testing.M) {
	emulated := flag.Bool("emulated", false,
		"run machine code by the emulator, which knows AVX-512 and AMX on every machine; NX_CPU chooses the tier")
	flag.Parse()
	if *emulated {
		os.Exit(runEmulated(m))
	}
	os.Exit(m.Run())
}
