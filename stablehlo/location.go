package stablehlo

import "slices"

// Location says where in the user's program an op comes from: loc(…) in text.
// A nil Location is unknown.
type Location interface {
	isLocation()
}

// FileLoc is a place in a file: "gen.py":140:21 to :73. End values are 0 when
// the location is a point.
type FileLoc struct {
	File            string
	Line, Col       int
	EndLine, EndCol int
}

// NameLoc is a name with an optional place: "jit(f)/add"(…).
type NameLoc struct {
	Name  string
	Child Location
}

// CallSiteLoc is a place in a callee as reached from a caller.
type CallSiteLoc struct{ Callee, Caller Location }

// FusedLoc is several locations at once, with optional metadata.
type FusedLoc struct {
	Metadata Attr
	Locs     []Location
}

func (*FileLoc) isLocation()     {}
func (*NameLoc) isLocation()     {}
func (*CallSiteLoc) isLocation() {}
func (*FusedLoc) isLocation()    {}

// SameLocation reports whether two locations are equal in every part.
func SameLocation(a, b Location) bool {
	switch a := a.(type) {
	case *FileLoc:
		b, ok := b.(*FileLoc)
		return ok && (a == b || *a == *b)
	case *NameLoc:
		b, ok := b.(*NameLoc)
		return ok && (a == b || a.Name == b.Name && SameLocation(a.Child, b.Child))
	case *CallSiteLoc:
		b, ok := b.(*CallSiteLoc)
		return ok && (a == b || SameLocation(a.Callee, b.Callee) && SameLocation(a.Caller, b.Caller))
	case *FusedLoc:
		b, ok := b.(*FusedLoc)
		return ok && (a == b || SameAttr(a.Metadata, b.Metadata) && slices.EqualFunc(a.Locs, b.Locs, SameLocation))
	}
	return a == nil && b == nil
}
