package safetensors

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-nx/nx/internal/atomicfile"
)

// Write writes the tensors, sorted by alignment and then by name, and the
// metadata, which may be nil.
func Write(w io.Writer, tensors []Tensor, metadata map[string]string) error {
	sorted := slices.Clone(tensors)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := &sorted[i], &sorted[j]
		return cmp.Or(cmp.Compare(rank(b.DType), rank(a.DType)), strings.Compare(a.Name, b.Name)) < 0
	})
	header, err := encodeHeader(sorted, metadata)
	if err != nil {
		return err
	}
	if _, err := w.Write(header); err != nil {
		return err
	}
	for _, t := range sorted {
		if _, err := w.Write(pack(t.Data, t.DType)); err != nil {
			return err
		}
	}
	return nil
}

// WriteFile is Write to the named file, which is complete or, if an error is
// returned, as it was before.
func WriteFile(name string, tensors []Tensor, metadata map[string]string) error {
	return atomicfile.Write(name, func(w io.Writer) error { return Write(w, tensors, metadata) })
}

// encodeHeader returns all that comes before the data of the tensors.
func encodeHeader(tensors []Tensor, metadata map[string]string) ([]byte, error) {
	b := append(make([]byte, 8), '{') // the length is set at the end
	for key, value := range metadata {
		if !utf8.ValidString(key) || !utf8.ValidString(value) {
			return nil, fmt.Errorf("safetensors: the metadata %q is not UTF-8", key)
		}
	}
	if metadata != nil {
		b = appendMetadata(b, metadata)
	}
	seen := make(map[string]bool, len(tensors))
	at := 0
	for _, t := range tensors {
		size, err := t.check()
		if err == nil && seen[t.Name] {
			err = errors.New("the name occurs twice")
		}
		if err != nil {
			return nil, fmt.Errorf("safetensors: tensor %q: %w", t.Name, err)
		}
		seen[t.Name] = true
		if len(b) > 9 {
			b = append(b, ',')
		}
		b = appendString(b, t.Name)
		b = append(b, `:{"dtype":"`+codes[rank(t.DType)].name+`","shape":[`...)
		for i, d := range t.Shape {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(d), 10)
		}
		b = fmt.Appendf(b, `],"data_offsets":[%d,%d]}`, at, at+size)
		at += size
	}
	b = append(b, '}')
	for len(b)%8 != 0 {
		b = append(b, ' ')
	}
	if len(b)-8 > maxHeader {
		return nil, fmt.Errorf("safetensors: the header would have %d bytes, more than the limit of %d", len(b)-8, maxHeader)
	}
	binary.LittleEndian.PutUint64(b, uint64(len(b)-8))
	return b, nil
}

// check returns the bytes that t takes in a file, if it can be written.
func (t Tensor) check() (int, error) {
	if rank(t.DType) < 0 {
		return 0, fmt.Errorf("the format does not support %s: %w", t.DType, errors.ErrUnsupported)
	}
	if t.Name == metadataKey {
		return 0, errors.New("the format uses that name for metadata")
	}
	if !utf8.ValidString(t.Name) {
		return 0, errors.New("the name is not UTF-8")
	}
	n, err := t.numElems()
	if err != nil {
		return 0, err
	}
	if n*t.DType.Size() != len(t.Data) {
		return 0, fmt.Errorf("%s%v has %d bytes of data, not %d", t.DType, t.Shape, len(t.Data), n*t.DType.Size())
	}
	return t.fileSize()
}

func appendMetadata(b []byte, metadata map[string]string) []byte {
	b = append(b, `"`+metadataKey+`":{`...)
	for i, key := range slices.Sorted(maps.Keys(metadata)) {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, key)
		b = append(b, ':')
		b = appendString(b, metadata[key])
	}
	return append(b, '}')
}

// appendString appends s as a JSON string with as few escapes as JSON allows,
// like the reference.
func appendString(b []byte, s string) []byte {
	const short = "\b\t\n\f\r\"\\"
	const letters = `btnfr"\`
	b = append(b, '"')
	for _, r := range s {
		if i := strings.IndexRune(short, r); i >= 0 {
			b = append(b, '\\', letters[i])
		} else if r < ' ' {
			b = fmt.Appendf(b, `\u%04x`, r)
		} else {
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
