package cpu

import (
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// modulePath is that of the module of this package.
const modulePath = "github.com/go-nx/nx"

// compilerVersion identifies the compiler and what it compiles for: by the contents of its module
// where the program says them, so that several programs of one version agree; else by the program
// itself, of which it is a part.
var compilerVersion = sync.OnceValues(func() (string, error) {
	target := fmt.Sprintf(" %s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if info, ok := debug.ReadBuildInfo(); ok {
		if v := sourceVersion(info); v != "" {
			return v + target, nil
		}
	}
	id, err := buildID()
	if err != nil {
		return "", err
	}
	return id + target, nil
})

// sourceVersion returns what says of all sources of the module, and of how they are built, what they are;
// "" where nothing does.
func sourceVersion(info *debug.BuildInfo) string {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	how := ""
	for _, key := range []string{"-tags", "-race", "GOAMD64", "GOARM64", "GOEXPERIMENT"} {
		if v := settings[key]; v != "" {
			how += " " + key + "=" + v
		}
	}
	if info.Main.Path == modulePath {
		if settings["vcs.modified"] == "false" && settings["vcs.revision"] != "" {
			return "nx " + settings["vcs.revision"] + how
		}
		return ""
	}
	i := slices.IndexFunc(info.Deps, func(m *debug.Module) bool { return m.Path == modulePath })
	if i < 0 {
		return ""
	}
	m := info.Deps[i]
	for m.Replace != nil {
		m = m.Replace
	}
	if m.Sum == "" { // a folder
		return ""
	}
	return "nx " + m.Version + " " + m.Sum + how
}

// buildID returns what the linker has written of the contents of the running program, or their
// digest.
func buildID() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	if f, err := elf.Open(name); err == nil {
		defer f.Close()
		const head = 16 // of the note: sizes, kind and the name "Go"
		if s := f.Section(".note.go.buildid"); s != nil {
			if note, err := s.Data(); err == nil && len(note) > head {
				return "build " + strings.TrimRight(string(note[head:]), "\x00"), nil
			}
		}
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("program %x", h.Sum(nil)), nil
}
