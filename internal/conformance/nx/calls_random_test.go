package nx_test

import (
	"math"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/random"
)

// drawn makes a function of Nx that splits its key before it draws, and returns the next
// key; that of the name with _split draws with the key itself.
func drawn(name string, draw func(c *recorded, key nx.Tensor) nx.Tensor) map[string]func(c *recorded) any {
	return map[string]func(c *recorded) any{
		"Random." + name: func(c *recorded) any {
			keys := random.Split(c.t(0), 2)
			first := nx.Squeeze(keys.At(0))
			return tuple{draw(c, nx.Squeeze(keys.At(1))), first}
		},
		"Random." + name + "_split": func(c *recorded) any { return draw(c, c.t(0)) },
	}
}

// shapeOption returns the shape of an option, by default a scalar.
func shapeOption(o map[string]any) nx.Shape {
	if v, ok := o["shape"]; ok {
		return shapeArgument(v)
	}
	return nx.Shape{}
}

// numbers returns two numbers that are arguments, and the type of results: tensors count with their type.
func (c *recorded) range2(lo, hi float64) (float64, float64, nx.DType) {
	d := nx.F32
	at := []*float64{&lo, &hi}
	for i, p := range at {
		if i+1 >= len(c.Args) {
			break
		}
		switch v := c.Args[i+1].(type) {
		case nx.Tensor:
			*p = nx.Item[float64](v)
			if v.DType().IsFloat() {
				d = v.DType()
			}
		case []any:
		default:
			*p = floatOf(v)
		}
	}
	return lo, hi, d
}

var nxRandom = func() map[string]func(c *recorded) any {
	out := map[string]func(c *recorded) any{
		"Random.key": func(c *recorded) any {
			switch v := c.Args[0].(type) {
			case int64:
				return random.Key(v)
			case uint64:
				return random.Key(int64(v))
			case nx.Tensor:
				if !v.DType().IsInteger() {
					refuse("a seed is an int64")
				}
				return random.Key(nx.Item[int64](v))
			}
			refuse("a seed is an int64")
			return nil
		},
		"Random.threefry2x32_20_concat": func(c *recorded) any { // mixes pairs of words into a key
			words := nx.Cast(c.t(0), nx.U64)
			if words.Rank() != 2 || words.Shape()[0] != 2 || c.t(0).DType() != nx.U32 {
				refuse("two rows of words")
			}
			keys := random.FoldIn(c.t(1), nx.Add(nx.LeftShift(words.At(0), 32), words.At(1)))
			return nx.Flatten(nx.Transpose(keys))
		},
		"Random.split": func(c *recorded) any {
			n := 2
			if v, ok := c.options("parts")["parts"]; ok {
				n = toInt(v)
			}
			return random.Split(c.t(0), n)
		},
		"Random.fold_in": func(c *recorded) any {
			if n, ok := c.Args[1].(int64); ok {
				return random.FoldIn(c.t(0), int32(n))
			}
			return random.FoldIn(c.t(0), c.t(1))
		},
		"Random.shuffle": func(c *recorded) any {
			o, key, t := c.options("axis", "independent"), c.t(0), c.t(1)
			axis := 0
			if v, ok := o["axis"]; ok {
				axis = toInt(v)
			}
			size := nx.AxisSize(t, axis)
			if isTrue(o["independent"]) {
				size = t.Size()
			}
			next := key
			for range int(math.Ceil(3 * math.Log(float64(size)) / math.Log(math.MaxUint32))) {
				next = random.Split(next, 2).At(0)
			}
			return tuple{random.Permutation(key, t, axis, isTrue(o["independent"])), next}
		},
		"Random.choice": func(c *recorded) any {
			o, keys, t := c.options("samples", "replace", "axis"), random.Split(c.t(0), 2), c.t(1)
			n, replace := 1, true
			if v, ok := o["samples"]; ok {
				n = toInt(v)
			}
			if v, ok := o["replace"]; ok {
				replace = isTrue(v)
			}
			var p nx.Tensor
			if len(c.Args) > 2 {
				if q, ok := c.Args[2].(nx.Tensor); ok {
					p = q
				}
			}
			key := keys.At(1)
			if p.IsZero() && !replace { // Nx shuffles with the key itself
				key = c.t(0)
			}
			v, ok := o["axis"]
			if !ok {
				return tuple{random.Choice(key, nx.Flatten(t), n, replace, p), keys.At(0)}
			}
			perm := []int{toInt(v)}
			for i := range t.Rank() {
				if i != perm[0] {
					perm = append(perm, i)
				}
			}
			back := make([]int, len(perm))
			for i, q := range perm {
				back[q] = i
			}
			return tuple{nx.Transpose(random.Choice(key, nx.Transpose(t, nx.Axis(perm...)), n, replace, p),
				nx.Axis(back...)),
				keys.At(0)}
		},
	}
	add := func(m map[string]func(c *recorded) any) {
		for k, f := range m {
			out[k] = f
		}
	}
	add(drawn("uniform", func(c *recorded, key nx.Tensor) nx.Tensor {
		o := c.options("shape", "type", "names")
		lo, hi, d := c.range2(0, 1)
		return named(random.Uniform(key, lo, hi, shapeOption(o), typeOr(o, d)), o["names"])
	}))
	add(drawn("normal", func(c *recorded, key nx.Tensor) nx.Tensor {
		o := c.options("shape", "type", "names")
		mean, deviation, d := c.range2(0, 1)
		return named(random.Normal(key, mean, deviation, shapeOption(o), typeOr(o, d)), o["names"])
	}))
	add(drawn("randint", func(c *recorded, key nx.Tensor) nx.Tensor {
		o := c.options("shape", "type", "names")
		lo, hi, _ := c.range2(0, 0)
		d := nx.S32
		if t, ok := c.Args[1].(nx.Tensor); ok {
			d = t.DType()
		}
		return named(random.RandInt(key, int64(lo), int64(hi), shapeOption(o), typeOr(o, d)), o["names"])
	}))
	add(drawn("gumbel", func(c *recorded, key nx.Tensor) nx.Tensor {
		o := c.options("shape", "type")
		return random.Gumbel(key, shapeOption(o), typeOr(o, nx.F32))
	}))
	add(drawn("multivariate_normal", func(c *recorded, key nx.Tensor) nx.Tensor {
		o := c.options("shape", "type", "names", "method")
		d := nx.F32
		if t := c.t(1).DType(); t.IsFloat() {
			d = t
		}
		return named(random.MultivariateNormal(key, c.t(1), c.t(2), shapeOption(o), typeOr(o, d)), o["names"])
	}))
	return out
}()
