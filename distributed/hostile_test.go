package distributed

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"io"
	"net"
	"reflect"
	"strings"
	"testing"
	"time"
)

// FuzzDecode: an encoded message is decoded; other bytes are an error.
func FuzzDecode(f *testing.F) {
	f.Add((&message{kind: put, id: 7, number: -1, key: "key", value: []byte("value")}).encode())
	f.Add([]byte{byte(get), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decode(b)
		if err != nil {
			return
		}
		if again := m.encode(); !bytes.Equal(again, b) {
			t.Errorf("%x is encoded as %x", b, again)
		}
		if second, err := decode(m.encode()); err != nil || !reflect.DeepEqual(m, second) {
			t.Errorf("%v, %v", second, err)
		}
	})
}

// FuzzReceive: a session accepts no messages except those of its peer.
func FuzzReceive(f *testing.F) {
	key := []byte("key")
	b := (&message{kind: ping}).encode()
	h := head('c', 0, len(b))
	good := append(append(append([]byte{}, h[9:]...), b...), code(key, h, b)...)
	f.Add(good)
	f.Add(append([]byte{3, 0xff, 0xff, 0xff}, make([]byte, 100)...))
	f.Add([]byte{0, 0, 0, 0})
	f.Fuzz(func(t *testing.T, sent []byte) {
		here, there := net.Pipe()
		defer here.Close()
		go func() {
			_, _ = there.Write(sent)
			there.Close()
		}()
		s := &session{conn: here, r: bufio.NewReader(here), key: key, lossTimeout: time.Minute, from: 'c'}
		if m, err := s.receive(); (err == nil) != bytes.HasPrefix(sent, good) {
			t.Errorf("%x: %v, %v", sent, m, err)
		}
	})
}

// FuzzOpening: whatever a peer without the token sends, the group continues, and the peer learns only that it
// is not accepted.
func FuzzOpening(f *testing.F) {
	all := groups(f, 1)
	f.Add([]byte(magic))
	f.Add(append([]byte(magic), make([]byte, 64)...))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		conn, err := net.Dial("tcp", all[0].address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_, _ = conn.Write(sent)
		_ = conn.(*net.TCPConn).CloseWrite()
		answer, _ := io.ReadAll(conn)
		if most := len(magic) + 2*nonceSize; len(answer) > most {
			t.Errorf("%d bytes are answered", len(answer))
		}
		if _, err := all[0].TryGet("k"); err == nil || strings.Contains(err.Error(), "lost") {
			t.Errorf("the group: %v", err)
		}
	})
}

// Repeated, changed or reflected messages, and those of an unauthenticated process, end only that connection.
func TestChangedMessages(t *testing.T) {
	all := groups(t, 1)
	open := func() *session {
		conn, err := net.Dial("tcp", all[0].address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		s, err := dialled(conn, []byte(secret), 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	frame := func(s *session, number uint64, m *message) []byte {
		b := m.encode()
		h := head(s.to, number, len(b))
		return append(append(append([]byte{}, h[9:]...), b...), code(s.key, h, b)...)
	}
	for name, bad := range map[string]func(s *session) []byte{
		"repeated": func(s *session) []byte { f := frame(s, 0, &message{kind: ping}); return append(f, f...) },
		"changed": func(s *session) []byte {
			f := frame(s, 0, &message{kind: hello, id: 1, number: 1, value: []byte("0")})
			f[6] ^= 1
			return f
		},
		"of another session": func(*session) []byte { return frame(open(), 0, &message{kind: ping}) },
		"sent back": func(s *session) []byte {
			s.to = 's'
			return frame(s, 0, &message{kind: ping})
		},
		"too long":      func(*session) []byte { return binary.BigEndian.AppendUint32(nil, maxMessage+1) },
		"without hello": func(s *session) []byte { return frame(s, 0, &message{kind: get, id: 1, key: "k"}) },
		"an invalid proof": func(s *session) []byte {
			b := make([]byte, 64)
			rand.Read(b)
			binary.BigEndian.PutUint32(b, 28) // a complete message with its code follows
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := open()
			if _, err := s.conn.Write(bad(s)); err != nil {
				t.Fatal(err)
			}
			_ = s.conn.SetReadDeadline(time.Now().Add(5 * time.Second))
			if rest, err := io.ReadAll(s.conn); err != nil && strings.Contains(err.Error(), "timeout") {
				t.Errorf("the connection goes on: %x, %v", rest, err)
			}
			if err := all[0].Put(name, nil); err != nil {
				t.Errorf("the group: %v", err)
			}
		})
	}
}

// Connections that send nothing do not keep processes from joining, and use only their own slots.
func TestStrangers(t *testing.T) {
	all := groups(t, 1)
	for range maxUnverified + 50 {
		conn, err := net.Dial("tcp", all[0].address)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	if err := all[0].Put("k", nil); err != nil {
		t.Error(err)
	}
	if n := len(all[0].here.unverified); n > maxUnverified {
		t.Errorf("%d strangers are served", n)
	}
}
