package command

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/go-nx/nx/internal/bench"
)

// peerRow is a line of the measurements of another library, as nx bench --json prints them for nx.
type peerRow struct {
	Bench   string `json:"bench"`
	Peer    string `json:"peer"`
	Version string `json:"version"`
	NS      int64  `json:"ns"`
}

// readPeers returns the fastest measurement of each workload in a file of JSON lines. Other lines are passed over.
func readPeers(path string) (map[string]peerRow, error) {
	fastest := map[string]peerRow{}
	if path == "" {
		return fastest, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if !strings.HasPrefix(line, "{") {
			continue
		}
		var row peerRow
		if err := json.Unmarshal([]byte(line), &row); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		if row.NS <= 0 || row.Bench == "" || row.Peer == "" {
			return nil, fmt.Errorf("%s:%d: want \"bench\", \"peer\" and a positive \"ns\", got %s", path, number,
				printable(line))
		}
		if best, ok := fastest[row.Bench]; !ok || row.NS < best.NS {
			fastest[row.Bench] = row
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return fastest, nil
}

// record is the measurement of a workload for bench/results, beside that of the fastest peer.
func (r benchRow) record(peers map[string]peerRow, files bool, day time.Time) bench.Record {
	command := "nx bench --only " + r.Bench
	if files {
		command = "nx bench " + r.Bench
	}
	out := bench.Record{
		Date:     day.UTC().Format(time.DateOnly),
		Machine:  fmt.Sprintf("%s, %d cores", processor(), runtime.NumCPU()),
		CPU:      strings.Join(append([]string{r.Tier}, cpuFeatures()...), " "),
		Workload: r.Bench,
		Ours:     microseconds(r.NS),
		Command:  command,
		Note: fmt.Sprintf("median of %d calls, least %s, %d workers; %s", r.Reps, microseconds(r.MinNS), r.Workers,
			currentVersion().Sources()),
	}
	if p, ok := peers[r.Bench]; ok {
		out.Peer, out.Version = microseconds(p.NS), strings.TrimSpace(p.Peer+" "+p.Version)
		out.Ratio = float64(p.NS) / float64(max(r.NS, 1))
	}
	return out
}

// microseconds writes a time with four digits.
func microseconds(ns int64) string {
	x := float64(ns) / 1e3
	digits := 3 - int(math.Floor(math.Log10(math.Max(x, 1e-3))))
	return strconv.FormatFloat(x, 'f', max(digits, 0), 64) + " µs"
}

// processor returns the name of the processor, or the architecture where the system does not tell it.
func processor() string {
	info, _ := os.ReadFile("/proc/cpuinfo") // absent on other systems
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}
