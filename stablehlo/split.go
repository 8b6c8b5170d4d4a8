package stablehlo

import "bytes"

// Split cuts a file of several test programs at lines that start with "// -----". Line numbers in messages
// remain those of the file. A file without such lines is one source.
func Split(name string, text []byte) []*Source {
	var out []*Source
	start, line, startLine := 0, 0, 0
	for off := 0; off < len(text); line++ {
		end := len(text)
		if n := bytes.IndexByte(text[off:], '\n'); n >= 0 {
			end = off + n + 1
		}
		if bytes.HasPrefix(bytes.TrimLeft(text[off:end], " \t"), []byte("// -----")) {
			out = append(out, &Source{Name: name, Text: text[start:off:off], Line0: startLine})
			start, startLine = end, line+1
		}
		off = end
	}
	return append(out, &Source{Name: name, Text: text[start:], Line0: startLine})
}
