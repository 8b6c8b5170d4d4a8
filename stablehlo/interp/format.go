package interp

import "github.com/go-nx/nx/internal/checks"

// String returns the type and the elements, a line for each row:
//
//	tensor<2x2xi8> {
//	  [
//	    [1, 2],
//	    [3, 4]
//	  ]
//	}
func (t *Tensor) String() string { return checks.Tensor(*t).String() }
