package cpu

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/cpu/asm/amd64"
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/exec"
	"github.com/go-nx/nx/internal/cpu/rt"
	"github.com/go-nx/nx/internal/wire"
	"github.com/go-nx/nx/stablehlo"
)

func compile(t testing.TB, text string) backend.Executable {
	t.Helper()
	m, err := stablehlo.Parse("saved.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	e, err := Default().Compile(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func save(t testing.TB, e backend.Executable) []byte {
	t.Helper()
	saved, err := e.(backend.Saver).Save()
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

// summed returns a saved program with a digest of rest.
func summed(rest []byte) []byte {
	sum := sha256.Sum256(rest)
	return slices.Concat([]byte(savedMagic), sum[:], rest)
}

func execute(t *testing.T, e backend.Executable, args ...backend.Buffer) [][]byte {
	t.Helper()
	out, err := e.Execute(context.Background(), args)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for _, b := range out {
		data := make([]byte, b.Type().SizeBytes())
		if err := b.Read(context.Background(), data); err != nil {
			t.Fatal(err)
		}
		all = append(all, data)
	}
	return all
}

func floats(t *testing.T, n int64, dims ...int64) backend.Buffer {
	t.Helper()
	data := make([]byte, 4*n)
	for i := range int(n) {
		dtype.F32.StoreFloat(data, i, float64(i%97)-40)
	}
	b, err := Default().Put(context.Background(), backend.Type{DType: dtype.F32, Dims: dims}, data, device{})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Saving preserves donation: results reuse the memory of donated arguments, which are released.
func TestSavedDonation(t *testing.T) {
	text, err := os.ReadFile("testdata/adam.mlir")
	if err != nil {
		t.Fatal(err)
	}
	fresh := compile(t, string(text))
	loaded, err := Default().LoadCompiled(save(t, fresh))
	if err != nil {
		t.Fatal(err)
	}
	args := func() []backend.Buffer {
		var list []backend.Buffer
		for range 4 {
			list = append(list, floats(t, 100_000, 1000, 100))
		}
		return list
	}
	want := execute(t, fresh, args()...)
	in := args()
	before := in[0].(*buffer).data
	got := execute(t, loaded, in...)
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("result %d differs", i)
		}
	}
	if err := in[0].Read(context.Background(), make([]byte, 400_000)); err == nil {
		t.Error("a donated argument can be read")
	}
	if !bytes.Equal(before, want[0]) {
		t.Error("the result is not in the memory of the argument")
	}
}

// The tier of the code and the constants are saved, for any tier of the loading process.
func TestSavedConstants(t *testing.T) {
	e := compile(t, cachedProgram)
	want := execute(t, e, floats(t, 3, 3))
	for name := range loadableTiers() {
		old := currentTier
		currentTier = func() (tier, error) { return tierNamed(name) }
		saved := save(t, compile(t, cachedProgram))
		currentTier = old
		loaded, err := Default().LoadCompiled(saved)
		if err != nil {
			t.Fatal(err)
		}
		if got := execute(t, loaded, floats(t, 3, 3)); !bytes.Equal(got[0], want[0]) || !bytes.Equal(got[1], want[1]) {
			t.Errorf("%s: got % x, want % x", name, got, want)
		}
		if got := loaded.(*executable).tier.name; got != name {
			t.Errorf("the code is %s, not %s", got, name)
		}
	}
}

// loadableTiers are the tiers whose code can run here, unless NX_CPU selects one.
func loadableTiers() map[string]bool {
	found := map[string]bool{}
	for _, name := range tiers {
		if _, why := makeTier(name); why == "" && (os.Getenv("NX_CPU") == "" || os.Getenv("NX_CPU") == name) {
			found[name] = true
		}
	}
	return found
}

// Other bytes than those of Save are an error, for damage at any position; their code is not run.
func TestSavedDamage(t *testing.T) {
	saved := save(t, compile(t, addProgram))
	refuse := func(what string, data []byte) {
		t.Helper()
		var wrong *SavedError
		if _, err := Default().LoadCompiled(data); !errors.As(err, &wrong) || wrong.Missing != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	for n := range saved {
		refuse("truncated", saved[:n])
	}
	for i := range saved {
		flipped := bytes.Clone(saved)
		flipped[i] ^= 1 << (i % 8)
		refuse("a bit", flipped)
	}
	refuse("longer", append(bytes.Clone(saved), 0))
	refuse("nothing", nil)
	refuse("another file", []byte(strings.Repeat("hello ", 100)))
	// With a correct digest, the reader detects missing parts.
	rest := saved[len(savedMagic)+sha256.Size:]
	for n := range len(rest) {
		refuse("cut and summed", summed(rest[:n]))
	}
	refuse("longer and summed", summed(append(bytes.Clone(rest), 0)))
}

// head writes the version and target of a saved program.
func head(version, tier, needs string) []byte {
	var w wire.Writer
	w.Text(version)
	w.Text(tier)
	w.Text(needs)
	return w.B
}

func TestSavedElsewhere(t *testing.T) {
	own, err := compilerVersion()
	if err != nil {
		t.Fatal(err)
	}
	saved := save(t, compile(t, addProgram))
	r := wire.NewReader(saved[len(savedMagic)+sha256.Size:])
	_, name, needs := r.Text(), r.Text(), r.Text()
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	load := func(version, tier string) *SavedError {
		t.Helper()
		e, err := Default().LoadCompiled(summed(append(head(version, tier, needs), r.Rest()...)))
		var wrong *SavedError
		if err != nil && !errors.As(err, &wrong) || err == nil && e == nil {
			t.Fatal(err)
		}
		return wrong
	}
	if e := load(own, name); e != nil {
		t.Fatal(e)
	}
	if e := load("nx of old", name); e == nil || !strings.Contains(e.Error(), `"nx of old"`) ||
		!strings.Contains(e.Error(), own) {
		t.Errorf("another version: %v", e)
	}
	if e := load(own, "avx1024"); e == nil || !strings.Contains(e.Error(), "avx1024") {
		t.Errorf("a tier there is not: %v", e)
	}
	other := "portable"
	if name == other {
		other = "avx2"
	}
	t.Setenv("NX_CPU", other)
	if e := load(own, name); e == nil || !strings.Contains(e.Error(), "NX_CPU selects "+other) {
		t.Errorf("NX_CPU=%s: %v", other, e)
	}
	t.Setenv("NX_CPU", "")
	if name == plainTier || name == neonTier {
		t.Skipf("%s requires no processor feature", name)
	}
	defer func() { hostFeatures = rt.HostFeatures }()
	hostFeatures = func() amd64.Feature { return rt.HostFeatures() &^ (amd64.FMA | amd64.BMI2) }
	if e := load(own, name); e == nil || !slices.Equal(e.Missing, []string{"fma", "bmi2"}) ||
		!strings.Contains(e.Error(), "fma bmi2") {
		t.Errorf("a lesser processor: %v", e)
	}
}

// Programs with effects cannot be saved.
func TestSaveRefusesEffects(t *testing.T) {
	for name, text := range map[string]string{
		"check": `func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  check.expect_eq %x, %x : tensor<4xf32>
  return %x : tensor<4xf32>
}`,
		"in a loop": `func.func @main(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.while(%i = %x) : tensor<i32> cond {
    %n = stablehlo.constant dense<3> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    check.expect_eq %i, %i : tensor<i32>
    %j = stablehlo.add %i, %i : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  return %0 : tensor<i32>
}`,
	} {
		_, err := compile(t, text).(backend.Saver).Save()
		if err == nil || !strings.Contains(err.Error(), "check.expect_eq is not supported") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Equal programs are saved as equal bytes, and a loaded program is compiled without generating code
// of kernels.
func TestSavedCode(t *testing.T) {
	saved := save(t, compile(t, addProgram))
	if !bytes.Equal(save(t, compile(t, addProgram)), saved) {
		t.Error("the same program is saved as other bytes")
	}
	loaded, err := Default().LoadCompiled(saved)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(save(t, loaded), saved) {
		t.Error("what was loaded is saved as other bytes")
	}
	if Default().Tier() == "portable" {
		t.Skip("plain Go has no code to save")
	}
	// Code that returns immediately is run if it replaces the kernel's code.
	e := loaded.(*executable)
	codeCache := &codegen.CodeCache{}
	if _, err := exec.Compile(e.x.Program(), e.client.env, e.tier.with(codeCache)); err != nil {
		t.Fatal(err)
	}
	code := codeCache.Append(nil)
	rest := bytes.Clone(saved[len(savedMagic)+sha256.Size:])
	at := bytes.LastIndex(rest, code)
	r := wire.NewReader(code)
	if n, key := r.Len(2), r.Text(); n != 1 || key == "" {
		t.Fatalf("the code of %d kernels", n)
	}
	r.Int() // functions
	r.Int() // instruction bytes
	text := r.Bytes()
	text = rest[at+bytes.Index(code, text):][:len(text)]
	copy(text, []byte{0xc5, 0xf8, 0x77, 0xc3}) // vzeroupper; ret
	empty, err := Default().LoadCompiled(summed(rest))
	if err != nil {
		t.Fatal(err)
	}
	x := floats(t, 4096, 4096)
	if bytes.Equal(execute(t, empty, x, x)[0], execute(t, loaded, x, x)[0]) {
		t.Error("the code of the kernel was generated again")
	}
}

// Reading and verifying return for any bytes, whose code is not run.
func FuzzReadSaved(f *testing.F) {
	for _, text := range []string{addProgram, cachedProgram} {
		f.Add(save(f, compile(f, text))[len(savedMagic)+sha256.Size:])
	}
	f.Fuzz(func(t *testing.T, rest []byte) {
		r := wire.NewReader(rest)
		r.Text()
		r.Text()
		r.Text()
		if p, err := readProgram(r); err == nil && p.nodes.Verify() == nil {
			p.nodes.Append(nil, true)
		}
	})
}
