package translate

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

var (
	randomSeed  = flag.Uint64("seed", 1, "of TestRandomPrograms")
	randomKeep  = flag.String("keep", "", "the folder to write TestRandomPrograms's source and result to")
	randomCount = flag.Int("programs", 4, "of TestRandomPrograms")
)

// TestRandomPrograms translates random definitions, and compares what is made of them with the definitions themselves,
// which Go runs on numbers.
func TestRandomPrograms(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("testdata", "random"))
	if err != nil {
		t.Fatal(err)
	}
	var defs, calls strings.Builder
	defs.WriteString("package defs\n\nimport . \"github.com/go-nx/nx/defn\"\n\n")
	for i := range *randomCount {
		p := &program{used: map[string]bool{}, r: rand.New(rand.NewPCG(*randomSeed, uint64(i)))}
		fmt.Fprintf(&defs, "func P%d(x, y Tensor) Tensor {\n", i)
		defs.WriteString(p.body())
		defs.WriteString("}\n\n")
		fmt.Fprintf(&calls, "\t\"P%d\": {defs.P%d, model.P%d},\n", i, i, i)
	}
	source := filepath.Join(root, "defs", "defs.go")
	overlay := map[string][]byte{source: []byte(defs.String())}
	ps, err := load(&packages.Config{Dir: ".", Overlay: overlay}, []string{"./testdata/random/defs"})
	if err != nil {
		t.Fatal(err)
	}
	target := Target{Dir: filepath.Join(root, "model"), Name: "model"}
	text, err := Translate(ps[0], target)
	if err != nil {
		t.Fatal(err)
	}
	overlay[filepath.Join(root, "model", "model.go")] = text
	overlay[filepath.Join(root, "main.go")] = []byte(fmt.Sprintf(randomMain, calls.String()))

	dir := t.TempDir()
	replace := map[string]string{}
	for path, text := range overlay {
		copied := filepath.Join(dir, fmt.Sprint(len(replace), ".go"))
		if err := os.WriteFile(copied, text, 0o666); err != nil {
			t.Fatal(err)
		}
		replace[path] = copied
	}
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), list, 0o666); err != nil {
		t.Fatal(err)
	}
	if *randomKeep != "" {
		os.WriteFile(filepath.Join(*randomKeep, "defs.go"), []byte(defs.String()), 0o666)
		os.WriteFile(filepath.Join(*randomKeep, "model.go"), text, 0o666)
	}
	run := exec.Command("go", "run", "-overlay", filepath.Join(dir, "overlay.json"), "./testdata/random")
	out, err := run.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s\n%s", err, out, cut(defs.String(), string(out)))
	}
}

// cut returns the first function that the output of the program names.
func cut(defs, out string) string {
	name, _, _ := strings.Cut(out, " ")
	_, f, ok := strings.Cut(defs, "func "+name+"(")
	if !ok {
		return ""
	}
	f, _, _ = strings.Cut(f, "\n}\n")
	return "func " + name + "(" + f + "\n}"
}

const randomMain = `package main

import (
	"fmt"
	"math"
	"os"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/defn"
	"github.com/go-nx/nx/internal/translate/testdata/random/defs"
	"github.com/go-nx/nx/internal/translate/testdata/random/model"
)

var functions = map[string]struct {
	plain func(x, y defn.Tensor) defn.Tensor
	graph func(x, y nx.Tensor) nx.Tensor
}{
%s}

func main() {
	inputs := []float64{-3.25, -1, 0, 0.75, 2.5}
	for name, f := range functions {
		compiled := nx.Jit(f.graph)
		for _, x := range inputs {
			for _, y := range inputs {
				want := float64(f.plain(defn.Tensor(x), defn.Tensor(y)))
				got := nx.Item[float64](compiled(nx.New([]float64{x}).At(0), nx.New([]float64{y}).At(0)))
				if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
					fmt.Println(name, "at", x, y, "gives", got, "and on numbers", want)
					os.Exit(1)
				}
			}
		}
	}
}
`

// program makes the body of a random definition. Values stay small, and constants are floats, so that numbers and
// tensors of f64 agree.
type program struct {
	r     *rand.Rand
	vars  []string
	count int
	depth int
	loops []string        // the labels of those around a statement, "" for a switch
	used  map[string]bool // labels
	stmts int
}

func (p *program) body() string {
	p.vars = []string{"x", "y"}
	return p.list(5) + "return " + p.expr(2) + "\n"
}

func (p *program) pick(list ...string) string { return list[p.r.IntN(len(list))] }

func (p *program) number() string {
	return p.pick("0.5", "1.0", "2.0", "-1.5", "0.25", "3.0")
}

