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
		fmt.Printf("-emulated: machine code is made on amd64 alone, this is %s\n", runtime.GOARCH)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
