package stablehlo

import (
	"slices"
	"strings"
	"testing"
)

func TestTableIsComplete(t *testing.T) {
	for code, info := range Ops() {
		switch {
		case info.Name == "":
			t.Errorf("op code %d has no row", code)
			continue
		case !strings.Contains(info.Name, "."):
			t.Errorf("%s: no dialect", info.Name)
		case LookupOp(info.Name) != code:
			t.Errorf("%s: the name belongs to two op codes", info.Name)
		case !strings.HasSuffix(info.Doc, "."):
			t.Errorf("%s: the doc is not a sentence: %q", info.Name, info.Doc)
		case info.Dialect() == "stablehlo" && info.Since == Version{}:
			t.Errorf("%s: no version", info.Name)
		}
		byName := func(a, b AttrSpec) int { return strings.Compare(a.Name, b.Name) }
		if !slices.IsSortedFunc(info.Attrs, byName) {
			t.Errorf("%s: attributes are not sorted", info.Name)
		}
		for i, a := range info.Attrs {
			if i > 0 && a.Name == info.Attrs[i-1].Name {
				t.Errorf("%s: attribute %s twice", info.Name, a.Name)
			}
			if a.Default != nil && !a.Optional {
				t.Errorf("%s: attribute %s is required and has a default", info.Name, a.Name)
			}
			if (a.Kind == AttrEnum || a.Kind == AttrEnums) && EnumKeywords(a.Enum) == nil {
				t.Errorf("%s: attribute %s of unknown enumeration %q", info.Name, a.Name, a.Enum)
			}
		}
		for _, v := range slices.Concat(info.Operands, info.Results) {
			if v.Name == "" || v.Types == 0 {
				t.Errorf("%s: a value without name or types", info.Name)
			}
		}
	}
}

func TestEveryOpIsCheckedOrSaysWhyNot(t *testing.T) {
	for code, info := range Ops() {
		switch {
		case checkOf(code) == nil && noChecks[code] == "":
			t.Errorf("%s has no check and no reason for that", info.Name)
		case checkOf(code) != nil && noChecks[code] != "":
			t.Errorf("%s has a check and a reason for none", info.Name)
		}
	}
}
