package xla

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// found is a plugin's file, and its options.
type found struct {
	path    string
	options map[string]any // to create clients with
}

// packages lists the files of the packages of a platform in site-packages, the newest first, and how to
// install them.
var packages = map[string]struct {
	files   []string
	install string
}{
	"cuda": {[]string{"jax_plugins/xla_cuda13/xla_cuda_plugin.so", "jax_plugins/xla_cuda12/xla_cuda_plugin.so"},
		`nx-xla install cuda13, or python3 -m pip install "jax-cuda13-plugin[with-cuda]"`},
	"rocm": {[]string{"jax_plugins/xla_rocm7/xla_rocm_plugin.so", "jax_plugins/xla_rocm60/xla_rocm_plugin.so"},
		"nx-xla install rocm7, or python3 -m pip install jax-rocm7-pjrt"},
	"tpu": {[]string{"libtpu/libtpu.so"}, "nx-xla install tpu, or python3 -m pip install libtpu"},
}

// search finds the plugin of a platform.
func search(client, platform string) (found, error) {
	if isPath(platform) {
		return found{path: platform}, nil
	}
	s := searching{platform: platform}
	steps := []func() bool{s.named, s.tpu, s.folders, s.own, s.sitePackages}
	for _, step := range steps {
		if step() {
			return s.found, s.err
		}
	}
	install := packages[platform].install
	switch {
	case install != "":
		install = "install one: " + install
	case platform == "host":
		install = "no package has a plugin for the host CPU: set its path in xla.Configure, or in " +
			"PJRT_NAMES_AND_LIBRARY_PATHS=host:/its/path; package cpu needs none"
	default:
		install = "name its path in xla.Configure, or in PJRT_NAMES_AND_LIBRARY_PATHS=" + platform + ":/its/path"
	}
	return found{}, &NotFoundError{Client: client, Places: s.places, Install: install}
}

func isPath(platform string) bool {
	return strings.ContainsRune(platform, '/') || strings.ContainsRune(platform, filepath.Separator) ||
		strings.HasSuffix(platform, ".so") || strings.HasSuffix(platform, ".dylib") ||
		strings.HasSuffix(platform, ".dll")
}

// searching is the state of a search: the searched locations, or the result.
type searching struct {
	platform string
	found    found
	err      error
	places   []Place
}

// look reports whether a file exists, and records that it was searched.
func (s *searching) look(path, why string) bool {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		s.found.path = path
		return true
	case err == nil:
		why += ": it is a folder"
	case os.IsNotExist(err):
		why += ": not there"
	default:
		why += ": " + err.Error()
	}
	s.places = append(s.places, Place{path, why})
	return false
}

// named reads the variable in which JAX takes plugins by name. What it names must be there.
func (s *searching) named() bool {
	const variable = "PJRT_NAMES_AND_LIBRARY_PATHS"
	text := os.Getenv(variable)
	if text == "" {
		s.places = append(s.places, Place{"$" + variable, "not set"})
		return false
	}
	for _, item := range strings.Split(text, ",") {
		name, path, ok := strings.Cut(strings.TrimSpace(item), ":")
		if !ok || name != s.platform {
			continue
		}
		if strings.HasSuffix(path, ".json") {
			s.found, s.err = readDescription(path)
		} else {
			s.found.path = path
		}
		return true
	}
	s.places = append(s.places, Place{"$" + variable, fmt.Sprintf("does not name %q", s.platform)})
	return false
}

// readDescription reads a file that names a plugin with options.
func readDescription(path string) (found, error) {
	var d struct {
		LibraryPath   string         `json:"library_path"`
		CreateOptions map[string]any `json:"create_options"`
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		return found{}, fmt.Errorf("xla: PJRT_NAMES_AND_LIBRARY_PATHS: %s: %w", path, err)
	}
	for name, v := range d.CreateOptions {
		d.CreateOptions[name] = fromJSON(v)
	}
	return found{d.LibraryPath, d.CreateOptions}, nil
}

