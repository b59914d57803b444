//go:build !js

package inference

// maxDepth bounds the goals of one proof, so that none exhausts the stack.
const maxDepth = 20_000
