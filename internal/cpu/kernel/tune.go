package kernel

// maxReplacing is the maximum number of outputs of a kernel that may reuse the memory of parameters: an optimiser's
// update has a weight and a few moments. Guard: each is compared with all parameters.
const maxReplacing = 16
