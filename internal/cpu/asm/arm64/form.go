package arm64

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// row is a row of the table: an instruction, its operands, and the diagram of its bits.
//
// A diagram has 32 characters besides spaces: 0 and 1 are fixed, equal letters are a field, whose highest bit is first.
// Types, if there are any, are names of [makeTypes]; the row is then a form for each, in which the letters of the type
// are fixed.
//
// The operands are separated by spaces:
//
//	x:d w:d xs:n              general register in field d; xs has the stack pointer in place of the zero register
//	b:d h:d s:d d:d q:d       scalar of a vector register
//	8b:d … 2d:d               vector
//	r:d rs:d F:d E:d T:d W:d  register of the type: general, float, one element, the vector, its elements of twice the
//	L:d P:d B:d H:d           width, one such element, pairs of its elements, and its bytes or halves
//	g:d                       general register that holds an element of the type
//	eb:n[i] ed:m[hl]          element, by its number in the fields
//	{T:d}2 {es:d}1[j]         list
//	r:m<< r:m<<r r:m++        register shifted by fields t and i; also rotated; extended by fields o and i
//	#i #i*8 #~i               number in a field: as it is, scaled, signed
//	#=0 #=0.0 #=8             that number, which takes no bits
//	#i<<h*16                  number and a left shift
//	+i                        number of 12 bits, or shifted by 12, as field s says
//	&i %i ^i                  bit mask of field i, with the width of d; float of 8 bits; mask of bytes
//	>i <i                     right and left shift of elements of the type
//	@i @@                     offset of code: words; bytes, in fields i and l
//	?c                        condition
//	$i                        system register
//	[n] [n+i*8] [n~i] [n~i*8]! [n]~i [n,m*8] [n]#16 [n]m   memory
type row struct {
	op       Op
	operands string
	bits     string
	types    string
	feat     Feature
}

// form is a row for one of its types.
type form struct {
	op      Op
	feat    Feature
	value   uint32 // of the fixed bits
	fixed   uint32 // mask
	args    []operand
	fields  [128]field // by letter
	element int        // bytes of an element of the type
}

// field are the positions of the bits of a field, the highest first.
type field []uint8

// typ is what a type means for a row.
type typ struct {
	letters string // pairs of a letter and its bits: "q1 z01"
	classes map[string]Class
}

// makeTypes returns the types of rows: general registers and floats, pairs of them, and arrangements of vectors.
func makeTypes() map[string]typ {
	types := map[string]typ{
		"w":  {"f0", map[string]Class{"r": ClassW, "rs": ClassWSP}},
		"x":  {"f1", map[string]Class{"r": ClassX, "rs": ClassSP}},
		"h":  {"y11 z01", map[string]Class{"F": ClassH}},
		"s":  {"y00 z0", map[string]Class{"F": ClassS}},
		"d":  {"y01 z1", map[string]Class{"F": ClassD}},
		"wh": {"f0 y11", map[string]Class{"r": ClassW, "F": ClassH}},
		"ws": {"f0 y00", map[string]Class{"r": ClassW, "F": ClassS}},
		"wd": {"f0 y01", map[string]Class{"r": ClassW, "F": ClassD}},
		"xh": {"f1 y11", map[string]Class{"r": ClassX, "F": ClassH}},
		"xs": {"f1 y00", map[string]Class{"r": ClassX, "F": ClassS}},
		"xd": {"f1 y01", map[string]Class{"r": ClassX, "F": ClassD}},
	}
	for c := Class8B; c <= Class2D; c++ {
		bytes, elem := c.Bytes(), c.ElemBytes()
		size := map[int]string{1: "00", 2: "01", 4: "10", 8: "11"}[elem]
		// The one bit of the size of floats is the lower bit.
		t := typ{fmt.Sprintf("q%d z%s u%s", bytes/16, size, size[1:]), map[string]Class{
			"T": c, "B": arrangement(bytes, 1), "H": arrangement(bytes, 2),
			"E": scalar(elem), "g": ClassW,
		}}
		if elem == 8 {
			t.classes["g"] = ClassX
		} else {
			t.classes["W"], t.classes["P"] = arrangement(16, 2*elem), arrangement(bytes, 2*elem)
			t.classes["L"] = scalar(2 * elem)
		}
		types[strings.TrimPrefix(classNames[c][1], ".")] = t
	}
	return types
}

