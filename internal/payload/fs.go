package payload

import (
	"io"
	"io/fs"
	"os"
	"time"
)

// Open implements fs.FS. Files have the methods of io.ReaderAt and, if the payload is that of a file, of
// mapped.Section.
func (p *Payload) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if list, ok := p.folders[name]; ok {
		return &folder{info: info{name, 0, true}, list: list}, nil
	}
	s, ok := p.files[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f := file{io.NewSectionReader(p.r, s.offset, s.size), info{name, s.size, false}}
	if p.file == nil {
		return f, nil
	}
	return section{f, p.file, s}, nil
}

// file is an open file.
type file struct {
	*io.SectionReader
	info info
}

func (f file) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f file) Close() error               { return nil }

// section is a file in an executable.
type section struct {
	file
	in *os.File
	at span
}

// Section implements mapped.Section.
func (s section) Section() (in *os.File, offset, size int64) { return s.in, s.at.offset, s.at.size }

// folder is an open folder.
type folder struct {
	info info
	list []fs.DirEntry
}

func (f *folder) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *folder) Close() error               { return nil }

func (f *folder) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: f.info.name, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (f *folder) ReadDir(n int) (list []fs.DirEntry, err error) {
	list = f.list
	if n > 0 {
		if len(list) == 0 {
			return nil, io.EOF
		}
		list = list[:min(n, len(list))]
	}
	f.list = f.list[len(list):]
	return list, nil
}

// info describes a file or a folder.
type info struct {
	name   string
	size   int64
	folder bool
}

func (i info) Name() string {
	for k := len(i.name) - 1; k >= 0; k-- {
		if i.name[k] == '/' {
			return i.name[k+1:]
		}
	}
	return i.name
}

func (i info) Size() int64        { return i.size }
func (i info) ModTime() time.Time { return time.Time{} }
func (i info) IsDir() bool        { return i.folder }
func (i info) Sys() any           { return nil }

func (i info) Mode() fs.FileMode {
	if i.folder {
		return fs.ModeDir | 0o555
	}
	return 0o444
}
