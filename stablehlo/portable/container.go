package portable

import (
	"bytes"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/go-nx/nx/stablehlo"
)

// magic is what MLIR bytecode starts with.
const magic = "ML\xefR"

// producer is the name of the producer of a portable artifact, up to its version.
const producer = "StableHLO_v"

// The versions of the container, named by their new feature.
const (
	dialectVersions    = 1
	isolatedSections   = 2
	useListOrders      = 3
	optionalLocations  = 4
	nativeProperties   = 5
	nativeSegmentSizes = 6
	newestContainer    = 6
)

// The sections of the container.
const (
	sectionStrings = iota
	sectionDialects
	sectionAttrTypes
	sectionAttrTypeOffsets
	sectionIR
	sectionResources
	sectionResourceOffsets
	sectionDialectVersions
	sectionProperties
	numSections
)

var sectionNames = [numSections]string{
	"strings", "dialects", "attributes and types", "offsets of attributes and types", "IR",
	"resources", "offsets of resources", "dialect versions", "properties",
}

// IsBytecode reports whether data start as MLIR bytecode does.
func IsBytecode(data []byte) bool {
	return len(data) >= len(magic) && string(data[:len(magic)]) == magic
}

// Header is the header of MLIR bytecode.
type Header struct {
	Container int    // the version of the bytecode format
	Producer  string // the tool that wrote it: "StableHLO_v1.9.0"
	// Version is the StableHLO version of a portable artifact; zero when the
	// producer wrote something else.
	Version stablehlo.Version
}

// ReadHeader reads the header of MLIR bytecode.
func ReadHeader(name string, data []byte) (h Header, err error) {
	r := &reader{name: name, data: data}
	defer r.recover(&err)
	r.header(&cursor{r, 0, len(data)})
	return r.Header, nil
}

func (r *reader) header(c *cursor) {
	if !IsBytecode(r.data) {
		c.fail("this is not MLIR bytecode: it does not start with %q", magic)
	}
	c.off = len(magic)
	v := c.varint()
	if v > newestContainer {
		c.fail("the bytecode has format version %d, the newest supported is %d: "+
			"write it for an older version", v, newestContainer)
	}
	r.Container = int(v)
	end := bytes.IndexByte(r.data[c.off:], 0)
	if end < 0 {
		c.fail("the name of the producer does not end")
	}
	r.Producer = string(c.bytes(uint64(end)))
	c.off++
	if text, ok := strings.CutPrefix(r.Producer, producer); ok {
		r.Version, _ = ParseVersion(text)
	}
}

// ParseVersion reads a StableHLO version: "1.9.0".
func ParseVersion(text string) (stablehlo.Version, error) {
	var v stablehlo.Version
	parts := strings.Split(text, ".")
	if len(parts) == 3 {
		for i, to := range []*int{&v.Major, &v.Minor, &v.Patch} {
			n, err := strconv.ParseUint(parts[i], 10, 16)
			if err != nil {
				parts = nil
				break
			}
			*to = int(n)
		}
	}
	if len(parts) != 3 {
		return stablehlo.Version{}, fmt.Errorf("a version must be three numbers as in 1.9.0, got %q", text)
	}
	return v, nil
}

// sections finds the sections, which stand one after another.
func (r *reader) sections(c *cursor) {
	for c.left() > 0 {
		at := c.off
		id, body := c.section()
		if id >= numSections {
			r.failAt(at, "there is no section %d", id)
		}
		if r.found[id] {
			r.failAt(at, "there are two sections of %s", sectionNames[id])
		}
		r.found[id], r.section[id] = true, *body
	}
	for _, id := range []int{sectionStrings, sectionDialects, sectionAttrTypes, sectionAttrTypeOffsets, sectionIR} {
		if !r.found[id] {
			c.fail("there is no section of %s", sectionNames[id])
		}
	}
}

// section reads the head of a section and passes over it.
func (c *cursor) section() (id byte, body *cursor) {
	id = c.byte()
	n := c.varint()
	if id&0x80 != 0 {
		at := c.off
		align := c.varint()
		if align == 0 || bits.OnesCount64(align) != 1 || align > 1<<20 {
			c.r.failAt(at, "the alignment of a section must be a power of two, got %d", align)
		}
		c.align(align)
	}
	off := c.off
	c.bytes(n)
	return id &^ 0x80, &cursor{c.r, off, c.off}
}

// align passes over the bytes before a multiple of align.
func (c *cursor) align(align uint64) {
	if rest := uint64(c.off) % align; rest != 0 {
		c.bytes(align - rest)
	}
}

