package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
)

// sound is a sound of one channel, samples of -1 to 1.
type sound struct {
	rate    int // samples a second
	samples []float32
}

// formats are the names of encodings that a file may have and that are not read.
var formats = map[uint16]string{2: "Microsoft ADPCM", 6: "A-law", 7: "µ-law", 0x11: "IMA ADPCM", 0x31: "GSM 6.10",
	0x50: "MPEG", 0x55: "MP3", 0xff: "AAC", 0x161: "Windows Media Audio"}

// How samples are encoded.
const (
	pcm        = 1
	float      = 3
	extensible = 0xfffe // the encoding is in a field further behind
)

// The rates that are read: those of voices and of studios.
const leastRate, mostRate = 1000, 384000

// readWAV reads a WAV file. Channels become their mean.
func readWAV(path string) (*sound, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := parseWAV(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// parseWAV reads the contents of a WAV file: chunks with a name and a size each. Source: "Multimedia Programming
// Interface and Data Specifications 1.0", IBM and Microsoft, 1991.
func parseWAV(data []byte) (*sound, error) {
	if len(data) < 12 || string(data[8:12]) != "WAVE" || string(data[:4]) != "RIFF" {
		if len(data) >= 4 && (string(data[:4]) == "RF64" || string(data[:4]) == "RIFX") {
			return nil, fmt.Errorf("a file of the kind %s: only RIFF is read; convert it with ffmpeg -i IN OUT.wav", data[:4])
		}
		return nil, errors.New("not a WAV file: convert it with ffmpeg -i IN OUT.wav")
	}
	var format []byte
	for rest := data[12:]; len(rest) >= 8; {
		name, size := string(rest[:4]), uint64(binary.LittleEndian.Uint32(rest[4:]))
		rest = rest[8:]
		if name == "data" && size == math.MaxUint32 { // the writer did not know the size
			size = uint64(len(rest))
		}
		if size > uint64(len(rest)) {
			return nil, fmt.Errorf("the chunk %q has %d bytes, only %d are there: the file is cut off", name, size, len(rest))
		}
		switch name {
		case "fmt ":
			format = rest[:size]
		case "data":
			return decode(format, rest[:size])
		}
		rest = rest[min(size+size%2, uint64(len(rest))):] // chunks begin at even places
	}
	return nil, errors.New("it has no chunk of samples")
}

// decode reads samples of a format.
func decode(format, data []byte) (*sound, error) {
	if len(format) < 16 {
		return nil, errors.New("the chunk that says how samples are encoded is missing or too short")
	}
	kind, channels := binary.LittleEndian.Uint16(format), int(binary.LittleEndian.Uint16(format[2:]))
	rate, bits := int(binary.LittleEndian.Uint32(format[4:])), int(binary.LittleEndian.Uint16(format[14:]))
	if kind == extensible && len(format) >= 26 {
		kind = binary.LittleEndian.Uint16(format[24:])
	}
	read := decoders[encoding{kind, bits}]
	switch {
	case kind != pcm && kind != float:
		name := formats[kind]
		if name == "" {
			name = fmt.Sprintf("number %#x", kind)
		}
		return nil, fmt.Errorf("its encoding is %s: only PCM and floats are read; convert it with "+
			"ffmpeg -i IN -c:a pcm_s16le OUT.wav", name)
	case read == nil:
		return nil, fmt.Errorf("its samples have %d bits: PCM of 8, 16, 24 and 32 and floats of 32 and 64 are read", bits)
	case channels < 1:
		return nil, errors.New("it has no channels")
	case rate < leastRate || rate > mostRate:
		return nil, fmt.Errorf("its rate is %d samples a second: %d to %d are read", rate, leastRate, mostRate)
	}
	size := bits / 8
	s := &sound{rate: rate, samples: make([]float32, len(data)/size/channels)}
	for i := range s.samples {
		sum := 0.0
		for range channels {
			sum += read(data)
			data = data[size:]
		}
		if s.samples[i] = float32(sum / float64(channels)); s.samples[i]-s.samples[i] != 0 {
			return nil, fmt.Errorf("sample %d is not finite", i)
		}
	}
	return s, nil
}

type encoding struct {
	kind uint16
	bits int
}

// decoders read a sample each.
var decoders = map[encoding]func(b []byte) float64{
	{pcm, 8}:  func(b []byte) float64 { return (float64(b[0]) - 128) / (1 << 7) },
	{pcm, 16}: func(b []byte) float64 { return float64(int16(binary.LittleEndian.Uint16(b))) / (1 << 15) },
	{pcm, 24}: func(b []byte) float64 {
		return float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) / (1 << 31)
	},
	{pcm, 32}:   func(b []byte) float64 { return float64(int32(binary.LittleEndian.Uint32(b))) / (1 << 31) },
	{float, 32}: func(b []byte) float64 { return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))) },
	{float, 64}: func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) },
}
