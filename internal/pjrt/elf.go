package pjrt

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// checkELF reports an ELF library for another processor, which the message of the system does not mention, or
// a truncated one: the system's loader would map missing pages, and crash.
func checkELF(path string, size int64) error {
	f, err := os.Open(path)
	if err != nil {
		return nil // the system reports it
	}
	defer f.Close()
	var h elf.Header64
	if err := binary.Read(f, binary.LittleEndian, &h); err != nil ||
		!strings.HasPrefix(string(h.Ident[:]), elf.ELFMAG) ||
		elf.Class(h.Ident[elf.EI_CLASS]) != elf.ELFCLASS64 || elf.Data(h.Ident[elf.EI_DATA]) != elf.ELFDATA2LSB {
		return nil // another format, or damaged in a way that the system reports
	}
	machine := elf.Machine(h.Machine)
	want, ok := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}[runtime.GOARCH]
	if ok && machine != want {
		return &LoadError{Path: path, What: fmt.Sprintf("it is for the processor %s, this program runs on %s",
			strings.TrimPrefix(machine.String(), "EM_"), runtime.GOARCH), Hint: "install the plugin for this machine"}
	}
	short := &LoadError{Path: path,
		What: fmt.Sprintf("it is truncated: it has %d bytes, and sections lie beyond them", size),
		Hint: "the file is damaged: install it again"}
	if h.Phoff > uint64(size) {
		return short
	}
	parts := io.NewSectionReader(f, int64(h.Phoff), size-int64(h.Phoff))
	for range h.Phnum {
		var p elf.Prog64
		if err := binary.Read(parts, binary.LittleEndian, &p); errors.Is(err, io.EOF) ||
			errors.Is(err, io.ErrUnexpectedEOF) {
			return short
		} else if err != nil {
			return nil
		}
		if end := p.Off + p.Filesz; elf.ProgType(p.Type) == elf.PT_LOAD && (end < p.Off || end > uint64(size)) {
			return short
		}
	}
	return nil
}
