//go:build amd64 || arm64

// Instructions counts the instructions that machine code executes, and the bytes that it reads and writes, in one call
// of each workload of "nx bench", by emulators. The machine need not be the processor:
//
//	NX_CPU=avx2 instructions [WORKLOAD…] >avx2.tsv
//	NX_CPU=neon instructions [WORKLOAD…] >neon.tsv
//	instructions -compare avx2.tsv neon.tsv
//
// The comparison has the instructions of the second file for each of the first, where one instruction of AVX2 counts
// as the two of NEON that its vectors of twice the width need.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/bench"
	"github.com/go-nx/nx/internal/cpu/emulated"
)

// stackStays keeps stacks where they are, see [emulated.Start].
const stackStays = "GODEBUG=gcshrinkstackoff=1"

func main() {
	compare := flag.Bool("compare", false, "compare two files of counts")
	flag.Parse()
	var err error
	switch {
	case *compare && flag.NArg() == 2:
		err = compareFiles(flag.Arg(0), flag.Arg(1))
	case *compare:
		err = fmt.Errorf("-compare needs two files, got %d", flag.NArg())
	case !slices.Contains(os.Environ(), stackStays):
		again := exec.Command(os.Args[0], os.Args[1:]...)
		again.Env = append(os.Environ(), stackStays)
		again.Stdout, again.Stderr = os.Stdout, os.Stderr
		err = again.Run()
	default:
		err = count(flag.Args())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "instructions:", err)
		os.Exit(1)
	}
}

// count prints the counts of workloads, of all if none is named.
func count(only []string) error {
	program := emulated.Start(os.Getenv("NX_CPU"))
	for _, w := range bench.Workloads {
		if len(only) > 0 && !slices.Contains(only, w.Name) || strings.HasSuffix(w.Name, "_compile") ||
			strings.HasPrefix(w.Name, "compile_") {
			continue
		}
		if err := countOne(program, w); err != nil {
			return fmt.Errorf("%s: %w", w.Name, err)
		}
	}
	return nil
}

// countOne prints the counts of a call after the first one, which compiles.
func countOne(program *emulated.Program, w bench.Workload) (err error) {
	defer nx.Catch(&err)
	call, _ := w.Make()
	call()
	instructions, bytes := program.Instructions.Load(), program.Bytes.Load()
	call()
	fmt.Printf("%s\t%d\t%d\n", w.Name, program.Instructions.Load()-instructions, program.Bytes.Load()-bytes)
	return nil
}

// counts are those of a workload.
type counts struct{ instructions, bytes float64 }

func compareFiles(first, second string) error {
	a, _, err := read(first)
	if err != nil {
		return err
	}
	b, names, err := read(second)
	if err != nil {
		return err
	}
	var ratios []float64
	for _, name := range names {
		x, y := a[name], b[name]
		if x.instructions == 0 || y.instructions == 0 {
			fmt.Printf("%-24s no machine code\n", name)
			continue
		}
		ratio := y.instructions / (2 * x.instructions)
		ratios = append(ratios, ratio)
		fmt.Printf("%-24s %14.0f %14.0f  %5.2f  bytes %5.2f\n", name, x.instructions, y.instructions, ratio,
			y.bytes/x.bytes)
	}
	if len(ratios) == 0 {
		return fmt.Errorf("%s and %s have no workload in common", first, second)
	}
	slices.Sort(ratios)
	fmt.Printf("median %.2f, largest %.2f\n", ratios[len(ratios)/2], ratios[len(ratios)-1])
	return nil
}

func read(path string) (map[string]counts, []string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	rows, names := map[string]counts{}, []string(nil)
	for s := bufio.NewScanner(f); s.Scan(); {
		var name string
		var c counts
		if _, err := fmt.Sscanf(s.Text(), "%s %f %f", &name, &c.instructions, &c.bytes); err != nil {
			return nil, nil, fmt.Errorf("%s: %q: %w", path, s.Text(), err)
		}
		rows[name], names = c, append(names, name)
	}
	return rows, names, nil
}
