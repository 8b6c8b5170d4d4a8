// Package distributed joins the processes of a program that runs on several hosts, so that plugins
// of XLA can use the devices of all of them:
//
//	group, err := distributed.Initialize("10.0.0.1:7654", 4, id) // the same line in 4 processes
//	defer group.Close()
//	cuda, err := xla.Open("cuda")
//
// Process 0 keeps a store of keys and values at the coordinator's address, by which plugins tell
// each other their devices. All processes prove to each other that they know one token, which the
// environment variable NX_DISTRIBUTED_TOKEN or [Token] holds; nothing of it is sent. Every message
// carries a code made with it, so that nobody can put words between; what is said can be read on
// the way.
//
// When a process ends without [Group.Close], or is silent for too long, all others know: what
// waits for it ends with a [*LostError] that names it.
package distributed
