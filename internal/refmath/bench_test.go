package refmath

import "testing"

func BenchmarkFunctions(b *testing.B) {
	for name, f := range map[string]func(float64) float64{"exp": Exp, "log": Log, "sin": Sin, "tanh": Tanh,
		"atan": Atan, "asinh": Asinh, "cbrt": Cbrt, "rsqrt": Rsqrt, "logistic": Logistic} {
		b.Run(name, func(b *testing.B) {
			s := 0.0
			for i := range b.N {
				s += f(0.5 + float64(i%1024)/100)
			}
			sink = s
		})
	}
}

var sink float64
