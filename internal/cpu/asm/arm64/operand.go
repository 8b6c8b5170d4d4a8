package arm64

import (
	"math"
	"math/bits"
)

// encode returns the bits of an operand, and whether the operand accepts it.
func (f *form) encode(o *operand, a *Arg) (uint32, bool) {
	put := func(letter byte, n int64) (uint32, bool) {
		p := f.fields[letter]
		return p.put(uint32(n)), n >= 0 && n < 1<<len(p)
	}
	putSigned := func(letter byte, n int64) (uint32, bool) {
		p := f.fields[letter]
		half := int64(1) << (len(p) - 1)
		return p.put(uint32(n)), n >= -half && n < half
	}
	if a.Kind != o.argKind() {
		return 0, false
	}
	switch o.kind {
	case register, element, list, shifted, rotated, extended:
		return f.encodeReg(o, a)
	case unsigned:
		if a.Val%o.scale != 0 || a.Ext != NoExtend {
			return 0, false
		}
		if o.signed {
			return putSigned(o.letter, a.Val/o.scale)
		}
		return put(o.letter, a.Val/o.scale)
	case constant:
		return 0, a.Val == o.scale && a.Ext == NoExtend
	case zeroFloat:
		return 0, a.Val == 0
	case shiftedImm:
		w, ok := put(o.letter, a.Val)
		s, okShift := put(o.shift, int64(a.Amount)/o.scale)
		isShift := a.Ext == LSL && a.Amount != 0 || a.Ext == NoExtend && a.Amount == 0
		return w | s, ok && okShift && isShift && int64(a.Amount)%o.scale == 0
	case arithImm:
		if a.Ext != NoExtend || a.Val < 0 || a.Val >= 1<<24 || a.Val >= 1<<12 && a.Val&0xfff != 0 {
			return 0, false
		}
		if a.Val < 1<<12 {
			return put(o.letter, a.Val)
		}
		w, ok := put(o.letter, a.Val>>12)
		return w | f.fields['s'].put(1), ok
	case bitMask:
		n, ok := encodeBitMask(uint64(a.Val), 8*o.class.Bytes())
		return f.fields[o.letter].put(n), ok
	case byteMask:
		n, ok := encodeByteMask(uint64(a.Val))
		return f.fields[o.letter].put(n), ok
	case float8:
		n, ok := encodeFloat8(math.Float64frombits(uint64(a.Val)))
		return f.fields[o.letter].put(n), ok
	case shiftRight, shiftLeft:
		width := int64(8 * f.element)
		n := width + a.Val
		if o.kind == shiftRight {
			n = 2*width - a.Val
		}
		return f.fields[o.letter].put(uint32(n)), n >= width && n < 2*width && a.Ext == NoExtend
	case codeOffset:
		w, ok := putSigned(o.letter, a.Val/4)
		return w, ok && a.Val%4 == 0
	case codeBytes:
		w, ok := putSigned('i', a.Val>>2)
		return w | f.fields['l'].put(uint32(a.Val)&3), ok
	case condition:
		w, ok := put(o.letter, int64(a.Cond))
		return w, ok && a.Cond <= AL
	case sysReg:
		return put(o.letter, a.Val)
	}
	return f.encodeMemory(o, a, put, putSigned)
}

// argKind returns the kind of the arguments that the operand accepts.
func (o *operand) argKind() Kind {
	switch {
	case o.kind == list:
		return ListArg
	case o.kind <= extended:
		return RegArg
	case o.kind == zeroFloat || o.kind == float8:
		return FloatArg
	case o.kind == condition:
		return CondArg
	case o.kind >= memory:
		return MemArg
	}
	return ImmArg
}

// hasClass reports whether a register is of a class. The classes of stack pointers also have the general registers
// besides the zero register.
func hasClass(r Reg, c Class) bool {
	switch c {
	case ClassSP:
		return r == SP || r.Class() == ClassX && r != XZR
	case ClassWSP:
		return r == WSP || r.Class() == ClassW && r != WZR
	}
	return r.Class() == c
}

func (f *form) encodeReg(o *operand, a *Arg) (uint32, bool) {
	p := f.fields[o.letter]
	n := a.Reg.Num()
	w := p.put(uint32(n))
	if n >= 1<<len(p) {
		return 0, false
	}
	if o.kind == extended {
		wide := a.Ext == UXTX || a.Ext == SXTX
		ok := a.Ext >= UXTB && a.Amount <= 4 && a.Reg.Class() == extendedClass(o.class, wide)
		w |= f.fields['o'].put(uint32(a.Ext-UXTB)) | f.fields['i'].put(uint32(a.Amount))
		return w, ok && (o.class == ClassX || !wide)
	}
	if !hasClass(a.Reg, o.class) {
		return 0, false
	}
	if o.lanes != "" {
		lane := uint32(a.Lane)
		for i := len(o.lanes) - 1; i >= 0; i-- {
			q := f.fields[o.lanes[i]]
			w |= q.put(lane & (1<<len(q) - 1))
			lane >>= len(q)
		}
		if lane != 0 {
			return 0, false
		}
	} else if a.Lane != 0 {
		return 0, false
	}
	switch o.kind {
	case list:
		return w, int(a.Count) == o.count
	case shifted, rotated:
		if a.Ext == NoExtend {
			return w, a.Amount == 0
		}
		ok := a.Ext <= ASR || a.Ext == ROR && o.kind == rotated
		// A shift by 0 to the left is none.
		ok = ok && int(a.Amount) < 8*o.class.Bytes() && (a.Ext != LSL || a.Amount != 0)
		return w | f.fields['t'].put(uint32(a.Ext-LSL)) | f.fields['i'].put(uint32(a.Amount)), ok
	}
	return w, a.Ext == NoExtend
}

