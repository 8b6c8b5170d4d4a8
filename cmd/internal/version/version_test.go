package version

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestSources(t *testing.T) {
	settings := func(revision, modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "-race", Value: "true"}, {Key: "vcs.revision", Value: revision},
			{Key: "vcs.modified", Value: modified}}
	}
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, "(devel)"},
		{&debug.BuildInfo{}, "(devel)"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.0"}}, "v1.2.0"},
		{&debug.BuildInfo{Main: debug.Module{Version: "v1.2.0"}, Settings: settings("0123456789abcdef", "false")},
			"v1.2.0 (0123456789ab)"},
		{&debug.BuildInfo{Settings: settings("0123", "true")}, "(devel) (0123, modified)"},
	} {
		if got := of(c.info).Sources(); got != c.want {
			t.Errorf("%+v: got %q, want %q", c.info, got, c.want)
		}
	}
	if got, want := Current().Target(), runtime.Version()+", "+runtime.GOOS+"/"+runtime.GOARCH; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
