// Package pjrt loads plugins of the PJRT C API, compilers with their devices, and provides their objects as Go
// values: clients, devices, buffers, executables. It needs no cgo.
//
// Handles are closed explicitly, or by the garbage collector. Plugins define their thread safety, and plugins
// of XLA are safe for concurrent use; this package ensures that no object is freed while a call uses it.
package pjrt

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/go-nx/nx/internal/pjrt/abi"
	"github.com/go-nx/nx/internal/pjrt/ffi"
)

// Plugin is a plugin, which stays loaded as long as the process lives.
type Plugin struct {
	path       string
	table      *abi.API
	version    Version
	attributes map[string]any
	extensions []abi.ExtensionType
	newer      atomic.Bool // some struct has grown
	grown      sync.Map    // name of a struct in C → its size, where the plugin's is larger
}

var loaded struct {
	sync.Mutex
	byPath map[string]*Plugin
}

// Load loads a plugin, once: a second call with the same file returns the same plugin.
func Load(path string) (*Plugin, error) {
	full, err := resolve(path)
	if err != nil {
		return nil, err
	}
	loaded.Lock()
	defer loaded.Unlock()
	if p := loaded.byPath[full]; p != nil {
		return p, nil
	}
	table, err := open(full)
	if err != nil {
		return nil, err
	}
	return register(full, table)
}

// Provide makes Load find a plugin in the memory of the program under a path.
func Provide(path string, table *abi.API) error {
	full, err := resolve(path)
	if err != nil {
		return err
	}
	loaded.Lock()
	defer loaded.Unlock()
	_, err = register(full, table)
	return err
}

// resolve returns the one path of a file.
func resolve(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", &LoadError{Path: path, What: "the path cannot be made absolute", Err: err}
	}
	if file, err := filepath.EvalSymlinks(full); err == nil {
		return file, nil
	}
	return full, nil
}

// register makes a plugin; loaded must be locked.
func register(path string, table *abi.API) (*Plugin, error) {
	p, err := FromTable(path, table)
	if err != nil {
		return nil, err
	}
	if loaded.byPath == nil {
		loaded.byPath = map[string]*Plugin{}
	}
	loaded.byPath[path] = p
	return p, nil
}

// open opens a library and returns the table from its entry point.
func open(path string) (*abi.API, error) {
	if err := CheckFile(path); err != nil {
		return nil, err
	}
	lib, err := ffi.Open(path)
	if err != nil {
		return nil, &LoadError{Path: path, What: "the system cannot load it", Err: err, Hint: hintOf(err)}
	}
	entry, err := lib.Symbol("GetPjrtApi")
	if err != nil || entry == 0 {
		return nil, &LoadError{Path: path, What: "it has no function GetPjrtApi", Err: err,
			Hint: "it is another kind of library; the names of plugins usually end in _plugin.so"}
	}
	table := (*abi.API)(ffi.Pointer(ffi.CallNumbers(entry)))
	if table == nil {
		return nil, &LoadError{Path: path, What: "its GetPjrtApi returns null"}
	}
	return table, nil
}

// CheckFile checks, without loading it, whether a file can be a plugin for this system.
func CheckFile(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return &LoadError{Path: path, What: "the file cannot be read", Err: err,
			Hint: "give the path of the plugin's library"}
	}
	if info.IsDir() {
		return &LoadError{Path: path, What: "it is a folder", Hint: "give the path of the library in it"}
	}
	if !info.Mode().IsRegular() {
		return &LoadError{Path: path, What: "it must be a regular file", Hint: "give the path of the plugin's library"}
	}
	return checkELF(path, info.Size())
}

// hintOf reports what to do about an error of the loader.
func hintOf(err error) string {
	text := err.Error()
	switch name, _, missing := strings.Cut(text, ": cannot open shared object file"); {
	case !ffi.Supported:
		return "run on Linux, macOS or Windows, amd64 or arm64"
	case missing:
		return fmt.Sprintf("install the library %s, or name its folder in LD_LIBRARY_PATH before the program starts",
			name[strings.LastIndex(name, " ")+1:])
	case strings.Contains(text, "GLIBC"):
		return "the plugin needs a newer C library than this system has: take an older plugin"
	case strings.Contains(text, "file too short"), strings.Contains(text, "invalid ELF"):
		return "the file is damaged: install it again"
	}
	return ""
}

