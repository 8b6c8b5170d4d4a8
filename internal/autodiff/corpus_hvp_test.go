package autodiff_test

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/testkit"
	"github.com/go-nx/nx/stablehlo"
	"github.com/go-nx/nx/stablehlo/interp"
)

// fewInputs bounds the number of elements of the arguments of programs whose second derivatives are
// checked.
const fewInputs = 200

// The points are the recorded arguments, whose elements are moved by about nearby. If an element is
// next to a kink, the next point is tried.
const (
	nearby = 0.02
	tries  = 20
)

// notInDouble lists programs that are invalid in f64, with the reasons.
var notInDouble = map[string]string{
	"special_erf_gamma": "takes the signs of numbers from the 32 bits that they have",
}

// TestHessianVectorProducts compares Hessian-vector products of the small programs of the
// corpus, computed in f64, with differences of gradients.
func TestHessianVectorProducts(t *testing.T) {
	var files []string
	for _, corpus := range []string{"jax", "jax-linalg"} {
		found, err := filepath.Glob(filepath.Join(testkit.Shared(t, "conformance", corpus), "*", "grad.npz"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	checked := 0
	for i, f := range files {
		dir := filepath.Dir(f)
		name := filepath.Base(dir)
		t.Run(name, func(t *testing.T) {
			if why, ok := notInDouble[name]; ok {
				t.Skip(why)
			}
			if name == "special_igamma" && testing.Short() {
				t.Skip("its series of hundreds of steps take the interpreter seconds")
			}
			args := recorded(t, dir)
			if n := elements(args); n >= fewInputs {
				t.Skipf("%d elements of arguments, only programs with less than %d are checked", n, fewInputs)
			}
			m := inDouble(t, filepath.Join(dir, "program.mlir"))
			checked++
			rng := rand.New(rand.NewPCG(uint64(i), 5))
			vague := 0
			for range tries {
				if vague = checkModule(t, m, movedArgs(m, args, rng), rng, true); vague == 0 {
					return
				}
			}
			t.Errorf("%d of the difference quotients are vague at each of %d points", vague, tries)
		})
	}
	t.Logf("%d programs", checked)
}

// recorded reads the arguments of a program of the corpus.
func recorded(t *testing.T, dir string) []interp.Value {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "program.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	m, err := stablehlo.Parse("program.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	args, err := loadArgs(filepath.Join(dir, "in.npz"), m)
	if err != nil {
		t.Fatal(err)
	}
	return args
}

func elements(args []interp.Value) (n int) {
	for _, x := range args {
		elems, _ := x.(*interp.Tensor).Type.NumElems()
		n += int(elems)
	}
	return n
}

// movedArgs returns arguments for m near the given ones, which may be of narrower types.
func movedArgs(m *stablehlo.Module, args []interp.Value, rng *rand.Rand) []interp.Value {
	f, _ := m.Func("main")
	out := slices.Clone(args)
	for i, a := range f.Args() {
		if len(floats(args[i:i+1])) == 0 {
			continue
		}
		at, j := parts(args[i]), 0
		x := &interp.Tensor{Type: a.Tensor(), Data: make([]byte, len(at)*dtype.F64.Size())}
		fill(x, func() float64 { j++; return at[j-1] + nearby*rng.NormFloat64() })
		out[i] = x
	}
	return out
}

var (
	singleType  = regexp.MustCompile(`(f32|bf16|f16)>`)
	singleDense = regexp.MustCompile(`dense<[^>]*> : tensor<[^>]*f32>+`)
	singleBits  = regexp.MustCompile(`0x[0-9A-Fa-f]{8}\b`)
)

// inDouble reads a program and replaces narrower floats by f64.
func inDouble(t *testing.T, file string) *stablehlo.Module {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := singleDense.ReplaceAllStringFunc(string(raw), func(constant string) string {
		return singleBits.ReplaceAllStringFunc(constant, func(hex string) string {
			bits, err := strconv.ParseUint(strings.TrimPrefix(hex, "0x"), 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			return "0x" + strconv.FormatUint(math.Float64bits(float64(math.Float32frombits(uint32(bits)))), 16)
		})
	})
	m, err := stablehlo.Parse(filepath.Base(file), []byte(singleType.ReplaceAllString(text, "f64>")))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(); err != nil {
		t.Fatal(err)
	}
	return m
}
