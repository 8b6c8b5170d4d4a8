package cpu

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/go-nx/nx/internal/self"
)

// modulePath is the path of this package's module.
const modulePath = "github.com/go-nx/nx"

// compilerVersion identifies the compiler and its target: by the contents of its module if the
// build info has them, so that several programs of one version agree, else by the program itself.
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

// sourceVersion identifies all sources of the module and the build settings; "" if the build info
// does not.
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
	if m.Sum == "" { // replaced by a directory
		return ""
	}
	return "nx " + m.Version + " " + m.Sum + how
}

// buildID returns the linker's digest of the contents of the running program, or a digest of them.
func buildID() (string, error) {
	f, err := self.Open()
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

// buildIDBytes is the size of the start of a program that holds its notes and the first code.
const buildIDBytes = 64 << 10

// writtenBuildID returns the build ID in a note of ELF (name size, size, kind, name), or else
// before the first instruction of a program; "" if there is none.
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
