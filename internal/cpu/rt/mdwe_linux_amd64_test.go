package rt

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMain forbids, if the environment says so, that writable memory becomes executable, as hardened systems do. That
// holds for the rest of the process.
func TestMain(m *testing.M) {
	if os.Getenv("NX_TEST_MDWE") != "" {
		const setMDWE, refuseGain = 65, 1
		err := unix.Prctl(setMDWE, refuseGain, 0, 0, 0)
		isHardened = err == nil // Linux before 6.3 does not support it
	}
	os.Exit(m.Run())
}
