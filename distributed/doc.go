// Package distributed joins the processes of a program that runs on several hosts, so that plugins of XLA can
// use all their devices:
//
//	group, err := distributed.Initialize("10.0.0.1:7654", 4, id) // the same line in 4 processes
//	defer group.Close()
//	cuda, err := xla.Open("cuda")
//
// Process 0 runs a key-value store at the coordinator's address, through which plugins exchange their devices.
// All processes authenticate each other by a shared token, from the environment variable NX_DISTRIBUTED_TOKEN
// or [Token], which is never sent. Every message carries an authentication code, so that it cannot be forged;
// messages are not encrypted.
//
// When a process ends without [Group.Close], or sends no message for too long, all others are notified:
// pending operations end with a [*LostError] that names it.
package distributed
