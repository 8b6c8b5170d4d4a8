package data

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"strings"
)

// Sample is a record of a tar: the files whose names are equal up to the first dot of the last part.
type Sample struct {
	Key   string            // "train/000123"
	Files map[string][]byte // by what follows the dot: "jpg", "cls", "seg.png"
}

// Tar is a source of the samples of tar files in the layout of WebDataset, in order. They are indexed when they are
// opened, by reading their headers, and read sample by sample afterwards.
type Tar struct {
	files   []*os.File
	samples []tarSample
}

type tarSample struct {
	file  int
	key   string
	parts []tarPart
}

type tarPart struct {
	name       string
	from, size int64
}

// maxMember bounds a file of a tar.
const maxMember = 1 << 31

// OpenTar opens tar files, which must not be compressed, as a compressed file has no random access.
//
// The error names the file, and the member of a name that leaves the folder, is there twice, or is too large.
func OpenTar(paths ...string) (t *Tar, err error) {
	t = &Tar{}
	defer func() {
		if err != nil {
			t.Close()
			t = nil
		}
	}()
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			return t, err
		}
		t.files = append(t.files, f)
		if err := t.index(f); err != nil {
			return t, fmt.Errorf("%s: %w", p, err)
		}
	}
	return t, nil
}

// index adds the samples of the last file.
func (t *Tar) index(f *os.File) error {
	magic := make([]byte, 2)
	if _, err := f.ReadAt(magic, 0); err == nil && bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return fmt.Errorf("the tar is compressed: decompress it, for random access")
	}
	in := &countingReader{r: f}
	r := tar.NewReader(in)
	file := len(t.files) - 1
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		name := path.Clean(h.Name)
		if path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../") || strings.ContainsAny(name, "\\:") {
			return fmt.Errorf("the member %q is not in the folder of the tar", h.Name)
		}
		if h.Size > maxMember {
			return fmt.Errorf("the member %q has %d bytes, more than %d", h.Name, h.Size, int64(maxMember))
		}
		dir, base := path.Split(name)
		stem, kind, _ := strings.Cut(base, ".")
		if stem == "" {
			continue // hidden files
		}
		key := dir + stem
		if n := len(t.samples); n == 0 || t.samples[n-1].key != key || t.samples[n-1].file != file {
			t.samples = append(t.samples, tarSample{file: file, key: key})
		}
		s := &t.samples[len(t.samples)-1]
		for _, p := range s.parts {
			if p.name == kind {
				return fmt.Errorf("the member %q is there twice", h.Name)
			}
		}
		s.parts = append(s.parts, tarPart{kind, in.n, h.Size})
	}
}

// countingReader counts the bytes read, so that the place of a member's data is known. It can seek, so that the data
// is skipped.
type countingReader struct {
	r *os.File
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *countingReader) Seek(offset int64, whence int) (int64, error) {
	n, err := c.r.Seek(offset, whence)
	if err == nil {
		c.n = n
	}
	return n, err
}

// Len is the number of samples.
func (t *Tar) Len() int { return len(t.samples) }

// At reads sample i.
func (t *Tar) At(_ context.Context, i int, _ *rand.Rand) (Sample, error) {
	s := t.samples[i]
	f := t.files[s.file]
	out := Sample{s.key, map[string][]byte{}}
	for _, p := range s.parts {
		data := make([]byte, p.size)
		if _, err := f.ReadAt(data, p.from); err != nil {
			return out, fmt.Errorf("%s: %s.%s: the file has changed since it was opened: %w", f.Name(), s.key, p.name,
				err)
		}
		out.Files[p.name] = data
	}
	return out, nil
}

// Close closes the files.
func (t *Tar) Close() error {
	var errs []error
	for _, f := range t.files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}
