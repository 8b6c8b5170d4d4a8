package nx_test

import (
	"fmt"
	"math"

	"github.com/go-nx/nx"
)

func ExampleLog2() {
	fmt.Println(nx.Log2(nx.New([]float32{1, 8, 0})))
	// Output:
	// f32[3]
	// [ 0.0,  3.0, -Inf]
}

func ExampleLog10() {
	fmt.Println(nx.Log10(nx.New([]float32{1, 1000})))
	// Output:
	// f32[2]
	// [0.0, 3.0]
}

func ExampleSoftplus() {
	fmt.Printf("%.4f\n", nx.Softplus(nx.New([]float32{-1, 0, 100})))
	// Output:
	// [  0.3133,   0.6931, 100.0000]
}

func ExampleSilu() {
	fmt.Printf("%.4f\n", nx.Silu(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [-0.2689,  0.0000,  0.7311]
}

func ExampleGelu() {
	fmt.Printf("%.4f\n", nx.Gelu(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [-0.1587,  0.0000,  0.8413]
}

func ExampleGeluTanh() {
	fmt.Printf("%.4f\n", nx.GeluTanh(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [-0.1588,  0.0000,  0.8412]
}

func ExampleCrossEntropy() {
	logits := nx.New([][]float32{{2, 0}, {0, 0}})
	fmt.Printf("%.4f\n", nx.CrossEntropy(logits, nx.New([]int32{0, 1})))
	// Output:
	// [0.1269, 0.6931]
}

func ExampleSoftCrossEntropy() {
	logits := nx.New([][]float32{{2, 0}, {0, 0}})
	fmt.Printf("%.4f\n", nx.SoftCrossEntropy(logits, nx.New([][]float32{{0.9, 0.1}, {0, 1}})))
	// Output:
	// [0.3269, 0.6931]
}

func ExampleLayerNorm() {
	fmt.Printf("%.4f\n", nx.LayerNorm(nx.New([]float32{1, 2, 3}), 0))
	// Output:
	// [-1.2247,  0.0000,  1.2247]
}

func ExampleNonZero() {
	positions, count := nx.NonZero(nx.New([][]int32{{0, 5}, {7, 0}}), 3)
	fmt.Println(positions)
	fmt.Println(count)
	// Output:
	// s32[3][2]
	// [
	//   [0, 1],
	//   [1, 0],
	//   [0, 0]
	// ]
	// s32 2
}

func ExampleOnesCount() {
	fmt.Println(nx.OnesCount(nx.New([]int8{7, -1})))
	// Output:
	// s8[2]
	// [3, 8]
}

func ExampleLeadingZeros() {
	fmt.Println(nx.LeadingZeros(nx.New([]uint8{1, 0})))
	// Output:
	// u8[2]
	// [7, 8]
}

func ExamplePhase() {
	fmt.Printf("%.4f\n", nx.Phase(nx.New([]complex64{1i, -1})))
	// Output:
	// [1.5708, 3.1416]
}

func ExampleSub() {
	fmt.Println(nx.Sub(nx.New([]float32{5, 7}), 2))
	// Output:
	// f32[2]
	// [3.0, 5.0]
}

func ExampleMul() {
	fmt.Println(nx.Mul(nx.New([]float32{5, 7}), nx.New([]float32{2, 3})))
	// Output:
	// f32[2]
	// [10.0, 21.0]
}

func ExampleDiv() {
	fmt.Println(nx.Div(nx.New([]float32{1, -1, 0}), 0))
	// Output:
	// f32[3]
	// [ Inf, -Inf,  NaN]
}

func ExampleQuotient() {
	fmt.Println(nx.Quotient(nx.New([]int32{7, -7}), 2)) // toward zero
	// Output:
	// s32[2]
	// [ 3, -3]
}

func ExampleRemainder() {
	fmt.Println(nx.Remainder(nx.New([]int32{7, -7}), 3)) // the sign is that of the dividend
	// Output:
	// s32[2]
	// [ 1, -1]
}

func ExamplePow() {
	fmt.Println(nx.Pow(nx.New([]float32{2, 9}), nx.New([]float32{10, 0.5})))
	// Output:
	// f32[2]
	// [1024.0,    3.0]
}

func ExampleAtan2() {
	fmt.Printf("%.4f\n", nx.Atan2(nx.New([]float32{0, 1}), nx.New([]float32{-1, 0})))
	// Output:
	// [3.1416, 1.5708]
}

func ExampleMaximum() {
	fmt.Println(nx.Maximum(nx.New([]float32{1, 5}), nx.New([]float32{3, 2})))
	// Output:
	// f32[2]
	// [3.0, 5.0]
}

func ExampleMinimum() {
	fmt.Println(nx.Minimum(nx.New([]float32{1, 5}), nx.New([]float32{3, 2})))
	// Output:
	// f32[2]
	// [1.0, 2.0]
}

func ExampleComplex() {
	fmt.Println(nx.Complex(nx.New([]float32{1, 2}), nx.New([]float32{0, -3})))
	// Output:
	// c64[2]
	// [1.0+0.0i, 2.0-3.0i]
}

func ExampleBitwiseAnd() {
	fmt.Println(nx.BitwiseAnd(nx.New([]int32{12, 5}), 4))
	// Output:
	// s32[2]
	// [4, 4]
}

func ExampleBitwiseOr() {
	fmt.Println(nx.BitwiseOr(nx.New([]int32{12, 5}), 2))
	// Output:
	// s32[2]
	// [14,  7]
}

func ExampleBitwiseXor() {
	fmt.Println(nx.BitwiseXor(nx.New([]int32{12, 5}), 4))
	// Output:
	// s32[2]
	// [8, 1]
}

func ExampleLeftShift() {
	fmt.Println(nx.LeftShift(nx.New([]int32{1, -3}), 4))
	// Output:
	// s32[2]
	// [ 16, -48]
}

func ExampleRightShift() {
	fmt.Println(nx.RightShift(nx.New([]int32{256, -16}), 2))
	// Output:
	// s32[2]
	// [64, -4]
}

func ExampleLogicalAnd() {
	fmt.Println(nx.LogicalAnd(nx.New([]int32{0, 1, 2}), nx.New([]int32{3, 0, 4})))
	// Output:
	// bool[3]
	// [false, false,  true]
}

func ExampleLogicalOr() {
	fmt.Println(nx.LogicalOr(nx.New([]int32{0, 1, 0}), nx.New([]int32{3, 0, 0})))
	// Output:
	// bool[3]
	// [ true,  true, false]
}

func ExampleLogicalXor() {
	fmt.Println(nx.LogicalXor(nx.New([]int32{0, 1, 2}), nx.New([]int32{3, 0, 4})))
	// Output:
	// bool[3]
	// [ true,  true, false]
}

func ExampleEqual() {
	fmt.Println(nx.Equal(nx.New([]float32{1, float32(math.NaN())}), nx.New([]float32{1, float32(math.NaN())})))
	// Output:
	// bool[2]
	// [ true, false]
}

func ExampleNotEqual() {
	fmt.Println(nx.NotEqual(nx.New([]float32{1, float32(math.NaN())}), nx.New([]float32{1, float32(math.NaN())})))
	// Output:
	// bool[2]
	// [false,  true]
}

func ExampleGreater() {
	fmt.Println(nx.Greater(nx.New([]float32{1, 2, 3}), 2))
	// Output:
	// bool[3]
	// [false, false,  true]
}

func ExampleGreaterEqual() {
	fmt.Println(nx.GreaterEqual(nx.New([]float32{1, 2, 3}), 2))
	// Output:
	// bool[3]
	// [false,  true,  true]
}

func ExampleLess() {
	fmt.Println(nx.Less(nx.New([]float32{1, 2, 3}), 2))
	// Output:
	// bool[3]
	// [ true, false, false]
}

func ExampleLessEqual() {
	fmt.Println(nx.LessEqual(nx.New([]float32{1, 2, 3}), 2))
	// Output:
	// bool[3]
	// [ true,  true, false]
}

func ExampleClip() {
	fmt.Println(nx.Clip(nx.New([]float32{-3, 0.5, 7}), -1, 1))
	// Output:
	// f32[3]
	// [-1.0,  0.5,  1.0]
}

func ExampleOuter() {
	fmt.Println(nx.Outer(nx.New([]int32{1, 2}), nx.New([]int32{10, 20, 30})))
	// Output:
	// s32[2][3]
	// [
	//   [10, 20, 30],
	//   [20, 40, 60]
	// ]
}

func ExampleAbs() {
	fmt.Println(nx.Abs(nx.New([]float32{-1.5, 0, 2})))
	// Output:
	// f32[3]
	// [1.5, 0.0, 2.0]
}

func ExampleNeg() {
	fmt.Println(nx.Neg(nx.New([]int32{1, -2, 0})))
	// Output:
	// s32[3]
	// [-1,  2,  0]
}

func ExampleSign() {
	fmt.Println(nx.Sign(nx.New([]float32{-3, 0, 0.5})))
	// Output:
	// f32[3]
	// [-1.0,  0.0,  1.0]
}

func ExampleSquare() {
	fmt.Println(nx.Square(nx.New([]int32{-3, 4})))
	// Output:
	// s32[2]
	// [ 9, 16]
}

func ExampleRelu() {
	fmt.Println(nx.Relu(nx.New([]float32{-1, 0, 2})))
	// Output:
	// f32[3]
	// [0.0, 0.0, 2.0]
}

func ExampleFloor() {
	fmt.Println(nx.Floor(nx.New([]float32{-1.5, 1.5})))
	// Output:
	// f32[2]
	// [-2.0,  1.0]
}

func ExampleCeil() {
	fmt.Println(nx.Ceil(nx.New([]float32{-1.5, 1.5})))
	// Output:
	// f32[2]
	// [-1.0,  2.0]
}

func ExampleRound() {
	fmt.Println(nx.Round(nx.New([]float32{-0.5, 0.5, 1.5, 2.5}))) // halves away from zero
	// Output:
	// f32[4]
	// [-1.0,  1.0,  2.0,  3.0]
}

func ExampleRoundEven() {
	fmt.Println(nx.RoundEven(nx.New([]float32{-0.5, 0.5, 1.5, 2.5}))) // halves to even numbers
	// Output:
	// f32[4]
	// [-0.0,  0.0,  2.0,  2.0]
}

func ExampleExp() {
	fmt.Printf("%.4f\n", nx.Exp(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [0.3679, 1.0000, 2.7183]
}

func ExampleExpm1() {
	fmt.Println(nx.Expm1(nx.New([]float32{1e-10, 0}))) // Exp(t) - 1 would be 0
	// Output:
	// f32[2]
	// [1e-10,   0.0]
}

func ExampleLog() {
	fmt.Printf("%.4f\n", nx.Log(nx.New([]float32{0, 1, 10})))
	// Output:
	// [  -Inf, 0.0000, 2.3026]
}

func ExampleLog1p() {
	fmt.Println(nx.Log1p(nx.New([]float32{1e-10, 0}))) // Log(1 + t) would be 0
	// Output:
	// f32[2]
	// [1e-10,   0.0]
}

func ExampleSqrt() {
	fmt.Println(nx.Sqrt(nx.New([]float32{4, 2, -1})))
	// Output:
	// f32[3]
	// [      2.0, 1.4142135,       NaN]
}

func ExampleRsqrt() {
	fmt.Println(nx.Rsqrt(nx.New([]float32{4, 0})))
	// Output:
	// f32[2]
	// [0.5, Inf]
}

func ExampleCbrt() {
	fmt.Println(nx.Cbrt(nx.New([]float32{-8, 27})))
	// Output:
	// f32[2]
	// [-2.0,  3.0]
}

func ExampleSigmoid() {
	fmt.Printf("%.4f\n", nx.Sigmoid(nx.New([]float32{-2, 0, 2})))
	// Output:
	// [0.1192, 0.5000, 0.8808]
}

func ExampleSin() {
	fmt.Printf("%.4f\n", nx.Sin(nx.New([]float32{0, 1, math.Pi})))
	// Output:
	// [ 0.0000,  0.8415, -0.0000]
}

func ExampleCos() {
	fmt.Printf("%.4f\n", nx.Cos(nx.New([]float32{0, 1, math.Pi})))
	// Output:
	// [ 1.0000,  0.5403, -1.0000]
}

func ExampleTan() {
	fmt.Printf("%.4f\n", nx.Tan(nx.New([]float32{0, 1})))
	// Output:
	// [0.0000, 1.5574]
}

func ExampleAsin() {
	fmt.Printf("%.4f\n", nx.Asin(nx.New([]float32{-1, 0, 0.5})))
	// Output:
	// [-1.5708,  0.0000,  0.5236]
}

func ExampleAcos() {
	fmt.Printf("%.4f\n", nx.Acos(nx.New([]float32{-1, 0, 0.5})))
	// Output:
	// [3.1416, 1.5708, 1.0472]
}

func ExampleAtan() {
	fmt.Printf("%.4f\n", nx.Atan(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [-0.7854,  0.0000,  0.7854]
}

func ExampleSinh() {
	fmt.Printf("%.4f\n", nx.Sinh(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [-1.1752,  0.0000,  1.1752]
}

func ExampleCosh() {
	fmt.Printf("%.4f\n", nx.Cosh(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [1.5431, 1.0000, 1.5431]
}

func ExampleTanh() {
	fmt.Printf("%.4f\n", nx.Tanh(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [-0.7616,  0.0000,  0.7616]
}

func ExampleAsinh() {
	fmt.Printf("%.4f\n", nx.Asinh(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [-0.8814,  0.0000,  0.8814]
}

func ExampleAcosh() {
	fmt.Printf("%.4f\n", nx.Acosh(nx.New([]float32{1, 2})))
	// Output:
	// [0.0000, 1.3170]
}

func ExampleAtanh() {
	fmt.Printf("%.4f\n", nx.Atanh(nx.New([]float32{-0.5, 0, 0.5})))
	// Output:
	// [-0.5493,  0.0000,  0.5493]
}

func ExampleErf() {
	fmt.Printf("%.4f\n", nx.Erf(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [-0.8427,  0.0000,  0.8427]
}

func ExampleErfc() {
	fmt.Printf("%.4f\n", nx.Erfc(nx.New([]float32{-1, 0, 1})))
	// Output:
	// [1.8427, 1.0000, 0.1573]
}

func ExampleErfInv() {
	fmt.Printf("%.4f\n", nx.ErfInv(nx.New([]float32{-0.5, 0, 1})))
	// Output:
	// [-0.4769,  0.0000,    +Inf]
}

func ExampleLgamma() {
	fmt.Printf("%.4f\n", nx.Lgamma(nx.New([]float32{0.5, 5, 100})))
	// Output:
	// [  0.5724,   3.1781, 359.1342]
}

func ExampleDigamma() {
	fmt.Printf("%.4f\n", nx.Digamma(nx.New([]float32{1, 2.5})))
	// Output:
	// [-0.5772,  0.7032]
}

func ExampleBesselI0e() {
	fmt.Printf("%.4f\n", nx.BesselI0e(nx.New([]float32{0, 1, 100})))
	// Output:
	// [1.0000, 0.4658, 0.0399]
}

func ExampleIsNaN() {
	fmt.Println(nx.IsNaN(nx.New([]float32{1, float32(math.NaN()), float32(math.Inf(1))})))
	// Output:
	// bool[3]
	// [false,  true, false]
}

func ExampleIsInf() {
	fmt.Println(nx.IsInf(nx.New([]float32{1, float32(math.NaN()), float32(math.Inf(1))})))
	// Output:
	// bool[3]
	// [false, false,  true]
}

func ExampleIsFinite() {
	fmt.Println(nx.IsFinite(nx.New([]float32{1, float32(math.NaN()), float32(math.Inf(1))})))
	// Output:
	// bool[3]
	// [ true, false, false]
}

func ExampleLogicalNot() {
	fmt.Println(nx.LogicalNot(nx.New([]int32{0, 1, -2})))
	// Output:
	// bool[3]
	// [ true, false, false]
}

func ExampleBitwiseNot() {
	fmt.Println(nx.BitwiseNot(nx.New([]int32{0, 5})))
	// Output:
	// s32[2]
	// [-1, -6]
}

func ExampleReal() {
	z := nx.New([]complex64{1 + 2i, -3i})
	fmt.Println(nx.Real(z))
	// Output:
	// f32[2]
	// [1.0, 0.0]
}

func ExampleImag() {
	z := nx.New([]complex64{1 + 2i, -3i})
	fmt.Println(nx.Imag(z))
	// Output:
	// f32[2]
	// [ 2.0, -3.0]
}

func ExampleConj() {
	z := nx.New([]complex64{1 + 2i, -3i})
	fmt.Println(nx.Conj(z))
	// Output:
	// c64[2]
	// [1.0-2.0i, 0.0+3.0i]
}

func ExampleCast() {
	fmt.Println(nx.Cast(nx.New([]float32{-1.7, 300, float32(math.NaN())}), nx.U8))
	// Output:
	// u8[3]
	// [  0, 255,   0]
}

func ExampleBitcast() {
	fmt.Printf("%x\n", nx.Data[uint32](nx.Bitcast(nx.New([]float32{1, -2}), nx.U32)))
	// Output:
	// [3f800000 c0000000]
}

func ExampleStopGradient() {
	f := func(x nx.Tensor) nx.Tensor { return nx.Mul(x, nx.StopGradient(x)) }
	fmt.Println(nx.Grad(f)(nx.New(float32(3))))
	// Output:
	// f32 3.0
}

func ExampleLogSoftmax() {
	fmt.Printf("%.4f\n", nx.LogSoftmax(nx.New([]float32{0, 1, 2})))
	// Output:
	// [-2.4076, -1.4076, -0.4076]
}

func ExampleSoftmax() {
	fmt.Printf("%.4f\n", nx.Softmax(nx.New([]float32{0, 1, 2})))
	// Output:
	// [0.0900, 0.2447, 0.6652]
}

func ExampleExpr() {
	vars := nx.Vars{"x": nx.New([]float64{1, 2}), "k": 4}
	fmt.Println(nx.Expr("0.5 * x**2 + log(x/k)", vars))
	_, err := nx.ExprVars("1/2 * x")
	fmt.Println(err.(*nx.Error).Detail)
	// Output:
	// f64[2]
	// [-0.8862943611198906,  1.3068528194400546]
	// 1:1: the quotient of the integer constants 1/2 is cut off to 0
	// 	1/2 * x
	// 	^^^
}

func ExampleExprVars() {
	names, err := nx.ExprVars("0.5 * s**2 * t + log(x/k)")
	fmt.Println(names, err)
	// Output: [s t x k] <nil>
}
