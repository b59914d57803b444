package replan

// What tests look at.
var (
	Agree       = agree
	Consolidate = consolidate
)

const MaxReasons = maxReasons
