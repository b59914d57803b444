package ontology

import (
	"fmt"
	"slices"
	"strings"
)

// Roles holds what the reasoner must know of an ontology and asks of no name: the
// terms that play the roles declared in roles.ttl, which says what each is for. None
// or nil stands for a role that nothing plays.
type Roles struct {
	// Actions; where no term says that it plays the role, the only one whose
	// effects fit.
	Look, Move, Take, Place, Transfer *ActionSchema

	Enclosing, Running, Filled, Broken TermID // states

	Movable, TakesRoom, LoadedFromAbove, Receptacle, Selective        TermID // properties
	Interchangeable, Openable, Toggleable, Hazardous, KeptShut, Drain TermID
	Packaging, LoadedBelow, Fastened                                  TermID

	Below, Attached TermID // the relations to what is loaded below, and to what something hangs on

	Bin, FallSound, UnownedHand TermID // classes

	// Classes of actions, by what they have to do with the gripper.
	MovingActions, HeldActions, BareActions, LookingActions TermID

	FailedAction, MissingNavigation, AmbiguousTarget, Dropping TermID // failure classes
}

// Open is the opposite of the state that encloses.
func (o *Ontology) Open() TermID { return o.Opposite(o.Roles.Enclosing) }

// bindRoles finds the terms that play the roles, all but those of actions, which are
// yet to be read.
func (b *builder) bindRoles() {
	c, r := &b.o.Core, &b.o.Roles
	for _, role := range []struct {
		name string
		term *TermID
	}{
		{"watchedAgent", &c.Robot}, {"servedAgent", &c.Human}, {"agentGripper", &c.RobotGripper}, {"ground", &c.Floor},
		{"enclosingState", &r.Enclosing}, {"runningState", &r.Running}, {"filledState", &r.Filled}, {"brokenState", &r.Broken},
		{"movableProperty", &r.Movable}, {"roomProperty", &r.TakesRoom}, {"loadedFromAboveProperty", &r.LoadedFromAbove},
		{"loadedBelowProperty", &r.LoadedBelow}, {"fastenedProperty", &r.Fastened}, {"belowRelation", &r.Below}, {"attachedRelation", &r.Attached},
		{"receptacleProperty", &r.Receptacle}, {"selectiveProperty", &r.Selective}, {"interchangeableProperty", &r.Interchangeable},
		{"openableProperty", &r.Openable}, {"toggleableProperty", &r.Toggleable}, {"hazardousProperty", &r.Hazardous}, {"keptShutProperty", &r.KeptShut},
		{"drainProperty", &r.Drain}, {"packagingProperty", &r.Packaging}, {"remainsBin", &r.Bin}, {"unownedHand", &r.UnownedHand}, {"fallSound", &r.FallSound},
		{"movingActions", &r.MovingActions}, {"heldActions", &r.HeldActions}, {"bareActions", &r.BareActions}, {"lookingActions", &r.LookingActions},
		{"failedAction", &r.FailedAction}, {"missingMove", &r.MissingNavigation}, {"ambiguousTarget", &r.AmbiguousTarget},
		{"droppedObject", &r.Dropping},
	} {
		*role.term = b.player(role.name)
	}
}

// bindActions finds the actions that play roles, and what can be moved where no
// property says so.
func (b *builder) bindActions() {
	o := b.o
	o.Roles.Look = b.actionRole("lookAction", func(a *ActionSchema) bool { return len(a.Effects) == 0 })
	o.Roles.Move = b.actionRole("moveAction", o.IsNavigation)
	o.Roles.Take = b.actionRole("takeAction", o.takes)
	o.Roles.Place = b.actionRole("placeAction", o.places)
	o.Roles.Transfer = b.actionRole("transferAction", func(*ActionSchema) bool { return false })
	if o.Roles.Movable == None && o.Roles.Take != nil {
		o.Roles.Movable = o.onlyProperty(o.Roles.Take)
	}
}

// takes reports whether an action brings its target into the gripper.
func (o *Ontology) takes(a *ActionSchema) bool {
	return slices.ContainsFunc(a.Effects, func(e Effect) bool {
		return slices.ContainsFunc(e.Then, func(p Pattern) bool {
			return p.Predicate == o.Core.Inside && p.Subject.Var == VarTarget && p.Object.Var == VarGripper
		})
	})
}

