package rt

import (
	"errors"
	"math"
	"runtime/debug"
	"strings"
	"testing"
	"testing/fstest"
)

// TestMemoryLimitOfTheSystem: the limit is the available memory of the machine or the control group, whichever is less,
// for any total.
func TestMemoryLimitOfTheSystem(t *testing.T) {
	if debug.SetMemoryLimit(-1) < math.MaxInt64 {
		t.Skip("the Go runtime has a limit")
	}
	const meminfo = "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\n"
	const gib = 1 << 30
	for _, c := range []struct {
		name  string
		files map[string]string
		held  int64
		want  float64 // GiB, without the free memory of the Go heap
		of    string
	}{
		{"another system", nil, 0, -1, ""},
		{"no groups", map[string]string{"proc/meminfo": meminfo}, 0, 7, "machine"},
		{"held memory counts", map[string]string{"proc/meminfo": meminfo}, 4 * gib, 11, "machine"},
		{"never more than the machine has", map[string]string{"proc/meminfo": meminfo}, 12 * gib, 14, "machine"},
		{"version 2", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/a/b\n",
			"sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/b/memory.current": "5\n",
			"sys/fs/cgroup/a/memory.max": "4294967296\n", "sys/fs/cgroup/a/memory.current": "3221225472\n",
			"sys/fs/cgroup/a/memory.stat": "anon 5\ninactive_file 1073741824\n"}, 0, 1.75, "group"},
		{"version 2 in a container", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "0::/docker/x\n",
			"sys/fs/cgroup/memory.max": "4294967296\n", "sys/fs/cgroup/memory.current": "0\n"}, 0, 3.5, "group"},
		{"version 1", map[string]string{"proc/meminfo": meminfo, "proc/self/cgroup": "9:cpu:/\n4:memory:/x\n",
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": "2147483648\n",
			"sys/fs/cgroup/memory/x/memory.usage_in_bytes": "1073741824\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":   "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes":   "1\n"}, 0, 0.875, "group"},
		{"nonsense", map[string]string{"proc/meminfo": "MemTotal: a lot\n", "proc/self/cgroup": "x\n"}, 0, -1, ""},
	} {
		root := fstest.MapFS{}
		for name, text := range c.files {
			root[name] = &fstest.MapFile{Data: []byte(text)}
		}
		got := (&budget{root: root}).limit(c.held)
		if c.want < 0 {
			if got.Bytes >= 0 {
				t.Errorf("%s: %v, want no limit", c.name, got)
			}
			continue
		}
		// The Go heap may have free memory.
		if over := float64(got.Bytes)/gib - c.want; over < -1e-9 || over > 0.5 || !strings.Contains(got.Source, c.of) {
			t.Errorf("%s: %.3f GiB of %s, want %.3f of the %s", c.name, float64(got.Bytes)/gib, got.Source, c.want,
				c.of)
		}
	}
}

// TestMemoryLimitIsFollowed: a limit that the program sets after the first buffers applies to the next.
func TestMemoryLimitIsFollowed(t *testing.T) {
	b := NewBuffers(0)
	first, err := b.Get(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(8 << 20))
	_, err = b.Get(16 << 20)
	var full *MemoryError
	if !errors.As(err, &full) || full.Limit.Bytes != 8<<20 || !strings.Contains(err.Error(), "debug.SetMemoryLimit") {
		t.Errorf("above the limit: %v", err)
	}
	if want := "out of memory: 16.00 MiB needed, 1.00 MiB in use, of at most 8.00 MiB: "; err != nil &&
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s…", err, want)
	}
	debug.SetMemoryLimit(math.MaxInt64)
	if _, err := b.Get(16 << 20); err != nil {
		t.Errorf("without a limit: %v", err)
	}
	b.Put(first)
}
