// Package web shows episodes to people. It is built of html/template and of scripts and
// styles that are embedded; nothing that it writes asks for anything elsewhere.
package web