func (p *program) expr(depth int) string {
	if depth == 0 || p.r.IntN(4) == 0 {
		if p.r.IntN(4) == 0 {
			return "Tensor(" + p.number() + ")"
		}
		return p.pick(p.vars...)
	}
	a, b := p.expr(depth-1), p.expr(depth-1)
	switch p.r.IntN(8) {
	case 0, 1:
		return "(" + a + " + " + b + ")/2"
	case 2:
		return "(" + a + " - " + b + ")*0.5"
	case 3:
		return "max(" + a + ", " + b + ", -4.0)"
	case 4:
		return "min(" + a + ", " + b + ", 4.0)"
	case 5:
		return "-" + p.pick(p.vars...)
	case 6:
		return "Where(" + p.cond(1) + ", " + a + ", " + b + ")"
	}
	return "min(max(" + a + "*" + b + ", -5.0), 5.0)"
}

func (p *program) cond(depth int) string {
	if depth > 0 && p.r.IntN(3) == 0 {
		return p.pick("!(", "(") + p.cond(depth-1) + p.pick(" && ", " || ") + p.cond(depth-1) + ")"
	}
	return p.expr(1) + p.pick(" < ", " > ", " <= ", " >= ") + p.pick(p.number(), p.pick(p.vars...))
}

func (p *program) list(n int) string {
	kept := len(p.vars)
	p.depth++
	var b strings.Builder
	for range 1 + p.r.IntN(n) {
		s, ends := p.stmt()
		b.WriteString(s)
		if ends {
			break
		}
	}
	p.depth--
	for _, v := range p.vars[kept:] {
		b.WriteString("_ = " + v + "\n")
	}
	p.vars = p.vars[:kept]
	return b.String()
}

// stmt returns a statement, and whether nothing may follow it.
func (p *program) stmt() (string, bool) {
	p.stmts++
	deep := p.depth > 4 || p.stmts > 25
	switch k := p.r.IntN(12); {
	case k < 3 || deep:
		return p.pick(p.vars...) + p.pick(" = ", " = ", " += ", " -= ") + p.expr(2) + "\n", false
	case k == 3:
		p.count++
		v := fmt.Sprint("v", p.count)
		s := v + " := " + p.expr(2) + "\n"
		p.vars = append(p.vars, v)
		return s, false
	case k < 7:
		s := "if " + p.cond(1) + " {\n" + p.branch() + "}"
		switch p.r.IntN(3) {
		case 0:
			s += " else {\n" + p.branch() + "}"
		case 1:
			s += " else if " + p.cond(1) + " {\n" + p.branch() + "}"
		}
		return s + "\n", false
	case k < 10:
		p.count++
		v := fmt.Sprint("i", p.count)
		return p.loop(v), false
	case k == 10:
		p.count++
		label := fmt.Sprint("s", p.count)
		p.loops = append(p.loops, label)
		s := "switch {\ncase " + p.cond(0) + ":\n" + p.branch() + "case " + p.cond(1) + ":\n" + p.branch() +
			"default:\n" + p.list(1) + "}\n"
		p.loops = p.loops[:len(p.loops)-1]
		return p.labelled(label) + s, false
	}
	return p.pick(p.vars...) + " *= " + p.number() + "\n", false
}

// loop returns a loop by a predicate, or of static steps.
func (p *program) loop(v string) string {
	label := "l" + v
	p.loops = append(p.loops, label)
	f := v + "f"
	head := p.pick(
		"for "+v+" := Tensor(0.0); "+v+" < 4; "+v+"++ {\n"+f+" := "+v+"*1.0\n",
		"for "+v+" := range Steps(3) {\n"+f+" := "+v+"*1.0\n",
		"for "+v+" := range 3 {\n"+f+" := 0.5*Tensor("+v+")\n",
		"for "+v+" := 0; "+v+" < 4; "+v+" += 2 {\n"+f+" := 0.5*Tensor("+v+")\n",
		"for "+v+", "+f+" := range []Tensor{x, y} {\n_ = "+v+"\n",
		"for _, "+v+" := range [...]float64{0.5, 1.5} {\n"+f+" := Tensor("+v+")\n",
	)
	p.vars = append(p.vars, f)
	s := head + p.branch() + "_ = " + f + "\n}\n"
	p.vars = p.vars[:len(p.vars)-1]
	p.loops = p.loops[:len(p.loops)-1]
	return p.labelled(label) + s
}

// labelled returns the label of a statement, if a jump has it.
func (p *program) labelled(label string) string {
	if p.used[label] {
		return label + ":\n"
	}
	return ""
}

// jump returns a statement that leaves a list.
func (p *program) jump() string {
	if len(p.loops) == 0 || p.r.IntN(3) == 0 {
		return "return " + p.expr(1) + "\n"
	}
	label := p.loops[p.r.IntN(len(p.loops))]
	inSwitch := label[0] == 's'
	word := "break"
	if !inSwitch && p.r.IntN(2) == 0 {
		word = "continue"
	}
	if label == p.loops[len(p.loops)-1] && p.r.IntN(2) == 0 {
		return word + "\n"
	}
	p.used[label] = true
	return word + " " + label + "\n"
}

// branch returns a list that may end in a jump.
func (p *program) branch() string {
	s := p.list(3)
	for range p.r.IntN(3) {
		s += "if " + p.cond(0) + " {\n" + p.list(1) + p.jump() + "}\n"
		if p.r.IntN(3) == 0 {
			s += p.list(2)
		}
	}
	return s
}
