package rt

import (
	"io/fs"
	"math"
	"os"
	"path"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Limit is the number of bytes that an execution may hold, and its source. Below 0 there is no limit.
type Limit struct {
	Bytes  int64
	Source string // "the Go runtime (GOMEMLIMIT)"
}

// budget returns the current limit: a program may set that of the Go runtime at any time, and the available memory of
// the machine changes.
type budget struct {
	root fs.FS // of the system's files

	mu        sync.Mutex
	last      memoryInfo // last query
	queriedAt time.Time
}

// systemBudget is the budget of this machine.
var systemBudget = &budget{root: os.DirFS("/")}

// MemoryLimit returns the limit of an execution that holds a number of bytes: that of the Go runtime if set
// (GOMEMLIMIT, debug.SetMemoryLimit), else the held bytes and seven eighths of the available memory of the machine, or
// of the control group if that has less.
func MemoryLimit(held int64) Limit { return systemBudget.limit(held) }

func (b *budget) limit(held int64) Limit {
	if n := debug.SetMemoryLimit(-1); n < math.MaxInt64 {
		return Limit{n, "the Go runtime's limit (GOMEMLIMIT, debug.SetMemoryLimit)"}
	}
	r := b.query()
	if r.total < 0 {
		return Limit{Bytes: -1}
	}
	// Held memory that is not written to yet counts as available too.
	n := min(r.total-r.total/8, held+r.available-r.available/8)
	return Limit{n, r.source}
}

func (b *budget) query() memoryInfo {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.queriedAt.IsZero() || time.Since(b.queriedAt) > queryInterval {
		b.last = b.smallest()
		b.queriedAt = time.Now()
	}
	return b.last
}

// memoryInfo is the memory of a machine or of a control group; total is below 0 without a limit.
type memoryInfo struct {
	total, available int64
	source           string
}

// smallest returns the limit with the least available memory.
func (b *budget) smallest() memoryInfo {
	best := b.machine()
	for _, r := range b.groups() {
		if best.total < 0 || r.available < best.available {
			best = r
		}
	}
	if best.total >= 0 { // free memory of the Go heap is available too
		best.available = min(best.available+heapFree(), best.total)
	}
	return best
}

// machine reads Linux's /proc/meminfo, with lines such as "MemTotal:  16384256 kB".
func (b *budget) machine() memoryInfo {
	r := memoryInfo{total: -1, source: "the machine's available memory"}
	available := int64(-1)
	for line := range strings.Lines(b.read("proc/meminfo")) {
		name, rest, _ := strings.Cut(line, ":")
		kb, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
		switch {
		case err != nil:
		case name == "MemTotal":
			r.total = kb << 10
		case name == "MemAvailable":
			available = kb << 10
		}
	}
	if r.available = available; r.available < 0 { // before Linux 3.14
		r.available = r.total
	}
	return r
}

// groups reads the control groups of the process, up to the root, of version 2 ("0::/path") and of version 1
// ("4:memory:/path"). A container may see its own group as the root of the files.
func (b *budget) groups() []memoryInfo {
	var out []memoryInfo
	for line := range strings.Lines(b.read("proc/self/cgroup")) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		mount, limit, usage := "sys/fs/cgroup", "memory.max", "memory.current"
		if parts[1] != "" {
			if parts[1] != "memory" {
				continue
			}
			mount, limit, usage = "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
		}
		for dir := path.Clean("/" + parts[2]); ; dir = path.Dir(dir) {
			at := path.Join(mount, dir)
			total, used := b.number(path.Join(at, limit)), b.number(path.Join(at, usage))
			if total >= 0 && used >= 0 {
				// Pages of files count as used until the memory is needed.
				used -= b.field(path.Join(at, "memory.stat"), "inactive_file")
				out = append(out, memoryInfo{total, max(total-used, 0), "the control group's memory limit"})
			}
			if dir == "/" {
				break
			}
		}
	}
	return out
}

func (b *budget) read(file string) string {
	text, err := fs.ReadFile(b.root, file)
	if err != nil {
		return ""
	}
	return string(text)
}

// number reads a file with a number; -1 if there is none ("max").
func (b *budget) number(file string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(b.read(file)), 10, 64)
	if err != nil || n >= math.MaxInt64&^0xffff { // no limit in version 1
		return -1
	}
	return n
}

// field reads a number from a file with lines "name number"; 0 if it is absent.
func (b *budget) field(file, name string) int64 {
	for line := range strings.Lines(b.read(file)) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
			return n
		}
	}
	return 0
}

// heapFree returns the unused memory that the Go heap has from the system, in bytes.
func heapFree() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(s[0].Value.Uint64())
}
