package cpu

import (
	"github.com/go-nx/nx/internal/cpu/codegen"
	"github.com/go-nx/nx/internal/cpu/codegen/portable"
)

// tier makes code of kernels. It is chosen here and named nowhere else.
var tier codegen.Generator = portable.Generator{}
