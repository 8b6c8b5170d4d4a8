package onnx

import "fmt"

// Data is a SequenceProto or an OptionalProto, as the tests of ONNX have values: a tensor, a sequence, or neither for
// an optional value that is absent.
type Data struct {
	Tensor   *Tensor
	Sequence []*Data
	// IsSequence is set for a sequence, also an empty one.
	IsSequence bool
}

// DecodeSequence reads a file with one SequenceProto. Its tensors refer to b.
func DecodeSequence(b []byte) (*Data, error) {
	d := &decoder{all: b}
	s, err := d.sequence(b)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	return s, nil
}

// DecodeOptional reads a file with one OptionalProto. Its tensors refer to b.
func DecodeOptional(b []byte) (*Data, error) {
	d := &decoder{all: b}
	o, err := d.optional(b)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	return o, nil
}

func (d *decoder) sequence(b []byte) (*Data, error) {
	s := &Data{IsSequence: true}
	err := d.message("SequenceProto", b, func(f field) error {
		switch f.number {
		case 3:
			var list1 []*Tensor
			err := list(&list1, f, d.tensor)
			for _, t := range list1 {
				s.Sequence = append(s.Sequence, &Data{Tensor: t})
			}
			return err
		case 5:
			return list(&s.Sequence, f, d.sequence)
		case 7:
			return list(&s.Sequence, f, d.optional)
		case 4, 6:
			return fmt.Errorf("sparse tensors and maps in sequences are not supported")
		}
		return nil
	})
	return s, err
}

func (d *decoder) optional(b []byte) (*Data, error) {
	o := &Data{}
	err := d.message("OptionalProto", b, func(f field) error {
		switch f.number {
		case 3:
			return one(&o.Tensor, f, d.tensor)
		case 5:
			var s *Data
			err := one(&s, f, d.sequence)
			if err == nil {
				*o = *s
			}
			return err
		case 7:
			var inner *Data
			err := one(&inner, f, d.optional)
			if err == nil {
				*o = *inner
			}
			return err
		case 4, 6:
			return fmt.Errorf("sparse tensors and maps in optional values are not supported")
		}
		return nil
	})
	return o, err
}
