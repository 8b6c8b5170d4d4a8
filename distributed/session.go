package distributed

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

const (
	magic         = "nx distributed 1\n"
	nonceSize     = 32
	handshakeTime = 10 * time.Second // for all of it
)

// errToken is the error of somebody with another token.
var errToken = errors.New("it has a different token: all processes need the same one (NX_DISTRIBUTED_TOKEN)")

// session is a connection between two processes with the token.
type session struct {
	conn        net.Conn
	r           *bufio.Reader
	key         []byte
	lossTimeout time.Duration // how long the other may be silent

	mu         sync.Mutex // of writing
	sent, read uint64     // messages
	to, from   byte       // directions
}

// code returns the authentication code of a message under a key.
func code(key []byte, parts ...[]byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum(nil)
}

// dialled makes a session of a connection to the coordinator.
func dialled(conn net.Conn, token []byte, patience time.Duration) (*session, error) {
	s := &session{conn: conn, r: bufio.NewReader(conn), lossTimeout: patience, to: 'c', from: 's'}
	if err := conn.SetDeadline(time.Now().Add(handshakeTime)); err != nil {
		return nil, err
	}
	mine := nonce()
	if _, err := conn.Write(append([]byte(magic), mine...)); err != nil {
		return nil, err
	}
	answer := make([]byte, len(magic)+nonceSize+sha256.Size)
	if _, err := io.ReadFull(s.r, answer); err != nil {
		return nil, fmt.Errorf("its answer is not from a coordinator: %w", err)
	}
	if string(answer[:len(magic)]) != magic {
		return nil, errors.New("its answer is not from a coordinator of this version")
	}
	theirs := answer[len(magic) : len(magic)+nonceSize]
	if !hmac.Equal(answer[len(magic)+nonceSize:], code(token, []byte("coordinator"), mine, theirs)) {
		return nil, errToken
	}
	if _, err := conn.Write(code(token, []byte("process"), mine, theirs)); err != nil {
		return nil, err
	}
	s.key = code(token, []byte("session"), mine, theirs)
	return s, conn.SetDeadline(time.Time{})
}

// accepted authenticates an accepted connection, from which it reads a fixed number of bytes before.
func accepted(conn net.Conn, token []byte, patience time.Duration) (*session, error) {
	s := &session{conn: conn, r: bufio.NewReader(conn), lossTimeout: patience, to: 's', from: 'c'}
	if err := conn.SetDeadline(time.Now().Add(handshakeTime)); err != nil {
		return nil, err
	}
	opening := make([]byte, len(magic)+nonceSize)
	if _, err := io.ReadFull(s.r, opening); err != nil {
		return nil, err
	}
	if string(opening[:len(magic)]) != magic {
		return nil, errors.New("it uses another protocol")
	}
	mine, theirs := nonce(), opening[len(magic):]
	answer := append([]byte(magic), mine...)
	if _, err := conn.Write(append(answer, code(token, []byte("coordinator"), theirs, mine)...)); err != nil {
		return nil, err
	}
	proof := make([]byte, sha256.Size)
	if _, err := io.ReadFull(s.r, proof); err != nil {
		return nil, err
	}
	if !hmac.Equal(proof, code(token, []byte("process"), theirs, mine)) {
		return nil, errToken
	}
	s.key = code(token, []byte("session"), theirs, mine)
	return s, conn.SetDeadline(time.Time{})
}

func nonce() []byte {
	b := make([]byte, nonceSize)
	rand.Read(b) // does not fail
	return b
}

// head is the part of a message's code besides its bytes: it prevents replay, omission and reflection.
func head(direction byte, number uint64, size int) []byte {
	b := binary.BigEndian.AppendUint64([]byte{direction}, number)
	return binary.BigEndian.AppendUint32(b, uint32(size))
}

// write sends a message.
func (s *session) write(m *message) error {
	b := m.encode()
	if len(b) > maxMessage {
		return fmt.Errorf("a message of %d bytes is longer than %d", len(b), maxMessage)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	h := head(s.to, s.sent, len(b))
	s.sent++
	frame := net.Buffers{h[9:], b, code(s.key, h, b)}
	if err := s.conn.SetWriteDeadline(time.Now().Add(s.lossTimeout)); err != nil {
		return err
	}
	_, err := frame.WriteTo(s.conn)
	return err
}

// receive returns the next message. One goroutine calls it.
func (s *session) receive() (message, error) {
	if err := s.conn.SetReadDeadline(time.Now().Add(s.lossTimeout)); err != nil {
		return message{}, err
	}
	var size [4]byte
	if _, err := io.ReadFull(s.r, size[:]); err != nil {
		return message{}, err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > maxMessage {
		return message{}, fmt.Errorf("a message of %d bytes is longer than %d", n, maxMessage)
	}
	var b bytes.Buffer // grows with the received bytes, not with the announced size
	if _, err := io.CopyN(&b, s.r, int64(n)); err != nil {
		return message{}, err
	}
	mac := make([]byte, sha256.Size)
	if _, err := io.ReadFull(s.r, mac); err != nil {
		return message{}, err
	}
	if !hmac.Equal(mac, code(s.key, head(s.from, s.read, b.Len()), b.Bytes())) {
		return message{}, errors.New("a message was changed on the way")
	}
	s.read++
	return decode(b.Bytes())
}

// beat sends signs of life until the session ends.
func (s *session) beat(over <-chan struct{}) {
	t := time.NewTicker(s.lossTimeout / 4)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			if s.write(&message{kind: ping}) != nil {
				return // the reader of the session has the error
			}
		case <-over:
			return
		}
	}
}
