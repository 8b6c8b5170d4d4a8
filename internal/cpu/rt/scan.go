package rt

// ScanOp is the operation of a scan.
type ScanOp uint8

// The operations of scans that a tier may have.
const (
	ScanSum ScanOp = iota
	ScanProd
	NumScanOps
)

// ScanSteps are the cumulative sums and products of a tier.
type ScanSteps interface {
	// Step returns the step for elements of the type of like, nil if there is none.
	Step(op ScanOp, like any) ScanStep
}

// A ScanStep scans elements of one type by an operation. It is safe for concurrent use. Its order is that of package
// kernels: groups of 16 elements. Elements are bytes.
type ScanStep interface {
	// Line sets dst[i] to carry·(src[0]·…·src[i]), or with reverse to carry·(src[i]·…·src[n-1]). dst and src have the
	// same length and may be the same.
	Line(dst, src, carry []byte, reverse bool)
	// Shift sets dst[i] to by·dst[i].
	Shift(dst, by []byte)
	// Rows scans rows of len(before) bytes at offsets at, at+step, …: each row of dst is the row before it combined
	// with that of src, the first one before combined with the first of src. step may be negative.
	Rows(dst, src []byte, at, step, rows int, before []byte)
}
