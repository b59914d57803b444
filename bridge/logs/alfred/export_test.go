package alfred

// ReadCompact is looked at by tests alone.
var ReadCompact = readCompact
