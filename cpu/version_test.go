package cpu

import (
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
)

// The version identifies all sources; without build info there is none.
func TestSourceVersion(t *testing.T) {
	module := func(path, version, sum string) *debug.Module {
		return &debug.Module{Path: path, Version: version, Sum: sum}
	}
	setting := func(key, value string) debug.BuildSetting { return debug.BuildSetting{Key: key, Value: value} }
	replaced := module(modulePath, "v1.2.3", "h1:a")
	replaced.Replace = module("../nx", "", "")
	forked := module(modulePath, "v1.2.3", "h1:a")
	forked.Replace = module("example.org/fork", "v1.0.0", "h1:b")
	for name, c := range map[string]struct {
		info debug.BuildInfo
		want string
	}{
		"a clean checkout": {debug.BuildInfo{Main: *module(modulePath, "", ""), Settings: []debug.BuildSetting{
			setting("vcs.revision", "abc"), setting("vcs.modified", "false"), setting("-race", "true")}},
			"nx abc -race=true"},
		"a changed checkout": {debug.BuildInfo{Main: *module(modulePath, "", ""), Settings: []debug.BuildSetting{
			setting("vcs.revision", "abc"), setting("vcs.modified", "true")}}, ""},
		"no checkout": {debug.BuildInfo{Main: *module(modulePath, "", "")}, ""},
		"a module": {debug.BuildInfo{Main: *module("example.org/app", "", ""), Settings: []debug.BuildSetting{
			setting("vcs.revision", "of the app"), setting("vcs.modified", "true")},
			Deps: []*debug.Module{module("example.org/x", "v0.1.0", "h1:x"), module(modulePath, "v1.2.3", "h1:a")}},
			"nx v1.2.3 h1:a"},
		"a folder in its place": {debug.BuildInfo{Main: *module("example.org/app", "", ""),
			Deps: []*debug.Module{replaced}},
			""},
		"a fork in its place": {debug.BuildInfo{Main: *module("example.org/app", "", ""),
			Deps: []*debug.Module{forked}},
			"nx v1.0.0 h1:b"},
		"another program": {debug.BuildInfo{Main: *module("example.org/app", "", "")}, ""},
	} {
		if got := sourceVersion(&c.info); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
	}
}

// The build ID of the program is the one that the go command reads.
func TestBuildID(t *testing.T) {
	got, err := buildID()
	if err != nil {
		t.Fatal(err)
	}
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "tool", "buildid", name).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if want := "build " + strings.TrimSpace(string(out)); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	const note = "\x04\x00\x00\x00\x05\x00\x00\x00\x04\x00\x00\x00Go\x00\x00a/b/c\x00"
	for head, want := range map[string]string{"\x7fELF" + note: "a/b/c", "\x01 \xff Go build ID: \"d\"\n \xff\xc3": "d",
		note[:len(note)-2]: ""} {
		if id := writtenBuildID([]byte(head)); id != want {
			t.Errorf("%q says %q, not %q", head, id, want)
		}
	}
	for _, head := range []string{"", "\xff Go build ID: \"", "\xff Go build ID: \"\"\n \xff", "\xff Go build ID: \"a",
		"\xff Go build ID: \"a\nb\"\n \xff"} {
		if id := writtenBuildID([]byte(head)); id != "" {
			t.Errorf("%q says %q", head, id)
		}
	}
}
