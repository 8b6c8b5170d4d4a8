//go:build !amd64

package conformance

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"testing"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if *emulated {
		fmt.Printf("-emulated: machine code is only generated on amd64, not on %s\n", runtime.GOARCH)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
