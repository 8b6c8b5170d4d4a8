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

// A Limit says how many bytes an execution may hold, and who says so. Below 0
// there is none.
type Limit struct {
	Bytes  int64
	Source string // "the Go runtime (GOMEMLIMIT)"
}

// budget finds the limit that holds now: a program may set that of the Go runtime
// at any time, and what the machine has left changes.
type budget struct {
	root fs.FS // of the system's files

	mu        sync.Mutex
	last      memoryInfo // when last asked
	queriedAt time.Time
}

// systemBudget is the budget of this machine.
var systemBudget = &budget{root: os.DirFS("/")}

// MemoryLimit returns the limit of an execution that holds a number of bytes: the
// Go runtime's when one is set (GOMEMLIMIT, debug.SetMemoryLimit), else what it
// holds and seven eighths of what the machine, or the control group where that has
// less, has left.
func MemoryLimit(held int64) Limit { return systemBudget.limit(held) }

func (b *budget) limit(held int64) Limit {
	if n := debug.SetMemoryLimit(-1); n < math.MaxInt64 {
		return Limit{n, "the Go runtime's limit (GOMEMLIMIT, debug.SetMemoryLimit)"}
	}
	r := b.query()
	if r.total < 0 {
		return Limit{Bytes: -1}
	}
	// What is held and not written to yet counts as available too.
	n := min(r.total-r.total/8, held+r.available-r.available/8)
	return Limit{n, r.source}
}

// queryInterval is how long an answer of the system is used: reading it takes longer
// than most allocations.
const queryInterval = 50 * time.Millisecond

func (b *budget) query() memoryInfo {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.queriedAt.IsZero() || time.Since(b.queriedAt) > queryInterval {
		b.last = b.smallest()
		b.queriedAt = time.Now()
	}
	return b.last
}

// memoryInfo is the memory of a machine or of a control group; total is below 0 where
// there is no limit.
type memoryInfo struct {
	total, available int64
	source           string
}

// smallest returns the room that ends first.
func (b *budget) smallest() memoryInfo {
	best := b.machine()
	for _, r := range b.groups() {
		if best.total < 0 || r.available < best.available {
			best = r
		}
	}
	if best.total >= 0 { // what the Go heap has and does not use need not come from there
		best.available = min(best.available+heapFree(), best.total)
	}
	return best
}

// machine reads Linux's /proc/meminfo, whose lines are like
// "MemTotal:  16384256 kB".
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
	if r.available = available; r.available < 0 { // of a kernel before 3.14
		r.available = r.total
	}
	return r
}

// groups reads the control groups that the process is in, up to the root, of
// version 2 ("0::/path") and of version 1 ("4:memory:/path"). A container may see
// its own group as the root of the files.
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
				// Pages of files count as used until somebody needs the memory.
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

// number reads a file that holds a number; -1 when there is none ("max").
func (b *budget) number(file string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(b.read(file)), 10, 64)
	if err != nil || n >= math.MaxInt64&^0xffff { // version 1 says no limit so
		return -1
	}
	return n
}

// field reads a number from a file of lines "name number"; 0 when it is not there.
func (b *budget) field(file, name string) int64 {
	for line := range strings.Lines(b.read(file)) {
		if rest, ok := strings.CutPrefix(line, name+" "); ok {
			n, _ := strconv.ParseInt(strings.TrimSpace(rest), 10, 64)
			return n
		}
	}
	return 0
}

// heapFree returns the memory that the Go heap has from the system and does not
// use, in bytes.
func heapFree() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(s)
	if s[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(s[0].Value.Uint64())
}
