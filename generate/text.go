package generate

import "strings"

// TextDecoder makes text of tokens as they come, as *token.Stream does. It keeps bytes back until a character is
// complete.
type TextDecoder interface {
	// Push returns the text that a token completes.
	Push(id int32) (string, error)
	// Flush returns what was kept back, at the end.
	Flush() (string, error)
}

// stopper finds strings in a text that comes in pieces.
type stopper struct {
	stops []string
	kept  string // text that may be the beginning of a stop
}

// next takes a piece and returns the text that is not part of a stop, and whether one was found.
func (s *stopper) next(piece string) (text string, found bool) {
	s.kept += piece
	at := -1
	for _, stop := range s.stops {
		if i := strings.Index(s.kept, stop); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	if at >= 0 {
		text, s.kept = s.kept[:at], ""
		return text, true
	}
	keep := 0 // the longest end that begins a stop
	for _, stop := range s.stops {
		for n := min(len(stop)-1, len(s.kept)); n > keep; n-- {
			if strings.HasSuffix(s.kept, stop[:n]) {
				keep = n
			}
		}
	}
	text, s.kept = s.kept[:len(s.kept)-keep], s.kept[len(s.kept)-keep:]
	return text, false
}
