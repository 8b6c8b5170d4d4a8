// Package layout keeps the labels and the constants of code while an assembler of any processor writes it.
package layout

// Labels are positions in code, numbered from 1.
type Labels struct{ offsets []int }

// New returns a label that is not bound yet.
func (l *Labels) New() int {
	l.offsets = append(l.offsets, -1)
	return len(l.offsets)
}

// Has reports whether New has returned the label.
func (l *Labels) Has(label int) bool { return label > 0 && label <= len(l.offsets) }

// Bind binds a label to an offset. It returns false if the label is not of this code, or is already bound.
func (l *Labels) Bind(label, offset int) bool {
	if !l.Has(label) || l.offsets[label-1] >= 0 {
		return false
	}
	l.offsets[label-1] = offset
	return true
}

// Offset returns where the label is bound, -1 if it is not. The label must be of this code.
func (l *Labels) Offset(label int) int { return l.offsets[label-1] }

// Pool are constants after code; equal ones are shared.
type Pool struct {
	Bytes   []byte
	offsets map[string]int
}

// Add returns the offset of constant bytes in the pool. They are aligned to their size rounded up to a power of two, at
// most maxAlign.
func (p *Pool) Add(data []byte, maxAlign int) int {
	if at, ok := p.offsets[string(data)]; ok {
		return at
	}
	align := 1
	for align < len(data) && align < maxAlign {
		align *= 2
	}
	for len(p.Bytes)%align != 0 {
		p.Bytes = append(p.Bytes, 0)
	}
	at := len(p.Bytes)
	p.Bytes = append(p.Bytes, data...)
	if p.offsets == nil {
		p.offsets = map[string]int{}
	}
	p.offsets[string(data)] = at
	return at
}
