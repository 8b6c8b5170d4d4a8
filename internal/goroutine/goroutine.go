// Package goroutine tells goroutines apart.
package goroutine

import (
	"bytes"
	"runtime"
	"strconv"
	"unsafe"
)

// ID returns the number of the current goroutine, that of its stack trace. No other goroutine of the process has it,
// also later.
//
// The runtime has no function for it, and printing a stack trace takes microseconds, once for each op of a graph. Where
// the assembler names the runtime's descriptor of the goroutine, the number is read from it; where in the descriptor it
// stands is found, and checked on several goroutines, when the program starts.
func ID() int64 {
	if offset == 0 {
		return printed()
	}
	return *(*int64)(unsafe.Add(current(), offset))
}

// offset is the place of the number in the descriptor, 0 if it is not known.
var offset = find()

// words is the part of the descriptor that is read, which is longer in all versions of Go.
const words = 46

// Descriptor returns the words of the runtime's descriptor of the current goroutine, nil where it is not known. Only
// this goroutine may read them.
func Descriptor() []uintptr {
	g := current()
	if g == nil {
		return nil
	}
	return unsafe.Slice((*uintptr)(g), words)
}

// find returns the only place at which the descriptors of several goroutines have their numbers, 0 if there is none.
func find() uintptr {
	if Descriptor() == nil {
		return 0
	}
	const goroutines = 8
	at := make(chan []uintptr)
	count := map[uintptr]int{}
	for range goroutines {
		go func() {
			id := uintptr(printed())
			var list []uintptr
			for i, w := range Descriptor() {
				if w == id {
					list = append(list, uintptr(i)*unsafe.Sizeof(w))
				}
			}
			at <- list
		}()
		for _, o := range <-at {
			count[o]++
		}
	}
	found := uintptr(0)
	for o, n := range count {
		if n < goroutines {
			continue
		}
		if found != 0 {
			return 0
		}
		found = o
	}
	return found
}

// printed returns the number of the current goroutine from its stack trace.
func printed() int64 {
	var text [64]byte
	n := runtime.Stack(text[:], false)
	name, _, _ := bytes.Cut(bytes.TrimPrefix(text[:n], []byte("goroutine ")), []byte(" "))
	id, err := strconv.ParseInt(string(name), 10, 64)
	if err != nil {
		panic("goroutine: the runtime prints " + strconv.Quote(string(text[:n])))
	}
	return id
}
