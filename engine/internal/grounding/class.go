package grounding

import (
	"strings"

	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/language"
	"github.com/mishap-robotics/mishap/engine/scene"
	"github.com/mishap-robotics/mishap/ontology"
)

// ClassOf is the class of objects or agents with a name or label, or that a name with
// modifiers such as "red apple" means; None where there is none.
func ClassOf(o *ontology.Ontology, name string) ontology.TermID {
	if class := o.ClassCalled(name, o.Core.PhysicalObject, o.Core.Agent); class != ontology.None {
		return class
	}
	if class := language.ReadName(o, strings.ReplaceAll(name, "-", " ")).Class; class != ontology.None {
		return class
	}
	if class, pose, ok := strings.Cut(name, "|"); ok { // "Mug|-01.20|+00.91", as simulators write it
		if at := strings.LastIndexByte(pose, '|'); at >= 0 {
			if piece := ClassOf(o, pose[at+1:]); piece != ontology.None { // "Egg|-02.37|+00.98|EggCracked_0"
				return piece
			}
		}
		return ClassOf(o, class)
	}
	if stem, number := episode.SplitName(name); number > 0 && strings.ContainsAny(name, "/:") {
		return ClassOf(o, stem)
	}
	if at := strings.LastIndexAny(name, "/:"); at >= 0 { // "/kitchen/soda_can", "robot0:gripper"
		return ClassOf(o, name[at+1:])
	}
	return ontology.None
}

// described is the name of a node with its class.
type described struct{ id, class string }

// said are states, materials and contents that words about a noun tell of a thing.
type said struct {
	States, Properties []ontology.TermID
	Contents           ontology.TermID   // of a packaging; None where it is not said
	After              []ontology.TermID // classes of other things in the name, where people are served
}

// saidLast is what was said of the node that was asked about last.
type saidLast struct {
	of   described
	said *said
}

// saidOf is what the class of a node says of it besides what it is, as "red mug" does and
// "open drawer". Of what its name says, which stays when the thing changes, only what lasts
// counts.
func (n *Names) saidOf(node *scene.Node) *said {
	stem, _ := episode.SplitName(node.ID)
	key := described{stem, node.Class}
	if key == n.saidLast.of && stem != "" { // there are often several of a kind
		return n.saidLast.said
	}
	if out, ok := n.said[key]; ok {
		n.saidLast.of, n.saidLast.said = key, out
		return out
	}
	out := &said{Contents: ontology.None}
	class := ontology.None
	if node.Class != "" {
		noun := n.modified(node.Class)
		if class = ClassOf(n.onto, node.Class); class == noun.Class {
			out = &said{States: noun.States, Properties: noun.Properties, Contents: noun.Contents}
		}
	}
	if noun := n.modified(stem); noun.Class != ontology.None && (class == ontology.None || n.onto.Canonical(class) == n.onto.Canonical(noun.Class)) {
		out.Properties = append(out.Properties, noun.Properties...)
		if noun.Contents != ontology.None {
			out.Contents = noun.Contents
		}
		for _, st := range noun.States {
			if n.onto.Lasting(st) {
				out.States = append(out.States, st)
			}
		}
	}
	if len(n.ep.People) > 0 {
		out.After = n.calledAfter(node.Class, stem)
	}
	const few = 256
	if len(n.said) < few {
		if n.said == nil {
			n.said = map[described]*said{}
		}
		n.said[key] = out
	}
	return out
}

// calledAfter lists the classes that words of some names mean, as chicken in a chicken stock cube,
// none where one of them is that of a diet, as in vegan chicken.
func (n *Names) calledAfter(names ...string) (out []ontology.TermID) {
	for _, name := range names {
		words := nameWords(name)
		if len(words) < 2 || len(n.onto.ByLabel(strings.Join(words, " "), n.onto.Core.PhysicalObject)) > 0 {
			continue // oat milk is what it is called
		}
		for _, word := range words {
			if len(n.onto.ByLabel(word, n.onto.Core.Human)) > 0 {
				return nil
			}
			out = append(out, n.onto.ByLabel(word, n.onto.Core.PhysicalObject)...)
		}
	}
	return out
}

// nameWords are the words of a name, in lower case, whatever stands between them.
func nameWords(name string) []string { return language.Words(strings.ReplaceAll(name, "-", " ")) }

// modified reads a name that has words before its noun; of others nothing.
func (n *Names) modified(name string) language.Noun {
	if text := language.Apart(name); strings.ContainsAny(text, " _-") {
		if noun := language.ReadName(n.onto, text); noun.Modifiers != "" {
			return noun
		}
	}
	return language.Noun{Class: ontology.None, Contents: ontology.None}
}
