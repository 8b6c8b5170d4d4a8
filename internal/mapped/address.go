package mapped

import "runtime"

// AnyAddress reports whether the processor loads and stores elements at any address, so
// that those of a file can be computed with where they lie. Elsewhere, what does not
// begin at a multiple of the element's size is to be copied.
const AnyAddress = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64"
