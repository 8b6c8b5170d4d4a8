package distributed

import (
	"encoding/binary"
	"fmt"
)

// kind is the kind of a message.
type kind byte

const (
	hello  kind = iota + 1 // number: how many processes there are; value: which this is
	put                    // key, value
	get                    // key; number: how long to wait, in nanoseconds
	tryGet                 // key
	ping                   // a sign of life
	bye                    // the process ends in order

	done     // of hello, put, bye; of get and tryGet with the value
	missing  // of tryGet
	exists   // of put
	late     // of get
	refused  // value: why
	lost     // number: of the process; key: its address; value: why
	lastKind = lost
)

// message is a request or its answer.
type message struct {
	kind   kind
	id     uint64 // of a request and its answer; 0 for other messages
	number int64
	key    string
	value  []byte
}

// Limits on received messages.
const (
	maxKey     = 1 << 16
	maxMessage = 64 << 20
	headSize   = 1 + 8 + 8 + 4
)

func (m *message) encode() []byte {
	b := make([]byte, 0, headSize+len(m.key)+len(m.value))
	b = append(b, byte(m.kind))
	b = binary.BigEndian.AppendUint64(b, m.id)
	b = binary.BigEndian.AppendUint64(b, uint64(m.number))
	b = binary.BigEndian.AppendUint32(b, uint32(len(m.key)))
	b = append(b, m.key...)
	return append(b, m.value...)
}

func decode(b []byte) (m message, err error) {
	if len(b) < headSize {
		return m, fmt.Errorf("a message of %d bytes is too short", len(b))
	}
	m.kind, m.id = kind(b[0]), binary.BigEndian.Uint64(b[1:])
	m.number = int64(binary.BigEndian.Uint64(b[9:]))
	n := binary.BigEndian.Uint32(b[17:])
	switch b = b[headSize:]; {
	case m.kind < hello || m.kind > lastKind:
		return m, fmt.Errorf("unknown kind of message %d", m.kind)
	case n > maxKey || int(n) > len(b):
		return m, fmt.Errorf("a key of %d bytes in a message of %d", n, len(b)+headSize)
	}
	m.key, m.value = string(b[:n]), b[n:]
	return m, nil
}
