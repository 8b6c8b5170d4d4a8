package command

import (
	"bufio"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// limitMemory returns the Go runtime four fifths of the memory there is, unless
// GOMEMLIMIT reports otherwise: a program that needs more is refused then, instead
// of nx being killed.
func limitMemory() {
	if n := memoryBytes(); n > 0 && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(n / 5 * 4))
	}
}

// memoryBytes returns the memory that Linux grants this process, 0 where that
// is not known: that of the machine, or less in a container.
func memoryBytes() uint64 {
	n := machineBytes()
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if err != nil {
		return n
	}
	if limit, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64); err == nil && limit < n { // or "max"
		return limit
	}
	return n
}

func machineBytes() uint64 {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var kib uint64
		if n, _ := fmt.Sscanf(lines.Text(), "MemTotal: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	return 0
}
