// Command softmax times the softmax of a million numbers on every available backend: of f32 and f64, with
// results that stay on the device and with results that are read.
//
//	go run ./examples/softmax
//	NX_XLA_CONFIG=clients.json go run ./examples/softmax -time 5s
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/backend"
	"github.com/go-nx/nx/cpu"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/xla"
)

func main() {
	size := flag.Int("size", 1_000_000, "numbers")
	budget := flag.Duration("time", 2*time.Second, "how long each row is timed")
	flag.Parse()
	if err := table(os.Stdout, *size, *budget); err != nil {
		fmt.Fprintln(os.Stderr, "softmax:", err)
		os.Exit(1)
	}
}

// softmax is the timed function.
func softmax(x nx.Tensor) nx.Tensor { return nx.Div(nx.Exp(x), nx.Sum(nx.Exp(x))) }

// table prints a row for each backend, type, and location of the result.
func table(out io.Writer, size int, budget time.Duration) (err error) {
	defer nx.Catch(&err)
	clients, missing := present()
	rows := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(rows, "backend\ttype\tresult\tips\taverage\tdeviation\tmedian\t99 %\t\n")
	for _, c := range clients {
		for _, d := range []nx.DType{nx.F32, nx.F64} {
			if err := timeOn(rows, c, d, size, budget); err != nil {
				return err
			}
		}
	}
	if err := rows.Flush(); err != nil {
		return err
	}
	for _, why := range missing {
		fmt.Fprintln(out, why)
	}
	return nil
}

// timeOn prints the rows of a backend for a type.
func timeOn(rows io.Writer, c backend.Client, d nx.DType, size int, budget time.Duration) error {
	x, err := nx.Transfer(random.Uniform(random.Key(1), 0, 1, nx.Shape{size}, d), c.Devices()[0])
	if err != nil {
		return err
	}
	f := nx.Jit(softmax, nx.On(c))
	for _, keep := range []bool{true, false} {
		times, err := measure(f, x, keep, budget)
		if err != nil {
			return err
		}
		result := "read"
		if keep {
			result = "kept"
		}
		fmt.Fprintf(rows, "%s\t%v\t%s\t%s\t\n", c.Name(), d, result, summarise(times))
	}
	return nil
}

// present returns the clients that start, and why others do not.
func present() (clients []backend.Client, missing []string) {
	clients = []backend.Client{cpu.Default()}
	for _, name := range xla.Clients() {
		c, err := xla.Open(name)
		if err != nil {
			missing = append(missing, fmt.Sprintf("%s is not timed: it does not start (nx-xla list %s)", name, name))
			continue
		}
		clients = append(clients, c)
	}
	return clients, missing
}

// measure calls f for some time, and returns how long each call took, until its result was there,
// or was read.
func measure(f func(nx.Tensor) nx.Tensor, x nx.Tensor, keep bool, budget time.Duration) (times []time.Duration,
	err error) {
	call := func() error {
		y := f(x)
		defer nx.Release(y)
		if keep {
			_, err := nx.Await(context.Background(), y)
			return err
		}
		_ = nx.Bytes(y)
		return nil
	}
	if err := call(); err != nil { // it is compiled
		return nil, err
	}
	for end := time.Now().Add(budget); len(times) < 3 || time.Now().Before(end); {
		start := time.Now()
		if err := call(); err != nil {
			return nil, err
		}
		times = append(times, time.Since(start))
	}
	return times, nil
}

// summarise shows times: calls a second, the average, the standard deviation as a part of it, the
// median and the 99th percentile.
func summarise(times []time.Duration) string {
	slices.Sort(times)
	n := float64(len(times))
	var sum, squares float64
	for _, t := range times {
		sum += t.Seconds()
	}
	average := sum / n
	for _, t := range times {
		squares += (t.Seconds() - average) * (t.Seconds() - average)
	}
	at := func(part float64) time.Duration {
		return times[min(len(times)-1, int(part*n))].Round(time.Microsecond)
	}
	return fmt.Sprintf("%.1f\t%v\t±%.1f %%\t%v\t%v", 1/average,
		time.Duration(average*float64(time.Second)).Round(time.Microsecond), 100*math.Sqrt(squares/n)/average,
		at(0.5), at(0.99))
}
