package kit

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/emulated"
)

// stackStays keeps stacks where they are: code holds addresses of arguments on them.
const stackStays = "gcshrinkstackoff=1"

// runEmulated runs the tests, and returns the status of the process.
func runEmulated(m *testing.M) int {
	if debug := os.Getenv("GODEBUG"); !strings.Contains(debug, stackStays) {
		again := exec.Command(os.Args[0], os.Args[1:]...)
		again.Env = append(os.Environ(), "GODEBUG="+strings.TrimPrefix(debug+","+stackStays, ","))
		again.Stdin, again.Stdout, again.Stderr = os.Stdin, os.Stdout, os.Stderr
		err := again.Run()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return again.ProcessState.ExitCode()
	}
	p := emulated.Start(os.Getenv("NX_CPU"))
	code := m.Run()
	fmt.Printf("emulated: %d calls of machine code\n", p.Calls.Load())
	if code == 0 && p.Calls.Load() == 0 && os.Getenv("NX_CPU") != "portable" {
		fmt.Println("no machine code has been run")
		code = 1
	}
	return code
}
