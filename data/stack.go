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
	batch = tree.Map(func(first nx.Tensor) nx.Tensor {
		var all []byte
		for i, row := range rows {
			t := row[k]
			if t.DType() != first.DType() || !slices.Equal(t.Shape(), first.Shape()) {
				panic(stackError(i, paths[k], t, first))
			}
			b := nx.Bytes(t)
			if all == nil {
				all = make([]byte, 0, len(b)*len(rows))
			}
			all = append(all, b...)
		}
		k++
		return nx.FromBytes(all, append(nx.Shape{len(rows)}, first.Shape()...), first.DType())
	}, records[0])
	return batch, nil
}

func stackError(i int, path string, t, first nx.Tensor) *nx.Error {
	return diag.New(nx.ErrShape, "Stack", "pad or crop the records to one size",
		"%s of record %d of the batch is %s%v, that of the first is %s%v", path, i, t.DType(), t.Shape(), first.DType(),
		first.Shape())
}
