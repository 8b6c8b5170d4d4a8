package pytorch

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-nx/nx/dtype"
	"github.com/go-nx/nx/internal/arrayfile"
)

const (
	// maxPickle bounds the bytes of the pickle of an archive.
	maxPickle = 64 << 20
	// maxTensors bounds their number, and maxNames the bytes of their names.
	maxTensors = 1 << 20
	maxNames   = 64 << 20
	// maxDepth bounds how deep dicts and lists lie in each other.
	maxDepth = 64
	// moreBytes is what views of storages may take beside four times the archive.
	moreBytes = 1 << 30
)

// Info describes a tensor in a file.
type Info struct {
	Name  string
	DType dtype.Type
	Shape []int
}

// Tensor is a tensor in memory.
type Tensor struct {
	Info
	// Data holds the elements, the last index varying fastest, little-endian, DType.Size() bytes each.
	Data []byte
}

// File provides access to the tensors of a file. Its pickle is in memory, the data are read on demand. Methods may be
// called concurrently.
type File struct {
	r       io.ReaderAt
	names   []string
	tensors map[string]*tensor
	closer  arrayfile.Closer
}

// New reads the pickle of the file of size bytes in r.
//
// Errors: errors.ErrUnsupported for files that PyTorch reads, and this package does not.
func New(r io.ReaderAt, size int64) (*File, error) {
	f, err := read(r, size)
	if err != nil {
		return nil, fmt.Errorf("pytorch: %w", err)
	}
	return f, nil
}

// Open opens the named file. It stays open until Close.
func Open(name string) (*File, error) {
	return arrayfile.Open(name, New, func(f *File) *arrayfile.Closer { return &f.closer })
}

// Close closes the file that Open opened.
func (f *File) Close() error { return f.closer.Close() }

// unsupported is an error of a file that PyTorch reads.
func unsupported(format string, args ...any) error {
	return fmt.Errorf(format+": %w", append(args, errors.ErrUnsupported)...)
}

func read(r io.ReaderAt, size int64) (*File, error) {
	z, err := zip.NewReader(r, size)
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // files are not extracted, so names are harmless
		var head [2]byte
		if n, _ := r.ReadAt(head[:], 0); n == 2 && head[0] == 0x80 {
			return nil, unsupported("this is a file of PyTorch before 1.6; save it by torch.save of a newer one")
		}
		return nil, fmt.Errorf("this is not an archive: %w", err)
	}
	files := make(map[string]*zip.File, len(z.File))
	folder, pickles := "", 0
	for _, f := range z.File {
		if files[f.Name] != nil {
			return nil, fmt.Errorf("the archive has two files named %.120q", f.Name)
		}
		files[f.Name] = f
		if dir, ok := strings.CutSuffix(f.Name, "data.pkl"); ok && strings.Count(dir, "/") <= 1 &&
			(dir == "" || strings.HasSuffix(dir, "/")) {
			folder = dir
			pickles++
		}
	}
	if pickles != 1 {
		return nil, fmt.Errorf("the archive has %d files data.pkl, want one: is this another kind of file?", pickles)
	}
	if files[folder+"constants.pkl"] != nil {
		return nil, unsupported("this is a TorchScript archive; save its state_dict() by torch.save")
	}
	a := &archive{r, size, files, folder, map[string]*storage{}}
	if order := files[folder+"byteorder"]; order != nil {
		text, err := a.content(order, 16)
		if err != nil {
			return nil, err
		}
		if s := strings.TrimSpace(string(text)); s != "little" {
			return nil, unsupported("the byte order of the file is %.16q, want little", s)
		}
	}
	text, err := a.content(files[folder+"data.pkl"], maxPickle)
	if err != nil {
		return nil, err
	}
	u := &unpickler{data: text, load: a.storage, call: call}
	value, err := u.run()
	if err != nil {
		return nil, err
	}
	f := &File{r: r, tensors: map[string]*tensor{}}
	w := &walk{file: f, left: maxValues, bytes: moreBytes + 4*min(size, 1<<60)}
	if err := w.add(value, "", 0); err != nil {
		return nil, err
	}
	return f, nil
}

// archive is a zip archive that is read.
type archive struct {
	r        io.ReaderAt
	size     int64
	files    map[string]*zip.File
	folder   string
	storages map[string]*storage
}

// section returns where a file lies in the archive. Files are stored without compression, as torch.save does.
func (a *archive) section(f *zip.File) (at, size int64, err error) {
	if f.Method != zip.Store || f.Flags&1 != 0 {
		return 0, 0, unsupported("the file %.120q of the archive is compressed or encrypted, which torch.save does not do",
			f.Name)
	}
	if at, err = f.DataOffset(); err != nil {
		return 0, 0, fmt.Errorf("the file %.120q of the archive: %w", f.Name, err)
	}
	if f.UncompressedSize64 > uint64(max(a.size-at, 0)) {
		return 0, 0, fmt.Errorf("the file %.120q of the archive is cut off", f.Name)
	}
	return at, int64(f.UncompressedSize64), nil
}

