package nn_test

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/encoding/safetensors"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/tree"
)

// small is the model of encoding/pytorch/testdata/state.pt.
type small struct {
	Conv     *nn.Conv
	BN       *nn.BatchNorm
	FC, Head *nn.Linear
}

func newSmall() *small {
	key := random.Key(1)
	return &small{nn.NewConv(key, 1, 2, []int{3, 3}), nn.NewBatchNorm(2), nn.NewLinear(key, 4, 3),
		nn.NewLinear(key, 4, 3)}
}

func number(t nx.Tensor) float64 { return nx.Item[float64](nx.Cast(t, nx.F64)) }

func floats(t nx.Tensor) []float32 { return nx.Data[float32](t) }

// write writes arrays of numbers 0, 1, … to a file.
func write(t *testing.T, name string, arrays map[string]nx.Shape) string {
	t.Helper()
	tensors := map[string]nx.Tensor{}
	for name, shape := range arrays {
		tensors[name] = nx.Iota(shape, nx.F32)
		if len(shape) > 1 {
			tensors[name] = nx.Reshape(nx.Iota(nx.Shape{shape[0] * shape[1]}, nx.F32), shape...)
		}
	}
	path := filepath.Join(t.TempDir(), name)
	if err := nx.SaveTensors(path, tensors); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLoadPyTorch: a file of torch.save is loaded by default, num_batches_tracked left out.
func TestLoadPyTorch(t *testing.T) {
	m := newSmall()
	r, err := nn.LoadWeights(&m, "../encoding/pytorch/testdata/state.pt")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Loaded) != 10 || !reflect.DeepEqual(r.LeftOut, []string{"bn.num_batches_tracked"}) ||
		len(r.Missing)+len(r.Unused)+len(r.Misshapen)+len(r.Tied) != 0 {
		t.Errorf("%v\n%+v", r, r)
	}
	if got := floats(nx.Tensor(m.BN.RunningMean)); got[0] != 400 || got[1] != 401 {
		t.Errorf("the running mean is %v", got)
	}
	if got := floats(m.Head.Weight); got[11] != 911 {
		t.Errorf("the head is %v", got)
	}
}

