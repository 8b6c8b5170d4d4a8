package data_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
)

func file(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

type passenger struct {
	Age    float32 `csv:"age,missing=29.5"`
	Class  int8    `csv:"pclass"`
	Alive  bool    `csv:"survived"`
	Name   string
	Fare   *float64
	hidden int
}

func TestCSV(t *testing.T) {
	path := file(t, "t.csv", "\uFEFFname,age,pclass,survived,fare,cabin\n"+
		"\"Smith, J.\n\"\"Jack\"\"\",,3,0,7.25,\n\"\",40,1,True,NA,C5\n")
	rows, err := data.ReadCSV[passenger](path)
	if err != nil {
		t.Fatal(err)
	}
	fare := 7.25
	want := []passenger{{29.5, 3, false, "Smith, J.\n\"Jack\"", &fare, 0}, {40, 1, true, "", nil, 0}}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("got %+v", rows)
	}
	x := data.Column(rows, func(p passenger) []float32 { return []float32{p.Age, float32(p.Class)} })
	if got := fmt.Sprint(x.Shape(), x.DType()); got != "[2][2] f32" {
		t.Error(got)
	}
}

func TestCSVErrors(t *testing.T) {
	const header = "name,age,pclass,survived,fare\n"
	for content, want := range map[string]string{
		"": "the file is empty",
		"name,age\n": "no column \"pclass\" for the field Class; " +
			"the columns are [\"name\" \"age\"]",
		header + "a,1,,1,1\n":               "line 2, column \"pclass\": the value is missing",
		header + "a,1,300,1,1\n":            "line 2, column \"pclass\": int8 cannot hold 300",
		header + "a,x,3,1,1\n":              "column \"age\": \"x\" is not a number of type float32",
		header + "a,1,3,2,1\n":              "column \"survived\": \"2\" is not a bool",
		header + "a,1,3,1,1\nb,1,3\n":       "wrong number of fields",
		header + "a,1,3,1,1\n\"b,1,3,1,1\n": "line",
	} {
		if _, err := data.ReadCSV[passenger](file(t, "t.csv", content)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", content, err, want)
		}
	}
	if _, err := data.DecodeCSV[int](strings.NewReader("a\n1\n")); err == nil {
		t.Error("rows of numbers")
	}
	rows, err := data.DecodeCSV[struct{ B int }](strings.NewReader("#x\n1;2\n"), data.Comma(';'), data.Comment('#'),
		data.Header("a", "b"))
	if err != nil || rows[0].B != 2 {
		t.Error(rows, err)
	}
}

func TestJSONL(t *testing.T) {
	type row struct {
		Text string
		N    int
	}
	long := strings.Repeat("x", 3<<20)
	lines, err := data.OpenLines(file(t, "t.jsonl",
		`{"text":"a","n":1}`+"\r\n\n"+`{"text":"`+long+`"}`+"\n"+`{"txt":1}`+"\n"+`{} {}`))
	if err != nil {
		t.Fatal(err)
	}
	defer lines.Close()
	s := data.JSONL[row](lines)
	if s.Len() != 4 {
		t.Fatalf("%d lines", s.Len())
	}
	for i, want := range []any{row{"a", 1}, row{long, 0}, "unknown field", "more than one value"} {
		got, err := s.At(t.Context(), i, nil)
		if text, ok := want.(string); ok {
			if err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("line %d: %v, want %q", i, err, text)
			}
		} else if err != nil || got != want {
			t.Errorf("line %d: %v", i, err)
		}
	}
}

func idx(kind byte, dims []uint32, content []byte) string {
	var b bytes.Buffer
	b.Write([]byte{0, 0, kind, byte(len(dims))})
	binary.Write(&b, binary.BigEndian, dims)
	b.Write(content)
	return b.String()
}

func TestIDX(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write([]byte(idx(8, []uint32{2, 1, 2}, []byte{1, 2, 3, 255})))
	w.Close()
	pictures, err := data.ReadIDX(file(t, "i.gz", z.String()))
	if err != nil || fmt.Sprint(pictures) != fmt.Sprint(nx.New([][][]uint8{{{1, 2}}, {{3, 255}}})) {
		t.Error(pictures, err)
	}
	floats, err := data.ReadIDX(file(t, "f", idx(13, []uint32{1}, binary.BigEndian.AppendUint32(nil,
		math.Float32bits(1.5)))))
	if err != nil || nx.Item[float32](floats.At(0)) != 1.5 {
		t.Error(floats, err)
	}
	for content, want := range map[string]string{
		"":                                      "ends in its header",
		"abcd":                                  "not a file of the format IDX",
		idx(8, []uint32{3}, []byte{1}):          "ends after 1 bytes of data, its header says 3",
		idx(8, []uint32{1}, []byte{1, 2}):       "goes on after the 1 bytes",
		idx(8, []uint32{1 << 31, 1 << 31}, nil): "is larger than",
	} {
		if _, err := data.ReadIDX(file(t, "x", content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", content, err, want)
		}
	}
}

func FuzzIDX(f *testing.F) {
	f.Add([]byte(idx(8, []uint32{2, 1, 2}, []byte{1, 2, 3, 255})))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, in []byte) {
		path := filepath.Join(dir, "x")
		if err := os.WriteFile(path, in, 0o644); err != nil {
			t.Fatal(err)
		}
		data.ReadIDX(path)
		data.ReadCIFAR(10, path)
		data.ReadTokens(path)
		if s, err := data.OpenTar(path); err == nil {
			for i := range s.Len() {
				s.At(t.Context(), i, nil)
			}
			s.Close()
		}
		data.ReadCSV[passenger](path)
	})
}

