// Package inference has the messages of the Open Inference Protocol over gRPC, a client of it, and what a server
// implements. service.proto says how its code is made.
package inference
