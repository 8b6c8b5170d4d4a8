// Command release prepares the tags of a version: one for the module of the repository, and one for each module in a
// folder of it, which has to require the others in the same version.
//
//	go run ./internal/cmd/release v0.1.0          checks, and prints the commands that tag
//	go run ./internal/cmd/release -write v0.1.0   writes the versions into the go.mod files first
//
// The check fails unless CHANGELOG.md has a section of the version and every go.mod requires it.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// mainModule is the path of the module of the repository.
const mainModule = "github.com/go-nx/nx"

func main() {
	write := flag.Bool("write", false, "write the version into the requirements of go.mod files")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: release [-write] VERSION")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(".", flag.Arg(0), *write); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// module is a module of the repository.
type module struct {
	folder   string // "." for that of the repository
	path     string
	requires map[string]string // the versions of other modules of the repository
}

// tag is the tag of a version of the module.
func (m module) tag(version string) string { return path.Join(m.folder, version) }

var semver = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z.-]+)?$`)

func run(root, version string, write bool) error {
	if !semver.MatchString(version) {
		return fmt.Errorf("the version must be like v0.1.0, got %q", version)
	}
	modules, err := released(root)
	if err != nil {
		return err
	}
	if write {
		for _, m := range modules {
			for other := range m.requires {
				if _, err := goMod(root, m.folder, "edit", "-require="+other+"@"+version); err != nil {
					return err
				}
			}
		}
		if modules, err = released(root); err != nil {
			return err
		}
	}
	errs := []error{changelogHas(root, version)}
	for _, m := range modules {
		for other, required := range m.requires {
			if required != version {
				errs = append(errs, fmt.Errorf("%s requires %s %s, not %s: run with -write",
					path.Join(m.folder, "go.mod"), other, required, version))
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	tags := make([]string, len(modules))
	for i, m := range modules {
		tags[i] = m.tag(version)
		fmt.Printf("git tag -a %s -m %q\n", tags[i], m.path+" "+version)
	}
	fmt.Printf("git push origin %s\n", strings.Join(tags, " "))
	return nil
}

// released returns the modules of a repository that others may require, that of the repository first.
func released(root string) ([]module, error) {
	var list []module
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		if d.IsDir() {
			name := d.Name()
			if file != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "internal") {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Name() != "go.mod" {
			return nil
		}
		m, err := readModule(root, filepath.ToSlash(folder))
		if err == nil {
			list = append(list, m)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b module) int { return strings.Compare(a.path, b.path) })
	if len(list) == 0 || list[0].path != mainModule {
		return nil, fmt.Errorf("there is no module %s in %s", mainModule, root)
	}
	return list, nil
}

func readModule(root, folder string) (module, error) {
	text, err := goMod(root, folder, "edit", "-json")
	if err != nil {
		return module{}, err
	}
	var file struct {
		Module  struct{ Path string }
		Require []struct{ Path, Version string }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return module{}, fmt.Errorf("%s: %w", path.Join(folder, "go.mod"), err)
	}
	if want := path.Join(mainModule, folder); file.Module.Path != want {
		return module{}, fmt.Errorf("the module in %s must have the path %s, got %s", folder, want, file.Module.Path)
	}
	m := module{folder: folder, path: file.Module.Path, requires: map[string]string{}}
	for _, r := range file.Require {
		if r.Path == mainModule || strings.HasPrefix(r.Path, mainModule+"/") {
			m.requires[r.Path] = r.Version
		}
	}
	return m, nil
}

func goMod(root, folder string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", append([]string{"mod"}, args...)...)
	cmd.Dir = filepath.Join(root, filepath.FromSlash(folder))
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("go mod %s in %s: %s", strings.Join(args, " "), folder, strings.TrimSpace(string(exit.Stderr)))
	}
	return out, err
}

// changelogHas returns an error unless the list of changes has a section of the version that says when.
func changelogHas(root, version string) error {
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "## "+version); ok {
			if regexp.MustCompile(`^ - \d{4}-\d{2}-\d{2}$`).MatchString(rest) {
				return nil
			}
			return fmt.Errorf("the section of %s in CHANGELOG.md must end with the date, \"## %[1]s - 2006-01-02\", got %q",
				version, strings.TrimSpace(line))
		}
	}
	return fmt.Errorf("CHANGELOG.md has no section \"## %s - DATE\"", version)
}
