package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-nx/nx/internal/atomicfile"
	"github.com/go-nx/nx/vet"
)

// upgrade rewrites the Go files of paths for the API that nx has now, prints what it changed, and returns the exit
// status. Folders are searched with all below them, but for vendored packages, test data and hidden folders.
func upgrade(paths []string, stdout, stderr io.Writer) int {
	if len(paths) == 0 {
		paths = []string{"."}
	}
	status := 0
	for _, root := range paths {
		err := filepath.WalkDir(strings.TrimSuffix(root, "/..."), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != root && isSkipped(d.Name()):
				return filepath.SkipDir
			case d.IsDir() || filepath.Ext(path) != ".go":
				return nil
			}
			if err := upgradeFile(path, stdout); err != nil {
				fmt.Fprintf(stderr, "nx-vet: %v\n", err)
				status = 1
			}
			return nil
		})
		if err != nil {
			fmt.Fprintf(stderr, "nx-vet: %v\n", err)
			status = 1
		}
	}
	return status
}

func isSkipped(folder string) bool {
	return folder == "vendor" || folder == "testdata" ||
		strings.HasPrefix(folder, ".") && folder != "." && folder != ".."
}

// upgradeFile rewrites a file, which is complete at any time.
func upgradeFile(path string, stdout io.Writer) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	out, changes, err := vet.Upgrade(path, source)
	if err != nil || len(changes) == 0 {
		return err
	}
	for _, c := range changes {
		fmt.Fprintf(stdout, "%s: %s\n", c.Position, c.Message)
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(out)
		return err
	})
}
