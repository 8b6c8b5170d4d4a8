//go:build !amd64

package kit

import (
	"fmt"
	"runtime"
	"testing"
)

func runEmulated(*testing.M) int {
	fmt.Printf("-emulated: machine code is only generated on amd64, not on %s\n", runtime.GOARCH)
	return 1
}
