package train_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
	"github.com/go-nx/nx/nn"
	"github.com/go-nx/nx/optim"
	"github.com/go-nx/nx/random"
	"github.com/go-nx/nx/train"
)

var kills = flag.Int("kills", 4, "how often TestKilled kills its run")

// childVariable names what a process that a test starts does, and folderVariable the folder of its checkpoints.
const (
	childVariable  = "NX_TEST_TRAIN"
	folderVariable = "NX_TEST_TRAIN_FOLDER"
)

var children = map[string]func(dir string) error{"everything": trainEverything}

// child returns this program as a process that does something in a folder.
func child(name, dir string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+name, folderVariable+"="+dir)
	return cmd
}

func TestMain(m *testing.M) {
	if f := children[os.Getenv(childVariable)]; f != nil {
		if err := f(os.Getenv(folderVariable)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const killedSteps = 120

// trainEverything trains with every part of a state: running statistics, dropout, momenta, averages, a scale of the
// loss, micro-batches, a schedule, sums of an epoch, padding and shuffling. It resumes from the folder.
func trainEverything(dir string) error {
	opt := optim.Chain(optim.ClipGlobalNorm(1),
		optim.AdamW(optim.WarmupCosine(0, .01, 10, killedSteps, 0), .01))
	weigh := func(b data.Masked[batch]) nx.Tensor { return nx.Sum(b.Weight) }
	loss := func(m *net, c *nn.Ctx, b data.Masked[batch]) (nx.Tensor, sums) {
		h := m.Drop.Apply(c, nx.Relu(m.Norm.Apply(c, m.In.Apply(c, b.Batch.X))))
		z := m.Out.Apply(c, h)
		right := nx.Mul(nx.Cast(nx.Equal(nx.ArgMax(z, nx.Axis(-1)), b.Batch.Y), nx.F32), b.Weight)
		n := nx.Sum(b.Weight)
		return nx.Div(nx.Sum(nx.Mul(nx.CrossEntropy(z, b.Batch.Y), b.Weight)), nx.Maximum(n, 1)), sums{nx.Sum(right), n}
	}
	t := train.New(loss, opt, train.MicroBatches(2), train.EMA(.95), train.Precision(nx.F16), train.DynamicLossScale,
		train.Weight(weigh))
	batches := data.Weighted(data.Batches(blobs(200), data.Stack, data.Size(24), data.Shuffle(3), data.PadLast,
		data.Epochs(killedSteps/9+1)))
	s := t.Init(newNet(random.Key(1)), random.Key(2))
	files := t.Checkpoints(dir, train.Every(7))
	at, err := files.Resume(&s)
	if err != nil {
		return err
	}
	for e, err := range t.Run(context.Background(), &s, batches, train.From(at), train.Save(files)) {
		if err != nil {
			return err
		}
		if e.Step == killedSteps {
			break
		}
	}
	return nil
}

// TestKilled kills a run at random moments, also while a checkpoint is written, and starts it again, until it ends: its
// last file is that of a run that was not killed.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped by -short: it starts processes that train for seconds")
	}
	start := func(dir string) *exec.Cmd {
		cmd := child("everything", dir)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd
	}
	want := t.TempDir()
	begin := time.Now()
	if err := start(want).Wait(); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(begin)
	r := rand.New(rand.NewPCG(1, uint64(*kills)))
	dir := t.TempDir()
	last := fmt.Sprintf("step_%09d.safetensors", killedSteps)
	killed, ends := 0, 0
	for killed < *kills {
		cmd := start(dir)
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }()
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			// The run ended before it was killed: compare, and begin another one.
			ends++
			if !same(t, filepath.Join(want, last), filepath.Join(dir, last)) {
				t.Fatalf("after %d kills: another file", killed)
			}
			dir = t.TempDir()
		case <-time.After(time.Duration(r.Int64N(int64(whole)))):
			if err := cmd.Process.Kill(); err != nil {
				t.Log(err)
			}
			<-done
			killed++
		}
	}
	if err := start(dir).Wait(); err != nil {
		t.Fatal(err)
	}
	if !same(t, filepath.Join(want, last), filepath.Join(dir, last)) {
		t.Errorf("after %d kills: another file", killed)
	}
	t.Logf("%d kills, %d runs that ended, the last file is the same", killed, ends+1)
}
