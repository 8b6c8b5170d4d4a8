package arm64

import "math/rand/v2"

// Sample is a random instruction for tests.
type Sample struct {
	Inst
	Row   int // number of the table row
	Needs Feature
}

// Samples returns n instructions of every form of every row. Some may be encoded by another form.
func Samples(r *rand.Rand, n int) []Sample {
	var all []Sample
	t := tableOnce()
	for i, f := range t.forms {
		for range n {
			in, ok := f.sample(r)
			for tries := 0; !ok && tries < 10000; tries++ {
				in, ok = f.sample(r)
			}
			if !ok {
				panic("arm64: no instruction has the form " + t.rows[t.rowOf[i]].operands)
			}
			all = append(all, Sample{in, t.rowOf[i], f.feat})
		}
	}
	return all
}

// Rows returns the number of rows of the table.
func Rows() int { return len(tableOnce().rows) }

// sample returns a random instruction of the form: it decodes random bits.
func (f *form) sample(r *rand.Rand) (Inst, bool) {
	w := r.Uint32()
	if r.IntN(2) == 0 {
		w &= r.Uint32() // few ones: plain shifts, small numbers
	}
	w = w&^f.fixed | f.value
	in := Inst{Op: f.op}
	for i := range f.args {
		in.Args[i] = f.decode(&f.args[i], w)
	}
	encoded, g, err := in.word()
	return in, err == nil && g == f && encoded == w
}
