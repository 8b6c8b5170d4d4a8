package nx_test

import (
	"fmt"

	"github.com/go-nx/nx"
)

func ExampleFFT() {
	fmt.Println(nx.FFT(nx.New([]float32{1, 1, 0, 0})))
	// Output:
	// c64[4]
	// [2.0+0.0i, 1.0-1.0i, 0.0+0.0i, 1.0+1.0i]
}

func ExampleIFFT() {
	fmt.Println(nx.IFFT(nx.New([]float32{4, 0, 0, 0})))
	// Output:
	// c64[4]
	// [1.0+0.0i, 1.0+0.0i, 1.0+0.0i, 1.0+0.0i]
}

func ExampleRFFT() {
	fmt.Println(nx.RFFT(nx.New([]float32{1, 1, 0, 0})))
	// Output:
	// c64[3]
	// [2.0+0.0i, 1.0-1.0i, 0.0+0.0i]
}

func ExampleIRFFT() {
	fmt.Println(nx.IRFFT(nx.RFFT(nx.New([]float32{1, 2, 3, 4}))))
	// Output:
	// f32[4]
	// [1.0, 2.0, 3.0, 4.0]
}

func ExampleFFT2() {
	fmt.Println(nx.FFT2(nx.New([][]float32{{1, 0}, {1, 0}})))
	// Output:
	// c64[2][2]
	// [
	//   [2.0+0.0i, 2.0+0.0i],
	//   [0.0+0.0i, 0.0+0.0i]
	// ]
}

func ExampleIFFT2() {
	fmt.Println(nx.IFFT2(nx.New([][]float32{{4, 0}, {0, 0}})))
	// Output:
	// c64[2][2]
	// [
	//   [1.0+0.0i, 1.0+0.0i],
	//   [1.0+0.0i, 1.0+0.0i]
	// ]
}

func ExampleFFTN() {
	fmt.Println(nx.FFTN(nx.Ones(nx.Shape{2, 2, 2}, nx.F32)).At(0, 0))
	// Output:
	// c64[2]
	// [8.0+0.0i, 0.0+0.0i]
}

func ExampleIFFTN() {
	fmt.Println(nx.IFFTN(nx.Ones(nx.Shape{2, 2}, nx.F32)).At(0))
	// Output:
	// c64[2]
	// [1.0+0.0i, 0.0+0.0i]
}

func ExampleFFTShift() {
	fmt.Println(nx.FFTShift(nx.FFTFreq(4, 1, nx.F32)))
	// Output:
	// f32[4]
	// [ -0.5, -0.25,   0.0,  0.25]
}

func ExampleIFFTShift() {
	fmt.Println(nx.IFFTShift(nx.New([]int32{-2, -1, 0, 1})))
	// Output:
	// s32[4]
	// [ 0,  1, -2, -1]
}

func ExampleFFTFreq() {
	fmt.Println(nx.FFTFreq(5, 0.1, nx.F32))
	// Output:
	// f32[5]
	// [ 0.0,  2.0,  4.0, -4.0, -2.0]
}

func ExampleRFFTFreq() {
	fmt.Println(nx.RFFTFreq(4, 0.5, nx.F32))
	// Output:
	// f32[3]
	// [0.0, 0.5, 1.0]
}

func ExampleLengths() {
	fmt.Println(nx.FFT2(nx.Ones(nx.Shape{2, 3}, nx.F32), nx.Lengths(4, 4)).Shape())
	// Output:
	// [4][4]
}
