// Command opbench writes a small program for each op of the table, to be timed: one
// for each element type of a list that the op takes.
//
//	go run ./internal/cmd/opbench -o DIR
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir := flag.String("o", "", "the folder to write into; it is made")
	flag.Parse()
	if *dir == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "opbench:", err)
		os.Exit(1)
	}
}

func write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, p := range programs() {
		if err := os.WriteFile(filepath.Join(dir, p.name+".mlir"), []byte(p.text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
