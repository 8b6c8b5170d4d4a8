package safetensors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sort"
	"strconv"
	"unicode/utf8"
)

// metadataKey is the name in the header that stands for text about the file.
const metadataKey = "__metadata__"

// byteRange is a tensor and where its data is, counted from the end of the header.
type byteRange struct {
	Info
	begin, end int64
}

// parseHeader reads the text of a header and checks that its tensors fill the
// data bytes after it. The tensors are returned in the order of their data.
func parseHeader(text []byte, data int64) ([]byteRange, map[string]string, error) {
	if !utf8.Valid(text) {
		return nil, nil, errors.New("safetensors: the header is not UTF-8")
	}
	if !json.Valid(text) {
		return nil, nil, errors.New("safetensors: the header is not JSON")
	}
	p := headerParser{d: json.NewDecoder(bytes.NewReader(text))}
	p.d.UseNumber()
	ranges, metadata, err := p.parse()
	if err != nil {
		return nil, nil, fmt.Errorf("safetensors: header, byte %d: %w", p.d.InputOffset(), err)
	}
	sort.SliceStable(ranges, func(i, j int) bool {
		a, b := &ranges[i], &ranges[j]
		return a.begin < b.begin || a.begin == b.begin && a.end < b.end
	})
	if err := checkRanges(ranges, data); err != nil {
		return nil, nil, err
	}
	return ranges, metadata, nil
}

// checkRanges checks that the tensors follow one another from the first byte
// to the last.
func checkRanges(ranges []byteRange, data int64) error {
	at := int64(0)
	for _, p := range ranges {
		size, err := p.fileSize()
		switch {
		case err != nil:
			return fmt.Errorf("safetensors: tensor %.80q: %w", p.Name, err)
		case p.begin != at:
			return fmt.Errorf("safetensors: tensor %.80q starts at byte %d of the data, want %d, where the one before ends",
				p.Name, p.begin, at)
		case p.end-p.begin != int64(size):
			return fmt.Errorf("safetensors: tensor %.80q has %d bytes, want %d for %s%v", p.Name, p.end-p.begin,
				size, p.DType, p.Shape)
		}
		at = p.end
	}
	if at != data {
		return fmt.Errorf("safetensors: the tensors have %d bytes, the file has %d for them", at, data)
	}
	return nil
}

// headerParser reads JSON that is known to be valid, token by token.
type headerParser struct{ d *json.Decoder }

func (p *headerParser) parse() (ranges []byteRange, metadata map[string]string, err error) {
	seen := make(map[string]bool)
	err = p.object("the header", func(key string) error {
		if seen[key] {
			return fmt.Errorf("the name %.80q occurs twice", key)
		}
		seen[key] = true
		if key == metadataKey {
			metadata, err = p.metadata()
			return err
		}
		pl, err := p.byteRange(key)
		if err != nil {
			return fmt.Errorf("tensor %.80q: %w", key, err)
		}
		ranges = append(ranges, pl)
		return nil
	})
	return ranges, metadata, err
}

// metadata reads a map from text to text, or null.
func (p *headerParser) metadata() (map[string]string, error) {
	t, err := p.d.Token()
	if err != nil || t == nil {
		return nil, err
	}
	m := make(map[string]string)
	return m, p.members(t, metadataKey, func(key string) error {
		if _, ok := m[key]; ok {
			return fmt.Errorf("the metadata %.80q occurs twice", key)
		}
		t, err := p.d.Token()
		if err != nil {
			return err
		}
		value, ok := t.(string)
		if !ok {
			return fmt.Errorf("the metadata %.80q is not a string", key)
		}
		m[key] = value
		return nil
	})
}

// byteRange reads the description of one tensor. Unknown keys are skipped, as in the reference.
func (p *headerParser) byteRange(name string) (byteRange, error) {
	pl := byteRange{Info: Info{Name: name}}
	var seen [3]bool
	once := func(i int) error {
		if seen[i] {
			return errors.New("a key occurs twice")
		}
		seen[i] = true
		return nil
	}
	err := p.object("its description", func(key string) (err error) {
		switch key {
		case "dtype":
			err = errors.Join(once(0), p.dtype(&pl))
		case "shape":
			err = errors.Join(once(1), p.shape(&pl))
		case "data_offsets":
			err = errors.Join(once(2), p.offsets(&pl))
		default:
			var skipped json.RawMessage
			err = p.d.Decode(&skipped)
		}
		return err
	})
	if err == nil && seen != [3]bool{true, true, true} {
		err = errors.New("want the keys dtype, shape and data_offsets")
	}
	return pl, err
}

func (p *headerParser) dtype(pl *byteRange) error {
	t, err := p.d.Token()
	if err != nil {
		return err
	}
	code, ok := t.(string)
	if !ok {
		return errors.New("dtype is not a string")
	}
	pl.DType, err = typeOf(code)
	return err
}

func (p *headerParser) shape(pl *byteRange) error {
	sizes, err := p.numbers("shape", math.MaxInt)
	if err != nil {
		return err
	}
	pl.Shape = make([]int, len(sizes))
	for i, n := range sizes {
		pl.Shape[i] = int(n)
	}
	return nil
}

func (p *headerParser) offsets(pl *byteRange) error {
	offsets, err := p.numbers("data_offsets", math.MaxInt64)
	if err != nil {
		return err
	}
	if len(offsets) != 2 || offsets[0] > offsets[1] {
		return errors.New("data_offsets are not a begin and an end")
	}
	pl.begin, pl.end = offsets[0], offsets[1]
	return nil
}

// numbers reads a list of integers from 0 to limit.
func (p *headerParser) numbers(what string, limit int64) ([]int64, error) {
	if t, err := p.d.Token(); err != nil || t != json.Delim('[') {
		return nil, errors.Join(fmt.Errorf("%s is not a list", what), err)
	}
	var ns []int64
	for p.d.More() {
		t, err := p.d.Token()
		if err != nil {
			return nil, err
		}
		text, ok := t.(json.Number)
		n, err := strconv.ParseInt(string(text), 10, 64)
		if !ok || err != nil || n < 0 || n > limit {
			return nil, fmt.Errorf("%s holds %.40v, which is not a whole number from 0 to %d", what, t, limit)
		}
		ns = append(ns, n)
	}
	_, err := p.d.Token()
	return ns, err
}

// object reads an object and calls member after each key to read the value.
func (p *headerParser) object(what string, member func(key string) error) error {
	t, err := p.d.Token()
	if err != nil {
		return err
	}
	return p.members(t, what, member)
}

// members reads the rest of the object that starts with t.
func (p *headerParser) members(t json.Token, what string, member func(key string) error) error {
	if t != json.Delim('{') {
		return fmt.Errorf("%s is not an object", what)
	}
	for p.d.More() {
		key, err := p.d.Token()
		if err != nil {
			return err
		}
		if err := member(key.(string)); err != nil {
			return err
		}
	}
	_, err := p.d.Token()
	return err
}