// TestSaveWeights: what is written has the names of a state_dict, and is loaded again.
func TestSaveWeights(t *testing.T) {
	m := newSmall()
	path := filepath.Join(t.TempDir(), "m.safetensors")
	if err := nn.SaveWeights(path, m); err != nil {
		t.Fatal(err)
	}
	f, err := safetensors.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Metadata()["format"] != "pt" {
		t.Error("the metadata have no format")
	}
	var names []string
	for _, i := range f.Infos() {
		names = append(names, i.Name)
	}
	for _, want := range []string{"conv.weight", "bn.running_var", "fc.bias"} {
		if !strings.Contains(strings.Join(names, " "), want) {
			t.Errorf("no %s among %v", want, names)
		}
	}
	other := tree.Map(func(t nx.Tensor) nx.Tensor { return nx.ZerosLike(t) }, m)
	if _, err := nn.LoadWeights(&other, path); err != nil {
		t.Fatal(err)
	}
	for p, x := range tree.Leaves(other) {
		for q, y := range tree.Leaves(m) {
			if p == q && !bytes.Equal(nx.Bytes(x), nx.Bytes(y)) {
				t.Errorf("%s differs", p)
			}
		}
	}
	// Files of nx.SaveTensors have paths.
	if err := nx.SaveTensors(path, m); err != nil {
		t.Fatal(err)
	}
	if _, err := nn.LoadWeights(&other, path); err != nil {
		t.Error(err)
	}
	for name, err := range map[string]error{
		"m.npz":         nn.SaveWeights("m.npz", m),
		"no tensors":    nn.SaveWeights(path, struct{}{}),
		"have one name": nn.SaveWeights(path, struct{ WW, Ww nx.Tensor }{m.FC.Bias, m.FC.Bias}),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
}

type gptBlock struct {
	LN1  *nn.LayerNorm `nn:"ln_1"`
	Attn *nn.Attention
}

type gpt struct {
	WTE    *nn.Embedding
	Blocks []gptBlock
	LMHead nx.Tensor `nn:"lm_head.weight"`
}

func newGPT() gpt {
	key := random.Key(1)
	m := gpt{WTE: nn.NewEmbedding(key, 5, 4), LMHead: nx.Zeros(nx.Shape{5, 4}, nx.F32)}
	for range 2 {
		m.Blocks = append(m.Blocks, gptBlock{nn.NewLayerNorm(nx.Shape{4}), nn.NewAttention(key, 4, 2, nn.KVHeads(1))})
	}
	return m
}

// gptNames are the rules of a file of GPT-2's kind.
var gptNames = []nn.LoadOption{
	nn.Rename("transformer.{rest...}", "{rest...}"),
	nn.Rename("h.{n}", "blocks.{n}"),
	nn.Rename("blocks.{n}.attn.c_attn", "blocks.{n}.attn.{q_proj,k_proj,v_proj}", nn.Transposed),
	nn.Rename("blocks.{n}.attn.c_proj", "blocks.{n}.attn.o_proj", nn.Transposed),
	nn.Rename("blocks.{n}.attn.masked_bias", ""),
}

func gptArrays() map[string]nx.Shape {
	arrays := map[string]nx.Shape{"transformer.wte.weight": {5, 4}}
	for _, n := range []string{"0", "1"} {
		h := "transformer.h." + n
		arrays[h+".ln_1.weight"], arrays[h+".ln_1.bias"] = nx.Shape{4}, nx.Shape{4}
		arrays[h+".attn.c_attn.weight"], arrays[h+".attn.c_attn.bias"] = nx.Shape{4, 8}, nx.Shape{8}
		arrays[h+".attn.c_proj.weight"], arrays[h+".attn.c_proj.bias"] = nx.Shape{4, 4}, nx.Shape{4}
		arrays[h+".attn.masked_bias"] = nx.Shape{}
	}
	return arrays
}

// TestRename: prefixes, numbers, transposed and unequal parts, a tied head.
func TestRename(t *testing.T) {
	path := write(t, "gpt.safetensors", gptArrays())
	m := newGPT()
	r, err := nn.LoadWeights(&m, path, gptNames...)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Loaded) != 1+2*(2+6+2) || len(r.LeftOut) != 2 || len(r.Tied) != 1 || r.Tied[0].Path != "LMHead" {
		t.Errorf("%v", r)
	}
	a := m.Blocks[1].Attn
	for name, c := range map[string]struct {
		got  nx.Tensor
		want []float32
	}{
		"q": {a.QProj.Weight, []float32{0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27}},
		"k": {a.KProj.Weight, []float32{4, 12, 20, 28, 5, 13, 21, 29}},
		"v": {a.VProj.Bias, []float32{6, 7}},
		"o": {a.OProj.Weight, []float32{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}},
	} {
		if got := floats(c.got); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s is %v, want %v", name, got, c.want)
		}
	}
	if !reflect.DeepEqual(floats(m.LMHead), floats(m.WTE.Weight)) || number(m.LMHead.At(0, 1)) != 1.0 {
		t.Error("the head is not tied")
	}
	want := "21 loaded\n1 tied: transformer.wte.weight (tied to lm_head.weight)\n" +
		"2 left out: transformer.h.0.attn.masked_bias, transformer.h.1.attn.masked_bias"
	if r.String() != want {
		t.Errorf("%s", r)
	}
	kernel := struct{ Weight nx.Tensor }{nx.Zeros(nx.Shape{3, 2}, nx.F32)}
	two := write(t, "k.safetensors", map[string]nx.Shape{"kernel": {2, 3}})
	if _, err := nn.LoadWeights(&kernel, two, nn.Rename("kernel", "weight", nn.PermuteAxes(1, 0))); err != nil ||
		!reflect.DeepEqual(floats(kernel.Weight), []float32{0, 3, 1, 4, 2, 5}) {
		t.Error(err, kernel.Weight)
	}
	// Two heads of two pairs: the rows are numbered, and 0, 1, 2, 3 become 0, 2, 1, 3.
	pairs := struct{ Weight nx.Tensor }{nx.Zeros(nx.Shape{8, 1}, nx.F32)}
	rows := write(t, "p.safetensors", map[string]nx.Shape{"q": {8, 1}})
	if _, err := nn.LoadWeights(&pairs, rows, nn.Rename("q", "weight", nn.Paired(2))); err != nil ||
		!reflect.DeepEqual(floats(pairs.Weight), []float32{0, 2, 1, 3, 4, 6, 5, 7}) {
		t.Error(err, pairs.Weight)
	}
}

