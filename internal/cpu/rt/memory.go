package rt

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// MemoryLimit returns how many bytes an execution may hold by default: GOMEMLIMIT
// when it is set, else the machine's memory, or the control group's where that is
// less, with an eighth left for everything else. It is -1 where the system does
// not say.
func MemoryLimit() int64 {
	if limit := debug.SetMemoryLimit(-1); limit < math.MaxInt64 {
		return limit
	}
	limit := memTotal()
	for _, file := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		if n := readNumber(file); n > 0 && (limit < 0 || n < limit) {
			limit = n
		}
	}
	if limit < 0 {
		return -1
	}
	return limit - limit/8
}

// memTotal reads Linux's /proc/meminfo, whose first lines are like
// "MemTotal:  16384256 kB".
func memTotal() int64 {
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return -1
	}
	for line := range strings.Lines(string(text)) {
		rest, ok := strings.CutPrefix(line, "MemTotal:")
		if !ok {
			continue
		}
		if kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64); err == nil {
			return kb << 10
		}
	}
	return -1
}

func readNumber(file string) int64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return -1
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return -1 // "max": no limit
	}
	return n
}
