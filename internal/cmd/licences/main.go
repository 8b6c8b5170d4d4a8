// Command licences writes the licences of the modules whose code is linked into programs of this one, and that of Go.
//
//	go run ./internal/cmd/licences -o THIRD_PARTY.txt ./cmd/nx ./cmd/nx-vet ./cmd/nx-xla
//	go run ./internal/cmd/licences -check -o THIRD_PARTY.txt ./cmd/nx ./cmd/nx-vet ./cmd/nx-xla
//
// It asks the go command for what the programs import on each platform that is released.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/atomicfile"
)

// platforms are those for which programs are released.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/arm64", "windows/amd64"}

func main() {
	out := flag.String("o", "THIRD_PARTY.txt", "the `file` to write")
	check := flag.Bool("check", false, "compare the file instead of writing it")
	flag.Parse()
	if err := run(*out, *check, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

func run(out string, check bool, programs []string) error {
	if len(programs) == 0 {
		return errors.New("name the packages of programs")
	}
	linked, err := linkedModules(programs)
	if err != nil {
		return err
	}
	text, err := notices(programs, linked)
	if err != nil {
		return err
	}
	if !check {
		return atomicfile.Write(out, func(w io.Writer) error { _, err := w.Write(text); return err })
	}
	have, err := os.ReadFile(out)
	if err != nil {
		return err
	}
	if !bytes.Equal(have, text) {
		return fmt.Errorf("%s is not current: run go run ./internal/cmd/licences -o %[1]s %s", out,
			strings.Join(programs, " "))
	}
	return nil
}

// linked is a module whose code is in a program.
type linked struct{ Path, Version, Dir string }

// linkedModules returns the modules of the packages that programs import on some platform, by path. The module of the
// programs and the standard library are not among them.
func linkedModules(programs []string) ([]linked, error) {
	found := map[string]linked{}
	for _, platform := range platforms {
		system, arch, _ := strings.Cut(platform, "/")
		cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Module"}, programs...)...)
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		text, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w\n%s", platform, err, stderr.Bytes())
		}
		for d := json.NewDecoder(bytes.NewReader(text)); ; {
			var p struct {
				Module *struct {
					linked
					Main    bool
					Replace *linked
				}
			}
			if err := d.Decode(&p); err == io.EOF {
				break
			} else if err != nil {
				return nil, err
			}
			if m := p.Module; m != nil && !m.Main && (m.Replace == nil || m.Replace.Version != "") {
				found[m.Path] = m.linked
			}
		}
	}
	list := make([]linked, 0, len(found))
	for _, m := range found {
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b linked) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// licence matches the names of files with the terms under which a module is distributed.
var licence = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// notices returns the text of all licences.
func notices(programs []string, modules []linked) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "The programs %s contain code of the modules below, and of Go.\n"+
		"Written by internal/cmd/licences.\n", strings.Join(programs, ", "))
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	goLicence, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
	if err != nil {
		return nil, fmt.Errorf("the licence of Go: %w", err)
	}
	section(&b, "Go, the standard library and the runtime", goLicence)
	for _, m := range modules {
		entries, err := os.ReadDir(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		files := 0
		for _, e := range entries {
			if e.IsDir() || !licence.MatchString(e.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(m.Dir, e.Name()))
			if err != nil {
				return nil, err
			}
			files++
			section(&b, m.Path+" "+m.Version+", "+e.Name(), text)
		}
		if files == 0 {
			return nil, fmt.Errorf("%s %s has no file with a licence", m.Path, m.Version)
		}
	}
	return b.Bytes(), nil
}

// section writes a text below a title. Line ends are line feeds.
func section(b *bytes.Buffer, title string, text []byte) {
	line := strings.Repeat("=", 80)
	fmt.Fprintf(b, "\n%s\n%s\n%s\n\n%s\n", line, title, line,
		bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))))
}
