package stablehlo

import "bytes"

// byteOrderMark is the mark that some editors write at the start of UTF-8; it is skipped.
var byteOrderMark = []byte("\xef\xbb\xbf")

// foreign holds the first bytes of files that are not text but are taken for it.
var foreign = []struct{ start, what string }{
	{"ML\xefR",
		"this is MLIR bytecode, not text: write it as text where it was made (jax.jit(f).lower(…).as_text(), stablehlo-translate --deserialize)"},
	{"\xff\xfe", "the text is UTF-16: save it as UTF-8"},
	{"\xfe\xff", "the text is UTF-16: save it as UTF-8"},
	{"PK\x03\x04", "this is a zip archive, not text"},
	{"\x1f\x8b", "this is a gzip file, not text: decompress it first"},
	{"\x7fELF", "this is an executable file, not text"},
}

// foreignText describes a file that cannot be text; "" when it may be.
func foreignText(text []byte) string {
	for _, f := range foreign {
		if bytes.HasPrefix(text, []byte(f.start)) {
			return f.what
		}
	}
	return ""
}
