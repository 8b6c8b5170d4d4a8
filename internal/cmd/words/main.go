// Command words prints the phrases of phrases.txt in the files that are its arguments, each with what to write
// instead, and fails when there is one.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"regexp"
	"strings"
)

//go:embed phrases.txt
var phrasesText string

// phrase is a row of phrases.txt.
type phrase struct {
	*regexp.Regexp
	except []*regexp.Regexp
	write  string // what to write instead
}

func main() {
	phrases, err := parse(phrasesText)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	status := 0
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		for _, f := range find(phrases, text) {
			fmt.Printf("%s:%d: %q: write %s\n", path, f.line, f.text, f.write)
			status = 1
		}
	}
	os.Exit(status)
}

// parse returns the phrases of a list in the form of phrases.txt.
func parse(list string) ([]*phrase, error) {
	var phrases []*phrase
	for i, line := range strings.Split(list, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		text, write, isPhrase := strings.Cut(line, " => ")
		text, isException := strings.CutPrefix(text, "except ")
		if isPhrase == isException || isException && phrases == nil {
			return nil, fmt.Errorf(`phrases.txt:%d: the line must be "phrase => text", or "except phrase" after one`, i+1)
		}
		re, err := regexp.Compile(strings.ReplaceAll(text, " ", space))
		if err != nil {
			return nil, fmt.Errorf("phrases.txt:%d: %w", i+1, err)
		}
		if isPhrase {
			phrases = append(phrases, &phrase{Regexp: re, write: write})
		} else {
			last := phrases[len(phrases)-1]
			last.except = append(last.except, re)
		}
	}
	return phrases, nil
}

// space matches what separates two words: blanks, or the end of a line and the mark of a comment.
const space = `(?:[ \t]+|[ \t]*\n[ \t]*(?://+|#+)?[ \t]*)`

// finding is a use of a phrase.
type finding struct {
	line  int
	text  string
	write string
}

// find returns the uses of phrases in text, phrase by phrase.
func find(phrases []*phrase, text []byte) []finding {
	var found []finding
	for _, p := range phrases {
		uses := p.FindAllIndex(text, -1)
		if len(uses) == 0 {
			continue
		}
		var meant [][]int
		for _, e := range p.except {
			meant = append(meant, e.FindAllIndex(text, -1)...)
		}
		for _, use := range uses {
			if !overlaps(use, meant) {
				words := bytes.Join(bytes.Fields(text[use[0]:use[1]]), []byte(" "))
				found = append(found, finding{1 + bytes.Count(text[:use[0]], []byte("\n")), string(words), p.write})
			}
		}
	}
	return found
}

func overlaps(span []int, others [][]int) bool {
	for _, o := range others {
		if o[0] < span[1] && span[0] < o[1] {
			return true
		}
	}
	return false
}