// scalar returns the class of scalars of a number of bytes.
func scalar(bytes int) Class {
	return map[int]Class{1: ClassB, 2: ClassH, 4: ClassS, 8: ClassD, 16: ClassQ}[bytes]
}

// operand is an operand of a form.
type operand struct {
	kind   operandKind
	class  Class
	letter byte   // of its field
	lanes  string // fields of the number of an element, the highest first
	count  int    // of the registers of a list
	scale  int64
	mode   Mode
	signed bool
	shift  byte // field of a shift
}

type operandKind uint8

const (
	register operandKind = iota
	element
	list
	shifted  // register with a shift
	rotated  // or a rotation
	extended // register with an extension
	unsigned
	constant
	zeroFloat
	shiftedImm
	arithImm
	bitMask
	byteMask
	float8
	shiftRight
	shiftLeft
	codeOffset
	codeBytes
	condition
	sysReg
	memory      // base and a number in a field
	memoryIndex // base and a register
	memoryFixed // base and a constant that is added afterwards
	memoryAfter // base and a register that is added afterwards
)

var tableOnce = sync.OnceValue(func() *table {
	t := &table{types: makeTypes(), byOp: make([][]*form, numOps), byTop: make([][]*form, 1<<11)}
	for _, rows := range [][]row{
		generalRows, branchRows, memoryRows(), structureRows(), floatRows, vectorRows(), wideRows(), narrowRows,
		permuteRows, immediateRows, elementRows,
	} {
		for i := range rows {
			t.add(&rows[i], len(t.rows))
			t.rows = append(t.rows, &rows[i])
		}
	}
	return t
})

// table is the table of forms.
type table struct {
	types map[string]typ
	rows  []*row
	forms []*form
	rowOf []int // of each form
	byOp  [][]*form
	byTop [][]*form // by the upper 11 bits of the word
}

func (t *table) add(r *row, number int) {
	names := strings.Fields(r.types)
	if len(names) == 0 {
		names = []string{""}
	}
	for _, name := range names {
		f := r.form(name, t.types)
		t.forms = append(t.forms, f)
		t.rowOf = append(t.rowOf, number)
		t.byOp[f.op] = append(t.byOp[f.op], f)
		for top := range uint32(len(t.byTop)) {
			if (top<<21^f.value)&f.fixed&^(1<<21-1) == 0 {
				t.byTop[top] = append(t.byTop[top], f)
			}
		}
	}
}

// form returns the form of the row for a type. It panics where the row is not well-formed, which tests find.
func (r *row) form(name string, types map[string]typ) *form {
	f := &form{op: r.op, feat: r.feat}
	ty, ok := types[name]
	if !ok && name != "" {
		panic(fmt.Sprintf("arm64: %s: no type %q", r.op, name))
	}
	if c := ty.classes["T"]; c != NoClass {
		f.element = c.ElemBytes()
	}
	if ty.classes["F"] == ClassH {
		f.feat |= FP16
	}
	diagram := strings.ReplaceAll(r.bits, " ", "")
	if len(diagram) != 32 {
		panic(fmt.Sprintf("arm64: %s %s: %d bits", r.op, r.operands, len(diagram)))
	}
	for i, c := range []byte(diagram) {
		bit := uint8(31 - i)
		switch c {
		case '1':
			f.value |= 1 << bit
			fallthrough
		case '0':
			f.fixed |= 1 << bit
		default:
			f.fields[c] = append(f.fields[c], bit)
		}
	}
	for _, l := range strings.Fields(ty.letters) {
		positions := f.fields[l[0]]
		if len(positions) == 0 {
			continue
		}
		n, err := strconv.ParseUint(l[1:], 2, 8)
		if err != nil {
			panic(err)
		}
		if len(positions) != len(l)-1 && len(l) > 2 {
			panic(fmt.Sprintf("arm64: %s %s: field %c has %d bits", r.op, r.operands, l[0], len(positions)))
		}
		for _, p := range positions { // a field of one bit may occur more than once
			f.fixed |= 1 << p
		}
		if len(l) == 2 {
			for _, p := range positions {
				f.value |= uint32(n) << p
			}
		} else {
			f.value |= positions.put(uint32(n))
		}
		f.fields[l[0]] = nil
	}
	for _, s := range strings.Fields(r.operands) {
		f.args = append(f.args, parseOperand(s, ty.classes))
	}
	return f
}