// extendedClass returns the class of a register that is extended to another class.
func extendedClass(to Class, wide bool) Class {
	if to == ClassX && wide {
		return ClassX
	}
	return ClassW
}

func (f *form) encodeMemory(o *operand, a *Arg, put, putSigned func(byte, int64) (uint32, bool)) (uint32, bool) {
	if !hasClass(a.Reg, ClassSP) || a.Mode != o.mode {
		return 0, false
	}
	base := f.fields['n'].put(uint32(a.Reg.Num()))
	switch o.kind {
	case memory:
		if a.Index != 0 || a.Val%o.scale != 0 {
			return 0, false
		}
		if o.signed {
			w, ok := putSigned('i', a.Val/o.scale)
			return base | w, ok
		}
		w, ok := put('i', a.Val/o.scale)
		return base | w, ok
	case memoryFixed:
		return base, a.Index == 0 && a.Val == o.scale
	case memoryAfter:
		return base | f.fields['m'].put(uint32(a.Index.Num())), a.Index.Class() == ClassX && a.Index != XZR
	}
	var option uint32
	switch {
	case a.Ext == LSL && a.Index.Class() == ClassX:
		option = 3
	case a.Ext == SXTX && a.Index.Class() == ClassX, (a.Ext == UXTW || a.Ext == SXTW) && a.Index.Class() == ClassW:
		option = uint32(a.Ext - UXTB)
	default:
		return 0, false
	}
	w := base | f.fields['m'].put(uint32(a.Index.Num())) | f.fields['o'].put(option)
	if a.Amount != 0 {
		w |= f.fields['s'].put(1)
	}
	return w, a.Amount == 0 || o.scale > 1 && 1<<a.Amount == o.scale
}

// decode returns an operand of a word that has the fixed bits of the form.
func (f *form) decode(o *operand, w uint32) Arg {
	get := func(letter byte) int64 { return int64(f.fields[letter].get(w)) }
	getSigned := func(letter byte) int64 {
		gap := 64 - len(f.fields[letter])
		return get(letter) << gap >> gap
	}
	a := Arg{Kind: o.argKind()}
	switch o.kind {
	case register, element, list, shifted, rotated, extended:
		f.decodeReg(o, w, &a)
	case unsigned:
		a.Val = get(o.letter) * o.scale
		if o.signed {
			a.Val = getSigned(o.letter) * o.scale
		}
	case constant:
		a.Val = o.scale
	case shiftedImm:
		a = Lsl(get(o.letter), int(get(o.shift)*o.scale))
	case arithImm:
		a.Val = get(o.letter) << (12 * get('s'))
	case bitMask:
		a.Val = int64(decodeBitMask(uint32(get(o.letter)), 8*o.class.Bytes()))
	case byteMask:
		a.Val = int64(decodeByteMask(uint32(get(o.letter))))
	case float8:
		a.Val = int64(math.Float64bits(decodeFloat8(uint32(get(o.letter)))))
	case shiftRight:
		a.Val = int64(16*f.element) - get(o.letter)
	case shiftLeft:
		a.Val = get(o.letter) - int64(8*f.element)
	case codeOffset:
		a.Val = 4 * getSigned(o.letter)
	case codeBytes:
		a.Val = getSigned('i')<<2 | get('l')
	case condition:
		a.Cond = Cond(get(o.letter))
	case sysReg:
		a.Val = get(o.letter)
	default:
		f.decodeMemory(o, w, &a, getSigned)
	}
	return a
}

// numbered returns register n of a class; a general register where the class is a stack pointer's and n is not its.
func numbered(c Class, n int) Reg {
	if n != 31 {
		switch c {
		case ClassSP:
			c = ClassX
		case ClassWSP:
			c = ClassW
		}
	}
	return MakeReg(c, n)
}

func (f *form) decodeReg(o *operand, w uint32, a *Arg) {
	n := int(f.fields[o.letter].get(w))
	if o.kind == extended {
		a.Ext = UXTB + Extend(f.fields['o'].get(w))
		a.Amount = uint8(f.fields['i'].get(w))
		a.Reg = MakeReg(extendedClass(o.class, a.Ext == UXTX || a.Ext == SXTX), n)
		return
	}
	a.Reg = numbered(o.class, n)
	for _, l := range []byte(o.lanes) {
		q := f.fields[l]
		a.Lane = a.Lane<<len(q) | int8(q.get(w))
	}
	switch o.kind {
	case list:
		a.Count = uint8(o.count)
	case shifted, rotated:
		a.Ext, a.Amount = LSL+Extend(f.fields['t'].get(w)), uint8(f.fields['i'].get(w))
		if a.Ext == LSL && a.Amount == 0 {
			a.Ext = NoExtend
		}
	}
}

func (f *form) decodeMemory(o *operand, w uint32, a *Arg, getSigned func(byte) int64) {
	a.Mode, a.Reg = o.mode, numbered(ClassSP, int(f.fields['n'].get(w)))
	index := int(f.fields['m'].get(w))
	switch o.kind {
	case memory:
		a.Val = int64(f.fields['i'].get(w)) * o.scale
		if o.signed {
			a.Val = getSigned('i') * o.scale
		}
	case memoryFixed:
		a.Val = o.scale
	case memoryAfter:
		a.Index = X(index)
	case memoryIndex:
		a.Index, a.Ext = X(index), LSL
		switch option := f.fields['o'].get(w); option {
		case 2, 6:
			a.Index, a.Ext = W(index), UXTB+Extend(option)
		case 7:
			a.Ext = SXTX
		}
		if f.fields['s'].get(w) != 0 {
			a.Amount = uint8(bits.TrailingZeros64(uint64(o.scale)))
		}
	}
}
