// Package version tells which build of the module a command is.
package version

import (
	"runtime"
	"runtime/debug"
)

// Info is what a command knows of its build.
type Info struct {
	Version  string `json:"version"`            // of the module: "(devel)" for one that is not tagged
	Revision string `json:"revision,omitempty"` // of the sources, "" where the build did not record it
	Modified bool   `json:"modified,omitempty"` // whether the sources differ from the revision
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Current returns the build of this program.
func Current() Info {
	info, _ := debug.ReadBuildInfo()
	return of(info)
}

// of reads a build info, nil for none.
func of(info *debug.BuildInfo) Info {
	out := Info{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		return out
	}
	if info.Main.Version != "" {
		out.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			out.Revision = s.Value
		case "vcs.modified":
			out.Modified = s.Value == "true"
		}
	}
	return out
}

// Sources returns the version of the module, and the revision where it is known: "v1.2.0 (0123456789ab, modified)".
func (i Info) Sources() string {
	if i.Revision == "" {
		return i.Version
	}
	s := i.Version + " (" + i.Revision[:min(12, len(i.Revision))]
	if i.Modified {
		s += ", modified"
	}
	return s + ")"
}

// Target returns the version of Go and the platform: "go1.26.0, linux/amd64".
func (i Info) Target() string { return i.Go + ", " + i.Platform }
