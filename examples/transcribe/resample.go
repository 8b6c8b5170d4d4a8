package main

import "math"

// crossings is the number of zeros of the filter on each side, and sharpness the shape of its window: what is above
// half of the new rate is weaker by 100 dB.
const crossings, sharpness = 64, 10

// resample returns a sound at another rate. What is above half of the lower rate is filtered out: it would be heard as
// other tones.
//
// Source: J. Smith, "Digital audio resampling", 1984; J. Kaiser, "Nonrecursive digital filter design using the I0-sinh
// window function", 1974.
func (s *sound) resample(rate int) *sound {
	if rate == s.rate {
		return s
	}
	divisor := gcd(rate, s.rate)
	up, down := rate/divisor, s.rate/divisor
	cutoff := 0.95 * min(1, float64(rate)/float64(s.rate)) // of half of the old rate
	half := int(math.Ceil(crossings / cutoff))
	filters := make([][]float32, up) // by the place of a new sample between two old ones
	out := &sound{rate: rate, samples: make([]float32, (len(s.samples)*up+down-1)/down)}
	for i := range out.samples {
		at, phase := i*down/up, i*down%up
		if filters[phase] == nil {
			filters[phase] = filter(float64(phase)/float64(up), cutoff, half)
		}
		sum := float32(0)
		first := at - half + 1
		for j, weight := range filters[phase] {
			if k := first + j; k >= 0 && k < len(s.samples) {
				sum += weight * s.samples[k]
			}
		}
		out.samples[i] = sum
	}
	return out
}

// filter has the weights of the old samples from half-1 before to half behind a new one, which is at a fraction behind
// an old one.
func filter(fraction, cutoff float64, half int) []float32 {
	weights := make([]float64, 2*half)
	sum := 0.0
	for j := range weights {
		x := float64(j-half+1) - fraction
		inside := 1 - (x/float64(half))*(x/float64(half))
		if inside <= 0 {
			continue
		}
		y := cutoff
		if x != 0 {
			y = math.Sin(math.Pi*cutoff*x) / (math.Pi * x)
		}
		weights[j] = y * bessel0(sharpness*math.Sqrt(inside)) / bessel0(sharpness)
		sum += weights[j]
	}
	list := make([]float32, len(weights))
	for j, w := range weights {
		list[j] = float32(w / sum) // a constant sound stays as it is
	}
	return list
}

// bessel0 is the modified Bessel function of order 0, by its series.
func bessel0(x float64) float64 {
	sum, term := 1.0, 1.0
	for n := 1.0; term > sum*1e-16; n++ {
		term *= x * x / (4 * n * n)
		sum += term
	}
	return sum
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
