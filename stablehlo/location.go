package stablehlo

// Location reports where in the user's program an op comes from: loc(…) in text.
// A nil Location is unknown.
type Location interface {
	isLocation()
}

// FileLoc is a range in a file: "gen.py":140:21 to :73. End values are 0 for a point.
type FileLoc struct {
	File            string
	Line, Col       int
	EndLine, EndCol int
}

// NameLoc is a name with an optional child location: "jit(f)/add"(…).
type NameLoc struct {
	Name  string
	Child Location
}

// CallSiteLoc is a location in a callee with the location of its caller.
type CallSiteLoc struct{ Callee, Caller Location }

// FusedLoc is a set of locations with optional metadata.
type FusedLoc struct {
	Metadata Attr
	Locs     []Location
}

func (*FileLoc) isLocation()     {}
func (*NameLoc) isLocation()     {}
func (*CallSiteLoc) isLocation() {}
func (*FusedLoc) isLocation()    {}

// FileOf returns the place in a file that a location gives, below names, nil where it gives none: of a call that of the
// callee, of a set the first.
func FileOf(l Location) *FileLoc {
	switch l := l.(type) {
	case *FileLoc:
		return l
	case *NameLoc:
		return FileOf(l.Child)
	case *CallSiteLoc:
		return FileOf(l.Callee)
	case *FusedLoc:
		for _, x := range l.Locs {
			if f := FileOf(x); f != nil {
				return f
			}
		}
	}
	return nil
}

// SameLocation reports whether two locations are equal in every part.
func SameLocation(a, b Location) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil {
		return false
	}
	var t locTable
	return t.id(a) == t.id(b)
}
