package kit

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// ReadCases reads the cases of a corpus: a file with a value of JSON in each line.
func ReadCases[C any](t *testing.T, file string) (cases []C) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var c C
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		cases = append(cases, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return cases
}
