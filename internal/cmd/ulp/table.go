package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// The table stands between these lines of the page.
const (
	tableBegin = "<!-- begin: written by go run ./internal/cmd/ulp -write docs/accuracy.md -->\n"
	tableEnd   = "<!-- end -->\n"
)

// write puts the table of rows into a page.
func write(file string, rows []row, step uint64) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, ok := bytes.Cut(page, []byte(tableBegin))
	_, tail, ok2 := bytes.Cut(rest, []byte(tableEnd))
	if !ok || !ok2 {
		return fmt.Errorf("%s lacks the lines %q and %q", file, tableBegin, tableEnd)
	}
	return os.WriteFile(file, []byte(string(head)+tableBegin+table(rows, step)+tableEnd+string(tail)), 0o644)
}

func table(rows []row, step uint64) string {
	var b strings.Builder
	which := fmt.Sprintf("every %d-th", step)
	if step == 1 {
		which = "each"
	}
	fmt.Fprintf(&b, "Of the numbers of type f32, %s.\n\n", which)
	b.WriteString("| function |")
	for _, d := range types {
		fmt.Fprintf(&b, " %s |", d)
	}
	b.WriteString(" stated |\n|---|" + strings.Repeat("---:|", len(types)) + "---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s |", r.name)
		for _, w := range r.worst {
			fmt.Fprintf(&b, " %v |", w)
		}
		fmt.Fprintf(&b, " %v |\n", r.bounds)
	}
	return b.String()
}
