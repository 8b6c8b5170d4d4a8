package wheels

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// ConfiguredIndex returns the index configured for pip, or "": that of the environment variable PIP_INDEX_URL,
// of the file PIP_CONFIG_FILE, or of the user's and the system's files.
func ConfiguredIndex() string {
	if index := os.Getenv("PIP_INDEX_URL"); index != "" {
		return index
	}
	files := []string{os.Getenv("PIP_CONFIG_FILE")}
	if dir, err := os.UserConfigDir(); err == nil {
		files = append(files, filepath.Join(dir, "pip", "pip.conf"))
	}
	if home, err := os.UserHomeDir(); err == nil {
		files = append(files, filepath.Join(home, ".pip", "pip.conf"))
	}
	for _, file := range append(files, "/etc/xdg/pip/pip.conf", "/etc/pip.conf") {
		if index := indexIn(file); index != "" {
			return index
		}
	}
	return ""
}

// indexIn returns the index-url of the sections global and install of a file.
func indexIn(file string) (index string) {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	section := ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]")
		}
		key, value, ok := strings.Cut(line, "=")
		key = strings.ReplaceAll(strings.TrimSpace(key), "_", "-")
		if ok && key == "index-url" && (section == "global" && index == "" || section == "install") {
			index = strings.TrimSpace(value)
		}
	}
	return index
}

// pip downloads a wheel by the pip of a Python, which checks it against its own index.
func pip(ctx context.Context, p Package, machine, folder string) (file string, err error) {
	python, err := exec.LookPath("python3")
	if err == nil {
		err = exec.CommandContext(ctx, python, "-m", "pip", "--version").Run()
	}
	if err != nil {
		return "", &Error{Doing: "downloading " + p.String(), From: "no index", Err: errors.New("no package index is " +
			"configured, and pip is not installed"), Hint: "name one by --index-url, or PIP_INDEX_URL"}
	}
	args := []string{"-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest", folder,
		p.Name + "==" + p.Version}
	if text, err := exec.CommandContext(ctx, python, args...).CombinedOutput(); err != nil {
		return "", &Error{Doing: "downloading " + p.String(), From: python + " " + strings.Join(args, " "),
			Err: fmt.Errorf("%w: %s", err, strings.TrimSpace(string(text)))}
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		return "", err
	}
	for _, f := range files {
		if (File{Name: f.Name()}).fits(p, machine) {
			return filepath.Join(folder, f.Name()), nil
		}
	}
	return "", &Error{Doing: "downloading " + p.String(), From: python,
		Err: fmt.Errorf("pip wrote no wheel for %s", machine)}
}