func TestCIFAR(t *testing.T) {
	record := append([]byte{3}, bytes.Repeat([]byte{7}, 3072)...)
	images, labels, err := data.ReadCIFAR(10, file(t, "a.bin", string(record)),
		file(t, "b.bin", string(record)+string(record)))
	if err != nil || fmt.Sprint(images.Shape(), nx.Data[uint8](labels)) != "[3][3][32][32] [3 3 3]" {
		t.Error(images.Shape(), labels, err)
	}
	_, labels, err = data.ReadCIFAR(100, file(t, "a.bin", "\x05"+string(record)))
	if err != nil || fmt.Sprint(labels.Shape(), nx.Data[uint8](labels)) != "[1][2] [5 3]" {
		t.Error(labels, err)
	}
	for content, want := range map[string]string{
		"":                          "is it the binary version of CIFAR-10",
		string(record[1:]):          "is it the binary version of CIFAR-10",
		"\x0a" + string(record[1:]): "the class 10 of 10",
	} {
		if _, _, err := data.ReadCIFAR(10, file(t, "x", content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func archive(t *testing.T, members ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		if err := w.WriteHeader(&tar.Header{Name: m, Size: int64(len(m)), Mode: 0o644}); err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(w, m)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return file(t, "x.tar", b.String())
}

func TestTar(t *testing.T) {
	s, err := data.OpenTar(archive(t, "a/1.jpg", "a/1.seg.png", "a/2.jpg", strings.Repeat("long/", 40)+"3.cls"),
		archive(t, "a/2.jpg"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var got []string
	for i := range s.Len() {
		e, err := s.At(t.Context(), i, nil)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%.3s %q %d", e.Key, e.Files["jpg"], len(e.Files)))
	}
	if want := `[a/1 "a/1.jpg" 2 a/2 "a/2.jpg" 1 lon "" 1 a/2 "a/2.jpg" 1]`; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
	for want, path := range map[string]string{
		"\"../a.jpg\" is not in the folder":   archive(t, "../a.jpg"),
		"\"/etc/a.jpg\" is not in the folder": archive(t, "/etc/a.jpg"),
		"\"a.jpg\" is there twice":            archive(t, "a.jpg", "a.jpg"),
		"the tar is compressed":               file(t, "x.tar.gz", "\x1f\x8b\x08"),
		"unexpected EOF":                      file(t, "x.tar", strings.Repeat("x", 100)),
	} {
		if _, err := data.OpenTar(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func TestTokens(t *testing.T) {
	ids, err := data.ReadTokens(file(t, "t.txt", "5 6\n 7\t8\n\n9"))
	if err != nil || fmt.Sprint(nx.Data[int32](ids)) != "[5 6 7 8 9]" {
		t.Fatal(ids, err)
	}
	s := data.Windows(ids, 2, 2)
	last, err := s.At(t.Context(), 1, nil)
	if s.Len() != 2 || err != nil || fmt.Sprint(nx.Data[int32](last.X), nx.Data[int32](last.Y)) != "[7 8] [8 9]" {
		t.Error(s.Len(), last, err)
	}
	for content, want := range map[string]string{
		"1 2\n3 x": "line 2: \"x\" is not a token id", "-1": "line 1", "99999999999": "line 1",
		strings.Repeat("1", 1000): "is not a token id",
	} {
		if _, err := data.ReadTokens(file(t, "t", content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", content, err)
		}
	}
	raw, err := data.ReadRawTokens(file(t, "r", "\x01\x00\xff\xff"), nx.U16)
	if err != nil || fmt.Sprint(nx.Data[uint16](raw)) != "[1 65535]" {
		t.Error(raw, err)
	}
	if _, err := data.ReadRawTokens(file(t, "r", "\x01\x00\xff"), nx.U16); err == nil {
		t.Error("half a token")
	}
}
