package pytorch

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
)

func open(t *testing.T, name string) *File {
	t.Helper()
	f, err := Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func floats(t *testing.T, f *File, name string) []float32 {
	t.Helper()
	x, err := f.Tensor(name)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, len(x.Data)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(x.Data[4*i:]))
	}
	return out
}

// TestStateDict: a state_dict of a module with a buffer and tied weights. See testdata/make.py.
func TestStateDict(t *testing.T) {
	f := open(t, "state.pt")
	var got []string
	for _, info := range f.Infos() {
		got = append(got, fmt.Sprintf("%s %v%v", info.Name, info.DType, info.Shape))
	}
	want := []string{"conv.weight f32[2 1 3 3]", "conv.bias f32[2]", "bn.weight f32[2]", "bn.bias f32[2]",
		"bn.running_mean f32[2]", "bn.running_var f32[2]", "bn.num_batches_tracked s64[]", "fc.weight f32[3 4]",
		"fc.bias f32[3]", "head.weight f32[3 4]", "head.bias f32[3]"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := floats(t, f, "conv.bias"); !slices.Equal(got, []float32{100, 101}) {
		t.Errorf("conv.bias is %v", got)
	}
	if a, b := floats(t, f, "fc.weight"), floats(t, f, "head.weight"); !slices.Equal(a, b) || a[1] != 901 {
		t.Errorf("the tied weights are %v and %v", a, b)
	}
	if s := f.Section("fc.weight"); s == nil || s.Size() != 48 {
		t.Errorf("the section of fc.weight is %v", s)
	}
	if _, err := f.Tensor("fc"); err == nil || f.Section("fc") != nil {
		t.Error("there is a tensor fc")
	}
}

// TestValues: all types, views, nested containers, in protocols 2 and 4.
func TestValues(t *testing.T) {
	for _, name := range []string{"values.pt", "values4.pt"} {
		f := open(t, name)
		for _, c := range []struct {
			name string
			want []float32
		}{
			{"views.transposed", []float32{0, 6, 12, 18, 1, 7, 13, 19, 2, 8, 14, 20, 3, 9, 15, 21, 4, 10, 16, 22, 5, 11,
				17, 23}},
			{"views.part", []float32{6, 8, 10, 12, 14, 16}},
			{"views.row", []float32{12, 13, 14, 15, 16, 17}},
			{"views.expanded", []float32{0, 0, 0, 0, 0, 0}},
			{"views.scalar", []float32{7}},
			{"views.empty", []float32{}},
			{"parameter", []float32{0, 1, 2}},
			{"optimizer.state.0.step", []float32{5}},
		} {
			if got := floats(t, f, c.name); !slices.Equal(got, c.want) {
				t.Errorf("%s: %s is %v, want %v", name, c.name, got, c.want)
			}
		}
		if f.Section("views.part") != nil || f.Section("views.row") == nil {
			t.Errorf("%s: the sections are those of views in order", name)
		}
		one := []byte{0, 0, 0, 0}
		for name, d := range map[string]dtype.Type{"f64": dtype.F64, "f32": dtype.F32, "f16": dtype.F16,
			"bf16": dtype.BF16,
			"s64":  dtype.S64, "s32": dtype.S32, "s16": dtype.S16, "s8": dtype.S8, "u8": dtype.U8, "bool": dtype.Bool,
			"c64": dtype.C64, "c128": dtype.C128} {
			x, err := f.Tensor("types." + name)
			if err != nil || x.DType != d || !reflect.DeepEqual(x.Shape, []int{2, 2}) || len(x.Data) != 4*d.Size() {
				t.Errorf("%s is %v%v with %d bytes, %v", name, x.DType, x.Shape, len(x.Data), err)
			}
		}
		for name, want := range map[string]byte{"list.0": 1, "list.1.0": 2} {
			if x, err := f.Tensor(name); err != nil || x.Data[0] != want || x.DType != dtype.S64 {
				t.Errorf("%s is %v, %v", name, x, err)
			}
		}
		if x, _ := f.Tensor("types.bf16"); !bytes.Equal(x.Data, append(one[:2], 0x80, 0x3f, 0, 0x40, 0x40, 0x40)) {
			t.Errorf("bf16: % x", x.Data)
		}
		if n := len(f.Infos()); n != 12+7+1+2+1 {
			t.Errorf("%d tensors", n)
		}
	}
	f := open(t, "tensor.pt")
	if x, err := f.Tensor(""); err != nil || !slices.Equal(x.Shape, []int{6, 4}) {
		t.Errorf("a single tensor is %v, %v", x.Shape, err)
	}
}

// TestUnsupported: files that PyTorch reads are named errors.
func TestUnsupported(t *testing.T) {
	for name, want := range map[string]string{
		"old.pt":       "before 1.6",
		"quantized.pt": `needs "torch._utils._rebuild_qtensor"`,
		"module.pt":    "save model.state_dict() rather than the model",
		"script.pt":    "TorchScript",
		"absent.pt":    "no such file",
	} {
		if f, err := Open("testdata/" + name); f != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// archiveOf is an archive of files.
func archiveOf(files ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, _ := w.CreateHeader(&zip.FileHeader{Name: files[i], Method: zip.Store})
		io.WriteString(f, files[i+1])
	}
	w.Close()
	return b.Bytes()
}

func text(s string) string {
	return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
}

func number(n int) string {
	return "\x8a\x08" + string(binary.LittleEndian.AppendUint64(nil, uint64(n)))
}

func sizesOf(list ...int) string {
	s := "("
	for _, n := range list {
		s += number(n)
	}
	return s + "t"
}

// storageOf is the persistent id of a storage.
func storageOf(kind, key string, count int) string {
	return "(" + text("storage") + "ctorch\n" + kind + "\n" + text(key) + text("cpu") + number(count) + "tQ"
}

// tensorOf is a tensor of the storage 0 of 6 floats.
func tensorOf(storage string, offset int, shape, stride string) string {
	return "ctorch._utils\n_rebuild_tensor_v2\n(" + storage + number(offset) + shape + stride + "\x89}tR"
}

func pickled(value string) []byte {
	return archiveOf("a/data.pkl", "\x80\x02"+value+".", "a/data/0", strings.Repeat("\x00\x00\x80\x3f", 6))
}

// TestHostile: files that were made to do harm are errors, which say what is wrong.
func TestHostile(t *testing.T) {
	six := storageOf("FloatStorage", "0", 6)
	good := tensorOf(six, 0, sizesOf(2, 3), sizesOf(3, 1))
	deep := strings.Repeat("]", 100) + strings.Repeat("a", 99)
	cases := map[string]struct {
		file []byte
		want string
	}{
		"good":          {pickled(good), ""},
		"good expanded": {pickled(tensorOf(six, 5, sizesOf(1000), sizesOf(0))), ""},
		"os.system":     {pickled("cos\nsystem\n(" + text("true") + "tR"), `needs "os.system" of Python`},
		"eval by name": {pickled(text("builtins") + text("eval") + "\x93" + "(" + text("1") + "tR"),
			`needs "builtins.eval"`},
		"instance":         {pickled("(i__main__\nA\n"), "0x69"},
		"new object":       {pickled("ccollections\nOrderedDict\n)\x81"), "0x81"},
		"extension":        {pickled("\x82\x01"), "0x82"},
		"bytes":            {pickled("C\x01a"), "0x43"},
		"call of a tensor": {pickled(good + ")R"), "a tensor is called"},
		"call of a type":   {pickled("ctorch\nFloatStorage\n)R"), "cannot be called"},
		"attributes":       {pickled(good + "}b"), "attributes are set of a tensor"},
		"protocol 1":       {archiveOf("a/data.pkl", "\x80\x01N."), "protocol 1"},
		"beyond": {pickled(tensorOf(six, 1, sizesOf(2, 3), sizesOf(3, 1))),
			"element 6 is beyond the storage"},
		"stride beyond":      {pickled(tensorOf(six, 0, sizesOf(2, 3), sizesOf(4, 1))), "element 6 is beyond"},
		"negative offset":    {pickled(tensorOf(six, -1, sizesOf(2), sizesOf(1))), "offset"},
		"negative stride":    {pickled(tensorOf(six, 5, sizesOf(2), sizesOf(-1))), "the strides"},
		"negative size":      {pickled(tensorOf(six, 0, sizesOf(-2), sizesOf(1))), "the shape"},
		"overflowing shape":  {pickled(tensorOf(six, 0, sizesOf(1<<62, 1<<62), sizesOf(0, 0))), "too large"},
		"overflowing stride": {pickled(tensorOf(six, 0, sizesOf(3, 3), sizesOf(1<<62, 1<<62))), "too large"},
		"huge expansion":     {pickled(tensorOf(six, 0, sizesOf(1<<40), sizesOf(0))), "share the bytes"},
		"ranks":              {pickled(tensorOf(six, 0, sizesOf(2, 3), sizesOf(1))), "2 sizes and 1 strides"},
		"axes": {pickled(tensorOf(six, 0, sizesOf(make([]int, 65)...), sizesOf(make([]int, 65)...))),
			"at most 64"},
		"storage too large": {pickled(storageOf("FloatStorage", "0", 7)), "too few for 7 elements"},
		"storage overflow":  {pickled(storageOf("DoubleStorage", "0", 1<<61)), "too few"},
		"negative storage":  {pickled(storageOf("FloatStorage", "0", -1)), "persistent id"},
		"other folder":      {pickled(storageOf("FloatStorage", "../../etc/passwd", 6)), "no storage"},
		"two types":         {pickled("(" + six + storageOf("IntStorage", "0", 6) + "t"), "two types"},
		"quantized storage": {pickled(storageOf("QInt8Storage", "0", 6)), `needs "torch.QInt8Storage"`},
		"persistent id":     {pickled(text("a") + "Q"), "persistent id"},
		"deep":              {pickled(deep), "deep"},
		"itself":            {pickled("]q\x00h\x00a"), "deep"},
		"doubling":          {pickled("(]q\x00" + strings.Repeat("](h\x00h\x00eq\x00", 60) + "t"), "more than"},
		"no memo":           {pickled("h\x07"), "memo has no value 7"},
		"no mark":           {pickled("t"), "mark"},
		"mark as a value":   {pickled("](a"), "mark"},
		"nothing":           {pickled(""), "0 values"},
		"two":               {pickled("NN"), "2 values"},
		"cut off":           {archiveOf("a/data.pkl", "\x80\x02X\xff\xff\xff\xffa"), "cut off"},
		"long number":       {pickled("\x8b\xff\xff\xff\xff"), "cut off"},
		"no UTF-8":          {pickled("X\x01\x00\x00\x00\xff"), "UTF-8"},
		"key":               {pickled("}Nq\x00Ns"), "a key of a dict is None"},
		"keys":              {pickled("}(Nu"), "1 keys and values"},
		"append":            {pickled("NNa"), "appended to None"},
		"two names": {pickled("}" + text("a.b") + good + "s" + text("a") + "}" + text("b") + good + "ss"),
			"two tensors"},
		"no name":      {pickled("}" + text("") + good + "s"), "empty"},
		"size":         {pickled("ctorch\nSize\n(NtR"), "want a tuple"},
		"parameter":    {pickled("ctorch._utils\n_rebuild_parameter\n(NN}tR"), "want a tensor"},
		"ordered dict": {pickled("ccollections\nOrderedDict\n(NtR"), "no arguments"},
		"conjugate": {pickled("ctorch._utils\n_rebuild_tensor_v2\n(" + six + number(0) + sizesOf(1) + sizesOf(1) +
			"\x89}}" +
			text("conj") + "\x88stR"), "conjugate"},
		"big-endian":  {archiveOf("a/data.pkl", "\x80\x02N.", "a/byteorder", "big"), `"big", want little`},
		"two pickles": {archiveOf("a/data.pkl", "N.", "b/data.pkl", "N."), "2 files data.pkl"},
		"no pickle":   {archiveOf("a/b.pkl", "N."), "0 files data.pkl"},
		"same name":   {archiveOf("a/data.pkl", "N.", "a/data.pkl", "N."), "two files"},
		"no archive":  {[]byte("hello"), "not an archive"},
		"empty":       {nil, "not an archive"},
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, _ := w.Create("a/data.pkl")
	io.WriteString(f, "\x80\x02N.")
	w.Close()
	c := cases["good"]
	c.file, c.want = b.Bytes(), "compressed"
	cases["compressed"] = c
	for name, c := range cases {
		f, err := New(bytes.NewReader(c.file), int64(len(c.file)))
		if (c.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
		if err == nil {
			for _, info := range f.Infos() {
				if _, err := f.Tensor(info.Name); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
	}
	for _, name := range []string{"big-endian", "compressed"} {
		file := cases[name].file
		if _, err := New(bytes.NewReader(file), int64(len(file))); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%s is not errors.ErrUnsupported: %v", name, err)
		}
	}
}

// TestIntegers: numbers of any length, as Python writes them.
func TestIntegers(t *testing.T) {
	for in, want := range map[string]any{
		"\x8a\x00": int64(0), "\x8a\x01\xff": int64(-1), "\x8a\x02\xff\x00": int64(255), "J\xfe\xff\xff\xff": int64(-2),
		"\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80":     int64(math.MinInt64),
		"\x8a\x09\xff\xff\xff\xff\xff\xff\xff\xff\x00": bigInt{},
		"\x8a\x09\x05\x00\x00\x00\x00\x00\x00\x00\x00": int64(5), "K\xff": int64(255), "M\x01\x02": int64(513),
		"G\x3f\xf8\x00\x00\x00\x00\x00\x00": 1.5, "\x8c\x01a": "a",
	} {
		u := &unpickler{data: []byte(in + ".")}
		if got, err := u.run(); err != nil || got != want {
			t.Errorf("%x is %v, %v, want %v", in, got, err, want)
		}
	}
}

// FuzzPickle: no pickle crashes, and each tensor of a valid one can be read.
func FuzzPickle(f *testing.F) {
	six := storageOf("FloatStorage", "0", 6)
	good := tensorOf(six, 0, sizesOf(2, 3), sizesOf(1, 2))
	for _, s := range []string{good, "}" + text("a") + good + "s", "](" + good + good + "e",
		"ccollections\nOrderedDict\n)Rq\x00"} {
		f.Add([]byte("\x80\x02" + s + "."))
	}
	for _, name := range []string{"state", "values", "values4"} {
		z, err := zip.OpenReader("testdata/" + name + ".pt")
		if err != nil {
			f.Fatal(err)
		}
		r, err := z.Open(name + "/data.pkl")
		if err != nil {
			f.Fatal(err)
		}
		data, _ := io.ReadAll(r)
		z.Close()
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, pickle []byte) {
		readAll(t, archiveOf("a/data.pkl", string(pickle), "a/data/0", strings.Repeat("\x00", 24), "a/data/1", ""))
	})
}

// FuzzFile: no file crashes.
func FuzzFile(f *testing.F) {
	f.Add(pickled("N"))
	f.Add(pickled(tensorOf(storageOf("FloatStorage", "0", 6), 0, sizesOf(2, 3), sizesOf(3, 1))))
	f.Fuzz(func(t *testing.T, file []byte) { readAll(t, file) })
}

func readAll(t *testing.T, file []byte) {
	f, err := New(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return
	}
	for _, info := range f.Infos() {
		if n := f.tensors[info.Name].elements(); n > 1<<16 {
			continue
		}
		x, err := f.Tensor(info.Name)
		if err == nil && int64(len(x.Data)) != f.tensors[info.Name].elements()*int64(info.DType.Size()) {
			t.Errorf("%s has %d bytes", info.Name, len(x.Data))
		}
	}
}
