package onnx_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	encoding "github.com/go-nx/nx/encoding/onnx"
	"github.com/go-nx/nx/internal/core"
	"github.com/go-nx/nx/internal/onnx"
)

var (
	casesPath = flag.String("cases", "testdata/layers.tar.gz", "the archive of recorded models")
	casesOnly = flag.String("case", "", "run only the cases that match")
)

// TestCases runs models of one node, and some more, whose answers testdata/cases/layers.py has recorded.
func TestCases(t *testing.T) {
	only := regexp.MustCompile(*casesOnly)
	passed := 0
	failed := map[string]int{}
	for _, c := range readCases(t, *casesPath) {
		if !only.MatchString(c.name) {
			continue
		}
		if err := c.run(t); err != nil {
			t.Errorf("%s: %v\n\t%s", c.name, err, c.info)
			failed[c.name[:strings.Index(c.name+"-", "-")]]++
		} else {
			passed++
		}
	}
	t.Logf("%d passed, failed: %v", passed, failed)
}

// recorded is a case of the archive.
type recorded struct {
	name, info string
	model      []byte
	ins, outs  [][]byte
	isSequence []bool   // of outs
	others     [][]byte // answers that are as good, while exploring
}

// readCases reads an archive of folders in the layout of ONNX's own tests. The file info has the origin of the answers,
// and by how many units quantised numbers may differ.
func readCases(t *testing.T, path string) []*recorded {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var list []*recorded
	byName := map[string]*recorded{}
	for r := tar.NewReader(zipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		var data bytes.Buffer
		if _, err := io.Copy(&data, r); err != nil {
			t.Fatal(err)
		}
		name, file, _ := strings.Cut(h.Name, "/")
		c := byName[name]
		if c == nil {
			c = &recorded{name: name}
			byName[name], list = c, append(list, c)
		}
		switch {
		case file == "model.onnx":
			c.model = data.Bytes()
		case file == "info":
			c.info = strings.TrimSpace(data.String())
		case strings.Contains(file, "/input_"):
			c.ins = append(c.ins, data.Bytes())
		case strings.HasPrefix(file, "other/"):
			c.others = append(c.others, data.Bytes())
		default:
			c.outs = append(c.outs, data.Bytes())
			c.isSequence = append(c.isSequence, strings.HasSuffix(file, ".seq"))
		}
	}
}

func (c *recorded) run(t *testing.T) error {
	p, err := open(t, c.model)
	if err != nil {
		return err
	}
	ins := make([]onnx.Value, len(c.ins))
	for i, b := range c.ins {
		if ins[i], err = decoded(b, false); err != nil {
			return err
		}
	}
	outs, err := p.RunValues(background, ins, nil)
	if err != nil {
		return err
	}
	var origin string
	var step int
	if _, err := fmt.Sscan(c.info, &origin, &step); err != nil {
		return err
	}
	err = c.agree(outs, c.outs, step)
	if err != nil && len(c.others) > 0 && c.agree(outs, c.others, step) == nil {
		return fmt.Errorf("as the reference: %w", err)
	}
	return err
}

// agree compares results with recorded ones.
func (c *recorded) agree(outs []onnx.Value, recorded [][]byte, step int) error {
	for i, b := range recorded {
		want, err := decoded(b, c.isSequence[i])
		if err != nil {
			return err
		}
		if err := matches(outs[i], want, step); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	return nil
}

// decoded is a tensor, or a sequence, as a file has it.
func decoded(b []byte, isSequence bool) (onnx.Value, error) {
	if isSequence {
		d, err := encoding.DecodeSequence(b)
		if err != nil {
			return onnx.Value{}, err
		}
		list := make([]onnx.Value, len(d.Sequence))
		for i, e := range d.Sequence {
			if list[i], err = valueOf(e.Tensor); err != nil {
				return onnx.Value{}, err
			}
		}
		return onnx.SequenceValue(list...), nil
	}
	t, err := encoding.DecodeTensor(b)
	if err != nil {
		return onnx.Value{}, err
	}
	return valueOf(t)
}

func valueOf(t *encoding.Tensor) (onnx.Value, error) {
	shape, _, err := t.Shape()
	if err != nil {
		return onnx.Value{}, err
	}
	if t.Type == encoding.StringData {
		list := make([]string, len(t.Strings))
		for i, s := range t.Strings {
			list[i] = string(s)
		}
		return onnx.StringsValue(shape, list), nil
	}
	d, err := t.Type.DType()
	if err != nil {
		return onnx.Value{}, err
	}
	data, err := t.Elements()
	if err != nil {
		return onnx.Value{}, err
	}
	return onnx.TensorValue(core.FromBytes(data, shape, d)), nil
}

// matches compares floats relative to themselves and the largest element, integers to a step.
func matches(got, want onnx.Value, step int) error {
	if list, shape, ok := want.Strings(); ok {
		g, gotShape, ok := got.Strings()
		if !ok || !slices.Equal(shape, gotShape) || !slices.Equal(g, list) {
			return fmt.Errorf("got %q %v, want %q %v", g, gotShape, list, shape)
		}
		return nil
	}
	if list, ok := want.List(); ok {
		g, ok := got.List()
		if !ok || len(g) != len(list) {
			return fmt.Errorf("got %d elements, want %d", len(g), len(list))
		}
		for i, w := range list {
			if err := matches(g[i], w, step); err != nil {
				return fmt.Errorf("element %d: %w", i, err)
			}
		}
		return nil
	}
	g, w := got.Tensor(), want.Tensor()
	if g.IsZero() {
		return fmt.Errorf("got no tensor, want %v", w.Spec())
	}
	if g.Spec().String() != w.Spec().String() {
		return fmt.Errorf("got %v, want %v", g.Spec(), w.Spec())
	}
	d := w.DType()
	rel, abs := 0.0, float64(step)
	switch {
	case !d.IsFloat():
	case d == dtype.F16:
		rel = 0x1p-9
	case d == dtype.BF16:
		rel = 0x1p-6
	case d.Bits() < 16:
		rel = 0x1p-3 * float64(step)
	default:
		rel = 1e-4
	}
	a, b := core.Data[float64](g), core.Data[float64](w)
	largest := 0.0
	for _, v := range b {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			largest = max(largest, math.Abs(v))
		}
	}
	if d.IsFloat() {
		abs = rel*largest/4 + 1e-7
	}
	for i := range b {
		if math.IsNaN(a[i]) && math.IsNaN(b[i]) || a[i] == b[i] {
			continue
		}
		if diff := math.Abs(a[i] - b[i]); !(diff <= abs+rel*math.Abs(b[i])) {
			if w.Size() <= 16 {
				return fmt.Errorf("got %v\n\twant %v", g, w)
			}
			return fmt.Errorf("element %d of %v is %g, want %g", i, w.Spec(), a[i], b[i])
		}
	}
	return nil
}
