package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/mishap-robotics/mishap/engine"
)

// Proof is a step of a proof: what holds, by which rule or from which place.
type Proof struct {
	Goal     string  `json:"goal"`
	Rule     string  `json:"rule,omitempty"`
	From     string  `json:"from,omitempty"`
	File     string  `json:"file,omitempty"`
	Line     int     `json:"line,omitempty"`
	Step     *int32  `json:"step,omitempty"`
	Children []Proof `json:"because,omitempty"`
}

// NewProof turns a proof over the facts of an index into its report; of no proof it says
// that there is none.
func NewProof(n *engine.Proof, x *engine.Facts) Proof {
	if n == nil || n.Goal == nil || x == nil {
		return Proof{Goal: noProof}
	}
	out := Proof{Goal: n.Goal.String()}
	switch {
	case n.Clause != nil:
		out.Rule = fmt.Sprintf("%s:%d", n.Clause.Pos.File, n.Clause.Pos.Line)
	case n.Fact >= 0:
		o := x.Origin(n.Fact, n.Row)
		out.From, out.File, out.Line = o.How, o.File, o.Line
		if o.Step >= 0 {
			out.Step = &o.Step
		}
	case n.Negated:
		out.From = denied
	case n.InGo:
		out.From = inGo
	}
	for _, c := range n.Children {
		out.Children = append(out.Children, NewProof(c, x))
	}
	return out
}

// place is where a step of a proof comes from, in words.
func (p *Proof) place() string {
	switch {
	case p.Rule != "":
		return p.Rule
	case p.Line > 0:
		return fmt.Sprintf("%s, %s:%d", p.From, p.File, p.Line)
	}
	return p.From
}

// Text writes a proof as a tree, each line after an indentation.
func (p *Proof) Text(w io.Writer, indent string) error {
	var b strings.Builder
	p.tree(&b, indent)
	_, err := io.WriteString(w, b.String())
	return err
}

func (p *Proof) tree(b *strings.Builder, indent string) {
	p.line(b, indent)
	p.branches(b, indent)
}

// line writes what holds and where it comes from.
func (p *Proof) line(b *strings.Builder, indent string) {
	b.WriteString(indent + clean(p.Goal))
	if place := p.place(); place != "" {
		fmt.Fprintf(b, "   [%s]", clean(place))
	}
	b.WriteByte('\n')
}

func (p *Proof) branches(b *strings.Builder, indent string) {
	for i := range p.Children {
		c := &p.Children[i]
		fork, next := "├─ ", "│  "
		if i == len(p.Children)-1 {
			fork, next = "└─ ", "   "
		}
		c.line(b, indent+fork)
		c.branches(b, indent+next)
	}
}

// writeDOT writes proofs as one graph in the DOT language.
func writeDOT(w io.Writer, title string, proofs []Proof) error {
	var b strings.Builder
	fmt.Fprintf(&b, "digraph proofs {\n  label=%s;\n  node [shape=box, fontname=\"sans-serif\"];\n", dotString(title))
	n := 0
	var write func(p *Proof) int
	write = func(p *Proof) int {
		id := n
		n++
		shape := ""
		switch {
		case p.Rule != "":
			shape = ", style=rounded"
		case p.From == denied:
			shape = ", style=dashed"
		}
		fmt.Fprintf(&b, "  n%d [label=%s%s];\n", id, dotString(p.Goal+"\n"+p.place()), shape)
		for i := range p.Children {
			fmt.Fprintf(&b, "  n%d -> n%d;\n", id, write(&p.Children[i]))
		}
		return id
	}
	for i := range proofs {
		write(&proofs[i])
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// dotString quotes a text; new lines stay lines.
func dotString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, line := range strings.Split(s, "\n") {
		if b.Len() > 1 {
			b.WriteString(`\n`)
		}
		b.WriteString(strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(clean(line)))
	}
	b.WriteByte('"')
	return b.String()
}

// Unproved tells why a rule did not conclude a failure.
type Unproved struct {
	Rule    string     `json:"rule"`
	Goal    string     `json:"goal"`
	Held    []string   `json:"held"`
	Failed  string     `json:"failed"`
	Nearest []Near     `json:"nearest,omitempty"`
	Proof   *Proof     `json:"holds_because,omitempty"` // of what the failed condition denies
	Inner   []Unproved `json:"because,omitempty"`
}

// Near is a fact that nearly fits.
type Near struct {
	Fact string `json:"fact"`
	From string `json:"from"`
}

// newUnproved turns the reason why a rule did not fire into its report.
func newUnproved(u *engine.Unproved, x *engine.Facts) Unproved {
	out := Unproved{Rule: fmt.Sprintf("%s:%d", u.Clause.Pos.File, u.Clause.Pos.Line), Goal: u.Head.String(), Held: []string{}}
	for _, h := range u.Held {
		out.Held = append(out.Held, h.String())
	}
	if u.Failed != nil {
		out.Failed = u.Failed.String()
	}
	for i, n := range u.Nearest {
		out.Nearest = append(out.Nearest, Near{n.String(), u.Origins[i].String()})
	}
	if u.Proof != nil {
		p := NewProof(u.Proof, x)
		out.Proof = &p
	}
	for _, v := range u.Inner {
		out.Inner = append(out.Inner, newUnproved(v, x))
	}
	return out
}

// Text writes the reason, each line after an indentation.
func (u *Unproved) Text(w io.Writer, indent string) error {
	var b strings.Builder
	u.tree(&b, indent)
	_, err := io.WriteString(w, b.String())
	return err
}

func (u *Unproved) tree(b *strings.Builder, indent string) {
	fmt.Fprintf(b, "%s%s   [%s]\n", indent, clean(u.Goal), u.Rule)
	for _, h := range u.Held {
		fmt.Fprintf(b, "%s  held:    %s\n", indent, clean(h))
	}
	fmt.Fprintf(b, "%s  not so:  %s\n", indent, clean(u.Failed))
	for i, n := range u.Nearest {
		label := "nearest:"
		if i > 0 {
			label = "        "
		}
		fmt.Fprintf(b, "%s  %s %s   [%s]\n", indent, label, clean(n.Fact), clean(n.From))
	}
	if u.Proof != nil {
		fmt.Fprintf(b, "%s  for this holds:\n", indent)
		u.Proof.tree(b, indent+"    ")
	}
	for i := range u.Inner {
		u.Inner[i].tree(b, indent+"    ")
	}
}
