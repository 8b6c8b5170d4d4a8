package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/go-nx/nx/dtype"
)

// The table stands between these lines of the page.
const (
	tableBegin = "<!-- begin: written by go run ./internal/cmd/ulp -write docs/accuracy.md -->\n"
	tableEnd   = "<!-- end -->\n"
)

// write puts rows into the table of a page, whose other rows stay.
func write(file string, rows []row) error {
	page, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, rest, ok := bytes.Cut(page, []byte(tableBegin))
	old, tail, ok2 := bytes.Cut(rest, []byte(tableEnd))
	if !ok || !ok2 {
		return fmt.Errorf("%s lacks the lines %q and %q", file, tableBegin, tableEnd)
	}
	lines := map[string]string{}
	for line := range strings.Lines(string(old)) {
		if cells := strings.Split(line, "|"); len(cells) > 1 {
			lines[strings.TrimSpace(cells[1])] = line
		}
	}
	for _, r := range rows {
		lines[r.name] = r.line()
	}
	return os.WriteFile(file, slices.Concat(head, []byte(tableBegin+table(lines)+tableEnd), tail), 0o644)
}

// table arranges the lines of functions.
func table(lines map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Of the numbers of type f32, every %d-th, and with a star each.\n\n| function |", usualStep)
	for _, d := range types {
		fmt.Fprintf(&b, " %s |", d)
	}
	b.WriteString(" stated |\n|---|" + strings.Repeat("---:|", len(types)) + "---|\n")
	for _, f := range functions {
		b.WriteString(lines[f.name])
	}
	for _, p := range pairs {
		b.WriteString(lines[p.name])
	}
	return b.String()
}

// line is the row as a line of the table.
func (r row) line() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |", r.name)
	for i, w := range r.worst {
		star := ""
		if r.every && types[i] == dtype.F32 {
			star = "*"
		}
		fmt.Fprintf(&b, " %v%s |", w, star)
	}
	fmt.Fprintf(&b, " %v |\n", r.bounds)
	return b.String()
}
