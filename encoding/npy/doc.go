// Package npy reads and writes NumPy's array files: .npy, which holds one
// array, and .npz, a zip archive of them.
//
//	a, err := npy.ReadFile("x.npy")          // a.Shape, a.DType, a.Data
//	err = npy.WriteFile("y.npy", a)
//
//	f, err := npy.Open("large.npy")          // reads the header only
//	r := f.Section()                         // the elements in the file
//
//	z, err := npy.OpenZip("weights.npz")     // reads the directory only
//	w, err := z.Array("layer0/w")            // reads one array
//
// # What is read
//
// Format versions 1, 2 and 3; dtypes bool, i1 to i8, u1 to u8, f2, f4, f8, c8,
// c16 and raw items V<n>, little- or big-endian, in C or Fortran order; headers
// written by Python 2. An [Array] is little-endian and in C order whatever the
// file was. Strings, dates, extended floats, objects and structured dtypes are
// refused by name, with an error that is [errors.ErrUnsupported].
//
// The files of an archive are arrays under the names that NumPy gives them, whether their names end in .npy or not;
// one that is not of the format is a vector of its bytes, see [Zip].
//
// # Types that NumPy does not have
//
// NumPy has no bf16, no floats of 8 bits or less and no integers of 4 bits or less. Written to a file, an
// array of these becomes one of bits: bf16 is <u2, the others |u1 with the byte of an element in memory (a
// negative s4 is sign-extended, -1 is 255). [Array.As] is the inverse; it also accepts raw items, the form in
// which numpy.save writes JAX's own types (bf16 as V2).
//
// # Untrusted files
//
// Reading never panics, and allocates no more than about twice the actual bytes: a size in a header is checked
// first. In a compressed .npz these are the bytes after decompression, up to a thousand times those of the
// file; [Zip.Header] returns the announced size of an array.
//
// Source: NEP 1, https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
package npy
