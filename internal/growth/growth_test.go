package growth

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// TestLinks: every link of the table is a valid program.
func TestLinks(t *testing.T) {
	n := 0
	for code := range stablehlo.Ops() {
		for _, l := range linksOf(code) {
			n++
			m, err := stablehlo.Parse("", []byte(l.chain(2)))
			if err == nil {
				err = m.Verify()
			}
			if err != nil {
				t.Errorf("%s: %v\n%s", l.name, err, l.chain(2))
			}
		}
	}
	t.Log(n)
	for code := range stablehlo.Ops() {
		if len(linksOf(code)) == 0 {
			t.Log("none", code)
		}
	}
}
