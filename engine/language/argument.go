package language

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// argumentRole is what an argument of a call is to its action.
type argumentRole int

const (
	otherRole argumentRole = iota
	nameRole               // of the action itself
	objectRole
	destinationRole
	targetRole // the object, or the destination of another
	sourceRole // where from, or the object where there is no other
	agentRole
	remarkRole // says nothing of the action
)

// roles are the names that programs give arguments, as letters alone.
var roles = map[argumentRole][]string{
	nameRole:        strings.Fields("id name skill action verb primitive operation type"),
	objectRole:      strings.Fields("object obj item thing what noun attachedobject labware workpiece load payload product sample parcel package"),
	destinationRole: strings.Fields("destination dest dst receptacle receptacleobject location place placelocation targetlocation goallocation to into onto on in at where container surface support goal pose position waypoint targetpose goalpose supportsurface room area recipient person station slot bin shelf rack tray zone dock placing poi support"),
	targetRole:      strings.Fields("target targetobject"),
	sourceRole:      strings.Fields("source src from sourceobject sourcecontainer"),
	remarkRole:      strings.Fields("language lang narration utterance comment reason thought description instruction explanation summary score confidence probability correctness status result outcome success speed velocity force effort timeout duration"),
	agentRole:       strings.Fields("robot agent gripper arm hand actor manipulator effector"),
}

// role is what an argument of a name is.
func role(key string) argumentRole {
	letters := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, key)
	for _, ending := range []string{"", "id", "name", "label", "location", "idname"} {
		if stem := strings.TrimSuffix(letters, ending); stem != "" {
			for r, names := range roles {
				if slices.Contains(names, stem) {
					return r
				}
			}
		}
	}
	return otherRole
}

// Arguments orders the arguments of a call as its action takes them: those without a key as they
// stand, and those with one by what it says of them, the object of the action first, where to
// second. Where from and which gripper are left out, and so are those whose key says nothing where
// others are known.
func Arguments(keys, values []string) []string {
	var bare []string
	by := map[argumentRole]string{}
	for i, value := range values {
		r := role(keys[i])
		switch {
		case keys[i] == "":
			bare = append(bare, value)
		case r == remarkRole:
		case (by[r] == "" || isNumber(by[r])) && !(r == otherRole && isNumber(value)):
			by[r] = value
		}
	}
	target, to := by[objectRole], by[destinationRole]
	switch {
	case target == "" && by[sourceRole] != "" && by[targetRole] != "": // "pour source=… target=…"
		target, to = by[sourceRole], by[targetRole]
	case target == "" && len(bare) == 0 && by[sourceRole] != "" && to != "": // "pour from=… to=…"
		target = by[sourceRole]
	case target == "" && by[targetRole] == "" && len(bare) == 0 && to != "" && !isNumber(by[nameRole]): // "pick name=… station=…"
		target = by[nameRole]
	case target == "":
		target = by[targetRole]
	case to == "":
		to = by[targetRole]
	}
	if len(bare) == 0 && target == "" && to == "" {
		target = cmp.Or(by[otherRole], by[nameRole], by[sourceRole])
	}
	out := bare
	if target != "" {
		out = append([]string{target}, bare...)
	}
	if to != "" && len(out) < 2 {
		out = append(out, to)
	}
	return out
}
