package translate

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/internal/atomicfile"
	"github.com/go-nx/nx/internal/diskcache"
)

// Options say what Generate does.
type Options struct {
	Dir   string // the folder that patterns are relative to
	Out   string // see [TargetOf]
	Check bool   // write nothing, and fail for files that would change
	Cache string // the folder of what is known to be up to date, "" for none
	Tool  string // identifies the translator: what another one made is not up to date
}

// Result is what became of a package.
type Result struct {
	Package string // its folder, or its path
	File    string
	Written bool
	Stale   bool // with Check
}

// Generate translates the packages that patterns name: folders, ./... for all below one, or paths. Packages whose
// inputs and outputs are as they were after the last call are left out without being loaded.
func Generate(o Options, patterns ...string) ([]Result, error) {
	var err error
	if o.Dir, err = filepath.Abs(o.Dir); err != nil { // what is remembered has full paths
		return nil, err
	}
	dirs, paths, err := expand(o.Dir, patterns)
	if err != nil {
		return nil, err
	}
	var cache *diskcache.Cache
	if o.Cache != "" {
		cache, _ = diskcache.Open(o.Cache, 1<<20, func(error) {})
	}
	var results []Result
	load := slices.Clone(paths)
	for _, d := range dirs {
		if r, ok := upToDate(cache, o, d); ok {
			results = append(results, r)
			continue
		}
		rel, err := filepath.Rel(o.Dir, d)
		if err != nil {
			return nil, err
		}
		load = append(load, "./"+filepath.ToSlash(rel))
	}
	if len(load) == 0 {
		return results, nil
	}
	ps, err := Load(o.Dir, load...)
	if err != nil {
		return results, err
	}
	var failed Errors
	for _, p := range importsFirst(ps) {
		r, err := generate(o, p)
		var list Errors
		switch {
		case errors.As(err, &list):
			failed = append(failed, list...)
			continue
		case err != nil:
			return results, err
		}
		results = append(results, r)
		if !r.Stale {
			remember(cache, o, p.Dir, r)
		}
	}
	if len(failed) > 0 {
		return results, failed.sorted()
	}
	return results, nil
}

