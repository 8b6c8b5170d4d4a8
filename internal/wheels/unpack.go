package wheels

import (
	"archive/zip"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// maxUnpacked bounds the bytes that a wheel unpacks to.
const maxUnpacked = 16 << 30

// unpack writes the files of a wheel below a folder: regular files whose names stay in it.
func unpack(wheel, folder string) error {
	z, err := zip.OpenReader(wheel)
	if err != nil {
		return &Error{Doing: "unpacking", From: wheel, Err: err, Hint: "remove the file and install again"}
	}
	defer z.Close()
	var total uint64
	for _, f := range z.File {
		if f.FileInfo().IsDir() {
			continue
		}
		name := filepath.FromSlash(f.Name)
		if total += f.UncompressedSize64; !filepath.IsLocal(name) || !f.Mode().IsRegular() || total > maxUnpacked {
			return &Error{Doing: "unpacking", From: wheel,
				Err: fmt.Errorf("its entry %q must be a relative path within the package",
					f.Name)}
		}
		if err := unpackFile(f, filepath.Join(folder, name)); err != nil {
			return &Error{Doing: "unpacking " + f.Name, From: wheel, Err: err}
		}
	}
	return nil
}

func unpackFile(f *zip.File, to string) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	mode := os.FileMode(0o644) | f.Mode()&0o111 // tools stay what can be run
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	if _, err := io.CopyN(out, in, int64(f.UncompressedSize64)); err != nil {
		out.Close()
		return err
	}
	if _, err := in.Read(make([]byte, 1)); err != io.EOF { // the end is where the sum is checked
		out.Close()
		return fmt.Errorf("it is longer than the archive says, or damaged: %v", err)
	}
	return out.Close()
}
