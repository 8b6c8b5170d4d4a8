package fft_test

import (
	"fmt"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/fft"
)

func ExampleFFT() {
	fmt.Println(fft.FFT(nx.New([]float32{1, 1, 0, 0})))
	// Output:
	// c64[4]
	// [2.0+0.0i, 1.0-1.0i, 0.0+0.0i, 1.0+1.0i]
}

func ExampleIFFT() {
	fmt.Println(fft.IFFT(nx.New([]float32{4, 0, 0, 0})))
	// Output:
	// c64[4]
	// [1.0+0.0i, 1.0+0.0i, 1.0+0.0i, 1.0+0.0i]
}

func ExampleRFFT() {
	fmt.Println(fft.RFFT(nx.New([]float32{1, 1, 0, 0})))
	// Output:
	// c64[3]
	// [2.0+0.0i, 1.0-1.0i, 0.0+0.0i]
}

func ExampleIRFFT() {
	fmt.Println(fft.IRFFT(fft.RFFT(nx.New([]float32{1, 2, 3, 4}))))
	// Output:
	// f32[4]
	// [1.0, 2.0, 3.0, 4.0]
}

func ExampleFFT2() {
	fmt.Println(fft.FFT2(nx.New([][]float32{{1, 0}, {1, 0}})))
	// Output:
	// c64[2][2]
	// [
	//   [2.0+0.0i, 2.0+0.0i],
	//   [0.0+0.0i, 0.0+0.0i]
	// ]
}

func ExampleIFFT2() {
	fmt.Println(fft.IFFT2(nx.New([][]float32{{4, 0}, {0, 0}})))
	// Output:
	// c64[2][2]
	// [
	//   [1.0+0.0i, 1.0+0.0i],
	//   [1.0+0.0i, 1.0+0.0i]
	// ]
}

func ExampleFFTN() {
	fmt.Println(fft.FFTN(nx.Ones(nx.Shape{2, 2, 2}, nx.F32)).At(0, 0))
	// Output:
	// c64[2]
	// [8.0+0.0i, 0.0+0.0i]
}

func ExampleIFFTN() {
	fmt.Println(fft.IFFTN(nx.Ones(nx.Shape{2, 2}, nx.F32)).At(0))
	// Output:
	// c64[2]
	// [1.0+0.0i, 0.0+0.0i]
}

func ExampleShift() {
	fmt.Println(fft.Shift(fft.Freq(4, 1, nx.F32)))
	// Output:
	// f32[4]
	// [ -0.5, -0.25,   0.0,  0.25]
}

func ExampleIShift() {
	fmt.Println(fft.IShift(nx.New([]int32{-2, -1, 0, 1})))
	// Output:
	// s32[4]
	// [ 0,  1, -2, -1]
}

func ExampleFreq() {
	fmt.Println(fft.Freq(5, 0.1, nx.F32))
	// Output:
	// f32[5]
	// [ 0.0,  2.0,  4.0, -4.0, -2.0]
}

func ExampleRFreq() {
	fmt.Println(fft.RFreq(4, 0.5, nx.F32))
	// Output:
	// f32[3]
	// [0.0, 0.5, 1.0]
}

func ExampleLength() {
	fmt.Println(fft.FFT2(nx.Ones(nx.Shape{2, 3}, nx.F32), fft.Length(4, 4)).Shape())
	// Output:
	// [4][4]
}