// required lists the functions that a plugin must have.
var required = []abi.Function{abi.ErrorDestroy, abi.ErrorMessage, abi.ErrorGetCode, abi.EventDestroy,
	abi.EventOnReady, abi.ClientCreate, abi.ClientDestroy, abi.ClientPlatformName, abi.ClientAddressableDevices,
	abi.ClientCompile, abi.ClientBufferFromHostBuffer, abi.DeviceGetDescription, abi.DeviceDescriptionId,
	abi.ExecutableDestroy, abi.ExecutableNumOutputs, abi.LoadedExecutableDestroy, abi.LoadedExecutableGetExecutable,
	abi.LoadedExecutableExecute, abi.BufferDestroy, abi.BufferToHostBuffer, abi.BufferReadyEvent}

// FromTable returns the plugin of a table of functions, which stays where it is. Path
// stands for it in messages.
func FromTable(path string, table *abi.API) (*Plugin, error) {
	if minSize := abi.Function(0).Offset(); table.StructSize < minSize {
		what := fmt.Sprintf("its table must have at least %d bytes, got %d", minSize, table.StructSize)
		return nil, &LoadError{Path: path, What: what}
	}
	p := &Plugin{path: path, table: table,
		version: Version{int(table.Version.MajorVersion), int(table.Version.MinorVersion)}}
	if p.version.Major != abi.Major {
		return nil, &LoadError{Path: path, What: fmt.Sprintf("it implements PJRT API %s, this program %s",
			p.version, Ours),
			Hint: "take a plugin whose first number is the same"}
	}
	var missing []string
	for _, f := range required {
		if !p.has(f) {
			missing = append(missing, f.String())
		}
	}
	if missing != nil {
		return nil,
			&LoadError{Path: path, What: fmt.Sprintf("it does not provide %s (PJRT API %s, this program has %s)",
				strings.Join(missing, ", "), p.version, Ours), Hint: "take a newer plugin"}
	}
	for e := table.Extensions; e != nil && len(p.extensions) < maxExtensions; e = e.Next {
		p.extensions = append(p.extensions, e.Type)
	}
	if p.has(abi.PluginInitialize) {
		if err := p.call(abi.PluginInitialize, &newArgs[abi.PluginInitializeArgs]().Header); err != nil {
			return nil, err
		}
	}
	if p.has(abi.PluginAttributes) {
		args := newArgs[abi.PluginAttributesArgs]()
		if err := p.call(abi.PluginAttributes, &args.Header); err != nil {
			return nil, err
		}
		p.attributes = goValues(args.Attributes, args.NumAttributes)
	}
	return p, nil
}

// maxExtensions bounds a list that may be damaged.
const maxExtensions = 1000

// Path returns the file of the plugin.
func (p *Plugin) Path() string { return p.path }

// Version returns the version of the C API that the plugin speaks.
func (p *Plugin) Version() Version { return p.version }

// Attributes returns the attributes of the plugin, such as "xla_version" and "stablehlo_current_version":
// strings, int64, []int64, float32, bool. They must not be changed.
func (p *Plugin) Attributes() map[string]any { return p.attributes }

// Extensions returns the types of the plugin's extensions.
func (p *Plugin) Extensions() []abi.ExtensionType { return p.extensions }

// TableSize returns the bytes of the table of functions.
func (p *Plugin) TableSize() int { return int(p.table.StructSize) }

// Missing returns the names of the functions of version 0.104 that the plugin does not have.
func (p *Plugin) Missing() []string {
	var names []string
	for f := range abi.Function(abi.NumFunctions) {
		if !p.has(f) {
			names = append(names, f.String())
		}
	}
	return names
}

// destroyArgs are the arguments of all functions that free a handle.
type destroyArgs struct {
	abi.Header
	handle uintptr
}

func (p *Plugin) destroy(f abi.Function, handle uintptr) error {
	args := newArgs[destroyArgs]()
	args.handle = handle
	return p.call(f, &args.Header)
}

var _ = [1]struct{}{}[unsafe.Sizeof(destroyArgs{})-unsafe.Sizeof(abi.BufferDestroyArgs{})] // they are alike

// Preload opens a library that plugins need, so that they find it open.
func Preload(path string) error {
	if err := CheckFile(path); err != nil {
		return err
	}
	_, err := ffi.Open(path)
	return err
}
