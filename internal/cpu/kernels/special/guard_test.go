package special

import (
	"strings"
	"testing"

	"github.com/go-nx/nx/internal/cpu/kernels/kit"
)

func guardCases() []kit.Case {
	var out []kit.Case
	for _, c := range unary32 {
		name := map[string]string{"erf_inv": "ErfInv"}[c.name]
		if name == "" {
			name = strings.ToUpper(c.name[:1]) + c.name[1:]
		}
		out = append(out, kit.InPlace(name+"F32", c.f)...)
	}
	for name, f := range map[string]func(dst, src []float64){
		"ExpF64": ExpF64, "Expm1F64": Expm1F64, "LogF64": LogF64, "Log1pF64": Log1pF64, "TanhF64": TanhF64,
		"LogisticF64": LogisticF64,
		"SqrtF64":     SqrtF64, "RsqrtF64": RsqrtF64, "CbrtF64": CbrtF64, "ErfF64": ErfF64,
		"ErfcF64": ErfcF64, "SinF64": SinF64,
		"CosF64": CosF64, "TanF64": TanF64, "SinhF64": SinhF64, "CoshF64": CoshF64,
	} {
		out = append(out, kit.InPlace(name, f)...)
	}
	out = append(out, kit.InPlace("SinhF32", SinhF32)...)
	out = append(out, kit.InPlace("CoshF32", CoshF32)...)
	out = append(append(append(out, kit.InPlace("AsinhF32", AsinhF32)...), kit.InPlace("AtanhF32", AtanhF32)...),
		kit.InPlace("AcoshF32", AcoshF32)...)
	out = append(append(out, kit.InPlace("BesselI0eF32", BesselI0eF32)...),
		kit.InPlace("BesselI1eF32", BesselI1eF32)...)
	out = append(out, kit.OfTwo("PowF32", PowF32, false)...)
	out = append(out, kit.OfTwo("PowF64", PowF64, true)...)
	out = append(out, kit.OfTwo("RemF32", RemF32, true)...)
	out = append(out, kit.OfTwo("RemF64", RemF64, true)...)
	return out
}

func TestGuardedMemory(t *testing.T) { kit.CheckGuarded(t, guardCases()) }

func TestGuardCasesAreComplete(t *testing.T) { kit.CheckCovered(t, guardCases()) }
