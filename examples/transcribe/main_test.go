package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/internal/tinymodel"
	"github.com/go-nx/nx/transformers"
)

// tiny writes a small model of Whisper with random weights, and changes a file of it where that is wanted.
func tiny(t *testing.T, file, content string) string {
	t.Helper()
	dir := t.TempDir()
	if err := tinymodel.WriteWhisper(dir); err != nil {
		t.Fatal(err)
	}
	if file != "" {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tone has a hum and a tone, of some seconds.
func tone(rate int, seconds, hertz float64) []float64 {
	list := make([]float64, int(seconds*float64(rate)))
	for i := range list {
		at := 2 * math.Pi * float64(i) / float64(rate)
		list[i] = 0.4*math.Sin(at*hertz) + 0.1*math.Sin(at*100)
	}
	return list
}

// wav is a file with a sound in channels, all alike.
func wav(kind, bits, rate, channels int, samples []float64) []byte {
	var data []byte
	for _, x := range samples {
		for range channels {
			switch {
			case kind == float && bits == 32:
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
			case kind == float:
				data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
			case bits == 8:
				data = append(data, byte(128+math.Round(x*127)))
			default:
				n := uint32(int32(math.Round(x * (math.Exp2(float64(bits-1)) - 1))))
				data = append(data, binary.LittleEndian.AppendUint32(nil, n)[:bits/8]...)
			}
		}
	}
	format := binary.LittleEndian.AppendUint16(nil, uint16(kind))
	format = binary.LittleEndian.AppendUint16(format, uint16(channels))
	format = binary.LittleEndian.AppendUint32(format, uint32(rate))
	format = binary.LittleEndian.AppendUint32(format, uint32(rate*channels*bits/8))
	format = binary.LittleEndian.AppendUint16(format, uint16(channels*bits/8))
	format = binary.LittleEndian.AppendUint16(format, uint16(bits))
	file := []byte("WAVE")
	for _, c := range []struct {
		name string
		data []byte
	}{{"LIST", []byte("odd")}, {"fmt ", format}, {"data", data}} {
		file = binary.LittleEndian.AppendUint32(append(file, c.name...), uint32(len(c.data)))
		if file = append(file, c.data...); len(c.data)%2 == 1 {
			file = append(file, 0)
		}
	}
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(file))), file...)
}

