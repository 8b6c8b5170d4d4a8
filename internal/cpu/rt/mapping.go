package rt

// pages are the system calls for memory of code. Tests replace them.
type pages struct {
	size func() int // bytes of a page
	// alloc returns size bytes of writable memory, a multiple of a page.
	alloc func(size int) ([]byte, error)
	// execute makes entire pages executable, and no longer writable.
	execute func(b []byte) error
	// free returns all of the memory of alloc to the system.
	free func(b []byte) error
	// allocTwice maps the same memory twice, writable and executable; nil if the system cannot.
	allocTwice func(size int) (rw, rx []byte, err error)
	// drop makes entire pages of the writable mapping of allocTwice inaccessible.
	drop func(b []byte) error
}

// mapping is memory for code: written through rw, run and read through rx. Both are the same slice unless the pages are
// mapped twice. Pages are writable first and executable then, never both.
type mapping struct {
	rw, rx []byte
	twice  bool
	of     *pages
}

// mapCode returns a mapping of at least size bytes.
func (p *pages) mapCode(size int, twice bool) (*mapping, error) {
	page := p.size()
	size = (size + page - 1) &^ (page - 1)
	if twice {
		rw, rx, err := p.allocTwice(size)
		if err != nil {
			return nil, err
		}
		return &mapping{rw, rx, true, p}, nil
	}
	b, err := p.alloc(size)
	if err != nil {
		return nil, err
	}
	return &mapping{b, b, false, p}, nil
}

// protect makes the bytes of some pages executable and no longer writable.
func (m *mapping) protect(from, to int) error {
	if m.twice { // the other mapping is executable from the start
		return m.of.drop(m.rw[from:to])
	}
	return m.of.execute(m.rw[from:to])
}

// free returns the memory to the system.
func (m *mapping) free() {
	m.of.free(m.rx)
	if m.twice {
		m.of.free(m.rw)
	}
}
