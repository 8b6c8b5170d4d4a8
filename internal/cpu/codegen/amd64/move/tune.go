package move

// minStrided is the number of elements that amortises a call that copies strided elements.
const minStrided = 48
