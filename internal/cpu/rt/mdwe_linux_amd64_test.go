package rt

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// TestMain forbids, where the environment says so, that memory becomes executable which was
// writable, as hardened systems do. That holds for all the process does from then on.
func TestMain(m *testing.M) {
	if os.Getenv("NX_TEST_MDWE") != "" {
		const setMDWE, refuseGain = 65, 1
		err := unix.Prctl(setMDWE, refuseGain, 0, 0, 0)
		isHardened = err == nil // kernels before 6.3 do not know it
	}
	os.Exit(m.Run())
}
