package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-nx/nx"
)

// passage is a paragraph of a text.
type passage struct{ file, text string }

// readPassages reads the paragraphs of the files .txt and .md of a folder and of those in it.
func readPassages(dir string) (list []passage, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || d.IsDir() || ext != ".txt" && ext != ".md" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			return err
		}
		text := strings.ReplaceAll(string(data), "\r\n", "\n")
		for part := range strings.SplitSeq(text, "\n\n") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, passage{path, part})
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", dir, err)
	case len(list) == 0:
		return nil, fmt.Errorf("%s has no texts: want files .txt or .md", dir)
	}
	return list, nil
}

// index has passages and their vectors, [passages, width].
type index struct {
	*encoder
	passages []passage
	all      nx.Tensor
}

func newIndex(e *encoder, passages []passage) (*index, error) {
	texts := make([]string, len(passages))
	for i, p := range passages {
		texts[i] = p.text
	}
	all, err := e.vectors(texts)
	return &index{e, passages, all}, err
}

// hit is a passage and the cosine between its vector and that of the query.
type hit struct {
	passage
	score float32
}

// search returns the best passages for a query, at most n, the best one first.
func (x *index) search(query string, n int) (list []hit, err error) {
	defer nx.Catch(&err)
	vector, err := x.vectors([]string{query})
	if err != nil {
		return nil, err
	}
	cosines := nx.Dot(x.all, vector.At(0)) // all vectors have length 1
	scores, at := nx.TopK(cosines, min(max(n, 0), len(x.passages)))
	places := nx.Data[int](at)
	for i, score := range nx.Data[float32](scores) {
		list = append(list, hit{x.passages[places[i]], score})
	}
	return list, nil
}
