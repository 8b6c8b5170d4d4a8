package defs

import (
	"math"

	. "github.com/go-nx/nx/defn"
)

const (
	tau        = 2 * math.Pi
	two Tensor = 2
	big        = 1 << 40
)

// The operators, on tensors and constants.

func Arithmetic(a, b Tensor) Tensor { return (a+b)*(a-b)/2 - -a*+b }

func Constants(x Tensor) Tensor { return x*1.0/3 + tau*x - two/4 + big*x/(1<<41) + 4/2 }

func Compound(a, b Tensor) Tensor {
	a += b
	a *= 2
	a -= b / 4
	a /= 3
	a++
	b--
	return a * b
}

func Compare(a, b Tensor) Tensor {
	less := a < b
	near := !(a <= b-1 || a >= b+1)
	return Where(less, 1, 0) + Where(near, 10, 0) + Where(a == b, 100, 0) + Where(a != b && !less, 1000, 0)
}

func MinMax(a, b Tensor) Tensor { return max(a, b, 0) - min(a, b, 2, a*b) }

func Relation(a, b Tensor) Predicate { return a > b == (a > 0) }

func Converted(x Tensor, n int, f float64) Tensor {
	return Tensor(n)*x + Tensor(f) - Tensor(n+1)/Tensor(f)
}

func Huge(x Tensor) Tensor { return x * (1 << 70) / 1180591620717411303424 }

func Parity(x Tensor) Tensor { return Remainder(x, 2) }

// Switches and nested ifs.

func Sign3(x Tensor) Tensor {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	default:
		return 0
	}
}

func Bracket(income Tensor) (rate Tensor) {
	if income < 10 {
		rate = 0
	} else if income < 40 {
		rate = 0.2
	} else {
		rate = 0.4
	}
	return rate * income
}

func Nested(x, y Tensor) Tensor {
	if x > 0 {
		if y > 0 {
			return x * y
		}
		x = x + 1
	} else if y > 0 {
		x, y = y, x
	}
	if x > y {
		return x - y
	}
	return x + y
}

func Tagged(x Tensor) Tensor {
	switch y := x * 2; y {
	case 2, 4:
		return y
	case 6:
		y = 60
		return y + x
	}
	return -x
}

func Scope(x Tensor) Tensor {
	y := x
	if x > 1 {
		x := x * 10
		y += x
	}
	{
		x := y + 1
		y = x * x
	}
	return x + y
}

// Loops.

func Factorial(n Tensor) Tensor {
	product := Tensor(1.0)
	for i := Tensor(1); i <= n; i++ {
		product *= i
	}
	return product
}

func Fibonacci(n Tensor) Tensor {
	a, b := Tensor(0), Tensor(1)
	for range Steps(n) {
		a, b = b, a+b
	}
	return a
}

func Gcd(a, b Tensor) Tensor {
	for b != 0 {
		a, b = b, Remainder(a, b)
	}
	return a
}

func Sqrt2(x Tensor) Tensor {
	guess := max(x, 1)
	for {
		next := (guess + x/guess) / 2
		if Abs(next-guess) < 1e-9 {
			return next
		}
		guess = next
	}
}

func SumOdd(n Tensor) Tensor {
	var sum Tensor
	for i := Tensor(0); i < n; i++ {
		if Remainder(i, 2) == 0 {
			continue
		}
		sum += i
	}
	return sum
}

func FirstPower(x, limit Tensor) (power, steps Tensor) {
	power = 1
	for steps < 100 {
		if power*x > limit {
			break
		}
		power *= x
		steps += 1
	}
	return power, steps
}

func Grid(n Tensor) Tensor {
	var count Tensor
	for i := Tensor(1); i <= n; i++ {
		for j := Tensor(1); j <= n; j++ {
			if i*j > 2*n {
				break
			}
			count++
		}
	}
	return count
}

func Search(target Tensor) Tensor {
rows:
	for i := Tensor(1); i < 20; i++ {
		for j := Tensor(1); j < 20; j++ {
			if i*j == target {
				return 100*i + j
			}
			if j > i {
				continue rows
			}
			if i*j > 300 {
				break rows
			}
		}
	}
	return -1
}

func Unrolled(x Tensor) Tensor {
	for i := range 4 {
		x = x*2 + Tensor(i)
	}
	for i := 0; i < 3; i++ {
		if i == 1 {
			continue
		}
		x -= Tensor(i)
	}
	return x
}

func UnrolledBreak(x Tensor) Tensor {
	for i := range 6 {
		if x > 20 {
			break
		}
		if x < 0 {
			x = -x
			continue
		}
		x = x*2 + Tensor(i)
	}
	return x
}

func Temporary(x Tensor) Tensor {
	var t Tensor
	for i := range Steps(3) {
		t = x * (i + 1)
		x += t
	}
	return x
}
