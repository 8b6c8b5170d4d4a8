package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// isIndex reports whether a file is named as the index of the files of one model is: model.safetensors.index.json,
// as huggingface_hub writes it.
func isIndex(file string) bool { return strings.HasSuffix(strings.ToLower(file), ".index.json") }

// maxIndex is the most bytes that an index may have.
const maxIndex = 100_000_000

// openShards lists the arrays of the files that an index names. An array that several of them have is an error; one
// that the index does not have is listed, as transformers loads it.
func openShards(ctx context.Context, fsys fs.FS, index string) (list []Array, close func() error, err error) {
	var opened []func() error
	closeAll := func() error {
		var errs []error
		for _, c := range opened {
			errs = append(errs, c())
		}
		return errors.Join(errs...)
	}
	if list, err = arraysOfIndex(ctx, fsys, index, &opened); err != nil {
		closeAll()
		return nil, nil, err
	}
	return list, closeAll, nil
}

// arraysOfIndex is openShards, which closes the files that it opens.
func arraysOfIndex(ctx context.Context, fsys fs.FS, index string, opened *[]func() error) (list []Array,
	err error) {
	var weights map[string]string // array → file
	var closeIndex func() error
	if err := openArrays(ctx, fsys, index, &closeIndex, func(r io.ReaderAt, size int64) (err error) {
		weights, err = readIndex(r, size)
		return err
	}); err != nil {
		return nil, err
	}
	*opened = append(*opened, closeIndex)
	shards := map[string]bool{}
	for name, file := range weights {
		if file != "" {
			file = filepath.Clean(filepath.FromSlash(file))
		}
		weights[name], shards[file] = file, true
	}
	found := map[string]string{} // array → file
	for _, file := range slices.Sorted(maps.Keys(shards)) {
		switch {
		case !filepath.IsLocal(file):
			return nil, fmt.Errorf("%s: the file %.80q is not in the folder of the index", index, file)
		case isIndex(file):
			return nil, fmt.Errorf("%s: the file %.80q is an index itself", index, file)
		}
		arrays, closeFile, err := OpenArraysIn(ctx, fsys, filepath.Join(filepath.Dir(index), file))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", index, err)
		}
		*opened = append(*opened, closeFile)
		for _, a := range arrays {
			if other, ok := found[a.Name]; ok {
				return nil, fmt.Errorf("%s: %s and %s both have an array %.80q", index, other, file, a.Name)
			}
			found[a.Name] = file
			list = append(list, a)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		switch file, ok := found[name]; {
		case !ok:
			return nil, fmt.Errorf("%s: %s has no array %.80q", index, weights[name], name)
		case file != weights[name]:
			return nil, fmt.Errorf("%s: the array %.80q is in %s, not in %s", index, name, file, weights[name])
		}
	}
	return list, nil
}

// readIndex reads which file has each array.
func readIndex(r io.ReaderAt, size int64) (map[string]string, error) {
	if size > maxIndex {
		return nil, fmt.Errorf("an index has at most %d bytes, this file has %d", maxIndex, size)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(io.NewSectionReader(r, 0, size), text); err != nil {
		return nil, err
	}
	var index struct {
		Weights fileOfArray `json:"weight_map"`
	}
	if err := json.Unmarshal(text, &index); err != nil {
		return nil, fmt.Errorf("want a JSON object whose weight_map gives the file of each array: %w", err)
	}
	if index.Weights == nil {
		return nil, errors.New("the index has no weight_map, which gives the file of each array")
	}
	return index.Weights, nil
}

// fileOfArray is a JSON object of texts, whose keys must differ.
type fileOfArray map[string]string

// UnmarshalJSON reads it.
func (m *fileOfArray) UnmarshalJSON(text []byte) error {
	type plain map[string]string
	if err := json.Unmarshal(text, (*plain)(m)); err != nil || *m == nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return err
	}
	seen := make(map[string]bool, len(*m))
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		name := key.(string)
		if seen[name] {
			return fmt.Errorf("the array %.80q is there twice", name)
		}
		seen[name] = true
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	return nil
}
