package lapack

// The thresholds of the package, each with its unit and its reason. "See" names the section of
// docs/rationale/kernels.md that has the reason at length, and figures if there are some; where none is named, no
// measurement is recorded.

const (
	// minDivideSize is the number of rows from which matrices are diagonalised by divide and conquer: smaller ones
	// by rotations. See "Why are eigenvectors and singular vectors found by divide and conquer?"
	minDivideSize = 48

	// maxSteps is the maximum number of QR steps per eigenvalue; three are usual. Guard against matrices that do
	// not converge.
	maxSteps = 60

	// maxStrictSteps is the number of steps in which a singular value must converge to its own last digits; later
	// it may converge to those of the norm of the matrix. Guard.
	maxStrictSteps = 8
)