// TestRun compares the text of a file with the likeliest tokens by the whole network, without a cache.
func TestRun(t *testing.T) {
	dir := tiny(t, "", "")
	file := filepath.Join(t.TempDir(), "tone.wav")
	if err := os.WriteFile(file, wav(pcm, 16, 44100, 2, tone(44100, 3, 700)), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := run(t.Context(), dir, "", false, []string{file}, &out); err != nil {
		t.Fatal(err)
	}
	s, err := readWAV(file)
	if err != nil {
		t.Fatal(err)
	}
	samples := s.resample(16000).samples
	if len(samples) != 48000 {
		t.Fatalf("%d samples", len(samples))
	}
	n := cut(samples, 32000)
	want := fmt.Sprintf("00:00 %s\n00:01 %s\n", transcript(t, dir, samples[:n]), transcript(t, dir, samples[n:]))
	if out.String() != want || !utf8.ValidString(want) || n >= 32000 {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	var fixed, translated bytes.Buffer
	for _, language := range []string{"en", "de"} {
		if err := run(t.Context(), dir, language, false, []string{file}, &fixed); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(t.Context(), dir, "", true, []string{file}, &translated); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(fixed.String(), out.String()) || fixed.String() == out.String()+out.String() {
		t.Errorf("with both languages %q, without %q", fixed.String(), out.String())
	}
	if translated.String() == out.String() {
		t.Errorf("the translation is %q, too", translated.String())
	}
}

// transcript is the text of a piece.
func transcript(t *testing.T, dir string, samples []float32) string {
	t.Helper()
	w, err := openTranscriber(dir, "", false)
	if err != nil {
		t.Fatal(err)
	}
	model, err := transformers.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	spectrum, err := w.mel.Apply(samples)
	if err != nil {
		t.Fatal(err)
	}
	scores := func(ids []int32) []float32 {
		out, err := model.Forward(transformers.Inputs{InputFeatures: spectrum,
			DecoderInputIDs: nx.FromSlice(ids, nx.Shape{1, len(ids)})})
		if err != nil {
			t.Fatal(err)
		}
		return nx.Data[float32](out.Logits.At(0, -1))
	}
	const start, english, german, end = 259, 260, 261, 256
	ids := []int32{start}
	if x := scores(ids); x[english] >= x[german] {
		ids = append(ids, english)
	} else {
		ids = append(ids, german)
	}
	ids = append(ids, 263, 264)
	prompt := len(ids)
	for len(ids) <= 40 { // the context of the model
		x, best := scores(ids), 0
		for i := range x {
			if x[i] > x[best] {
				best = i
			}
		}
		if best == end {
			break
		}
		ids = append(ids, int32(best))
	}
	text, err := w.tokens.Decode(ids[prompt:])
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(text)
}

func TestReadWAV(t *testing.T) {
	want := tone(8000, 0.1, 440)
	for _, c := range []struct {
		kind, bits, channels int
		tolerance            float64
	}{{pcm, 8, 1, 1e-2}, {pcm, 16, 1, 1e-4}, {pcm, 16, 2, 1e-4}, {pcm, 24, 2, 1e-6}, {pcm, 32, 1, 1e-7},
		{float, 32, 1, 1e-7}, {float, 64, 6, 1e-7}} {
		s, err := parseWAV(wav(c.kind, c.bits, 8000, c.channels, want))
		if err != nil || s.rate != 8000 || len(s.samples) != len(want) {
			t.Errorf("%+v: %v", c, err)
			continue
		}
		for i, x := range s.samples {
			if math.Abs(float64(x)-want[i]) > c.tolerance {
				t.Errorf("%+v: sample %d is %v, want %v", c, i, x, want[i])
				break
			}
		}
	}
	// The mean of two channels, in a file whose writer did not know the size, with the longer form of the format.
	file := wav(pcm, 16, 16000, 2, []float64{0.5, 0.5})
	at := bytes.Index(file, []byte("data"))
	copy(file[at+4:], "\xff\xff\xff\xff\x00\x40\x00\x20\x00\xc0\x00\x40")
	head := bytes.Index(file, []byte("fmt "))
	long := append([]byte{}, file[:head]...)
	long = append(long, "fmt \x28\x00\x00\x00\xfe\xff"...)
	long = append(long, file[head+10:head+24]...)
	long = append(long, append([]byte("\x16\x00\x10\x00\x03\x00\x00\x00\x01\x00"), make([]byte, 14)...)...)
	s, err := parseWAV(append(long, file[at:]...))
	if err != nil || len(s.samples) != 2 || s.samples[0] != 0.375 || s.samples[1] != 0 {
		t.Errorf("got %v, %v", s, err)
	}
}

func TestBadWAV(t *testing.T) {
	good := wav(pcm, 16, 16000, 1, []float64{0, 0.5})
	change := func(at int, with string) []byte {
		data := bytes.Clone(good)
		copy(data[at:], with)
		return data
	}
	format := bytes.Index(good, []byte("fmt ")) + 8
	for want, data := range map[string][]byte{
		"not a WAV file":                nil,
		"not a WAV":                     []byte("ID3 something that is no WAV"),
		"RF64":                          change(0, "RF64"),
		"encoding is µ-law":             change(format, "\x07"),
		"encoding is number 0x1234":     change(format, "\x34\x12"),
		"no channels":                   change(format+2, "\x00"),
		"rate is 4294967295":            change(format+4, "\xff\xff\xff\xff"),
		"rate is 0":                     change(format+4, "\x00\x00\x00\x00"),
		"samples have 12 bits":          change(format+14, "\x0c"),
		`the chunk "data" has 4 bytes`:  good[:len(good)-1],
		"no chunk of samples":           good[:format+16],
		"is missing or too short":       change(format-8, "junk"),
		`chunk "fmt " has 1073741840`:   change(format-1, "\x40"),
		"sample 1 is not finite":        wav(float, 32, 16000, 1, []float64{0, math.Inf(1)}),
		"samples have 16 bits: PCM of ": wav(float, 16, 16000, 1, nil),
	} {
		if s, err := parseWAV(data); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, %v, want %q", s, err, want)
		}
	}
}

// FuzzWAV reads files of any bytes.
func FuzzWAV(f *testing.F) {
	for _, c := range [][2]int{{pcm, 8}, {pcm, 24}, {float, 64}} {
		f.Add(wav(c[0], c[1], 8000, 2, tone(8000, 0.01, 440)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parseWAV(data)
		if (s == nil) == (err == nil) || s != nil && (len(s.samples) > len(data) || s.rate < leastRate) {
			t.Errorf("%v, %v", s, err)
		}
	})
}

// A tone below half of both rates stays; one above half of the new rate goes.
func TestResample(t *testing.T) {
	const to = 16000
	for _, rate := range []int{8000, 11025, 22050, 44100, 48000, 96000, 44101} {
		in := &sound{rate: rate, samples: make([]float32, rate/2)}
		for i, x := range tone(rate, 0.5, 1000) {
			in.samples[i] = float32(x)
		}
		got, want := in.resample(to), tone(to, 0.5, 1000)
		if got.rate != to || len(got.samples) != len(want) {
			t.Fatalf("%d samples at %d from %d", len(got.samples), got.rate, rate)
		}
		for i, x := range got.samples {
			if i > to/20 && i < len(want)-to/20 && math.Abs(float64(x)-want[i]) > 1e-4 {
				t.Errorf("from %d: sample %d is %v, want %v", rate, i, x, want[i])
				break
			}
		}
		if rate <= to {
			continue
		}
		for i := range in.samples {
			in.samples[i] = float32(math.Sin(2 * math.Pi * float64(i) * 9000 / float64(rate)))
		}
		for i, x := range in.resample(to).samples {
			if i > to/20 && i < len(want)-to/20 && math.Abs(float64(x)) > 1e-4 {
				t.Errorf("from %d: sample %d of a tone that cannot be heard is %v", rate, i, x)
				break
			}
		}
	}
	if s := (&sound{rate: 44100}).resample(to); len(s.samples) != 0 {
		t.Errorf("nothing becomes %v", s.samples)
	}
}

// Pieces end where it is quiet.
func TestCut(t *testing.T) {
	samples := make([]float32, 5000)
	for i := range samples {
		samples[i] = float32(1 - 2*(i%2))
	}
	for i := range 100 {
		samples[2700+i] = 0.01
	}
	if n := cut(samples, 3000); n < 2700 || n > 2800 {
		t.Errorf("the piece ends at %d", n)
	}
	for _, c := range [][3]int{{0, 10, 0}, {10, 10, 10}, {10, 1, 1}} {
		if n := cut(samples[:c[0]], c[1]); n != c[2] {
			t.Errorf("%v: the piece ends at %d", c, n)
		}
	}
}

func TestErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "empty.wav")
	if err := os.WriteFile(file, wav(pcm, 16, 8000, 1, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	encoder := t.TempDir()
	if err := tinymodel.WriteEncoder(encoder); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dir, language string
		files         []string
		want          string
	}{
		{t.TempDir(), "", nil, "want a WAV file"},
		{t.TempDir(), "", []string{file}, "config.json"},
		{tiny(t, "", ""), "", []string{file}, "empty.wav: the sound is empty"},
		{tiny(t, "", ""), "xx", []string{file}, `the language "xx": it has <|de|> <|en|>`},
		{tiny(t, "", ""), "", []string{"none.wav"}, "none.wav"},
		{tiny(t, "generation_config.json", `{"max_length":"long"}`), "", []string{file}, "generation_config.json"},
		{tiny(t, "generation_config.json", `{"is_multilingual":false}`), "en", []string{file}, "not know the language"},
		{tiny(t, "preprocessor_config.json", `{"hop_length":0}`), "", []string{file}, "hop_length"},
		{encoder, "", []string{file}, "does not read sounds"},
	} {
		var out bytes.Buffer
		if err := run(t.Context(), c.dir, c.language, false, c.files, &out); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
