package conformance

import "github.com/go-nx/nx/optim"

func (r *learningRun) optaxGradient(name string) optim.Transform { return nil }
