package bench

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/go-nx/nx/internal/atomicfile"
)

// A Record is a row of the files of measurements in bench/results. Only the date, the machine and the workload are
// always there.
type Record struct {
	Date     string // 2006-01-02
	Machine  string // the processor and the number of its cores
	CPU      string // the tier of code, and features of the processor
	Workload string
	Ours     string // a number and a unit
	Peer     string // the other library's, in the same unit
	Version  string // the other library and its version
	Ratio    float64
	Command  string
	Note     string
}

// recordColumns is the first line of a file of records.
const recordColumns = "date\tmachine\tcpu\tworkload\tours\tpeer\tversion\tratio\tcommand\tnote"

// fields returns the columns of a record. Ratio 0 is an empty column.
func (r Record) fields() []string {
	ratio := ""
	if r.Ratio != 0 {
		ratio = strconv.FormatFloat(r.Ratio, 'g', 3, 64)
	}
	return []string{r.Date, r.Machine, r.CPU, r.Workload, r.Ours, r.Peer, r.Version, ratio, r.Command, r.Note}
}

// ParseRecords reads a file of records. An error names the line.
func ParseRecords(text string) ([]Record, error) {
	first, rest, _ := strings.Cut(text, "\n")
	if first != recordColumns {
		return nil, fmt.Errorf("line 1: the columns must be %q, got %q", recordColumns, first)
	}
	if rest != "" && !strings.HasSuffix(rest, "\n") {
		return nil, errors.New("the last line must end with a line feed")
	}
	var records []Record
	number := 1
	for line := range strings.Lines(rest) {
		number++
		r, err := parseRecord(strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		records = append(records, r)
	}
	return records, nil
}

func parseRecord(c []string) (Record, error) {
	if want := strings.Count(recordColumns, "\t") + 1; len(c) != want {
		return Record{}, fmt.Errorf("want %d columns, got %d", want, len(c))
	}
	r := Record{Date: c[0], Machine: c[1], CPU: c[2], Workload: c[3], Ours: c[4], Peer: c[5], Version: c[6],
		Command: c[8], Note: c[9]}
	if _, err := time.Parse(time.DateOnly, r.Date); err != nil {
		return Record{}, fmt.Errorf("the date must be of the form 2006-01-02, got %q", r.Date)
	}
	if r.Machine == "" || r.Workload == "" {
		return Record{}, errors.New("the machine and the workload must be named")
	}
	if c[7] == "" {
		return r, nil
	}
	ratio, err := strconv.ParseFloat(c[7], 64)
	if err != nil || !(ratio > 0) || math.IsInf(ratio, 0) {
		return Record{}, fmt.Errorf("the ratio must be a positive number, got %q", c[7])
	}
	r.Ratio = ratio
	return r, nil
}

// AppendRecords adds records at the end of a file, which is made if it does not exist. The file is replaced when all
// of it is on disk, so that it never has a part of a row; a file that is not one of records is left as it is.
func AppendRecords(path string, records []Record) error {
	old, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		old, err = []byte(recordColumns+"\n"), nil
	}
	if err != nil {
		return err
	}
	if _, err := ParseRecords(string(old)); err != nil {
		return fmt.Errorf("%s is not a file of measurements: %w", path, err)
	}
	rows := bytes.NewBuffer(old)
	for _, r := range records {
		fields := r.fields()
		for i, f := range fields {
			fields[i] = strings.Join(strings.Fields(f), " ") // tabs and line feeds separate columns and rows
		}
		if _, err := parseRecord(fields); err != nil {
			return err
		}
		rows.WriteString(strings.Join(fields, "\t") + "\n")
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(rows.Bytes())
		return err
	})
}
