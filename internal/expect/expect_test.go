package expect

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, text string
		want       []Expectation
	}{
		{"none", "func.func @f()\n// a comment\n", nil},
		{"next line", "// expected-error@+1 {{bad}}\nx", []Expectation{{Line: 2, Text: "bad"}}},
		{"space before the place", "\n// expected-error @-1 {{bad}}\n", []Expectation{{Line: 1, Text: "bad"}}},
		{"same line", "x // expected-error {{bad}}", []Expectation{{Line: 1, Text: "bad"}}},
		{"regular expression", "// expected-error-re@+2 {{a{{.*}}b}}\n",
			[]Expectation{{Line: 3, Text: "a{{.*}}b", Regexp: true}}},
		{"below skips comments", "// expected-error@below {{a}}\n// expected-error@+1 {{b}}\nx",
			[]Expectation{{Line: 3, Text: "a"}, {Line: 3, Text: "b"}}},
		{"above skips comments", "x\n// expected-error@+9 {{a}}\n// expected-error@above {{b}}\n",
			[]Expectation{{Line: 11, Text: "a"}, {Line: 1, Text: "b"}}},
		{"unknown place", "// expected-error@unknown {{a}}", []Expectation{{Text: "a"}}},
		{"before the file", "// expected-error@-5 {{a}}", []Expectation{{Text: "a"}}},
		{"not a comment", `"expected-error@+1 {{bad}}"`, nil},
		{"other severity", "// expected-remark@+1 {{fine}}", nil},
		{"an absurd number", "// expected-error@+" + strings.Repeat("9", 40) + " {{bad}}", nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Parse(test.text); !slices.Equal(got, test.want) {
				t.Errorf("Parse = %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestMet(t *testing.T) {
	expected := []Expectation{{Line: 3}, {Line: 7}}
	if Met(expected, nil) || Met(expected, []int{4}) || !Met(expected, []int{4, 7}) {
		t.Error("Met must hold exactly when a line is expected")
	}
	if !Met([]Expectation{{}}, []int{4}) || Met([]Expectation{{}}, nil) {
		t.Error("an expectation without a line is met by any error")
	}
}

func FuzzParse(f *testing.F) {
	f.Add("x // expected-error@+1 {{a}}\n// expected-error@below {{b}}")
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range Parse(text) {
			if e.Line < 0 {
				t.Errorf("negative line %d", e.Line)
			}
		}
	})
}
