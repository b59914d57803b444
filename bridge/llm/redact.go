package llm

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mishap-robotics/mishap/bridge/internal/wording"
)

// redacted stands in texts where a key stood.
const redacted = "[key]"

// minSecret is the length in bytes from which a key is taken out of texts. What is
// shorter is a placeholder such as "none" or "ollama", which local servers are
// given, and an answer may well contain that word.
const minSecret = 8

// keyLike is what looks like a key, also half masked as servers echo it.
var keyLike = regexp.MustCompile(`(?i)\bsk-[a-z0-9_*-]{6,}`)

// redactor takes secrets out of texts.
type redactor struct {
	secrets []string         // in every form that they may be echoed in, the longest first
	forms   []*regexp.Regexp // of the secrets, in capitals or not
	short   []*regexp.Regexp
}

// newRedactor knows the key and what of the URL is secret: its password and the
// values of its query.
func newRedactor(key Secret, u *url.URL) redactor {
	var r redactor
	r.add(string(key))
	if u != nil {
		if u.User != nil {
			password, _ := u.User.Password()
			if password == "" {
				r.add(u.User.Username()) // some servers take the key as the user
			} else {
				r.add(password)
				r.add(u.User.Username() + ":" + password)
			}
		}
		for _, values := range u.Query() {
			for _, v := range values {
				r.add(v)
			}
		}
	}
	slices.SortFunc(r.secrets, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	r.secrets = slices.Compact(r.secrets)
	for _, s := range r.secrets {
		r.forms = append(r.forms, regexp.MustCompile("(?i)"+regexp.QuoteMeta(s)))
	}
	return r
}

func (r *redactor) add(secret string) {
	switch {
	case secret == "":
		return
	case len(secret) < minSecret:
		r.short = append(r.short, regexp.MustCompile(`(^|\W)`+regexp.QuoteMeta(secret)+`($|\W)`))
		return
	}
	quoted, _ := json.Marshal(secret)
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(quoted))
	r.secrets = append(r.secrets, secret, url.QueryEscape(secret), url.PathEscape(secret),
		strings.Trim(string(quoted), `"`), strings.Trim(plain, `"`),
		base64.StdEncoding.EncodeToString([]byte(secret)), base64.URLEncoding.EncodeToString([]byte(secret)),
		base64.RawStdEncoding.EncodeToString([]byte(secret)), base64.RawURLEncoding.EncodeToString([]byte(secret)),
		hex.EncodeToString([]byte(secret)))
}

// clean takes the secrets and what looks like one out of a text.
func (r redactor) clean(text string) string {
	for _, form := range r.forms {
		text = form.ReplaceAllLiteralString(text, redacted)
	}
	return keyLike.ReplaceAllString(text, redacted)
}

// cleanError is clean for the text of an error, where a short key goes too.
func (r redactor) cleanError(text string) string {
	for _, s := range r.short {
		text = s.ReplaceAllString(text, "${1}"+redacted+"${2}")
	}
	return r.clean(text)
}

// longestQuote is how much of a text from outside a message shows, in bytes.
const longestQuote = 300

// clip makes one line out of a text from outside. It has to be clean before, so that no
// half of a key is left.
func clip(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }), " ")
	return wording.Clip(strings.ToValidUTF8(text, "?"), longestQuote)
}