// generate translates a package and writes its file.
func generate(o Options, p *Package) (Result, error) {
	t, err := TargetOf(p, o.Out)
	if err != nil {
		return Result{}, err
	}
	r := Result{Package: p.Dir, File: t.File(p)}
	text, err := Translate(p, t)
	if err != nil {
		return r, err
	}
	old, err := os.ReadFile(r.File)
	if err == nil && bytes.Equal(old, text) {
		return r, nil
	}
	if o.Check {
		r.Stale = true
		return r, nil
	}
	if own, err := isOwn(r.File); err != nil {
		return r, err
	} else if !own {
		return r, fmt.Errorf("%s: not written by defn, and would be overwritten: rename it", r.File)
	}
	if err := os.MkdirAll(t.Dir, 0o777); err != nil {
		return r, err
	}
	r.Written = true
	return r, atomicfile.Write(r.File, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// expand returns the folders that patterns mean, and the patterns that are paths of packages.
func expand(dir string, patterns []string) (dirs, paths []string, err error) {
	for _, p := range patterns {
		base, all := strings.CutSuffix(p, "...")
		if !filepath.IsAbs(p) && !strings.HasPrefix(p, ".") {
			paths = append(paths, p)
			continue
		}
		if !filepath.IsAbs(base) {
			base = filepath.Join(dir, base)
		}
		base = filepath.Clean(base)
		if !all {
			dirs = append(dirs, base)
			continue
		}
		err := filepath.WalkDir(base, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || !d.IsDir():
				return err
			case path != base && isSkipped(d.Name()):
				return filepath.SkipDir
			}
			if f := readFolder(path); f.usesDefn && !f.isDefn {
				dirs = append(dirs, path)
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return dirs, paths, nil
}

func isSkipped(name string) bool {
	return name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

// folder is what a folder of Go files has, without types.
type folder struct {
	files    map[string][]byte // sources, by name
	imports  []string
	usesDefn bool
	isDefn   bool // the package defn, or one that is written for it
	name     string
}

func readFolder(dir string) folder {
	f := folder{files: map[string][]byte{}}
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, n := range names {
		if strings.HasSuffix(n, "_test.go") {
			continue
		}
		text, err := os.ReadFile(n)
		if err != nil {
			continue
		}
		f.files[filepath.Base(n)] = text
		a, err := parser.ParseFile(token.NewFileSet(), n, text, parser.ImportsOnly)
		if err != nil {
			continue
		}
		f.name = a.Name.Name
		for _, i := range a.Imports {
			p, _ := strconv.Unquote(i.Path.Value)
			f.imports = append(f.imports, p)
			f.usesDefn = f.usesDefn || isDefnPath(p) && !strings.Contains(p, "/internal/")
			f.isDefn = f.isDefn || p == defnPath+"/internal/scalar"
		}
	}
	return f
}

// upToDate reports whether a folder and its file are as they were when the file was last found right.
func upToDate(c *diskcache.Cache, o Options, dir string) (Result, bool) {
	if c == nil {
		return Result{}, false
	}
	in, err := inputs(o, dir)
	if err != nil {
		return Result{}, false
	}
	file, ok := c.Get(diskcache.Key([]byte("file"), in))
	if !ok {
		return Result{}, false
	}
	text, err := os.ReadFile(string(file))
	if err != nil {
		return Result{}, false
	}
	_, ok = c.Get(rightKey(in, string(file), text))
	return Result{Package: dir, File: string(file)}, ok
}

// remember notes that the file of a folder is right.
func remember(c *diskcache.Cache, o Options, dir string, r Result) {
	if c == nil {
		return
	}
	in, err := inputs(o, dir)
	if err != nil {
		return
	}
	text, err := os.ReadFile(r.File)
	if err != nil {
		return
	}
	c.Put(diskcache.Key([]byte("file"), in), []byte(r.File))
	c.Put(rightKey(in, r.File, text), []byte{1})
}

// rightKey is that of a note that a file with a text is right for inputs. Its imports depend on the files beside it.
func rightKey(in []byte, file string, text []byte) string {
	return diskcache.Key([]byte("right"), in, text, []byte(strings.Join(declaredBeside(file), " ")))
}

// inputs returns a hash of all that the file of a folder is made from: its sources, those of the packages of
// definitions in the module that it imports, the versions of other modules, and the translator.
func inputs(o Options, dir string) ([]byte, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q\n", o.Tool, o.Out, dir)
	root, module, err := moduleOf(dir)
	if err != nil {
		return nil, err
	}
	for _, n := range []string{"go.mod", "go.sum"} {
		text, _ := os.ReadFile(filepath.Join(root, n))
		fmt.Fprintf(h, "%s %d\n%s", n, len(text), text)
	}
	seen := map[string]bool{}
	var add func(dir string, always bool)
	add = func(dir string, always bool) {
		if seen[dir] {
			return
		}
		seen[dir] = true
		f := readFolder(dir)
		if !always && !f.usesDefn {
			return
		}
		var names []string
		for n := range f.files {
			names = append(names, n)
		}
		slices.Sort(names)
		for _, n := range names {
			fmt.Fprintf(h, "%q %d\n%s", filepath.Join(dir, n), len(f.files[n]), f.files[n])
		}
		slices.Sort(f.imports)
		for _, p := range f.imports {
			if rel, ok := strings.CutPrefix(p, module+"/"); ok {
				add(filepath.Join(root, filepath.FromSlash(rel)), false)
			}
		}
	}
	add(dir, true)
	return h.Sum(nil), nil
}

// moduleOf returns the folder and the path of the module of a folder.
func moduleOf(dir string) (root, path string, err error) {
	for root = dir; ; root = filepath.Dir(root) {
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			for line := range strings.Lines(string(text)) {
				if p, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
					return root, strings.Trim(strings.TrimSpace(p), `"`), nil
				}
			}
		}
		if filepath.Dir(root) == root {
			return "", "", fmt.Errorf("%s: not in a module", dir)
		}
	}
}

// Inputs returns a text that changes when a source of the packages that patterns name changes.
func Inputs(o Options, patterns ...string) (string, error) {
	dirs, paths, err := expand(o.Dir, patterns)
	if err != nil {
		return "", err
	}
	if len(paths) > 0 {
		return "", fmt.Errorf("%s: only folders are watched", paths[0])
	}
	var b strings.Builder
	for _, d := range dirs {
		in, err := inputs(o, d)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s %x\n", d, in)
	}
	return b.String(), nil
}

// Vet returns the errors of packages of definitions, nil where there are none.
func Vet(ps []*Package) error {
	var failed Errors
	for _, p := range ps {
		failed = append(failed, Check(p)...)
	}
	if len(failed) > 0 {
		return failed.sorted()
	}
	return nil
}
