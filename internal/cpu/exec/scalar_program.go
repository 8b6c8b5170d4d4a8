package exec

import "unsafe"

// scalarProgram returns the scalar code that is the complete program, or nil.
func (x *Executable) scalarProgram() *scalar {
	if len(x.main.nodes) != 1 || x.layout.ArenaSize > 0 || len(x.results) != 1 || !x.results[0].own {
		return nil
	}
	s, ok := x.main.nodes[0].(*scalar)
	if !ok || len(s.entry.list) > 0 {
		return nil
	}
	return s
}

// NumArgs returns the number of arguments.
func (x *Executable) NumArgs() int { return len(x.argSizes) }

// RunScalar is [Executable.RunInto] of a program that is one piece of scalar code, without contexts and parallel
// regions, which would be most of the work. It reports false, and does nothing, for other programs, for wrong sizes,
// and if no instance that has run before is idle.
func (x *Executable) RunScalar(args [][]byte, out []byte) bool {
	s := x.scalarOnly
	if s == nil || len(args) != len(x.argSizes) || int64(len(out)) != x.results[0].size {
		return false
	}
	for i, a := range args {
		if int64(len(a)) != x.argSizes[i] {
			return false
		}
	}
	in := x.spare.Swap(nil)
	if in == nil {
		return false
	}
	f := in.files[s.file]
	if f == nil {
		x.putIdle(in)
		return false
	}
	for i := range x.binds {
		b := &x.binds[i]
		in.bufs[b.root] = unsafe.Pointer(unsafe.SliceData(b.data))
	}
	for i, a := range x.prog.Main.Args {
		in.bufs[a] = unsafe.Pointer(unsafe.SliceData(args[i]))
	}
	in.bufs[x.results[0].root] = unsafe.Pointer(unsafe.SliceData(out))
	f.Run(nil)
	clear(in.bufs)
	x.putIdle(in)
	return true
}
