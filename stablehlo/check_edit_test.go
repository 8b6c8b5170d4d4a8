package stablehlo

import (
	"errors"
	"strings"
	"testing"
)

// edit turns a valid program into one that violates a constraint.
type edit struct {
	want    string   // the constraint; "" for a rule that has no id
	replace []string // old and new text, in turn
}

// testEdits checks that a program is accepted, and that each edit of it is
// rejected for the constraint it breaks.
func testEdits(t *testing.T, program string, edits []edit) {
	t.Helper()
	t.Run("valid", func(t *testing.T) {
		if err := verifyText(t, program); err != nil {
			t.Error(err)
		}
	})
	for _, e := range edits {
		t.Run(e.want+"/"+e.replace[1], func(t *testing.T) {
			wantConstraint(t, verifyText(t, edited(t, program, e.replace)), e.want)
		})
	}
}

// edited replaces the first occurrence of each old text by the new one.
func edited(t *testing.T, program string, replace []string) string {
	t.Helper()
	for i := 0; i < len(replace); i += 2 {
		if !strings.Contains(program, replace[i]) {
			t.Fatalf("the program has no %q", replace[i])
		}
		program = strings.Replace(program, replace[i], replace[i+1], 1)
	}
	return program
}

// verifyText parses and verifies a program that must parse.
func verifyText(t *testing.T, program string) error {
	t.Helper()
	m, err := Parse("", []byte(program))
	if err != nil {
		t.Fatalf("parse: %v\n%s", err, program)
	}
	return m.Verify()
}

func wantConstraint(t *testing.T, err error, want string) {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want a violation of %q", err, want)
	}
	if got := e.Diagnostics[0].Constraint; got != want {
		t.Errorf("got %v\nwant a violation of %q", err, want)
	}
}