// put returns a number at the positions of the field.
func (p field) put(n uint32) uint32 {
	var w uint32
	for i, bit := range p {
		w |= n >> (len(p) - 1 - i) & 1 << bit
	}
	return w
}

// get returns the number at the positions of the field.
func (p field) get(w uint32) uint32 {
	var n uint32
	for _, bit := range p {
		n = n<<1 | w>>bit&1
	}
	return n
}

// classOf returns the class of a name in the operands of a row.
func classOf(name string, ofType map[string]Class) Class {
	if c, ok := ofType[name]; ok {
		return c
	}
	switch name {
	case "xs":
		return ClassSP
	case "ws":
		return ClassWSP
	case "eb", "eh", "es", "ed":
		return ElemB + Class(strings.IndexByte("bhsd", name[1]))
	case "e4b":
		return Elem4B
	case "e2h":
		return Elem2H
	}
	for c := range numClasses {
		if n := classNames[c]; c != NoClass && (n[0] == name || strings.TrimPrefix(n[1], ".") == name) {
			return c
		}
	}
	panic(fmt.Sprintf("arm64: no class %q", name))
}

// parseOperand reads an operand of a row.
func parseOperand(s string, classes map[string]Class) operand {
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			panic(err)
		}
		return n
	}
	o := operand{scale: 1}
	if strings.HasPrefix(s, "[n") {
		return parseMemory(s[2:], number)
	}
	if _, scale, ok := strings.Cut(s, "*"); ok {
		o.scale = number(scale)
		s, _, _ = strings.Cut(s, "*")
	}
	switch s[0] {
	case '{':
		class, rest, _ := strings.Cut(s[1:], ":")
		o.kind, o.class, o.letter, o.count = list, classOf(class, classes), rest[0], int(rest[2]-'0')
		o.lanes = strings.Trim(rest[3:], "[]")
		return o
	case '#':
		switch {
		case s == "#=0.0":
			o.kind = zeroFloat
		case s[1] == '=':
			o.kind, o.scale = constant, number(s[2:])
		case s[1] == '~':
			o.kind, o.letter, o.signed = unsigned, s[2], true
		case strings.Contains(s, "<<"):
			o.kind, o.letter, o.shift = shiftedImm, s[1], s[4]
		default:
			o.kind, o.letter = unsigned, s[1]
		}
		return o
	}
	if s == "@@" {
		o.kind = codeBytes
		return o
	}
	prefixes := map[byte]operandKind{
		'+': arithImm, '&': bitMask, '%': float8, '^': byteMask, '>': shiftRight, '<': shiftLeft, '@': codeOffset,
		'?': condition, '$': sysReg,
	}
	if kind, ok := prefixes[s[0]]; ok {
		o.kind, o.letter = kind, s[1]
		if kind == bitMask {
			o.class = classes["r"]
		}
		return o
	}
	class, rest, _ := strings.Cut(s, ":")
	o.class, o.letter = classOf(class, classes), rest[0]
	switch rest = rest[1:]; {
	case rest == "<<":
		o.kind = shifted
	case rest == "<<r":
		o.kind = rotated
	case rest == "++":
		o.kind = extended
	case strings.HasPrefix(rest, "["):
		o.kind, o.lanes = element, strings.Trim(rest, "[]")
	}
	return o
}

// parseMemory reads what follows the base of an operand in memory.
func parseMemory(s string, number func(string) int64) operand {
	o := operand{kind: memory, letter: 'n', scale: 1}
	if before, found := strings.CutSuffix(s, "!"); found {
		s, o.mode = before, PreIndex
	}
	inside, after, _ := strings.Cut(s, "]")
	if after != "" {
		inside, o.mode = after, PostIndex
	}
	inside, scale, found := strings.Cut(inside, "*")
	if found {
		o.scale = number(scale)
	}
	switch {
	case inside == "":
		o.kind, o.scale = memoryFixed, 0
	case inside[0] == '#':
		o.kind, o.scale = memoryFixed, number(inside[1:])
	case inside == "m":
		o.kind = memoryAfter
	case inside == ",m":
		o.kind = memoryIndex
	case inside[0] == '~':
		o.signed = true
	}
	return o
}
