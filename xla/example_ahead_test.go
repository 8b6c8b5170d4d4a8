package xla_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/xla"
)

// A program compiled for devices that are not present is stored as bytes. Here a plugin of the tests replaces
// that of a TPU, "four" for "tpu".
func ExampleCompileFor() {
	step := func(w, x nx.Tensor) nx.Tensor { return nx.Tanh(nx.Dot(x, w)) }
	l, err := nx.Lower(step, nx.Args(nx.Zeros(nx.Shape{8, 4}, nx.F32), nx.Zeros(nx.Shape{2, 8}, nx.F32)))
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := xla.CompileFor(context.Background(), "four", "2x2", l.Module())
	if err != nil {
		fmt.Println(err)
		return
	}
	saved, err := c.Save()
	fmt.Println(len(c.Devices), c.Devices[0], len(saved) > 0, err)
	// Output: 4 Fake fake true <nil>
}

func ExampleTargets() {
	fmt.Println(xla.Targets())
	// Output: [a100 a6000 b200 h100 h200 rtx6000pro]
}

// A GPU without a name is described by the text of a GpuTargetConfigProto, which must have all fields that the
// compiler needs.
func ExampleTarget() {
	l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return nx.Exp(x) }, nx.Args(nx.Zeros(nx.Shape{4}, nx.F32)))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = xla.CompileFor(context.Background(), "four", "1x4", l.Module(),
		xla.Target(`gpu_device_info { core_count: 68 } platform_name: "CUDA"`))
	text, _, _ := strings.Cut(err.Error(), ",")
	fmt.Println(text)
	// Output: xla: Target: the description of the device must have positive values for threads_per_block_limit
}

// This plugin takes no functions; one of CUDA does.
func ExampleRegisterFFI() {
	err := xla.RegisterFFI("four", "rms_norm", "/opt/kernels/librms.so", "RmsNorm")
	what, why, _ := strings.Cut(err.Error(), " by four: ")
	fmt.Println(what)
	fmt.Println(why)
	// Output:
	// xla: registering the function RmsNorm of /opt/kernels/librms.so as rms_norm
	// /fake/four.so does not support FFI handlers (PJRT API 0.104)
}

func ExampleClient_Export() {
	l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }, nx.Args(nx.Zeros(nx.Shape{2}, nx.F32)))
	if err != nil {
		fmt.Println(err)
		return
	}
	code, err := example("text").Export(context.Background(), l.Module()) // whose plugin announces no version
	fmt.Println(strings.Contains(string(code), `"stablehlo.add"`), err)
	// Output: true <nil>
}

// A program that was compiled elsewhere runs where its devices are.
func ExampleClient_LoadCompiled() {
	l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return nx.Add(x, x) }, nx.Args(nx.Zeros(nx.Shape{2}, nx.F32)))
	if err != nil {
		fmt.Println(err)
		return
	}
	compiled, err := xla.CompileFor(context.Background(), "four", "1x4", l.Module())
	if err != nil {
		fmt.Println(err)
		return
	}
	saved, err := compiled.Save()
	if err != nil {
		fmt.Println(err)
		return
	}
	double, err := example("four").LoadCompiled(saved)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(double.Close())
	saved[len(saved)/2] ^= 1
	_, err = example("four").LoadCompiled(saved)
	fmt.Println(err != nil)
	// Output:
	// <nil>
	// true
}

func ExampleCompiled_Save() {
	l, err := nx.Lower(func(x nx.Tensor) nx.Tensor { return nx.Exp(x) }, nx.Args(nx.Zeros(nx.Shape{2}, nx.F32)))
	if err != nil {
		fmt.Println(err)
		return
	}
	compiled, err := xla.CompileFor(context.Background(), "four", "2x2", l.Module())
	if err != nil {
		fmt.Println(err)
		return
	}
	saved, err := compiled.Save()
	fmt.Println(len(saved) > 0, err)
	// Output: true <nil>
}
