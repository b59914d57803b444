package inference

// maxDepth bounds the goals of one proof, so that none exhausts the stack, of which browsers
// give WebAssembly about 1 MB: 2,500 goals were seen to do, 20,000 not.
const maxDepth = 1_000
