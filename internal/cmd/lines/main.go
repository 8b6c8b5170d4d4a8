// Command lines prints the lines of Go files that are longer than 120 columns, where a tab counts as 4, and fails
// when there is one; generated files are left out. Lines inside of a string of several lines may be longer, and those
// with at most 60 columns next to one string: programs and messages are not broken to fit.
package main

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	"unicode/utf8"
)

const (
	limit     = 120 // columns
	tab       = 4   // columns of a tab
	maxBeside = 60  // columns next to a string that may make its line longer
)

func main() {
	status := 0
	for _, path := range os.Args[1:] {
		src, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		for _, n := range longLines(src) {
			fmt.Printf("%s:%d: longer than %d columns\n", path, n, limit)
			status = 1
		}
	}
	os.Exit(status)
}

// longLines returns the numbers of the lines that are too long.
func longLines(src []byte) []int {
	if bytes.HasPrefix(src, []byte("// Code generated ")) {
		return nil
	}
	strings := stringLines(src)
	var long []int
	for i, line := range bytes.Split(src, []byte("\n")) {
		if columns(line) > limit && !strings[i+1] {
			long = append(long, i+1)
		}
	}
	return long
}

// columns returns the width of text: a tab has 4 columns, any other rune has one.
func columns(text []byte) int {
	return utf8.RuneCount(text) + (tab-1)*bytes.Count(text, []byte("\t"))
}

// stringLines returns the numbers of the lines that a string of several lines covers in
// part, and of those with few columns next to one string.
func stringLines(src []byte) map[int]bool {
	files := token.NewFileSet()
	file := files.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok != token.STRING {
			continue
		}
		first := file.Line(pos)
		if n := bytes.Count([]byte(text), []byte("\n")); n > 0 {
			for i := range n + 1 {
				lines[first+i] = true
			}
			continue
		}
		from := file.Offset(file.LineStart(first))
		line, _, _ := bytes.Cut(src[from:], []byte("\n"))
		if columns(line)-columns([]byte(text)) <= maxBeside {
			lines[first] = true
		}
	}
}
