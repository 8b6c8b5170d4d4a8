package data

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/go-nx/nx"
)

// maxBytes bounds what a reader of whole files takes into memory.
const maxBytes = 1 << 34

// openPlain opens a file that may be compressed by gzip.
func openPlain(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(f, 1<<16)
	magic, _ := r.Peek(2)
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		return readCloser{r, f}, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		f.Close()
		return nil, err
	}
	return readCloser{z, f}, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

// ReadIDX reads a file in the format of MNIST, such as train-images-idx3-ubyte, plain or compressed by gzip.
//
// Shapes: that of the file: images [n, 28, 28], labels [n]. DTypes: u8, s8, s16, s32, f32 or f64, as the file has it.
//
// Source: Y. LeCun, C. Cortes, C. Burges, "The MNIST database of handwritten digits".
func ReadIDX(path string) (t nx.Tensor, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	}()
	f, err := openPlain(path)
	if err != nil {
		return t, err
	}
	defer f.Close()
	return decodeIDX(f)
}

var idxTypes = map[byte]nx.DType{8: nx.U8, 9: nx.S8, 11: nx.S16, 12: nx.S32, 13: nx.F32, 14: nx.F64}

func decodeIDX(r io.Reader) (t nx.Tensor, err error) {
	var magic [4]byte
	if _, err := io.ReadFull(r, magic[:]); err != nil {
		return t, fmt.Errorf("the file ends in its header: %w", err)
	}
	d, ok := idxTypes[magic[2]]
	if magic[0] != 0 || magic[1] != 0 || !ok || magic[3] == 0 || magic[3] > 8 {
		return t, fmt.Errorf("not a file of the format IDX: it begins with % x", magic)
	}
	dims := make([]uint32, magic[3])
	if err := binary.Read(r, binary.BigEndian, dims); err != nil {
		return t, fmt.Errorf("the file ends in its header: %w", err)
	}
	var shape nx.Shape
	size := uint64(d.Size())
	for _, n := range dims {
		shape = append(shape, int(n))
		if n > 0 && size > maxBytes/uint64(n) {
			return t, fmt.Errorf("a tensor of shape %v is larger than %d bytes", shape, int64(maxBytes))
		}
		size *= uint64(n)
	}
	data, err := readExactly(r, int(size))
	if err != nil {
		return t, err
	}
	if w := d.Size(); w > 1 { // the format is big-endian
		for e := range slices.Chunk(data, w) {
			slices.Reverse(e)
		}
	}
	return nx.FromBytes(data, shape, d), nil
}

// readExactly reads the last n bytes of a reader. It takes memory as the bytes come, not as a header claims.
func readExactly(r io.Reader, n int) ([]byte, error) {
	var b bytes.Buffer
	m, err := io.Copy(&b, io.LimitReader(r, int64(n)+1))
	switch {
	case err != nil:
		return nil, err
	case m < int64(n):
		return nil, fmt.Errorf("the file ends after %d bytes of data, its header says %d", m, n)
	case m > int64(n):
		return nil, fmt.Errorf("the file goes on after the %d bytes of data that its header says", n)
	}
	return b.Bytes(), nil
}

// ReadCIFAR reads files of the binary version of CIFAR-10 (data_batch_1.bin), or of CIFAR-100, whose pictures have a
// coarse class before the fine one.
//
// Shapes: images [n, 3, 32, 32], red, green and blue; labels [n], for CIFAR-100 [n, 2]. DTypes: u8.
//
// Source: A. Krizhevsky, "Learning multiple layers of features from tiny images", 2009.
func ReadCIFAR(classes int, paths ...string) (images, labels nx.Tensor, err error) {
	if classes != 10 && classes != 100 {
		return images, labels, fmt.Errorf("data: CIFAR has 10 or 100 classes, not %d", classes)
	}
	heads := classes/100 + 1
	const picture = 3 * 32 * 32
	var pixels, heading []byte
	for _, path := range paths {
		f, err := openPlain(path)
		if err != nil {
			return images, labels, err
		}
		all, err := io.ReadAll(io.LimitReader(f, maxBytes))
		f.Close()
		if err != nil {
			return images, labels, fmt.Errorf("%s: %w", path, err)
		}
		if len(all) == 0 || len(all)%(heads+picture) != 0 {
			return images, labels, fmt.Errorf("%s: %d bytes are not a number of records of %d: "+
				"is it the binary version of CIFAR-%d?", path, len(all), heads+picture, classes)
		}
		for record := range slices.Chunk(all, heads+picture) {
			if int(record[heads-1]) >= classes {
				return images, labels, fmt.Errorf("%s: a picture has the class %d of %d", path, record[heads-1],
					classes)
			}
			heading, pixels = append(heading, record[:heads]...), append(pixels, record[heads:]...)
		}
	}
	n := len(heading) / heads
	shape := nx.Shape{n}
	if heads > 1 {
		shape = append(shape, heads)
	}
	return nx.FromBytes(pixels, nx.Shape{n, 3, 32, 32}, nx.U8), nx.FromBytes(heading, shape, nx.U8), nil
}
