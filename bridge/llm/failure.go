package llm

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// fail words an error. Whatever it quotes is free of keys after that.
func (c *Client) fail(kind ErrorKind, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: c.redact.cleanError(fmt.Sprintf(format, args...))}
}

// said quotes what a server said, "" for nothing.
func (c *Client) said(text string) string {
	if text = clip(c.redact.cleanError(text)); text != "" {
		return ": " + text
	}
	return ""
}

// failure tells what went wrong with a call. The error of the library is not kept:
// it holds addresses and what the server echoes.
func (c *Client) failure(parent, call context.Context, err error, n note) *Error {
	if e := ended(parent); e != nil {
		return e
	}
	server := c.config.Server()
	if errors.Is(call.Err(), context.DeadlineExceeded) {
		return c.fail(TimedOut, "the model's server %s gave no answer within %v; allow it more time (MISHAP_MODEL_TIMEOUT)", server, c.config.Timeout)
	}
	if n.status != 0 && (n.status < 200 || n.status >= 400) {
		return c.refusal(n.status, err)
	}
	if n.status == 0 {
		return c.unreachable(err)
	}
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	var long *http.MaxBytesError
	switch {
	case errors.Is(err, io.EOF):
		return c.fail(Empty, "the model's server %s gave an empty answer", server)
	case errors.As(err, &long):
		return c.fail(Unreadable, "the model's server %s gave an answer of more than %d MiB", server, maxAnswer>>20)
	case errors.As(err, &syntax), errors.As(err, &shape):
		return c.fail(Unreadable, "the model's server %s answers with something else than a chat completion; check that MISHAP_MODEL_URL is the address of an OpenAI-compatible API, such as http://localhost:11434/v1", server)
	}
	return c.fail(Unreachable, "the connection to the model's server %s broke off in the middle of the answer", server)
}

// unreachable words that no answer came at all.
func (c *Client) unreachable(err error) *Error {
	var u *url.Error
	if errors.As(err, &u) {
		err = u.Err // without the address, which may hold a key
	}
	e := c.fail(Unreachable, "the model's server %s cannot be reached%s; check that it runs and that MISHAP_MODEL_URL is right", c.config.Server(), c.said(err.Error()))
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var name *net.DNSError
	e.lasting = errors.As(err, &certificate) || errors.As(err, &record) || errors.As(err, &name) && name.IsNotFound ||
		strings.Contains(err.Error(), "HTTP response to HTTPS client")
	return e
}

// refusal words an answer with a status that is no success.
func (c *Client) refusal(status int, err error) *Error {
	server, full, code := c.config.Server(), "", ""
	var api *openai.APIError
	var raw *openai.RequestError
	switch {
	case errors.As(err, &api):
		full, code = api.Message, fmt.Sprint(api.Code)
		if api.Param != nil {
			full += " (" + *api.Param + ")"
		}
	case errors.As(err, &raw):
		full = string(raw.Body)
	}
	said := c.said(full)
	var e *Error
	switch {
	case status == http.StatusUnauthorized && c.config.Key == "":
		e = c.fail(KeyRefused, "the model's server %s asks for a key (401); give MISHAP_MODEL_KEY%s", server, said)
	case status == http.StatusUnauthorized:
		e = c.fail(KeyRefused, "the model's server %s refuses the key (401); check MISHAP_MODEL_KEY%s", server, said)
	case status == http.StatusForbidden:
		e = c.fail(KeyRefused, "the model's server %s does not let this key ask the model %s (403); check MISHAP_MODEL_KEY and MISHAP_MODEL%s", server, c.config.Model, said)
	case status == http.StatusNotFound:
		e = c.fail(Refused, "the model's server %s knows no model %s, or this is not its address (404); check MISHAP_MODEL and MISHAP_MODEL_URL%s", server, c.config.Model, said)
	case status == http.StatusTooManyRequests && code == "insufficient_quota":
		e = c.fail(RateLimited, "the credit for the model's server %s is used up (429)%s", server, said)
		e.lasting = true
	case status == http.StatusTooManyRequests:
		e = c.fail(RateLimited, "the model's server %s is asked too often (429); try again later%s", server, said)
	case status >= 500 || status == http.StatusRequestTimeout || status == http.StatusConflict:
		e = c.fail(ServerFault, "the model's server %s fails (%d); try again later%s", server, status, said)
	default:
		e = c.fail(Refused, "the model's server %s refuses the question (%d)%s", server, status, said)
	}
	e.Status, e.schema = status, speaksOfSchema(full)
	return e
}

// judge tells what is wrong with an answer that came, nil for nothing.
func (c *Client) judge(res openai.ChatCompletionResponse, text string) *Error {
	server := c.config.Server()
	if len(res.Choices) == 0 {
		return c.fail(Empty, "the model's server %s gave an answer without a choice", server)
	}
	choice := res.Choices[0]
	switch {
	case choice.FinishReason == openai.FinishReasonLength:
		e := c.fail(CutOff, "the answer of the model %s was cut off at its longest length; allow it more tokens", c.config.Model)
		e.Text = text
		return e
	case choice.FinishReason == openai.FinishReasonContentFilter:
		return c.fail(Refused, "the model's server %s withholds the answer (its content filter)", server)
	case strings.TrimSpace(text) == "" && choice.Message.Refusal != "":
		return c.fail(Refused, "the model %s declines to answer%s", c.config.Model, c.said(choice.Message.Refusal))
	case strings.TrimSpace(text) == "":
		return c.fail(Empty, "the model %s gave an empty answer", c.config.Model)
	}
	return nil
}
