// Package advice asks a language model what it thinks of an episode: why it goes
// wrong and what to do (two questions, reason and replan), whether a step came about,
// and what an action it has never heard of does. What the model says is mapped to
// known actions and objects here, and verified in the engine.
package advice

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/mishap-robotics/mishap/bridge/internal/encode"
	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/ontology/document"
)

//go:embed prompts/*.tmpl
var builtin embed.FS

// Prompts are the templates of what the model is told. Each file defines the
// templates "system" and "prompt".
type Prompts struct {
	files map[string]*template.Template
}

// kind is what one template file is for.
type kind struct {
	name     string
	sample   any      // with everything that its data can hold
	empty    any      // with nothing that can be left out
	required []string // fields without which the prompt asks nothing
}

var kinds []kind

// register adds a kind of prompt.
func register(name string, sample, empty any, required ...string) string {
	kinds = append(kinds, kind{name, sample, empty, required})
	return name
}

// LoadPrompts reads the built-in templates, and those of a folder in place of the
// built-in ones of the same name; "" is no folder. The error names the file, and the
// line where there is one: a field that does not exist, a field that the prompt needs
// and does not have, a file that is no template, or of which nothing is known.
func LoadPrompts(folder string) (*Prompts, error) {
	p := &Prompts{files: map[string]*template.Template{}}
	for i := range kinds {
		text, err := fs.ReadFile(builtin, "prompts/"+kinds[i].name+".tmpl")
		if err != nil {
			return nil, err
		}
		if err := p.add(&kinds[i], kinds[i].name+".tmpl", string(text)); err != nil {
			return nil, err
		}
	}
	if folder == "" {
		return p, nil
	}
	found, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("prompts: %w", err)
	}
	var errs []error
	used := 0
	for _, f := range found {
		if filepath.Ext(f.Name()) != ".tmpl" {
			continue
		}
		used++
		path := filepath.Join(folder, f.Name())
		i := slices.IndexFunc(kinds, func(k kind) bool { return k.name+".tmpl" == f.Name() })
		if i < 0 {
			errs = append(errs, fmt.Errorf("%s: nothing asks with it; expected one of %s", path, strings.Join(Names(), ", ")))
			continue
		}
		text, err := input.ReadWhole(document.Disk{}, path, "a template")
		if err == nil {
			err = p.add(&kinds[i], path, string(text))
		}
		errs = append(errs, err)
	}
	if used == 0 {
		errs = append(errs, fmt.Errorf("%s has no templates; expected one of %s", folder, strings.Join(Names(), ", ")))
	}
	return p, errors.Join(errs...)
}

// Names lists the files that prompts are read from.
func Names() []string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.name+".tmpl")
	}
	slices.Sort(out)
	return out
}

// WriteBuiltin writes the built-in templates to a folder, for editing. A file that is
// there already is an error, and is left as it is.
func WriteBuiltin(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, name := range Names() {
		text, err := fs.ReadFile(builtin, "prompts/"+name)
		if err != nil {
			return err
		}
		if err := encode.File(filepath.Join(folder, name), false, text); err != nil {
			return err
		}
	}
	return nil
}

func (p *Prompts) add(k *kind, path, text string) error {
	t, err := template.New(path).Option("missingkey=error").Funcs(template.FuncMap{"list": block}).Parse(text)
	if err != nil {
		return plain(err)
	}
	for _, part := range []string{"system", "prompt"} {
		if t.Lookup(part) == nil {
			return fmt.Errorf("%s: defines no %q; expected {{define \"system\"}}…{{end}} and {{define \"prompt\"}}…{{end}}", path, part)
		}
		for _, data := range []any{k.sample, k.empty} {
			if err := t.ExecuteTemplate(&bytes.Buffer{}, part, data); err != nil {
				return fmt.Errorf("%w; the fields are %s", plain(err), strings.Join(fieldsOf(k.sample), ", "))
			}
		}
	}
	has := map[string]bool{}
	for _, part := range t.Templates() {
		if part.Tree != nil {
			fields(part.Root, has)
		}
	}
	for _, name := range k.required {
		if !has[name] {
			return fmt.Errorf("%s: {{.%s}} is missing; without it the prompt cannot be answered", path, name)
		}
	}
	p.files[k.name] = t
	return nil
}

// plain takes the template package's own words off an error.
func plain(err error) error {
	text := strings.TrimPrefix(err.Error(), "template: ")
	if i := strings.Index(text, "executing "); i > 0 {
		if j := strings.Index(text[i:], ": "); j > 0 {
			text = strings.TrimSuffix(text[:i], " ") + text[i+j+1:]
		}
	}
	return errors.New(text)
}

// fields notes the fields that a template uses.
func fields(n parse.Node, has map[string]bool) {
	v := reflect.ValueOf(n)
	if n == nil || v.IsNil() {
		return
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, m := range n.Nodes {
			fields(m, has)
		}
	case *parse.ActionNode:
		fields(n.Pipe, has)
	case *parse.PipeNode:
		for _, c := range n.Cmds {
			fields(c, has)
		}
	case *parse.CommandNode:
		for _, a := range n.Args {
			fields(a, has)
		}
	case *parse.FieldNode:
		has[n.Ident[0]] = true
	case *parse.IfNode:
		branch(&n.BranchNode, has)
	case *parse.RangeNode:
		branch(&n.BranchNode, has)
	case *parse.WithNode:
		branch(&n.BranchNode, has)
	}
}

func branch(n *parse.BranchNode, has map[string]bool) {
	fields(n.Pipe, has)
	fields(n.List, has)
	fields(n.ElseList, has)
}

func fieldsOf(data any) []string {
	var out []string
	t := reflect.TypeOf(data)
	for i := range t.NumField() {
		out = append(out, "."+t.Field(i).Name)
	}
	return out
}

// render is what the model is told for a kind of prompt.
func (p *Prompts) render(name string, data any) (system, prompt string, err error) {
	t := p.files[name]
	if t == nil {
		return "", "", fmt.Errorf("no prompt %q; expected one of %s", name, strings.Join(Names(), ", "))
	}
	var a, b bytes.Buffer
	if err := t.ExecuteTemplate(&a, "system", data); err != nil {
		return "", "", plain(err)
	}
	if err := t.ExecuteTemplate(&b, "prompt", data); err != nil {
		return "", "", plain(err)
	}
	return a.String(), b.String(), nil
}

// HasPrompts reports whether a folder holds templates.
func HasPrompts(folder string) bool {
	found, err := filepath.Glob(filepath.Join(folder, "*.tmpl"))
	return err == nil && len(found) > 0
}