// TestQuantizedBlocks: blocks of a GGUF file stay integers with scales, whose products are the floats that they become
// otherwise; cut into parts, too. Tensors that are not the weights of such layers get floats.
func TestQuantizedBlocks(t *testing.T) {
	type layers struct {
		A, B, C *nn.Linear
		D       nx.Tensor
	}
	zeros := func() *layers {
		zero := func(out int) *nn.Linear { return &nn.Linear{Weight: nx.Zeros(nx.Shape{out, 64}, nx.F32)} }
		return &layers{zero(3), zero(2), zero(1), nx.Zeros(nx.Shape{6, 32}, nx.F32)}
	}
	file := filepath.Join("..", "encoding", "gguf", "testdata", "types.gguf")
	rules := []nn.LoadOption{nn.Rename("Q8_0", "a.weight"), nn.Rename("Q4_0", "{b,c}.weight"),
		nn.Rename("any Q8_0", "d"), nn.Partial}
	want, got := zeros(), zeros()
	if _, err := nn.LoadWeights(&want, file, rules...); err != nil {
		t.Fatal(err)
	}
	r, err := nn.LoadWeights(&got, file, append(rules, nn.Quantized)...)
	if err != nil {
		t.Fatal(err)
	}
	if got.A.Weight.DType() != nx.S8 || got.A.Scale.IsZero() || got.D.DType() != nx.F32 ||
		got.B.Weight.DType() != nx.U8 {
		t.Errorf("%v %v %v\n%s", got.A.Weight, got.D, got.B.Weight, r)
	}
	x := nx.Iota(nx.Shape{1, 64}, nx.F32, nx.Axis(1))
	for i, pair := range [][2]*nn.Linear{{got.A, want.A}, {got.B, want.B}, {got.C, want.C}} {
		a, b := pair[0].Apply(&nn.Ctx{}, x), pair[1].Apply(&nn.Ctx{}, x)
		if !nx.Item[bool](nx.AllClose(a, b)) {
			t.Errorf("layer %d: %v, want %v", i, a, b)
		}
	}
}