// content reads a file of at most limit bytes.
func (a *archive) content(f *zip.File, limit int64) ([]byte, error) {
	at, size, err := a.section(f)
	if err != nil {
		return nil, err
	}
	if size > limit {
		return nil, fmt.Errorf("%.120q has %d bytes, more than the limit of %d", f.Name, size, limit)
	}
	text := make([]byte, size)
	_, err = io.ReadFull(io.NewSectionReader(a.r, at, size), text)
	return text, err
}

// storage returns the storage of a persistent id: ("storage", type, key, location, number of elements).
func (a *archive) storage(id any) (any, error) {
	t, _ := id.(tuple)
	if len(t) != 5 || t[0] != "storage" {
		return nil, errors.New("a persistent id is not that of a storage")
	}
	name, _ := t[1].(global)
	key, isText := t[2].(string)
	count, isInt := t[4].(int64)
	d, ok := storageTypes[string(name)]
	if !ok || !isText || !isInt || count < 0 {
		return nil, errors.New("the persistent id of a storage needs its type, key, location and number of elements")
	}
	if s := a.storages[key]; s != nil {
		if s.dtype != d || s.count != count {
			return nil, fmt.Errorf("the storage %.40q has two types", key)
		}
		return s, nil
	}
	f := a.files[a.folder+"data/"+key]
	if f == nil {
		return nil, fmt.Errorf("the archive has no storage %.40q", key)
	}
	at, size, err := a.section(f)
	if err != nil {
		return nil, err
	}
	if count > size/int64(d.Size()) {
		return nil, fmt.Errorf("the storage %.40q has %d bytes, too few for %d elements of %v", key, size, count, d)
	}
	s := &storage{key, d, count, at}
	a.storages[key] = s
	return s, nil
}

// walk collects the tensors of a value.
type walk struct {
	file  *File
	left  int   // values that may be visited
	names int   // bytes of the names so far
	bytes int64 // that tensors may take
}

// add collects the tensors in v, whose name is name.
func (w *walk) add(v any, name string, depth int) error {
	if depth > maxDepth {
		return fmt.Errorf("dicts and lists lie more than %d deep in each other", maxDepth)
	}
	if w.left--; w.left < 0 {
		return fmt.Errorf("the file has more than %d values", maxValues)
	}
	join := func(key string) string {
		if depth == 0 {
			return key
		}
		if len(name)+len(key) > 4096 {
			return "" // of no tensor, see below
		}
		return name + "." + key
	}
	switch v := v.(type) {
	case *tensor:
		if name == "" && depth > 0 {
			return errors.New("the name of a tensor is empty or longer than 4096 bytes")
		}
		if w.file.tensors[name] != nil {
			return fmt.Errorf("two tensors have the name %.120q", name)
		}
		if w.names += len(name); w.names > maxNames || len(w.file.names) == maxTensors {
			return fmt.Errorf("the file has more than %d tensors, or %d bytes of names", maxTensors, maxNames)
		}
		n := v.elements()
		item := int64(v.dtype.Size())
		if n > w.bytes/item {
			return fmt.Errorf("the tensors share the bytes of the file too often: %.120q has the shape %v", name,
				v.shape)
		}
		w.bytes -= n * item
		w.file.names = append(w.file.names, name)
		w.file.tensors[name] = v
	case *dict:
		for _, k := range v.keys {
			if err := w.add(v.values[k], join(fmt.Sprint(k)), depth+1); err != nil {
				return err
			}
		}
	case *list:
		return w.addAll(v.items, join, depth)
	case tuple:
		return w.addAll(v, join, depth)
	}
	return nil
}

func (w *walk) addAll(items []any, join func(string) string, depth int) error {
	for i, item := range items {
		if err := w.add(item, join(strconv.Itoa(i)), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// Infos describes the tensors, in the order of the file. The only tensor of a file that has nothing else has no name.
func (f *File) Infos() []Info {
	infos := make([]Info, len(f.names))
	for i, name := range f.names {
		infos[i] = f.info(name)
	}
	return infos
}

func (f *File) info(name string) Info {
	t := f.tensors[name]
	return Info{name, t.dtype, slices.Clone(t.shape)}
}

// Tensor reads the named tensor.
func (f *File) Tensor(name string) (Tensor, error) {
	t := f.tensors[name]
	if t == nil {
		return Tensor{}, fmt.Errorf("pytorch: the file has no tensor named %.120q", name)
	}
	data, err := t.gather(func(b []byte, off int64) error {
		_, err := io.ReadFull(io.NewSectionReader(f.r, off, int64(len(b))), b)
		return err
	})
	if err != nil {
		return Tensor{}, fmt.Errorf("pytorch: tensor %.120q: %w", name, err)
	}
	if t.dtype == dtype.Bool {
		for i, b := range data {
			if b > 1 {
				return Tensor{}, fmt.Errorf("pytorch: tensor %.120q: element %d is the byte %d, want 0 or 1", name,
					i, b)
			}
		}
	}
	return Tensor{f.info(name), data}, nil
}

// Section returns a reader of the data of the named tensor in the file; nil if they do not lie there in order, or
// there is no such tensor.
func (f *File) Section(name string) *io.SectionReader {
	t := f.tensors[name]
	if t == nil || !t.contiguous() {
		return nil
	}
	item := int64(t.dtype.Size())
	return io.NewSectionReader(f.r, t.at+t.offset*item, t.elements()*item)
}
