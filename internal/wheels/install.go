package wheels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Installed is what [Install] writes into a folder, as installed.json, of each package.
type Installed struct{ Name, Version, File, SHA256, From string }

// machines are processors as packages call them.
var machines = map[string]string{"amd64": "x86_64", "arm64": "aarch64"}

// Install downloads packages and unpacks them into a folder, which it replaces as a whole: at no
// moment does it hold half of them. Downloads that end early go on at the next time. The index is
// a page of packages, "" for what pip has. Progress is called before each package.
func Install(ctx context.Context, packages []Package, index, folder string, progress func(p Package)) error {
	machine, ok := machines[runtime.GOARCH]
	if runtime.GOOS != "linux" || !ok {
		return fmt.Errorf("there are no packages for %s/%s: they are for Linux on amd64 and arm64", runtime.GOOS,
			runtime.GOARCH)
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	downloads := folder + ".downloads"
	if err := os.MkdirAll(downloads, 0o755); err != nil {
		return err
	}
	fresh, err := os.MkdirTemp(filepath.Dir(folder), filepath.Base(folder)+".new")
	if err != nil {
		return err
	}
	defer os.RemoveAll(fresh)
	var installed []Installed
	for _, p := range packages {
		progress(p)
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
	if err := os.Chmod(fresh, 0o755); err != nil {
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

// replace puts a folder in the place of another, which may not be there, or may be what was
// installed before.
func replace(fresh, folder string) error {
	_, err := os.Stat(folder)
	if errors.Is(err, os.ErrNotExist) {
		return os.Rename(fresh, folder)
	}
	if _, err := os.Stat(filepath.Join(folder, "installed.json")); err != nil {
		return fmt.Errorf("%s is there, and not of this command: remove it, or name another folder by --to", folder)
	}
	old := fresh + ".old"
	if err := os.Rename(folder, old); err != nil {
		return err
	}
	if err := os.Rename(fresh, folder); err != nil {
		return errors.Join(err, os.Rename(old, folder))
	}
	return os.RemoveAll(old)
}
