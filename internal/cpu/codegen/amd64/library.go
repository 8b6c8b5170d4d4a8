package amd64

import (
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/fourier"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/gemm"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/radix"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/scan"
	"github.com/go-nx/nx/internal/cpu/codegen/amd64/scatter"
	"github.com/go-nx/nx/internal/cpu/rt"
)

// Gemm returns the micro-kernels of matrix products.
func (g Generator) Gemm() rt.GemmSteps {
	return gemm.Steps(g.Width, gemm.Features{BF16: g.BF16, VNNI: g.VNNI, AMX: g.AMX})
}

// Scans returns the steps of cumulative sums and products.
func (g Generator) Scans() rt.ScanSteps { return scan.Steps(g.Width) }

// Combines returns the steps of scatters.
func (g Generator) Combines() rt.CombineSteps { return scatter.Steps(g.Width) }

// Fourier returns the steps of Fourier transforms.
func (g Generator) Fourier() rt.FourierSteps { return fourier.Steps(g.Width) }

// Sorts returns the steps of radix sorts.
func (g Generator) Sorts() rt.SortSteps { return radix.Steps() }
