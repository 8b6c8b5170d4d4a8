package rt

// ScanOp is an operation that scans combine elements by.
type ScanOp uint8

// The operations of scans that a tier may have.
const (
	ScanSum ScanOp = iota
	ScanProd
	NumScanOps
)

// Scans are the steps of cumulative sums and products that a tier has.
type Scans interface {
	// Step returns the [ScanStep] of elements of the type of like, nil where there is none.
	Step(op ScanOp, like any) any
}

// A ScanStep is what scans of elements of type T by an operation are made of. It is safe for
// concurrent use. Its order is that of package kernels: groups of 16 elements.
type ScanStep[T any] interface {
	// Line sets dst[i] to carry·(src[0]·…·src[i]), or with reverse to carry·(src[i]·…·src[n-1]), and
	// returns the one that has all. Dst and src have the same length and may be the same.
	Line(dst, src []T, carry T, reverse bool) T
	// Shift sets dst[i] to by·dst[i].
	Shift(dst []T, by T)
	// Rows scans rows of the length of before, which begin at at, at+step, …: each of dst is set to the
	// one before it times that of src, the first to before times that of src. Step may be negative.
	Rows(dst, src []T, at, step, rows int, before []T)
}
