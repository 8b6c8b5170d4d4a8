package autodiff_test

import (
	"context"
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/autodiff"
	"github.com/go-nx/nx/stablehlo"
)

// composed is a program with a composite of a name and attributes around sin.
func composed(name, attrs, more string) string {
	return `module {
  func.func @main(%x: tensor<2xf64>, %k: tensor<2xf64>) -> tensor<2xf64> {
    %0 = stablehlo.composite "` + name + `" %x, %k {` +
		attrs + `decomposition = @f} : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
    %1 = stablehlo.multiply %0, %0 : tensor<2xf64>
    return %1 : tensor<2xf64>
  }
  func.func private @f(%x: tensor<2xf64>, %k: tensor<2xf64>) -> tensor<2xf64> {
    %0 = stablehlo.sine %x : tensor<2xf64>
    %1 = stablehlo.multiply %0, %k : tensor<2xf64>
    return %1 : tensor<2xf64>
  }
` + more + `
}`
}

const (
	ruleOfOne  = `composite_attributes = {jvp = @rule, operands = 1 : i64}, `
	ruleOfBoth = `composite_attributes = {forward = @forward, backward = @backward, operands = 2 : i64}, `
	jvpRule    = `func.func private @rule(%x: tensor<2xf64>, %y: tensor<2xf64>, %d: tensor<2xf64>, %k: tensor<2xf64>) -> tensor<2xf64> {
    %0 = stablehlo.cosine %x : tensor<2xf64>
    %1 = stablehlo.multiply %0, %d : tensor<2xf64>
    %2 = stablehlo.multiply %1, %k : tensor<2xf64>
    return %2 : tensor<2xf64>
  }`
	vjpRules = `func.func private @forward(%x: tensor<2xf64>, %k: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
    %0 = stablehlo.sine %x : tensor<2xf64>
    %1 = stablehlo.multiply %0, %k : tensor<2xf64>
    return %1, %x, %0, %k : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
  }
  func.func private @backward(%x: tensor<2xf64>, %s: tensor<2xf64>, %k: tensor<2xf64>, %d: tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>) {
    %0 = stablehlo.cosine %x : tensor<2xf64>
    %1 = stablehlo.multiply %0, %d : tensor<2xf64>
    %2 = stablehlo.multiply %1, %k : tensor<2xf64>
    %3 = stablehlo.multiply %s, %d : tensor<2xf64>
    return %2, %3 : tensor<2xf64>, tensor<2xf64>
  }`
)

// Composites read from text have the derivative of their rules, in both modes.
func TestCompositesFromText(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		wrt  []bool
	}{
		"checkpoint": {composed("nx.checkpoint", "", ""), nil},
		"custom JVP": {composed("nx.custom_jvp", ruleOfOne, jvpRule), []bool{true, false}},
		"custom VJP": {composed("nx.custom_vjp", ruleOfBoth, vjpRules), nil},
	} {
		m, err := stablehlo.Parse(name, []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Verify(); err != nil {
			t.Fatal(err)
		}
		for mode, run := range map[string]func() (*stablehlo.Module, error){
			"JVP": func() (*stablehlo.Module, error) { return autodiff.JVP(context.Background(), m, "main", c.wrt) },
			"VJP": func() (*stablehlo.Module, error) {
				return autodiff.VJP(context.Background(), m, "main", c.wrt, nil)
			},
			"Linearised": func() (*stablehlo.Module, error) {
				l, err := autodiff.Linearised(context.Background(), m, "main", c.wrt)
				if err != nil {
					return nil, err
				}
				return l.Map, l.Forward.Verify()
			},
		} {
			d, err := run()
			if err == nil {
				err = d.Verify()
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, mode, err)
			}
		}
	}
}

// Rules with wrong types or attributes are errors.
func TestInvalidComposites(t *testing.T) {
	for want, text := range map[string]string{
		"must have an attribute jvp": composed("nx.custom_jvp", "", ""),
		"no function @rule":          composed("nx.custom_jvp", ruleOfOne, ""),
		"rule of nx.custom_jvp, @rule, is (": composed("nx.custom_jvp", ruleOfOne,
			strings.ReplaceAll(jvpRule, "%y: tensor<2xf64>, ", "")),
		"must be (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>": composed("nx.custom_vjp", ruleOfBoth,
			strings.ReplaceAll(vjpRules, "func.func private @forward(%x: tensor<2xf64>, %k: tensor<2xf64>)",
				"func.func private @forward(%k: tensor<2xf64>, %x: tensor<2xf64>, %u: tensor<2xf64>)")),
		"the backward rule": composed("nx.custom_vjp", ruleOfBoth,
			strings.ReplaceAll(vjpRules, "%s: tensor<2xf64>, ", "%s: tensor<2xf64>, %u: tensor<f64>, ")),
		"must have an attribute backward": composed("nx.custom_vjp",
			strings.ReplaceAll(ruleOfBoth, "backward =", "back ="),
			vjpRules),
		"recursion is not supported": strings.ReplaceAll(composed("nx.checkpoint", "", ""),
			`%0 = stablehlo.sine %x : tensor<2xf64>`,
			`%0 = stablehlo.composite "nx.checkpoint" %x, %k {decomposition = @f} : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>`),
		"the derivative is taken by": composed("nx.custom_jvp", ruleOfOne, jvpRule),
		"there is no function @nowhere": strings.ReplaceAll(composed("nx.checkpoint", "", ""), "decomposition = @f",
			"decomposition = @nowhere"),
	} {
		m, err := stablehlo.Parse(want, []byte(text))
		if err != nil {
			t.Fatalf("%s: %v", want, err)
		}
		wrt := []bool{true, strings.Contains(want, "taken by")}
		for mode, run := range map[string]func() error{
			"JVP": func() error { _, err := autodiff.JVP(context.Background(), m, "main", wrt); return err },
			"VJP": func() error { _, err := autodiff.VJP(context.Background(), m, "main", wrt, nil); return err },
		} {
			if err := run(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got %v, want %q", mode, err, want)
			}
		}
	}
}
