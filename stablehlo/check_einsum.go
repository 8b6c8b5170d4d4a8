package stablehlo

import (
	"fmt"
	"strings"
)

// The current specification has no einsum. Its config is checked as far as it is clear: "ij,jk->ik" with a
// letter for each dimension; a config with "..." is left to the implementation.

func checkEinsum(c *check) { c.einsum(2) }

func checkUnaryEinsum(c *check) { c.einsum(1) }

func (c *check) einsum(operands int) {
	config := strings.ReplaceAll(c.Str("einsum_config"), " ", "")
	if strings.Contains(config, "...") {
		return
	}
	in, out, ok := strings.Cut(config, "->")
	terms := strings.Split(in, ",")
	if !c.require(ok && len(terms) == operands, "", "einsum_config %q must have %d operands and a result",
		config, operands) {
		return
	}
	letters := map[rune]int64{}
	all := append(terms, out)
	for i, t := range append(valueTypes(c.Operands), c.Results[0].typ) {
		if err := bindLetters(letters, all[i], t.(*TensorType)); err != nil {
			c.fail("", "einsum_config %q: %v", config, err)
			return
		}
	}
}

// bindLetters binds each letter of a term to the size of its dimension of t.
func bindLetters(letters map[rune]int64, term string, t *TensorType) error {
	if len(term) != t.Rank() {
		return fmt.Errorf("%q must have a letter for each dimension of %s", term, t)
	}
	for i, r := range term {
		n, bound := letters[r]
		switch {
		case !bound || n == Dynamic:
			letters[r] = t.Dims[i]
		case !compatibleSize(n, t.Dims[i]):
			return fmt.Errorf("%q is %d and, in %s, %d", r, n, t, t.Dims[i])
		}
	}
	return nil
}
