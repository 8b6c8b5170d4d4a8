// Package pytorch reads the tensors of the files that torch.save writes: .pt, .pth and .bin.
//
//	f, err := pytorch.Open("pytorch_model.bin")
//	for _, info := range f.Infos() {
//		t, err := f.Tensor(info.Name)
//	}
//
// A file is a zip archive of a pickle and the storages of tensors. A pickle is a program that makes values; here it may
// make numbers, strings, tuples, lists, dicts and tensors, and nothing is ever executed: any other instruction, and
// any name but those of torch that make a plain tensor, is an error that says which. So are files in big-endian byte
// order, TorchScript archives, and files of PyTorch before 1.6, which are not archives.
//
// A tensor has the name of its place: a state_dict's keys, joined by dots where dicts and lists lie in each other:
// model.fc.weight, optimizer.state.0.step. Other values are left out. Each tensor must lie within its
// storage; several may share one.
//
// Source: torch/serialization.py and torch/_utils.py of PyTorch 2.9; Lib/pickletools.py of CPython 3.14.
package pytorch
