package rt

// ScanOp is an operation that scans combine elements by.
type ScanOp uint8

// The operations of scans that a tier may have.
const (
	ScanSum ScanOp = iota
	ScanProd
	NumScanOps
)

// ScanSteps are the steps of cumulative sums and products that a tier has.
type ScanSteps interface {
	// Step returns that of elements of the type of like, nil where there is none.
	Step(op ScanOp, like any) ScanStep
}

// A ScanStep is what scans of elements of one type by an operation are made of. It is safe for
// concurrent use. Its order is that of package kernels: groups of 16 elements. Elements are bytes.
type ScanStep interface {
	// Line sets dst[i] to carry·(src[0]·…·src[i]), or with reverse to carry·(src[i]·…·src[n-1]).
	// Dst and src have the same length and may be the same.
	Line(dst, src, carry []byte, reverse bool)
	// Shift sets dst[i] to by·dst[i].
	Shift(dst, by []byte)
	// Rows scans rows of the length of before, which begin at the bytes at, at+step, …: each of dst is set
	// to the one before it times that of src, the first to before times that of src. Step may be negative.
	Rows(dst, src []byte, at, step, rows int, before []byte)
}
