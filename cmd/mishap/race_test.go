//go:build race

package main

// The race detector slows the checks down: with it a part of the data will do.
func init() { sampleEvery = 40 }
