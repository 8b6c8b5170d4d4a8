package cpu

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
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
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	head, err := io.ReadAll(io.TeeReader(io.LimitReader(f, buildIDBytes), h))
	if err != nil {
		return "", err
	}
	if id := writtenBuildID(head); id != "" {
		return "build " + id, nil
	}
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return fmt.Sprintf("program %x", h.Sum(nil)), nil
}

// buildIDBytes are those at the start of a program in which its notes are and its code starts.
const buildIDBytes = 64 << 10

// writtenBuildID returns what stands in a note of ELF (the size of a name, of what is noted, the kind,
// the name), or else before the first instruction of a program; "" where it is not.
// Source: cmd/internal/buildid of Go, readELF and readRaw.
func writtenBuildID(head []byte) string {
	const kind = "\x04\x00\x00\x00Go\x00\x00"
	if before, after, found := bytes.Cut(head, []byte(kind)); found && len(before) >= 8 {
		n := int64(binary.LittleEndian.Uint32(before[len(before)-4:]))
		if n > 0 && n <= int64(len(after)) {
			return string(bytes.TrimRight(after[:n], "\x00"))
		}
	}
	_, rest, found := bytes.Cut(head, []byte("\xff Go build ID: \""))
	id, _, ends := bytes.Cut(rest, []byte("\"\n \xff"))
	if !found || !ends || bytes.Contains(id, []byte("\n")) {
		return ""
	}
	return string(id)
}
