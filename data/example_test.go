package data_test

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/data"
)

// Five records in batches of two; each epoch has another order.
func ExampleBatches() {
	batches := data.Batches(data.Slice([]string{"a", "b", "c", "d", "e"}), func(records []string) (string, error) {
		return strings.Join(records, "+"), nil
	}, data.Size(2), data.Shuffle(1), data.Epochs(2))
	for item, err := range batches.All(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(item.Epoch, item.Index, item.Batch, item.EpochEnd)
	}
	// Output:
	// 0 0 c+b false
	// 0 1 d+a false
	// 0 2 e true
	// 1 0 d+e false
	// 1 1 b+c false
	// 1 2 a true
}

// A loop goes on where another one has stopped.
func ExampleLoader_From() {
	whole := func(records []int) ([]int, error) { return records, nil }
	batches := data.Batches(data.Slice([]int{1, 2, 3, 4, 5}), whole, data.Size(2))
	var at data.Position
	for item := range batches.All(context.Background()) {
		at = item.Next
		break
	}
	rest, err := batches.From(at)
	if err != nil {
		log.Fatal(err)
	}
	for item := range rest.All(context.Background()) {
		fmt.Println(item.Batch)
	}
	// Output:
	// [3 4]
	// [5]
}

func ExampleRows() {
	type batch struct{ X, Y nx.Tensor }
	rows, err := data.Rows(batch{nx.New([][]float32{{1, 2}, {3, 4}, {5, 6}}), nx.New([]int32{0, 1, 0})})
	if err != nil {
		log.Fatal(err)
	}
	for item, err := range data.Batches(rows, data.Stack, data.Size(2)).All(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(item.Batch.X.Shape(), nx.Data[int32](item.Batch.Y))
	}
	// Output:
	// [2][2] [0 1]
	// [1][2] [0]
}

// The records that fill the last batch have the weight 0.
func ExampleWeighted() {
	batches := data.Weighted(data.Batches(data.Slice([]nx.Tensor{nx.New(1), nx.New(2), nx.New(3)}), data.Stack,
		data.Size(2), data.PadLast))
	for item, err := range batches.All(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(nx.Data[int64](item.Batch.Batch), nx.Data[float32](item.Batch.Weight))
	}
	// Output:
	// [1 2] [1 1]
	// [3 3] [1 0]
}

func ExampleDecodeCSV() {
	type passenger struct {
		Age      float32 `csv:"age,missing=29.7"`
		Survived bool
		Cabin    *string
	}
	rows, err := data.DecodeCSV[passenger](strings.NewReader("age,survived,cabin\n22,0,\n,1,C85\n"))
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range rows {
		fmt.Println(p.Age, p.Survived, p.Cabin != nil)
	}
	fmt.Println(data.Column(rows, func(p passenger) float32 { return p.Age }))
	// Output:
	// 22 false false
	// 29.7 true true
	// f32[2]
	// [22.0, 29.7]
}

// What a language model reads, and what follows each of its tokens.
func ExampleWindows() {
	windows := data.Windows(nx.New([]int32{10, 11, 12, 13, 14, 15, 16}), 3, 3)
	for item, err := range data.Batches(windows, data.Stack).All(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(nx.Data[int32](item.Batch.X), nx.Data[int32](item.Batch.Y), item.Batch.X.Shape())
	}
	// Output: [10 11 12 13 14 15] [11 12 13 14 15 16] [2][3]
}

func ExampleSplit() {
	training, validation := data.Split(data.Slice([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), 3, 1)
	fmt.Println(training.Len(), validation.Len())
	// Output: 7 3
}

// Pictures of a folder for each class, augmented and as numbers.
func ExampleImageFolder() {
	dir, err := os.MkdirTemp("", "pictures")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"cat/1.png", "dog/1.png", "dog/2.png"} {
		path := filepath.Join(dir, name)
		os.MkdirAll(filepath.Dir(path), 0o777)
		f, err := os.Create(path)
		if err != nil {
			log.Fatal(err)
		}
		png.Encode(f, image.NewGray(image.Rect(0, 0, 40, 30)))
		f.Close()
	}
	pictures, err := data.ImageFolder(dir, nil)
	if err != nil {
		log.Fatal(err)
	}
	type record struct{ Image, Class nx.Tensor }
	augmented := data.Map(pictures, func(p data.Picture, r *rand.Rand) (record, error) {
		im := p.Image.RandomResizedCrop(16, 16, r).RandomFlip(r)
		return record{im.Tensor([3]float32{.5, .5, .5}, [3]float32{.5, .5, .5}), nx.New(int32(p.Class))}, nil
	})
	for item, err := range data.Batches(augmented, data.Stack).All(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(pictures.Classes, item.Batch.Image.Shape(), nx.Data[int32](item.Batch.Class))
	}
	// Output: [cat dog] [3][3][16][16] [0 1 1]
}

// Sentences of two lengths are batches of two shapes.
func ExampleBuckets() {
	sentences := []nx.Tensor{nx.New([]int32{5, 6, 7}), nx.New([]int32{8}), nx.New([]int32{9, 10, 11, 12}),
		nx.New([]int32{13, 14})}
	length := func(s nx.Tensor) int { return s.Shape()[0] }
	var lengths []int
	for _, s := range sentences {
		lengths = append(lengths, length(s))
	}
	pad := func(s nx.Tensor, n int) nx.Tensor { return data.PadRows(s, n, 0) }
	batches := data.Batches(data.Slice(sentences), data.PadStack(length, pad, 2, 4), data.Size(2),
		data.Buckets(lengths, 2, 4))
	for item, err := range batches.All(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		b := item.Batch
		fmt.Println(nx.Nested[[][]int32](b.Batch), nx.Nested[[][]int](b.Mask(b.Batch.Shape()[1])))
	}
	// Output:
	// [[8 0] [13 14]] [[1 0] [1 1]]
	// [[5 6 7 0] [9 10 11 12]] [[1 1 1 0] [1 1 1 1]]
}

func ExamplePadRows() {
	fmt.Println(nx.Data[int32](data.PadRows(nx.New([]int32{5, 6, 7}), 5, -1)))
	// Output: [5 6 7 -1 -1]
}

// A loader with another number of epochs.
func ExampleLoader_Repeat() {
	batches := data.Batches(data.Slice([]int{1, 2, 3}), func(r []int) ([]int, error) { return r, nil }, data.Size(2))
	fmt.Println(batches.Len(), batches.Remaining(), batches.Repeat(5).Remaining())
	// Output: 2 2 10
}
