package growth

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// link is a step of a chain: text that computes %Y from %X, both of type T. Names that end in $ are
// local to the step; the others are arguments and constants of the program.
type link struct {
	name string
	t    string // the element type of T
	text string
}

// constants can be used by links besides the arguments %arg0 and %arg1.
const constants = `
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %i = stablehlo.constant dense<3> : tensor<i32>
  %n = stablehlo.constant dense<[8]> : tensor<1xi32>
  %ones = stablehlo.constant dense<[1]> : tensor<1xi32>
  %none = stablehlo.constant dense<[0]> : tensor<1xi32>
  %indices = stablehlo.constant dense<[[7], [1], [2], [2], [0], [5], [6], [4]]> : tensor<8x1xi32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %less = stablehlo.constant dense<false> : tensor<8xi1>
`

// chain returns the program of n links, one after another.
func (l link) chain(n int) string {
	t := "tensor<8x" + l.t + ">"
	var text strings.Builder
	fmt.Fprintf(&text, "func.func @main(%%arg0: %s, %%arg1: %s) -> %s {%s", t, t, t, constants)
	at := "%arg0"
	for i := range n {
		y := fmt.Sprintf("%%y%d", i)
		text.WriteString(strings.NewReplacer("%X", at, "%Y", y, "$", fmt.Sprint("_", i),
			"<T>", "<8x"+l.t+">").Replace(l.text))
		text.WriteString("\n")
		at = y
	}
	fmt.Fprintf(&text, "  return %s : %s\n}\n%s", at, t, functions)
	return text.String()
}

// functions can be called by links.
const functions = `
func.func private @double(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = stablehlo.add %x, %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
`

// isValid reports whether a link is a valid program.
func (l link) isValid() bool {
	m, err := stablehlo.Parse("", []byte(l.chain(1)))
	return err == nil && m.Verify() == nil
}

// hasGradient reports whether a chain can be differentiated.
func (l link) hasGradient() bool {
	m, err := stablehlo.Parse("", []byte(l.chain(1)))
	if err != nil || l.t != "f32" {
		return false
	}
	_, _, err = autodiff.Gradient(context.Background(), m, "main", nil)
	return err == nil
}

// isMapped reports whether a chain can be batched.
func (l link) isMapped() bool {
	m, err := stablehlo.Parse("", []byte(l.chain(1)))
	return err == nil && batched(&m) == nil
}

// Chains returns families with chains of each op of the table: one for each choice of its operands,
// or only the first.
func Chains(first bool) []Family {
	var out []Family
	for code := range stablehlo.Ops() {
		for i, l := range linksOf(code) {
			if i == 0 || !first {
				out = append(out, Family{Name: "chain of " + l.name, Size: 150, Text: l.chain,
					Gradient: l.hasGradient(),
					Mapped:   l.isMapped()})
			}
		}
	}
	return out
}

// linksOf returns the links with an op: those of the table below, or an elementwise op with every
// choice of its operands.
func linksOf(code stablehlo.OpCode) []link {
	info := code.Info()
	var out []link
	for _, l := range links[code] {
		out = append(out, link{strings.TrimSpace(info.Name + " " + l.name), l.t, l.text})
	}
	if len(out) > 0 || info.Traits&stablehlo.Elementwise == 0 {
		return out
	}
	for _, t := range []string{"f32", "i32", "ui32", "i1", "complex<f32>"} {
		for _, result := range slices.Compact([]string{t, "i1", "f32", "complex<f32>"}) {
			if l := elementwise(info, t, result, slices.Repeat([]string{"%X"}, len(info.Operands))); !l.isValid() {
				continue
			}
			for _, operands := range operandsOf(len(info.Operands), t) {
				l := elementwise(info, t, result, operands)
				if l.isValid() {
					out = append(out, l)
				}
			}
			return out
		}
	}
	return nil
}

// operandsOf returns the choices of n operands, at least one of which comes from the link before.
func operandsOf(n int, t string) [][]string {
	itself := slices.Repeat([]string{"%X"}, n)
	if n == 1 {
		return [][]string{itself}
	}
	var out [][]string
	for i := range n {
		for _, other := range []string{"one", "numbers", "%arg1"} {
			in := slices.Repeat([]string{other}, n)
			in[i] = "%X"
			out = append(out, in)
		}
	}
	return append(out, itself)
}

// elementwise is a link of one op with operands: %X, an argument, or one of the constants "one" and "numbers".
func elementwise(info *stablehlo.OpInfo, t, result string, operands []string) link {
	one, numbers := "1", "2, 3, 4, 5, 6, 7, 8, 9"
	switch t {
	case "f32":
		one, numbers = "1.0", "1.5, 0.5, 2.5, 3.5, 1.25, 0.75, 0.25, 4.5"
	case "i1":
		one, numbers = "true", "true, false, true, true, false, true, true, false"
	case "complex<f32>":
		one, numbers = "(1.0, 0.0)", strings.TrimSuffix(strings.Repeat("(1.5, 0.5), ", 8), ", ")
	}
	var text strings.Builder
	in, types := slices.Clone(operands), slices.Repeat([]string{"tensor<T>"}, len(operands))
	for i, v := range in {
		switch v {
		case "one":
			fmt.Fprintf(&text, "  %%one%d$ = stablehlo.constant dense<%s> : tensor<T>\n", i, one)
			in[i] = fmt.Sprintf("%%one%d$", i)
		case "numbers":
			fmt.Fprintf(&text, "  %%numbers%d$ = stablehlo.constant dense<[%s]> : tensor<T>\n", i, numbers)
			in[i] = fmt.Sprintf("%%numbers%d$", i)
		}
	}
	to, after := "%Y", ""
	if result != t {
		to, after = "%r$", fmt.Sprintf("\n  %%Y = stablehlo.convert %%r$ : (tensor<8x%s>) -> tensor<T>", result)
	}
	fmt.Fprintf(&text, "  %s = %q(%s) : (%s) -> tensor<8x%s>%s", to, info.Name, strings.Join(in, ", "),
		strings.Join(types, ", "), result, after)
	return link{info.Name + " of " + strings.ReplaceAll(strings.Join(operands, ", "), "%", ""), t, text.String()}
}
