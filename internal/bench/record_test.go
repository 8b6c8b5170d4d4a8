package bench

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/testkit"
)

var sampleRecord = Record{Date: "2026-11-29", Machine: "a processor, 2 cores", CPU: "avx2", Workload: "exp_1m",
	Ours: "2 ms", Peer: "3 ms", Version: "NumPy 2.4", Ratio: 1.5, Command: "nx bench", Note: "quiet"}

// TestAppendRecords: rows are added to what a file has, one line each.
func TestAppendRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.tsv")
	odd := sampleRecord
	odd.Note, odd.Ratio = "two\tcolumns\nand lines", 0
	for _, r := range []Record{sampleRecord, odd} {
		if err := AppendRecords(path, []Record{r}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseRecords(string(text))
	odd.Note = "two columns and lines"
	if want := []Record{sampleRecord, odd}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("files besides the records: %q", left)
	}
}

// TestAppendRecordsKeepsOtherFiles: a file with other content, or a record without a machine, changes nothing.
func TestAppendRecordsKeepsOtherFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.txt")
	const notes = "not a table\n"
	if err := os.WriteFile(path, []byte(notes), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := AppendRecords(path, []Record{sampleRecord}); err == nil {
		t.Error("a row was added to a file of other content")
	}
	if text, _ := os.ReadFile(path); string(text) != notes {
		t.Errorf("the file has %q now", text)
	}
	none := filepath.Join(t.TempDir(), "rows.tsv")
	if err := AppendRecords(none, []Record{{Date: "2026-11-29", Workload: "exp_1m"}}); err == nil {
		t.Error("a row without a machine was written")
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("a file was made for a row that was refused")
	}
}

// TestRecordErrors: a line that is not a row is reported with its number.
func TestRecordErrors(t *testing.T) {
	row := strings.Join(sampleRecord.fields(), "\t")
	for text, want := range map[string]string{
		"":                                     "line 1: the columns must be",
		recordColumns + "\n" + row:             "must end with a line feed",
		recordColumns + "\na\tb\n":             "line 2: want 10 columns, got 2",
		recordColumns + "\n" + row + "\nx\n":   "line 3: want 10 columns, got 1",
		recordColumns + "\nx" + row[4:] + "\n": `line 2: the date must be of the form 2006-01-02, got "x-11-29"`,
		recordColumns + "\n" + strings.Replace(row, "\t1.5\t", "\t-1\t", 1) + "\n": "must be a positive number, got",
	} {
		if _, err := ParseRecords(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

// interval returns the numbers that a decimal may have been rounded from.
func interval(t *testing.T, s string) (lo, hi float64) {
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	_, decimals, _ := strings.Cut(s, ".")
	half := math.Pow10(-len(decimals)) / 2
	return x - half, x + half
}

// TestResults: every file of bench/results has rows, whose ratios are those of their figures.
func TestResults(t *testing.T) {
	files, err := filepath.Glob(testkit.Root(t, "bench", "results", "*.tsv"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	compared := 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		records, err := ParseRecords(string(text))
		if err != nil || len(records) == 0 {
			t.Errorf("%s: %d rows, %v", path, len(records), err)
		}
		for i, r := range records {
			ours, unit, _ := strings.Cut(r.Ours, " ")
			peer, theirs, _ := strings.Cut(r.Peer, " ")
			if r.Ours == "" || r.Peer == "" || r.Ratio == 0 {
				continue
			}
			compared++
			if unit != theirs {
				t.Errorf("%s, row %d: %s and %s have different units", path, i+1, r.Ours, r.Peer)
				continue
			}
			if strings.HasSuffix(unit, "/s") {
				ours, peer = peer, ours // rates: more is faster
			}
			oursLo, oursHi := interval(t, ours)
			peerLo, peerHi := interval(t, peer)
			const rounded = 0.006
			if r.Ratio < peerLo/oursHi*(1-rounded)-rounded || r.Ratio > peerHi/oursLo*(1+rounded)+rounded {
				t.Errorf("%s, row %d: the ratio of %s to %s is not %v", path, i+1, r.Peer, r.Ours, r.Ratio)
			}
		}
	}
	if compared < 400 {
		t.Errorf("only %d ratios were compared", compared)
	}
}

// TestPerformancePage: the figures of the table in docs/performance.md are rows of bench/results.
func TestPerformancePage(t *testing.T) {
	page, err := os.ReadFile(testkit.Root(t, "docs", "performance.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(testkit.Root(t, "bench", "results", "libraries.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	records, err := ParseRecords(string(text))
	if err != nil {
		t.Fatal(err)
	}
	machines := []string{"AMD EPYC (Zen 4), 2 cores", "Intel Xeon (Sapphire Rapids), 2 cores",
		"AMD EPYC (Zen 3), 2 cores", "Intel Xeon, 16 cores"}
	find := func(workload, machine string) Record {
		i := slices.IndexFunc(records, func(r Record) bool {
			return r.Workload == workload && r.Machine == machine && r.Peer != ""
		})
		if i < 0 {
			t.Errorf("there is no row of %s on %s", workload, machine)
			return Record{}
		}
		return records[i]
	}
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, "|")
		if len(cells) != 10 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows++
		workload := strings.Split(cells[1], "`")[1]
		first := find(workload, machines[0])
		library, _, _ := strings.Cut(first.Version, " ")
		if cells[2]+" µs" != first.Ours || cells[3]+" µs" != first.Peer || cells[4] != library {
			t.Errorf("%s: the row has %s, %s, %s", strings.TrimSpace(line), first.Ours, first.Peer, first.Version)
		}
		for i, machine := range machines {
			cell := cells[5+i]
			if cell == "" {
				continue
			}
			if ratio := find(workload, machine).Ratio; cell != strconv.FormatFloat(ratio, 'f', 2, 64) {
				t.Errorf("%s on %s: the page has %s, the row %.2f", workload, machine, cell, ratio)
			}
		}
	}
	if rows < 12 {
		t.Errorf("the table has %d rows that could be read", rows)
	}
}
