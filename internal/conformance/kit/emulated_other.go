//go:build !amd64

package kit

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
)

// Main is TestMain of a package whose tests the flag -emulated runs by the emulator.
func Main(m *testing.M) {
	flag.Parse()
	if Emulated() {
		fmt.Printf("-emulated: machine code is only generated on amd64, not on %s\n", runtime.GOARCH)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
