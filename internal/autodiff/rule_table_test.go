package autodiff

import (
	"testing"

	"github.com/go-nx/nx/stablehlo"
)

// Every op has a row or a reason to have none.
func TestEveryOpHasARow(t *testing.T) {
	for code, info := range stablehlo.Ops() {
		reason, refused := noDerivative.Get(listReasons)[code]
		switch row := jvpOf(code) != nil; {
		case row && refused:
			t.Errorf("%s has a row and a reason to have none", info.Name)
		case refused && reason == "":
			t.Errorf("%s has no derivative and no reason", info.Name)
		case !row && !refused:
			t.Errorf("%s has neither a row nor a reason to have none", info.Name)
		}
	}
}

// No op is in two of the tables that are merged to the rows.
func TestRowsAreUnique(t *testing.T) {
	n := len(listUnaryJVPs()) + len(listBinaryJVPs()) + len(listLinearOps()) + len(listExpansions()) +
		len(zeroDerivative) + len(listOtherJVPs())
	if n != len(table.Get(gatherRows).jvps) {
		t.Errorf("%d rows in the tables, %d ops with rows", n, len(table.Get(gatherRows).jvps))
	}
}