func (s *searching) tpu() bool {
	path := os.Getenv("TPU_LIBRARY_PATH")
	return s.platform == "tpu" && path != "" && s.look(path, "TPU_LIBRARY_PATH")
}

// fileNames are the names that plugins have outside of packages.
func (s *searching) fileNames() []string {
	suffix := map[string]string{"darwin": ".dylib", "windows": ".dll"}[runtime.GOOS]
	if suffix == "" {
		suffix = ".so"
	}
	return []string{"pjrt_c_api_" + s.platform + "_plugin" + suffix, "pjrt_plugin_" + s.platform + suffix}
}

func (s *searching) folders() bool {
	const variable = "PJRT_PLUGIN_LIBRARY_PATH"
	for _, dir := range filepath.SplitList(os.Getenv(variable)) {
		for _, name := range s.fileNames() {
			if s.look(filepath.Join(dir, name), variable) {
				return true
			}
		}
	}
	return false
}

// PluginsFolder returns the folder in which nx-xla install installs plugins, each in a subfolder, and where
// they are searched.
func PluginsFolder() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "nx", "pjrt"), err
}

// own searches the folders of PluginsFolder, where packages are unpacked.
func (s *searching) own() bool {
	dir, err := PluginsFolder()
	if err != nil {
		return false
	}
	bundles, _ := filepath.Glob(filepath.Join(dir, s.platform+"[0-9]*")) // the pattern is right
	bundles = slices.DeleteFunc(bundles, func(path string) bool {
		return filepath.Ext(path) != "" // cuda13.new123 and cuda13.downloads are still being made
	})
	slices.Reverse(bundles) // the newest first
	for _, bundle := range append(bundles, filepath.Join(dir, s.platform), dir) {
		if s.lookPackages(bundle, "plugins of nx") {
			return true
		}
	}
	return false
}

func (s *searching) lookPackages(dir, why string) bool {
	for _, file := range packages[s.platform].files {
		if s.look(filepath.Join(dir, filepath.FromSlash(file)), why) {
			return true
		}
	}
	return false
}

// sitePackages searches where pip installs.
func (s *searching) sitePackages() bool {
	if packages[s.platform].files == nil {
		return false
	}
	for _, dir := range filepath.SplitList(os.Getenv("PYTHONPATH")) {
		if s.lookPackages(dir, "PYTHONPATH") {
			return true
		}
	}
	type prefix struct{ dir, why string }
	var prefixes []prefix
	for _, variable := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if dir := os.Getenv(variable); dir != "" {
			prefixes = append(prefixes, prefix{dir, variable})
		}
	}
	if python, err := exec.LookPath("python3"); err == nil {
		prefixes = append(prefixes, prefix{filepath.Dir(filepath.Dir(python)), "python3"})
	}
	if home, err := os.UserHomeDir(); err == nil {
		prefixes = append(prefixes, prefix{filepath.Join(home, ".local"), "the user's packages"})
	}
	prefixes = append(prefixes, prefix{"/usr/local", "the system's packages"}, prefix{"/usr", "the system's packages"})
	seen := map[string]bool{}
	for _, p := range prefixes {
		dirs := pythonPackages(p.dir)
		if len(dirs) == 0 && !seen[p.dir] {
			s.places = append(s.places,
				Place{filepath.Join(p.dir, "lib", "python3*", "site-packages"), p.why + ": no such folder"})
		}
		seen[p.dir] = true
		for _, dir := range dirs {
			if !seen[dir] && s.lookPackages(dir, p.why) {
				return true
			}
			seen[dir] = true
		}
	}
	return false
}

// pythonPackages returns the folders of packages below a prefix, the newest Python first.
func pythonPackages(prefix string) []string {
	var all []string
	for _, pattern := range []string{"lib/python3*/site-packages", "lib/python3*/dist-packages", "Lib/site-packages"} {
		dirs, _ := filepath.Glob(filepath.Join(prefix, filepath.FromSlash(pattern))) // the pattern is right
		for i := len(dirs) - 1; i >= 0; i-- {
			all = append(all, dirs[i])
		}
	}
	return all
}