// Moves reports whether an action brings its target or the robot elsewhere.
func (o *Ontology) Moves(a *ActionSchema) bool {
	return o.IsNavigation(a) || slices.ContainsFunc(a.Effects, func(e Effect) bool {
		return slices.ContainsFunc(e.Then, func(p Pattern) bool { return o.IsSub(p.Predicate, o.Core.Within) && p.Subject.Var == VarTarget })
	})
}

// places reports whether an action brings its target to its destination.
func (o *Ontology) places(a *ActionSchema) bool {
	return slices.ContainsFunc(a.Effects, func(e Effect) bool {
		return slices.ContainsFunc(e.Then, func(p Pattern) bool {
			return o.IsSub(p.Predicate, o.Core.Within) && p.Subject.Var == VarTarget && p.Object.Var == VarDestination
		})
	})
}

// onlyProperty is the property that an action asks of its target, None where it asks
// for none or several.
func (o *Ontology) onlyProperty(a *ActionSchema) TermID {
	out := None
	for _, c := range a.Preconditions {
		for _, p := range c.Requires {
			if p.Predicate != o.Core.HasProperty || p.Subject.Var != VarTarget || p.Object.Term == None {
				continue
			}
			if out != None && out != p.Object.Term {
				return None
			}
			out = p.Object.Term
		}
	}
	return out
}

// actionRole is the action that plays a role, else the only one that fits it.
func (b *builder) actionRole(role string, fits func(*ActionSchema) bool) *ActionSchema {
	term := b.player(role)
	var fitting []*ActionSchema
	for _, a := range b.o.Actions {
		if a.Term == term {
			return a
		}
		if !a.OnlyTold && fits(a) {
			fitting = append(fitting, a)
		}
	}
	switch {
	case term != None:
		b.problem(b.o.Terms[term].Pos, false, "%s plays the role %s, but has no m:actionName; expected an action that plans can name", b.o.Name(term), role)
	case len(fitting) == 1:
		return fitting[0]
	}
	return nil
}

// player is the term that plays a role.
func (b *builder) player(name string) TermID {
	o := b.o
	role, ok := b.ids[Namespace+name]
	if !ok {
		b.problem(Pos{File: "ontology"}, false, "role %s is not declared; the reasoner asks for it (see roles.ttl)", name)
		return None
	}
	example, _ := o.text(role, "example")
	kind := slices.Concat(o.terms(role, "playedBy"), []TermID{None})[0]
	out, at := None, Pos{}
	for i := range o.Terms {
		for _, v := range o.values[i] {
			term := TermID(i)
			switch {
			case o.Name(v.property) != "plays" || v.term != role || term == out:
			case kind != None && !o.IsA(term, kind) && !o.HasType(term, kind):
				b.problem(v.pos, false, "%s cannot play the role %s: it is no %s; expected for example %q", o.Name(term), name, o.Name(kind), example)
			case out != None:
				b.problem(v.pos, false, "%s plays the role %s, which %s plays at %s; expected one term", o.Name(term), name, o.Name(out), at)
			default:
				out, at = term, v.pos
			}
		}
	}
	if out == None && o.says(role, "required") {
		b.problem(o.Terms[role].Pos, false, "nothing plays the role %s: %s; expected for example %q", name, clause(o.Terms[role].Comment), example)
	}
	return out
}

// clause makes of a comment what can stand inside a sentence.
func clause(comment string) string {
	if comment == "" {
		return "the reasoner asks for it"
	}
	return strings.ToLower(comment[:1]) + strings.TrimSuffix(comment[1:], ".")
}

// failureKind is what a class of failures says of itself or inherits.
type failureKind struct {
	constraint, safety, environmental, planFault, accident, lasting bool
}

// planEdits are the edits of a plan that m:planFaultOf may name.
var planEdits = []string{"insert", "append", "delete", "move", "replace"}

// readFailureKinds reads what kind of failure each class is.
func (b *builder) readFailureKinds() {
	o := b.o
	o.failures, o.planFaults = make([]failureKind, len(o.Terms)), map[string]TermID{}
	for i := range o.Terms {
		id := TermID(i)
		for _, v := range o.values[i] {
			if o.Name(v.property) == "planFaultOf" {
				b.planFaultOf(id, v)
			}
		}
		if o.Terms[i].IsClass && o.IsA(id, o.Core.Failure) {
			o.failures[i] = failureKind{o.says(id, "constraint"), o.says(id, "safety"), o.says(id, "environmental"), o.says(id, "planFault"), o.says(id, "accident"), o.says(id, "lasting")}
		}
	}
}

