package memo

// Kept is what was worked out of keys, kept for the next time. The zero value keeps nothing yet.
type Kept[K comparable, V any] struct{ known map[K]V }

// Get is what is kept of a key, false where that is nothing.
func (k *Kept[K, V]) Get(key K) (V, bool) {
	v, ok := k.known[key]
	return v, ok
}

// Keep keeps the value of a key. Where it has so many already, it begins anew.
func (k *Kept[K, V]) Keep(key K, v V, most int) {
	if k.known == nil || len(k.known) >= most {
		k.known = map[K]V{}
	}
	k.known[key] = v
}

// Len is of how many keys something is kept.
func (k *Kept[K, V]) Len() int { return len(k.known) }