// readStrings reads the table of strings: their lengths, the last one's first,
// with the zero that ends each.
func (r *reader) readStrings() {
	c := r.section[sectionStrings]
	n := c.count(2, "strings") // a length and a zero
	lens := make([]uint64, n)
	for i := range lens {
		lens[n-1-i] = c.varint()
	}
	all := string(r.data[c.off:c.end])
	start := c.off
	r.strings = make([]string, n)
	for i, l := range lens {
		if l == 0 {
			c.fail("a string has no end")
		}
		if b := c.bytes(l); b[l-1] != 0 {
			c.fail("string %d does not end with a zero", i)
		}
		r.strings[i] = all[c.off-start-int(l) : c.off-start-1]
	}
	c.done("the strings")
}

// opName is the name of an op in the table.
type opName struct {
	dialect    string
	name       string
	registered bool // its properties have a native encoding
}

func (r *reader) readDialects() {
	c := r.section[sectionDialects]
	n := c.count(1, "dialects")
	for range n {
		i, versioned := c.varint(), false
		if r.Container >= dialectVersions {
			i, versioned = i>>1, i&1 != 0
		}
		if i >= uint64(len(r.strings)) {
			c.fail("there is no string %d: there are %d", i, len(r.strings))
		}
		if versioned {
			c.section()
		}
		r.dialects = append(r.dialects, r.strings[i])
	}
	if r.Container >= optionalLocations {
		c.varint() // the number of names
	}
	for c.left() > 0 {
		dialect := r.dialects[c.index(len(r.dialects), "dialect")]
		for range c.count(1, "names of ops") {
			i, registered := c.varint(), true
			if r.Container >= nativeProperties {
				i, registered = i>>1, i&1 != 0
			}
			if i >= uint64(len(r.strings)) {
				c.fail("there is no string %d: there are %d", i, len(r.strings))
			}
			r.opNames = append(r.opNames, opName{dialect, r.strings[i], registered})
		}
	}
}

// readOffsets reads where each attribute and type stands.
func (r *reader) readOffsets() {
	c := r.section[sectionAttrTypeOffsets]
	body := r.section[sectionAttrTypes]
	attrs, types := c.count(1, "attributes"), c.count(1, "types")
	read := func(n int) []entry {
		list := make([]entry, 0, n)
		for len(list) < n {
			dialect := r.dialects[c.index(len(r.dialects), "dialect")]
			at := c.off
			k := c.count(1, "offsets")
			if k == 0 || k > n-len(list) {
				r.failAt(at, "a group has %d entries, but %d of %d remain", k, n-len(list), n)
			}
			for range k {
				size, custom := c.flagged()
				off := body.off
				body.bytes(size)
				list = append(list, entry{dialect: dialect, custom: custom, off: off, end: body.off})
			}
		}
		return list
	}
	r.attrs, r.types = read(attrs), read(types)
	c.done("the offsets of attributes and types")
	body.done("the attributes and types")
}

// readProperties finds the properties of ops.
func (r *reader) readProperties() {
	if !r.found[sectionProperties] {
		return
	}
	c := r.section[sectionProperties]
	for range c.count(1, "properties") {
		n := c.varint()
		off := c.off
		c.bytes(n)
		r.properties = append(r.properties, cursor{r, off, c.off})
	}
	c.done("the properties")
}

// resource is a named blob of bytes.
type resource struct {
	name string
	kind byte // 0 blob, 1 bool, 2 string
	body cursor
	set  bool
}

// readResources finds the resources of dialects, in the order in which they are
// numbered.
func (r *reader) readResources() {
	if !r.found[sectionResourceOffsets] {
		return
	}
	c := r.section[sectionResourceOffsets]
	var body cursor
	if r.found[sectionResources] {
		body = r.section[sectionResources]
	} else {
		body = cursor{r, c.end, c.end}
	}
	external := c.count(2, "groups of resources")
	for group := 0; c.left() > 0; group++ {
		if group < external {
			c.index(len(r.strings), "string")
		} else {
			c.index(len(r.dialects), "dialect")
		}
		for range c.count(3, "resources") {
			name := r.strings[c.index(len(r.strings), "string")]
			size := c.varint()
			kind := c.byte()
			off := body.off
			body.bytes(size)
			if group >= external {
				r.resources = append(r.resources, resource{name, kind, cursor{r, off, body.off}, size > 0})
			}
		}
	}
}

// blob returns the bytes of a resource.
func (res *resource) blob() []byte {
	c := res.body
	if res.kind != 0 || !res.set {
		c.fail("resource %q has no bytes: it was left out when the program was written; "+
			"export it without eliding constants", res.name)
	}
	at := c.off
	align := c.varint()
	n := c.varint()
	if align == 0 || bits.OnesCount64(align) != 1 || align > 1<<20 {
		c.r.failAt(at, "the alignment of a resource must be a power of two, got %d", align)
	}
	// The alignment counts from the start of the section's data in the file; the bytes before the aligned
	// offset are padding.
	if pad := uint64(c.left()); pad < n {
		c.fail("resource %q ends too early", res.name)
	}
	c.off = c.end - int(n)
	return c.bytes(n)
}
