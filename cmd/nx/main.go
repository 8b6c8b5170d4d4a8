// Command nx checks, runs, formats and inspects StableHLO programs.
//
// Run "nx help" for its commands. Exit status: 0 when all is well, 1 when a
// program failed, 2 when the command line or an input is wrong, 130 when
// interrupted.
package main

import "github.com/go-nx/nx/cmd/internal/command"

func main() { command.Nx.Main() }
