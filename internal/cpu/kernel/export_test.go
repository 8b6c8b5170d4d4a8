package kernel

import "flag"

var update = flag.Bool("update", false, "rewrite the files of testdata and the page of operations")

// Update reports whether files are to be rewritten.
func Update() bool { return *update }
