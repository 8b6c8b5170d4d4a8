// Command defn translates numerical definitions, Go functions on the tensors of package defn, into functions of package
// nx:
//
//	defn [-out FOLDER] [-check] [PACKAGE...]
//	defn vet [PACKAGE...]
//	defn watch [-out FOLDER] [PACKAGE...]
//	defn lower [-args TYPES] [-set NAME=VALUE] [-grad [-wrt NAMES]] ./FOLDER.FUNC
//	defn -version
//
// The package in the working folder is the default; ./... means all below it. The functions of a package of definitions
// are written to a file in the folder of -out, of another package. Without it a package whose name ends in defs is
// written to the folder beside it whose name is without this ending, and one that is named defs to the folder above.
// The place for the flag is a directive in the package, which go generate runs, and which defn reads when it is
// called without the flag:
//
//	//go:generate go tool defn -out ../model
//
// With -check nothing is written, and the exit status is 1 where a file would change. vet only looks for what
// definitions must not do; docs/defn.md has the list. watch translates again whenever a source changes.
//
// lower prints the graph of one definition as StableHLO, without writing a file: nx run and nx inspect use it.
//
// Exit status: 1 where there are errors in definitions or stale files, 2 for wrong arguments.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-nx/nx/cmd/internal/version"
	"github.com/go-nx/nx/internal/translate"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command and returns the exit status.
func run(ctx context.Context, args []string, out, errs io.Writer) int {
	command := ""
	if len(args) > 0 && args[0] == "lower" {
		return lower(ctx, args[1:], out, errs)
	}
	if len(args) > 0 && (args[0] == "vet" || args[0] == "watch") {
		command, args = args[0], args[1:]
	}
	fs := flag.NewFlagSet("defn", flag.ContinueOnError)
	fs.SetOutput(errs)
	folder := fs.String("out", "", "the `folder` to write to, relative to that of the package")
	check := fs.Bool("check", false, "write nothing, and fail where a file would change")
	showVersion := fs.Bool("version", false, "print the version")
	fs.Usage = func() {
		fmt.Fprintln(errs, "usage: defn [-out FOLDER] [-check] [PACKAGE...]\n       defn vet [PACKAGE...]\n"+
			"       defn watch [-out FOLDER] [PACKAGE...]\n       defn lower [flags] ./FOLDER.FUNC")
		fs.PrintDefaults()
	}
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if *showVersion {
		v := version.Current()
		fmt.Fprintf(out, "defn version %s, %s\n", v.Sources(), v.Target())
		return 0
	}
	patterns := fs.Args()
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(errs, "defn:", err)
		return 1
	}
	o := translate.Options{Dir: dir, Out: *folder, Check: *check, Cache: cacheFolder(), Tool: tool()}
	switch command {
	case "vet":
		return vet(dir, patterns, errs)
	case "watch":
		return watch(ctx, o, patterns, out, errs)
	}
	return generate(o, patterns, out, errs)
}

// generate translates once.
func generate(o translate.Options, patterns []string, out, errs io.Writer) int {
	results, err := translate.Generate(o, patterns...)
	status := 0
	for _, r := range results {
		switch name := relative(o.Dir, r.File); {
		case r.Written:
			fmt.Fprintln(out, name)
		case r.Stale:
			fmt.Fprintf(errs, "defn: %s is stale: run go generate in %s\n", name, relative(o.Dir, r.Package))
			status = 1
		}
	}
	if err != nil {
		fail(errs, err)
		return 1
	}
	return status
}

// fail prints an error: the diagnostics of definitions as a compiler does.
func fail(errs io.Writer, err error) {
	var list translate.Errors
	if errors.As(err, &list) {
		fmt.Fprintln(errs, short(list.Error()))
		return
	}
	fmt.Fprintln(errs, "defn:", short(err.Error()))
}

// short names files below the working folder by the way from there.
func short(text string) string {
	dir, err := os.Getwd()
	if err != nil {
		return text
	}
	return strings.ReplaceAll(text, dir+string(filepath.Separator), "")
}

// vet looks for errors in definitions.
func vet(dir string, patterns []string, errs io.Writer) int {
	ps, err := translate.Load(dir, patterns...)
	if err == nil {
		err = translate.Vet(ps)
	}
	if err != nil {
		fail(errs, err)
		return 1
	}
	return 0
}

// interval is the time between two looks at the sources.
const interval = 300 * time.Millisecond

// watch translates again whenever a source changes, until it is interrupted. Packages that are up to date are not
// loaded, so that a look costs reading their files.
func watch(ctx context.Context, o translate.Options, patterns []string, out, errs io.Writer) int {
	last := ""
	for {
		if now, err := translate.Inputs(o, patterns...); err != nil {
			fail(errs, err)
			return 1
		} else if now != last {
			last = now
			if generate(o, patterns, out, errs) == 0 {
				fmt.Fprintln(out, "defn: up to date")
			}
		}
		select {
		case <-ctx.Done():
			return 0
		case <-time.After(interval):
		}
	}
}

// relative returns a path as seen from the working folder, where that is shorter.
func relative(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && len(rel) < len(path) {
		return rel
	}
	return path
}

// cacheFolder returns where it is kept what is up to date, "" where the user has no such folder.
func cacheFolder() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "nx", "defn")
}

// tool identifies this program: another build of it may write other files.
func tool() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}
