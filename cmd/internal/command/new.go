package command

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
)

// moduleFiles are the files of the module that nx new makes, a package of this one that its tests run.
//
//go:embed module
var moduleFiles embed.FS

// modulePath is what the go command takes as the path of a module, but for rarer characters.
var modulePath = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~-]*(/[A-Za-z0-9][A-Za-z0-9._~-]*)*$`)

func newNew(s *Streams) *cobra.Command {
	var module, replace string
	cmd := &cobra.Command{
		Use:   "new DIR",
		Short: "Make a Go module that trains a model",
		Long: `New makes a folder with a Go module: a model, records made by a seed, a training loop with
checkpoints from which it goes on, and a test. It needs no data; the model and the records
are there to be replaced by others. Nothing is downloaded: "go mod tidy" does that.

The folder must be new or empty. With --replace, the module uses the sources of nx in
a folder on this machine instead of a published version.`,
		Example: examples("nx new spirals", "nx new spirals --module example.com/spirals"),
		Args:    wantArgs(1, 1, "the name of the folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := args[0]
			if module == "" {
				abs, err := filepath.Abs(dir)
				if err != nil {
					return err
				}
				module = filepath.Base(abs)
			}
			if !modulePath.MatchString(module) {
				return fmt.Errorf("new: %q cannot be the path of a module: give one by --module", module)
			}
			v := currentVersion().Version
			if replace == "" && !strings.HasPrefix(v, "v") {
				return errors.New("new: this nx was built from sources that have no version: --replace names their folder")
			}
			if err := makeModule(dir, module, v, replace); err != nil {
				return Failure(err)
			}
			_, err := fmt.Fprintf(s.out, "made %s: a model, its training loop and a test. Next:\n\n"+
				"  cd %s\n  go mod tidy\n  go test ./...\n  go run .\n", dir, dir)
			return written(err)
		},
	}
	cmd.Flags().StringVar(&module, "module", "", "path of the module (the name of the folder)")
	cmd.Flags().StringVar(&replace, "replace", "", "folder of the sources of nx, instead of a version")
	return cmd
}

// makeModule makes the folder of a module. After an error nothing is left of it.
func makeModule(dir, module, version, replace string) (err error) {
	entries, err := os.ReadDir(dir)
	made := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !made:
		return fmt.Errorf("new: %w", err)
	case len(entries) > 0:
		return fmt.Errorf("new: the folder %s is not empty: name a new one", dir)
	}
	files, err := filesOfModule(module, version, replace)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("new: %w", err)
	}
	var done []string
	defer func() {
		if err == nil {
			return
		}
		for _, name := range done {
			os.Remove(name)
		}
		if made {
			os.Remove(dir)
		}
	}()
	for name, text := range files {
		name = filepath.Join(dir, name)
		done = append(done, name)
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return fmt.Errorf("new: %w", err)
		}
	}
	return nil
}

// filesOfModule are the files of a module by name.
func filesOfModule(module, version, replace string) (map[string][]byte, error) {
	files := map[string][]byte{".gitignore": []byte("/run/\n")}
	entries, err := moduleFiles.ReadDir("module")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		text, err := moduleFiles.ReadFile(path.Join("module", e.Name()))
		if err != nil {
			return nil, err
		}
		name := e.Name()
		if name == "README.txt" {
			title := strings.Replace(string(text), "A model and its training", path.Base(module), 1)
			name, text = "README.md", []byte(title)
		}
		files[name] = text
	}
	if replace == "" {
		files["go.mod"] = fmt.Appendf(nil, "module %s\n\ngo 1.26.0\n\nrequire %s %s\n", module, nxPath, version)
		return files, nil
	}
	if replace, err = filepath.Abs(replace); err != nil {
		return nil, err
	}
	// The checksums of the sources are those of the modules that they need.
	if files["go.sum"], err = os.ReadFile(filepath.Join(replace, "go.sum")); err != nil {
		return nil, fmt.Errorf("new: --replace: %w", err)
	}
	files["go.mod"] = fmt.Appendf(nil, "module %s\n\ngo 1.26.0\n\nrequire %s v0.0.0\n\nreplace %s => %q\n", module, nxPath,
		nxPath, filepath.ToSlash(replace))
	return files, nil
}

const nxPath = "github.com/go-nx/nx"
