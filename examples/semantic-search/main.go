// Command semantic-search finds the passages of a folder of texts that are nearest in meaning to a query.
//
//	go run ./examples/semantic-search -model all-MiniLM-L6-v2 "how are mountains made?"
//
// The model is an encoder of texts, as its README says. Without a query it answers each line of the standard
// input.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	model := flag.String("model", "all-MiniLM-L6-v2", "folder of the encoder")
	texts := flag.String("texts", "examples/semantic-search/texts", "folder of texts")
	top := flag.Int("top", 3, "passages for each query")
	flag.Parse()
	var queries io.Reader = os.Stdin
	if flag.NArg() > 0 {
		queries = strings.NewReader(strings.Join(flag.Args(), " "))
	}
	if err := run(*model, *texts, *top, queries, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "semantic-search:", err)
		os.Exit(1)
	}
}

// run answers each line of the queries with the best passages of the texts.
func run(model, texts string, top int, queries io.Reader, out io.Writer) error {
	passages, err := readPassages(texts)
	if err != nil {
		return err
	}
	e, err := openEncoder(model)
	if err != nil {
		return err
	}
	x, err := newIndex(e, passages)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d passages\n", len(passages))
	lines := bufio.NewScanner(queries)
	for lines.Scan() {
		query := strings.TrimSpace(lines.Text())
		if query == "" {
			continue
		}
		hits, err := x.search(query, top)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n%s\n", query)
		for i, h := range hits {
			fmt.Fprintf(out, "%d. %.3f %s: %s\n", i+1, h.score, h.file, shorten(h.text, 100))
		}
	}
	return lines.Err()
}

// shorten is a text in a line of at most n characters.
func shorten(text string, n int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}
