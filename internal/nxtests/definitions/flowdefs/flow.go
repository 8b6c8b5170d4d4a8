// Package flowdefs has definitions whose loops and switches are left in all ways: by returns, breaks and continues,
// with labels, under predicates, out of loops of static steps and of loops by predicates.
package flowdefs

import . "github.com/go-nx/nx/defn"

//go:generate go tool defn -out ../flow

func ReturnRange(x Tensor) Tensor {
	for i := range 3 {
		if x > Tensor(i) {
			return x * 10
		}
		x += 0.5
	}
	return -x
}

func ReturnFor(x, y Tensor) Tensor {
	n := 0
	for i := 0; i < 4; i += 2 {
		n++
		if x > 2 {
			break
		}
		if y > x {
			continue
		}
		y = y + Tensor(i)
		if x+y > 1 {
			return x * Tensor(n)
		}
		x += 1.5
	}
	return y - x*Tensor(n)
}

func ReturnNested(x, y Tensor) Tensor {
	for i := range 3 {
		for j := range 2 {
			if x*Tensor(j) > y+Tensor(i) {
				return x + Tensor(10*i+j)
			}
			if y > 2 {
				break
			}
			x += 0.25
		}
		y -= 1
	}
	return x * y
}

func Labelled(x, y Tensor) Tensor {
outer:
	for i := range 3 {
		for j := range 3 {
			if x+Tensor(j) > 3 {
				continue outer
			}
			if y+Tensor(i) > 2 {
				break outer
			}
			x += 0.5
		}
		y += 0.25
	}
	return x + 100*y
}

func LabelledMixed(x, y Tensor) Tensor {
outer:
	for i := Tensor(0); i < 4; i++ {
		for j := range 3 {
			if x+Tensor(j) > 3 {
				continue outer
			}
			if j == 2 && y > 100 {
				return y
			}
			if y+i > 2 {
				break outer
			}
			x += 0.5
		}
		y += 0.25
	}
	return x + 100*y
}

func LabelledMixed2(x, y Tensor) Tensor {
outer:
	for i := range 3 {
		for y < 3 {
			y += 0.6
			if x+y > 4 {
				continue outer
			}
			if x+y > 5+Tensor(i) {
				break outer
			}
		}
		x -= 1
	}
	return x + 100*y
}

func ReturnInBoth(x, y Tensor) Tensor {
	for x < 5 {
		z := y + 1
		for i := range 3 {
			w := z * Tensor(i)
			if w > x {
				return w + z
			}
			z += 0.1
		}
		x += 0.7
		y = z
	}
	return x - y
}

func ReturnInBoth2(x, y Tensor) Tensor {
	for i := range 3 {
		for x < Tensor(i) {
			x += 0.75
			if x*y > 1 {
				return x * y
			}
		}
		y += x
		if i == 2 && y > 0 {
			return y
		}
	}
	return x - y
}

func SwitchBreak(x, y Tensor) Tensor {
	switch {
	case x > 0:
		if x > 1 {
			break
		}
		x++
	case y > 0:
		y++
		if x < -2 {
			break
		}
		x = y
	default:
		break
	}
	return x + y
}

func SwitchInLoop(x, y Tensor) Tensor {
	for i := range 3 {
		switch {
		case x > 2:
			if y > 0 {
				break
			}
			return y
		case x > 0:
			continue
		}
		x += Tensor(i) + 1
	}
	return x + y
}

func SwitchLabelled(x, y Tensor) Tensor {
loop:
	for x < 4 {
		x += 0.4
		switch {
		case y > 2:
			break loop
		case y > 1:
			y += x
			if y > 3 {
				break
			}
			continue loop
		case y < -2:
			return x + y
		}
		y += 0.3
	}
	return x + 10*y
}

func SwitchFromLoop(x, y Tensor) Tensor {
sw:
	switch {
	case x > 0:
		for i := range 3 {
			if i == 2 {
				break sw
			}
			x += y
		}
		y = 7
	case x < -2:
		for y < 5 {
			y += 1
			if y > x+6 {
				break sw
			}
		}
		x = 3
	default:
		for range 4 {
			x += 0.5
			if x > y {
				break sw
			}
		}
		y = 1
	}
	return x*3 + y
}

func StaticSwitch(x Tensor) Tensor {
	for i := range 4 {
		switch i {
		case 0:
			if x > 1 {
				break
			}
			x -= 1
		case 1:
			if i == 1 {
				break
			}
			x = 100
		case 2:
			if x < 0 {
				return x * 7
			}
		default:
			x += 2
		}
		x *= 1.5
	}
	return x
}

func Bisect(x Tensor) Tensor {
	lo, hi := Tensor(-10.0), Tensor(10.0)
	for range 60 {
		mid := (lo + hi) / 2
		f := mid*mid*mid - x
		if Abs(f) < 1e-9 {
			return mid
		}
		if f > 0 {
			hi = mid
		} else {
			lo = mid
		}
	}
	return (lo + hi) / 2
}

func pair(x, y Tensor) (Tensor, Tensor) {
	for i, w := range []Tensor{x, y, x + y} {
		if w > 1 {
			return w, Tensor(i)
		}
		for _, f := range [2]float64{0.5, 2} {
			y += w * Tensor(f)
			if y > 3 {
				return x, y
			}
		}
	}
	return x, 5
}

func Pair(x, y Tensor) Tensor {
	a, b := pair(x, y)
	return a + 10*b
}

func Forever(x Tensor) Tensor {
	for i := 0; i < 9; i++ {
		x += 1
		if i == 3 {
			return x
		}
		for j := range 2 {
			x += Tensor(j)
			if x > 4 {
				return -x
			}
		}
	}
	return x
}

func named(x, y Tensor) (sum Tensor, n Tensor) {
	for i := range 3 {
		sum += x
		if sum > y {
			n = Tensor(i)
			return
		}
	}
	n = 3
	return
}

func Named(x, y Tensor) Tensor { s, n := named(x, y); return s + 10*n }

func StaticReturnAfterBreak(x, y Tensor) Tensor {
	for i := range 3 {
		for j := range 3 {
			if x > Tensor(j) {
				break
			}
			if j == 2 {
				return x + Tensor(i)
			}
			x += 0.3
		}
		x -= y
	}
	return x
}