// TestJoin: arrays of a list become one tensor, in the order of the list, after a transposition.
func TestJoin(t *testing.T) {
	type model struct {
		InProjWeight, InProjBias nx.Tensor
		Rest                     nx.Tensor
	}
	zero := func() model {
		return model{nx.Zeros(nx.Shape{5, 2}, nx.F32), nx.Zeros(nx.Shape{5}, nx.F32), nx.Zeros(nx.Shape{1}, nx.F32)}
	}
	arrays := map[string]nx.Shape{"l.v_proj.kernel": {2, 1}, "l.k_proj.kernel": {2, 1}, "l.q_proj.kernel": {2, 3},
		"l.q_proj.bias": {3}, "l.k_proj.bias": {1}, "l.v_proj.bias": {1}, "rest": {1}}
	rules := []nn.LoadOption{
		nn.Rename("l.{q,k,v}_proj.kernel", "l.in_proj_weight", nn.Transposed),
		nn.Rename("{below}.{q, k, v}_proj.bias", "{below}.in_proj_bias"),
		nn.Rename("l", "model"),
		nn.Rename("model.{name}", "{name}"),
	}
	m := zero()
	r, err := nn.LoadWeights(&m, write(t, "m.safetensors", arrays), rules...)
	if err != nil {
		t.Fatal(err)
	}
	if want := []float32{0, 3, 1, 4, 2, 5, 0, 1, 0, 1}; !reflect.DeepEqual(floats(m.InProjWeight), want) {
		t.Errorf("the weight is %v, want %v", floats(m.InProjWeight), want)
	}
	if want := []float32{0, 1, 2, 0, 0}; !reflect.DeepEqual(floats(m.InProjBias), want) {
		t.Errorf("the bias is %v, want %v", floats(m.InProjBias), want)
	}
	if i := slices.Index(r.Loaded, nn.Assigned{"l.q_proj.bias + l.k_proj.bias + l.v_proj.bias", "InProjBias"}); i < 0 {
		t.Errorf("%v", r.Loaded)
	}
	// An array that was joined is cut again by a later rule.
	parts := struct{ A, B nx.Tensor }{nx.Zeros(nx.Shape{1}, nx.F32), nx.Zeros(nx.Shape{4}, nx.F32)}
	path := write(t, "n.safetensors", map[string]nx.Shape{"q": {2}, "k": {3}})
	if _, err := nn.LoadWeights(&parts, path, nn.Rename("{q,k}", "qk"), nn.Rename("qk", "{a,b}")); err != nil ||
		!reflect.DeepEqual(floats(parts.B), []float32{1, 0, 1, 2}) {
		t.Error(err, parts)
	}
	for want, change := range map[string]func(a map[string]nx.Shape){
		`joined of {q,k,v}, and there is no array for "v" beside "l.q_proj.kernel"`: func(a map[string]nx.Shape) {
			delete(a, "l.v_proj.kernel")
		},
		`"l.k_proj.kernel" of f32[1][3] cannot be joined to "l.q_proj.kernel" of f32[3][2]`: func(a map[string]nx.Shape) {
			a["l.k_proj.kernel"] = nx.Shape{3, 1}
		},
		`"l.k_proj.bias" is a scalar and cannot be joined`: func(a map[string]nx.Shape) {
			a["l.k_proj.bias"] = nx.Shape{}
		},
		`InProjBias takes f32[5]`: func(a map[string]nx.Shape) {
			a["l.k_proj.bias"] = nx.Shape{2}
		},
	} {
		changed := maps.Clone(arrays)
		change(changed)
		m := zero()
		if _, err := nn.LoadWeights(&m, write(t, "m.safetensors", changed), rules...); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// TestTied: a pair of names, and no guess where there are two embeddings.
func TestTied(t *testing.T) {
	type model struct {
		A, B nx.Tensor
		Head nx.Tensor `nn:"lm_head.weight"`
	}
	zeros := nx.Zeros(nx.Shape{2, 3}, nx.F32)
	path := write(t, "m.safetensors", map[string]nx.Shape{"a": {2, 3}, "lm_head.weight": {2, 3}})
	m := model{A: zeros, B: zeros, Head: zeros}
	r, err := nn.LoadWeights(&m, path, nn.Tied("b", "a"))
	if err != nil || len(r.Tied) != 1 || number(m.B.At(1, 2)) != 5.0 {
		t.Error(r, err)
	}
	e := struct {
		Encoder, Decoder struct{ WTE nn.Embedding }
		Head             nx.Tensor `nn:"lm_head.weight"`
	}{Head: zeros}
	e.Encoder.WTE.Weight, e.Decoder.WTE.Weight = zeros, zeros
	path = write(t, "m.safetensors", map[string]nx.Shape{"encoder.wte.weight": {2, 3}, "decoder.wte.weight": {2, 3}})
	if _, err := nn.LoadWeights(&e, path); err == nil || !strings.Contains(err.Error(), "no array is for Head") {
		t.Error(err)
	}
}

// TestConvert: other types are errors, or converted.
func TestConvert(t *testing.T) {
	path := write(t, "m.safetensors", map[string]nx.Shape{"a": {3}})
	m := struct{ A nx.Tensor }{nx.Zeros(nx.Shape{3}, nx.BF16)}
	r, err := nn.LoadWeights(&m, path)
	if err == nil || len(r.Misshapen) != 1 || r.Misshapen[0].Got != "f32[3]" || r.Misshapen[0].Want != "bf16[3]" ||
		!strings.Contains(err.Error(), "nn.Convert") {
		t.Error(r, err)
	}
	if _, err := nn.LoadWeights(&m, path, nn.Convert); err != nil || m.A.DType() != nx.BF16 ||
		number(m.A.At(2)) != 2.0 {
		t.Error(m.A, err)
	}
}

// TestShards: an index of two files, one of which is of PyTorch's kind.
func TestShards(t *testing.T) {
	a := write(t, "a.safetensors", map[string]nx.Shape{"model.fc.weight": {3, 4}})
	dir := filepath.Dir(a)
	b := write(t, "b.safetensors", map[string]nx.Shape{"model.fc.bias": {3}})
	if err := os.Rename(b, filepath.Join(dir, "b.safetensors")); err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(dir, "model.safetensors.index.json")
	os.WriteFile(index,
		[]byte(`{"weight_map": {"model.fc.weight": "a.safetensors", "model.fc.bias": "b.safetensors"}}`), 0o666)
	m := struct{ FC *nn.Linear }{nn.NewLinear(random.Key(1), 4, 3)}
	if _, err := nn.LoadWeights(&m, index); err != nil || number(m.FC.Weight.At(2, 3)) != 11.0 {
		t.Error(err)
	}
	bin := filepath.Join(dir, "pytorch_model.bin.index.json")
	data, _ := os.ReadFile("../encoding/pytorch/testdata/state.pt")
	os.WriteFile(filepath.Join(dir, "p.bin"), data, 0o666)
	os.WriteFile(bin, []byte(`{"weight_map": {"fc.weight": "p.bin", "fc.bias": "p.bin"}}`), 0o666)
	if _, err := nn.LoadWeights(&m, bin, nn.Partial); err != nil || number(m.FC.Weight.At(2, 3)) != 711.0 &&
		number(m.FC.Weight.At(2, 3)) != 911.0 {
		t.Error(m.FC.Weight, err)
	}
	os.WriteFile(bin, []byte(`{"weight_map": {"fc.weight": "../p.bin"}}`), 0o666)
	if _, err := nn.LoadWeights(&m, bin); err == nil || !strings.Contains(err.Error(), "not in the folder") {
		t.Error(err)
	}
}

// TestLoadErrors: what does not fit is named, and the model is unchanged.
func TestLoadErrors(t *testing.T) {
	good := map[string]nx.Shape{"fc.weight": {3, 4}, "fc.bias": {3}}
	for name, c := range map[string]struct {
		arrays map[string]nx.Shape
		opts   []nn.LoadOption
		want   []string
	}{
		"missing": {map[string]nx.Shape{"fc.weight": {3, 4}, "fc.biass": {3}}, nil,
			[]string{"no array is for FC.Bias, f32[3]; did you mean \"fc.biass\"?", "nn.Rename"}},
		"unused": {map[string]nx.Shape{"fc.weight": {3, 4}, "fc.bias": {3}, "fc.bais": {3}}, nil,
			[]string{`"fc.bais" is for no tensor of the container; did you mean FC.Bias?`}},
		"misshapen": {map[string]nx.Shape{"fc.weight": {4, 3}, "fc.bias": {3}}, nil,
			[]string{`"fc.weight" (renamed "FC.Weight") is f32[4][3], but FC.Weight takes f32[3][4]`, "nn.Transposed"}},
		"two arrays": {map[string]nx.Shape{"fc.weight": {3, 4}, "fc.bias": {3}, "module.fc.bias": {3}}, nil,
			[]string{`"fc.bias" (renamed "FC.Bias") and "module.fc.bias" (renamed "FC.Bias") are for one tensor, FC.Bias`}},
		"rows": {map[string]nx.Shape{"fc.weight": {7, 4}}, []nn.LoadOption{nn.Rename("fc.weight", "{a,b}")},
			[]string{"7 rows", "cannot be cut into a, b"}},
		"scalar": {map[string]nx.Shape{"x": {}}, []nn.LoadOption{nn.Rename("x", "{a,b}")}, []string{"scalar"}},
		"permutation": {good, []nn.LoadOption{nn.Rename("fc", "fc", nn.PermuteAxes(0, 0))},
			[]string{"each of 2 axes once"}},
		"pairs": {good, []nn.LoadOption{nn.Rename("fc", "fc", nn.Paired(2))}, []string{"are not pairs of 2 heads"}},
		"tied":  {good, []nn.LoadOption{nn.Tied("x", "fc.weight")}, []string{`no tensor "x"`}},
	} {
		m := struct{ FC *nn.Linear }{nn.NewLinear(random.Key(1), 4, 3)}
		before := floats(m.FC.Weight)
		r, err := nn.LoadWeights(&m, write(t, "m.safetensors", c.arrays), c.opts...)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nwant %s", name, err, want)
			}
		}
		var e *nx.Error
		if !errors.As(err, &e) {
			t.Errorf("%s is no *nx.Error", name)
		}
		if !reflect.DeepEqual(before, floats(m.FC.Weight)) {
			t.Errorf("%s: the model has changed", name)
		}
		_ = r.String()
	}
	m := newSmall()
	for _, c := range [][2]string{{"values.pt", "for no tensor"}, {"module.pt", "nothing was executed"},
		{"old.pt", "before 1.6"}} {
		if _, err := nn.LoadWeights(&m, "../encoding/pytorch/testdata/"+c[0]); err == nil ||
			!strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v", c[0], err)
		}
	}
	for _, c := range [][3]string{{"a.{n}", "{m}", `"{m}" is not in`}, {"{n}.{n}", "", "between braces, once"},
		{"", "a", "empty"},
		{"a", "{a,b}.{c,d}", "second list"}, {"{a,b}", "{c,d}", "second list"}, {"{a,b}.{c,d}", "x", "has one list"},
		{"{a,b}", "", "has one list"}, {"{1}", "", "between braces, once"}} {
		func() {
			defer func() {
				if e, ok := recover().(error); !ok || !strings.Contains(e.Error(), c[2]) {
					t.Errorf("%v: %v", c, e)
				}
			}()
			nn.Rename(c[0], c[1])
		}()
	}
}

// TestMapped: arrays and their parts stay in the file; only transposed ones take memory.
func TestMapped(t *testing.T) {
	const n = 1 << 10
	zeros := nx.Zeros(nx.Shape{n, n}, nx.F32)
	path := filepath.Join(t.TempDir(), "m.safetensors")
	if err := nx.SaveTensors(path, map[string]nx.Tensor{"qkv": nx.Zeros(nx.Shape{3 * n, n}, nx.F32),
		"w": zeros}); err != nil {
		t.Fatal(err)
	}
	taken := func(opts ...nn.ArrayOption) uint64 {
		m := struct{ Q, K, V, W nx.Tensor }{zeros, zeros, zeros, zeros}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := nn.LoadWeights(&m, path, nn.Rename("qkv", "{q,k,v}"), nn.Rename("w", "w", opts...)); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if runtime.GOOS == "linux" && taken() > n*n {
		t.Errorf("%d bytes are allocated for mapped arrays", taken())
	}
	if taken(nn.Transposed) < 4*n*n {
		t.Error("a transposed array takes no memory")
	}
}
