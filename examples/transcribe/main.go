// Command transcribe writes what is said in WAV files.
//
//	go run ./examples/transcribe -model whisper-tiny speech.wav
//
// The model is one of Whisper, as its README says.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"
)

func main() {
	model := flag.String("model", "whisper-tiny", "folder of the model")
	language := flag.String("language", "", "the language that is spoken, such as en; it is found out without")
	translate := flag.Bool("translate", false, "write English, whatever is spoken")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *model, *language, *translate, flag.Args(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "transcribe:", err)
		os.Exit(1)
	}
}

// run writes a line for each piece of the files, with the time at which it begins.
func run(ctx context.Context, model, language string, translate bool, files []string, out io.Writer) error {
	if len(files) == 0 {
		return errors.New("want a WAV file")
	}
	t, err := openTranscriber(model, language, translate)
	if err != nil {
		return err
	}
	for _, file := range files {
		s, err := readWAV(file)
		if err != nil {
			return err
		}
		samples := s.resample(t.mel.Rate).samples
		if len(samples) == 0 {
			return fmt.Errorf("%s: the sound is empty", file)
		}
		for at := 0; at < len(samples); {
			n := cut(samples[at:], t.mel.Rate*t.mel.Chunk)
			text, err := t.write(ctx, samples[at:at+n])
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			begin := time.Duration(at) * time.Second / time.Duration(t.mel.Rate)
			fmt.Fprintf(out, "%02d:%02d %s\n", int(begin.Minutes()), int(begin.Seconds())%60, text)
			at += n
		}
	}
	return nil
}
