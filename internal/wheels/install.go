package wheels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// Installed is what [Install] writes into a folder, as installed.json, of each package.
type Installed struct{ Name, Version, File, SHA256, From string }

// machines are processors as packages call them.
var machines = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// Install downloads packages and unpacks them into a folder, which it replaces atomically. Interrupted
// downloads are resumed the next time. Of two processes that install into one folder the second waits, and
// does nothing if the first has installed the same packages. The index is the URL of a package index, "" for
// pip's. Progress is called before each package, and before waiting.
func Install(ctx context.Context, packages []Package, index, folder string, progress func(what string)) error {
	machine, ok := machines[runtime.GOARCH]
	if runtime.GOOS != "linux" || !ok {
		return fmt.Errorf("packages are for Linux on amd64 and arm64, not for %s/%s", runtime.GOOS,
			runtime.GOARCH)
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	downloads := folder + ".downloads"
	free, waited, err := lock(ctx, downloads, func() {
		progress("another process installs into " + folder + ": waiting for it")
	})
	if err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: name another folder by --to", err)
	}
	if err != nil {
		return err
	}
	defer free()
	if waited && isInstalled(folder, packages) {
		return os.RemoveAll(downloads)
	}
	return installLocked(ctx, packages, index, machine, folder, downloads, progress)
}

// isInstalled reports whether a folder holds these packages.
func isInstalled(folder string, packages []Package) bool {
	text, err := os.ReadFile(filepath.Join(folder, "installed.json"))
	var all []Installed
	if err != nil || json.Unmarshal(text, &all) != nil {
		return false
	}
	return slices.EqualFunc(all, packages, func(a Installed, p Package) bool {
		return a.Name == p.Name && a.Version == p.Version
	})
}

// installLocked is [Install] of a process that has locked the folder.
func installLocked(ctx context.Context, packages []Package, index, machine, folder, downloads string,
	progress func(what string)) error {
	// In the folder of downloads it is removed with them, also after a process was killed.
	fresh := filepath.Join(downloads, "new")
	if err := os.RemoveAll(fresh); err != nil {
		return err
	}
	if err := os.Mkdir(fresh, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	var installed []Installed
	for _, p := range packages {
		progress(p.String())
		one, err := add(ctx, p, index, machine, downloads, fresh)
		if err != nil {
			return err
		}
		installed = append(installed, one)
	}
	text, err := json.MarshalIndent(installed, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(fresh, "installed.json"), append(text, '\n'), 0o644); err != nil {
		return err
	}
	if err := replace(fresh, folder); err != nil {
		return err
	}
	return os.RemoveAll(downloads)
}

// add downloads a package and unpacks it.
func add(ctx context.Context, p Package, index, machine, downloads, folder string) (Installed, error) {
	one := Installed{Name: p.Name, Version: p.Version}
	var wheel string
	if index == "" {
		var err error
		if wheel, err = pip(ctx, p, machine, downloads); err != nil {
			return one, err
		}
		one.From = "pip"
	} else {
		f, err := find(ctx, index, p, machine)
		if err == nil {
			wheel, err = fetch(ctx, f, downloads)
		}
		if err != nil {
			return one, err
		}
		one.From = shown(f.URL)
	}
	var err error
	if one.SHA256, err = digest(wheel); err != nil {
		return one, err
	}
	one.File = filepath.Base(wheel)
	return one, unpack(wheel, folder)
}

// replace moves a folder to the path of another, which may be absent, or an earlier installation.
func replace(fresh, folder string) error {
	_, err := os.Stat(folder)
	if errors.Is(err, os.ErrNotExist) {
		return os.Rename(fresh, folder)
	}
	if _, err := os.Stat(filepath.Join(folder, "installed.json")); err != nil {
		return fmt.Errorf("%s exists and was not made by this command: remove it, or name another folder by --to", folder)
	}
	old := fresh + ".old"
	if err := os.RemoveAll(old); err != nil {
		return err
	}
	if err := os.Rename(folder, old); err != nil {
		return err
	}
	if err := os.Rename(fresh, folder); err != nil {
		return errors.Join(err, os.Rename(old, folder))
	}
	return os.RemoveAll(old)
}
