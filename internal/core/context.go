package core

import "context"

// background is the context of eager ops, which nobody cancels.
var background = context.Background()
