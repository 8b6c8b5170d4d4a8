package data

import (
	"fmt"
	"slices"

	"github.com/go-nx/nx"
	"github.com/go-nx/nx/diag"
	"github.com/go-nx/nx/tree"
)

// Stack makes a batch of records that are containers of tensors: the tensors at each position, stacked along a new
// first axis. The values that are not tensors are those of the first record.
//
// The error names the record and the tensor that differs from the first record's in shape or type.
func Stack[E any](records []E) (batch E, err error) {
	defer nx.Catch(&err)
	if len(records) == 0 {
		return batch, fmt.Errorf("data: a batch of no records")
	}
	rows := make([][]nx.Tensor, len(records))
	var paths []string
	for i, e := range records {
		for path, t := range tree.Leaves(e) {
			if i == 0 {
				paths = append(paths, path)
			}
			rows[i] = append(rows[i], t)
		}
		if len(rows[i]) != len(paths) {
			return batch, fmt.Errorf("data: record %d of the batch has %d tensors, the first has %d", i, len(rows[i]),
				len(paths))
		}
	}
	k := 0
	column := make([]nx.Tensor, len(records))
	batch = tree.Map(func(first nx.Tensor) nx.Tensor {
		for i, row := range rows {
			t := row[k]
			if t.DType() != first.DType() || !slices.Equal(t.Shape(), first.Shape()) {
				panic(stackError(i, paths[k], t, first))
			}
			column[i] = t
		}
		k++
		return stacked(column)
	}, records[0])
	return batch, nil
}

// stacked copies the elements of tensors of one shape and type into one.
func stacked(list []nx.Tensor) nx.Tensor {
	first := list[0]
	shape := append(nx.Shape{len(list)}, first.Shape()...)
	switch first.DType() {
	case nx.F32:
		return joined[float32](list, shape)
	case nx.F64:
		return joined[float64](list, shape)
	case nx.U8:
		return joined[uint8](list, shape)
	case nx.S32:
		return joined[int32](list, shape)
	case nx.S64:
		return joined[int64](list, shape)
	}
	var all []byte
	for _, t := range list {
		b := nx.Bytes(t)
		if all == nil {
			all = make([]byte, 0, len(b)*len(list))
		}
		all = append(all, b...)
	}
	return nx.FromBytes(all, shape, first.DType())
}

// joined copies each element once.
func joined[T nx.Number](list []nx.Tensor, shape nx.Shape) nx.Tensor {
	all := make([]T, 0, shape.Size())
	for _, t := range list {
		nx.View(t, func(elements []T) { all = append(all, elements...) })
	}
	return nx.FromSliceShared(all, shape)
}

func stackError(i int, path string, t, first nx.Tensor) *nx.Error {
	return diag.New(nx.ErrShape, "Stack", "pad or crop the records to one size",
		"%s of record %d of the batch is %s%v, that of the first is %s%v", path, i, t.DType(), t.Shape(), first.DType(),
		first.Shape())
}
