package defn

import "fmt"

// Hook gives the values of the tensors in p a name, under which a call of the translated function may ask for them by
// debug.WithHook, and returns p.
func Hook[P any](name string, p P) P { return p }

// PrintValue prints the values of the tensors in p under a name where the translated function reaches it, and returns
// p: see debug.PrintValue.
func PrintValue[P any](name string, p P) P {
	fmt.Println(name, p)
	return p
}

// InspectExpr returns the graph up to the tensors in p, while it is built: see debug.InspectExpr. Of a number it is
// the value.
func InspectExpr(p any) string { return fmt.Sprint(p) }
