package xla

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/internal/pjrt"
)

// Finding is what [Diagnose] found of one thing that plugins need.
type Finding struct {
	Name  string // "driver"
	Found string // the finding
	Hint  string // what to do, "" where all is well
}

// Diagnose checks this machine for the requirements of plugins: the driver, the plugins and their libraries,
// the tools that compile for GPUs, stack sizes, shared memory, and the process 1 of a container. It loads a
// CUDA plugin, to find its version, but starts no devices.
func Diagnose() []Finding {
	m := machine{root: "/", pid: os.Getpid()}
	all := []Finding{m.driver()}
	for _, platform := range names {
		all = append(all, m.plugin(platform))
	}
	if f, err := search("cuda", "cuda"); err == nil {
		all = append(all, m.libraries(f.path, cudaOf(f.path)),
			m.tool("libdevice", f.path, "nvvm/libdevice/libdevice.10.bc"),
			m.tool("ptxas", f.path, "bin/ptxas"))
	}
	return append(all, m.stack(), m.sharedMemory(), m.processID())
}

// machine is the machine to check.
type machine struct {
	root string // "/", but for tests
	pid  int
}

func (m machine) path(parts ...string) string {
	return filepath.Join(append([]string{m.root}, parts...)...)
}

// driverVersion is of the file of the closed module, "x86_64 Kernel Module  580.65.06  …", and of the open one, "Open
// Kernel Module for x86_64  580.159.04  …".
var driverVersion = regexp.MustCompile(`Kernel Module.*?\s([0-9]+)\.([0-9.]+)`)

// driver looks for that of NVIDIA.
func (m machine) driver() Finding {
	text, err := os.ReadFile(m.path("proc", "driver", "nvidia", "version"))
	version := driverVersion.FindStringSubmatch(string(text))
	if err != nil || version == nil {
		return Finding{"driver", "no NVIDIA driver is loaded",
			"on a machine with such a GPU install the driver; in a container pass the GPU: docker run --gpus all"}
	}
	found := Finding{Name: "driver", Found: "NVIDIA " + version[1] + "." + version[2]}
	if major, _ := strconv.Atoi(version[1]); major < 525 {
		found.Hint = "CUDA 12 needs driver 525 or newer, CUDA 13 driver 580 or newer"
	} else if major < 580 {
		found.Hint = "CUDA 13 needs driver 580 or newer: take the plugin of CUDA 12 (nx-xla install cuda12)"
	}
	return found
}

// plugin reports where that of a platform is.
func (m machine) plugin(platform string) Finding {
	f, err := search(platform, platform)
	name := "plugin " + platform
	if err != nil {
		return Finding{Name: name, Found: "none", Hint: packages[platform].install}
	}
	if err := pjrt.CheckFile(f.path); err != nil {
		return Finding{name, err.Error(), "install it again"}
	}
	return Finding{Name: name, Found: f.path}
}

// cudaOf returns the major version of CUDA that a plugin is for, 0 if unknown.
func cudaOf(plugin string) int {
	p, err := pjrt.Load(plugin)
	if err != nil {
		return 0
	}
	version, _ := p.Attributes()["cuda_version"].(int64)
	return int(version / 1000)
}

var distribution = regexp.MustCompile(`^nvidia_(cudnn|cublas)(?:_cu1[0-9])?-([0-9]+)\.([0-9.]+)\.dist-info$`)

// libraries checks the CUDA libraries next to a plugin.
func (m machine) libraries(plugin string, cuda int) Finding {
	found := Finding{Name: "libraries of CUDA"}
	entries, _ := os.ReadDir(packagesOf(plugin))
	var texts []string
	for _, e := range entries {
		d := distribution.FindStringSubmatch(e.Name())
		if d == nil {
			continue
		}
		texts = append(texts, d[1]+" "+d[2]+"."+d[3])
		if major, _ := strconv.Atoi(d[2]); d[1] == "cublas" && cuda != 0 && major != cuda ||
			d[1] == "cudnn" && major != 9 {
			found.Hint = fmt.Sprintf("the plugin is for CUDA %d and cuDNN 9: install the plugin and its libraries together "+
				"(nx-xla install cuda%d)", cuda, cuda)
		}
	}
	slices.Sort(texts)
	found.Found = strings.Join(texts, ", ") + " next to the plugin"
	if texts == nil {
		found.Found = "none next to the plugin"
		found.Hint = "install them (nx-xla install cuda13), or name the folder of CUDA's libraries in LD_LIBRARY_PATH"
	}
	return found
}

// tool looks for a file of the CUDA toolkit where XLA does.
func (m machine) tool(name, plugin, file string) Finding {
	places, _ := filepath.Glob(filepath.Join(packagesOf(plugin), "nvidia", "cu*", file))
	for _, dir := range []string{os.Getenv("CUDA_HOME"), os.Getenv("CUDA_PATH"), m.path("usr", "local", "cuda"),
		m.path("opt", "cuda")} {
		if dir != "" && exists(filepath.Join(dir, file)) {
			places = append(places, filepath.Join(dir, file))
		}
	}
	if path, err := exec.LookPath(name); err == nil {
		places = append(places, path)
	}
	if places == nil {
		return Finding{name, "not found", "nx-xla install cuda13, or set CUDA_HOME to the folder of the CUDA toolkit"}
	}
	return Finding{Name: name, Found: places[0]}
}

// stack looks at the stacks of threads that plugins start.
func (m machine) stack() Finding {
	if text := pjrt.StackWarning(); text != "" {
		return Finding{"stack", text, "ulimit -s 8192"}
	}
	return Finding{Name: "stack", Found: "enough for compilers"}
}

// sharedMemory checks the file system for data exchange between devices.
func (m machine) sharedMemory() Finding {
	const least = 256 << 20
	size, err := pjrt.FileSystemSize(m.path("dev", "shm"))
	switch {
	case err != nil:
		return Finding{"/dev/shm", err.Error(), "several GPUs exchange data through it: mount a tmpfs there"}
	case size < least:
		return Finding{"/dev/shm", fmt.Sprintf("%d MiB", size>>20),
			"several GPUs exchange data through it and need more space: docker run --shm-size=1g"}
	}
	return Finding{Name: "/dev/shm", Found: fmt.Sprintf("%d MiB", size>>20)}
}

// processID warns where this process is the first of a container, which must collect the ends of
// others.
func (m machine) processID() Finding {
	if m.pid == 1 && runtime.GOOS == "linux" {
		return Finding{"process", "this is process 1 of a container",
			"compilers start ptxas and wait for it: docker run --init"}
	}
	return Finding{Name: "process", Found: fmt.Sprintf("number %d", m.pid)}
}
