package llm

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"
)

// A key is taken out of a text in whatever form a server echoes it.
func TestRedactForms(t *testing.T) {
	const key = "Zk9/secret+Key==42"
	r := newRedactor(key, nil)
	for _, form := range []string{
		key, strings.ToUpper(key), strings.ToLower(key), url.QueryEscape(key), strings.ToLower(url.QueryEscape(key)),
		hex.EncodeToString([]byte(key)), strings.ToUpper(hex.EncodeToString([]byte(key))),
		base64.StdEncoding.EncodeToString([]byte(key)), base64.RawURLEncoding.EncodeToString([]byte(key)),
		"sk-abcdef123456", "SK-ABCDEF123456",
	} {
		if got := r.clean("the key " + form + " is wrong"); got != "the key [key] is wrong" {
			t.Errorf("%s is shown as %q", form, got)
		}
	}
}
