// Command nx-vet finds mistakes in Go programs that use nx which the compiler accepts: divisions of integer
// constants in operands (nx.Mul(1/2, t)), functions compiled again in a loop, compiled methods that are bound
// to a receiver, and writes to outer variables in traced functions.
//
//	nx-vet [PACKAGE...]
//	nx-vet -upgrade [FOLDER | FILE...]
//	nx-vet -version
//
// It runs "go vet" with itself as the tool, so packages and flags are those of the go command, and results are
// cached; "go vet -vettool=$(which nx-vet)" is equivalent. "nx vet" runs it.
//
// With -upgrade it rewrites Go files, which need not compile, for the names and arguments that package nx has now, and
// prints each change: nx.FFT becomes fft.FFT, nx.Load(path) becomes nx.Load(context.Background(), path).
//
// Exit status: 1 when there are such mistakes or the packages do not compile, 2 when there is no
// go command.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/go-nx/nx/cmd/internal/version"
	"github.com/go-nx/nx/vet"
)

func main() {
	args := os.Args[1:]
	if isToolCall(args) {
		unitchecker.Main(vet.Analyzers()...) // does not return
	}
	switch {
	case len(args) > 0 && args[0] == "-upgrade":
		os.Exit(upgrade(args[1:], os.Stdout, os.Stderr))
	case len(args) == 1 && (args[0] == "-version" || args[0] == "--version"):
		v := version.Current()
		fmt.Printf("nx-vet version %s, %s\n", v.Sources(), v.Target())
		return
	}
	os.Exit(run(args))
}

// run calls go vet with this program as the tool, and returns the exit status.
func run(args []string) int {
	self, err := os.Executable()
	if err == nil {
		c := exec.Command("go", append([]string{"vet", "-vettool=" + self}, args...)...)
		c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
		err = c.Run()
	}
	var failed *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed):
		return 1
	}
	fmt.Fprintf(os.Stderr, "nx-vet: %v: it needs the go command\n", err)
	return 2
}

// isToolCall reports whether arguments are those by which go vet calls its tool.
func isToolCall(args []string) bool {
	isOption := func(a string) bool { return strings.HasPrefix(a, "-") }
	last := len(args) - 1
	return last >= 0 && !slices.ContainsFunc(args[:last], func(a string) bool { return !isOption(a) }) &&
		(args[last] == "-V=full" || args[last] == "-flags" || !isOption(args[last]) &&
			strings.HasSuffix(args[last], ".cfg"))
}