func (b *builder) planFaultOf(id TermID, v value) {
	o := b.o
	other, taken := o.planFaults[v.text]
	switch {
	case !o.IsA(id, o.Core.Failure):
		b.problem(v.pos, false, "%s has m:planFaultOf, but is no %s", o.Name(id), o.Name(o.Core.Failure))
	case !slices.Contains(planEdits, v.text):
		b.problem(v.pos, false, "m:planFaultOf takes %s or %s, found %q", strings.Join(planEdits[:len(planEdits)-1], ", "), planEdits[len(planEdits)-1], v.text)
	case taken:
		b.problem(v.pos, false, "%s is the plan fault of %q, which %s is at %s; expected one class", o.Name(id), v.text, o.Name(other), o.Terms[other].Pos)
	default:
		o.planFaults[v.text] = id
	}
}

func (o *Ontology) kind(class TermID) failureKind {
	if class < 0 {
		return failureKind{}
	}
	return o.failures[class]
}

// IsConstraint reports whether no plan may bring about failures of a class, even
// where it reaches its goal.
func (o *Ontology) IsConstraint(class TermID) bool { return o.kind(class).constraint }

// IsSafety reports whether failures of a class are a dangerous state, which shows at
// the end and lasts.
func (o *Ontology) IsSafety(class TermID) bool { return o.kind(class).safety }

// IsEnvironmental reports whether failures of a class are of the scene.
func (o *Ontology) IsEnvironmental(class TermID) bool { return o.kind(class).environmental }

// IsPlanFault reports whether failures of a class are of the plan itself.
func (o *Ontology) IsPlanFault(class TermID) bool { return o.kind(class).planFault }

// IsAccident reports whether failures of a class befall the robot itself and follow
// from nothing before.
func (o *Ontology) IsAccident(class TermID) bool { return o.kind(class).accident }

// IsLasting reports whether failures of a class go on showing in the same object.
func (o *Ontology) IsLasting(class TermID) bool { return o.kind(class).lasting }

// PlanFault is the failure class of a plan that an edit repairs: insert, append,
// delete, move or replace. None where the ontology has no such class.
func (o *Ontology) PlanFault(edit string) TermID {
	if id, ok := o.planFaults[edit]; ok {
		return id
	}
	return None
}

// Zeroth is the number of an instance that is called number 0, where they are counted from
// there: it has a number, which no other instance has.
const Zeroth = 1_000_000

// Instance is the name of the nth object of a class, counted from 1: Mug-1, and Mug-0 of the Zeroth.
func (o *Ontology) Instance(class TermID, n int) string {
	return fmt.Sprintf("%s-%d", o.Name(class), n%Zeroth)
}

// NamesEdits reports whether a failure class is for plans that an edit repairs: else what
// would repair them need not be sought.
func (o *Ontology) NamesEdits() bool { return len(o.planFaults) > 0 }

// Role is what the reasoner asks of an ontology, and who plays it.
type Role struct {
	Name     string
	Required bool
	PlayedBy string // the name of the term, "" where nothing plays it
	Example  string // a line that lets a term play it
}

// RoleList lists the roles in the order of roles.ttl. One that no term says it plays, and that
// an action does by its effects, is played by that.
func (o *Ontology) RoleList() []Role {
	byEffects := map[string]*ActionSchema{"lookAction": o.Roles.Look, "moveAction": o.Roles.Move, "takeAction": o.Roles.Take, "placeAction": o.Roles.Place}
	var out []Role
	for i := range o.Terms {
		id := TermID(i)
		if !o.HasType(id, o.Term("Role")) {
			continue
		}
		r := Role{Name: o.Name(id)}
		required, _ := o.text(id, "required")
		r.Required = required == "true"
		r.Example, _ = o.text(id, "example")
		for j := range o.Terms {
			if slices.Contains(o.terms(TermID(j), "plays"), id) {
				r.PlayedBy = o.Name(TermID(j))
			}
		}
		if a := byEffects[r.Name]; r.PlayedBy == "" && a != nil {
			r.PlayedBy = o.Name(a.Term)
		}
		out = append(out, r)
	}
	return out
}
