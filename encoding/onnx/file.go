package onnx

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/go-nx/nx/internal/files"
	"github.com/go-nx/nx/internal/mapped"
)

// File is a model in a file. It is safe for concurrent use.
type File struct {
	Model *Model

	path  string
	fsys  fs.FS // of the path, nil for that of the operating system
	main  *content
	mutex sync.Mutex
	files map[string]*content // of external data, by path
}

// content is a file in memory, mapped where that is possible.
type content struct {
	data  []byte
	owner *mapped.File // nil if it was read
}

func openContent(fsys fs.FS, path string) (*content, error) {
	m, err := mapped.OpenIn(fsys, path)
	if err == nil {
		return &content{m.Data, m}, nil
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		return nil, err
	}
	data, err := files.ReadFile(fsys, path)
	return &content{data: data}, err
}

// guard reads memory that may be that of a file which becomes smaller.
func (c *content) guard(f func() error) error {
	if c.owner == nil {
		return f()
	}
	return c.owner.Guard(f)
}

// Open maps the file of a model and decodes it.
func Open(path string) (*File, error) { return OpenFS(nil, path) }

// OpenFS is [Open] of a file in a file system, with external data in the same one, nil for that of the operating
// system. It is mapped if it is a file of the latter, as those of os.DirFS are, and is read otherwise.
func OpenFS(fsys fs.FS, path string) (*File, error) {
	c, err := openContent(fsys, path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, fsys: fsys, main: c, files: map[string]*content{}}
	err = c.guard(func() (err error) {
		f.Model, err = Decode(c.data[:len(c.data):len(c.data)])
		return err
	})
	if err != nil {
		if c.owner != nil { // errors have copies of names
			c.owner.Discard()
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Elements returns the elements of a tensor of the model as package dtype has them in memory: [Tensor.Elements], also
// of tensors whose data is in another file of the model's folder. They are valid as long as f is reachable.
//
// The error names the file and what is wrong with it: a path, or a link, that leaves the folder, too few bytes.
func (f *File) Elements(t *Tensor) (elements []byte, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", f.path, err)
		}
	}()
	e, err := t.External()
	if err != nil {
		return nil, err
	}
	if e == nil {
		err = f.main.guard(func() (err error) { elements, err = t.Elements(); return err })
		return elements, err
	}
	_, n, err := t.Shape()
	if err != nil {
		return nil, err
	}
	size, err := t.Type.PackedSize(n)
	if err != nil {
		return nil, fmt.Errorf("onnx: tensor %q: %w", t.Name, err)
	}
	c, err := f.external(e.Path)
	if err != nil {
		return nil, err
	}
	length := e.Length
	if length < 0 {
		length = int64(len(c.data)) - e.Offset
	}
	if length != size || e.Offset > int64(len(c.data))-length {
		return nil, fmt.Errorf("onnx: tensor %q needs %d bytes of %s from byte %d, which has %d; the model says %d",
			t.Name,
			size, e.Path, e.Offset, len(c.data), length)
	}
	err = c.guard(func() (err error) {
		elements, err = Unpack(t.Name, t.Type, c.data[e.Offset:e.Offset+length], n)
		return err
	})
	return elements, err
}

// external returns a file in the folder of the model.
func (f *File) external(path string) (*content, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if c, ok := f.files[path]; ok {
		return c, nil
	}
	full, err := f.externalPath(path)
	if err != nil {
		return nil, err
	}
	c, err := openContent(f.fsys, full)
	if err != nil {
		return nil, fmt.Errorf("onnx: external data: %w", err)
	}
	f.files[path] = c
	return c, nil
}

// externalPath returns the path of a file of external data, whose links are followed.
func (f *File) externalPath(path string) (string, error) {
	dir := filepath.Dir(f.path)
	if f.fsys != nil {
		return filepath.Join(dir, filepath.FromSlash(path)), nil
	}
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", err
	}
	full, err := filepath.EvalSymlinks(filepath.Join(dir, filepath.FromSlash(path)))
	if err != nil {
		return "", fmt.Errorf("onnx: external data: %w", err)
	}
	if rel, err := filepath.Rel(dir, full); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("onnx: the file %s of external data is a link out of the folder of the model", path)
	}
	return full, nil
}

// Path returns the path of the file.
func (f *File) Path() string { return f.path }

// Mapped returns the elements of a tensor where they are in a file that is mapped, with that file, which must stay
// reachable while they are used. The file is nil if they have another form in memory, or cannot be mapped.
func (f *File) Mapped(t *Tensor) ([]byte, *mapped.File) {
	e, err := t.External()
	if err != nil || t.Type == StringData {
		return nil, nil
	}
	d, err := t.Type.DType()
	if err != nil || packed(d) > 1 || e == nil && !t.hasRaw {
		return nil, nil
	}
	data, err := f.Elements(t)
	if err != nil || len(data) == 0 || !mapped.AnyAddress {
		return nil, nil
	}
	if e == nil {
		return data, f.main.owner
	}
	c, err := f.external(e.Path)
	if err != nil {
		return nil, nil
	}
	return data, c.owner
}
