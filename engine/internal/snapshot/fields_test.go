package snapshot_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// A field that a type gets must be coded, or follow from what is: this says of each which
// fields were thought of. Those in brackets are not coded.
var coded = map[string]string{
	"engine.Monitor": `[reasoner] ep tracker index limits [observer] noisy raw concluded settled findings foreseen forewarns warned
		[trigger] alarmed [projection] given replanned last [shown] [packed] [unpacked] [finished] [aside] pending forgotten`,
	"engine.Limits":    "Time Planning Inferences Bytes Window Nodes Details Name Objects Planned Warnings Memory",
	"engine.pending":   "lines stage stepped warns untold refused ended sizes held",
	"engine.size":      "step bytes",
	"engine.forgotten": "found given warned before", "engine.foreseen": "futures threats", "engine.future": "troubles values",
	"engine/episode.Episode": `ID Source File Robot Site Start Labels Task Goal GoalLine GoalFile GoalFacts Params People Crew Things Scene Noise GripperObserved Exact Origins Plan Passed Carriers Unplanned
		Steps Until Warnings MaxWarnings Unkept Lines Skipped`,
	"engine/episode.Thing": "Name Classes Properties Line",
	"engine/episode.Fact":  "Subject Relation Object Line", "engine/episode.Person": "Name Diets Dislikes", "engine/episode.Agent": "Name Class Grippers Members",
	"engine/episode.Step":        "Index Time Action Agent Sounds Events Values ID Status Result Observation Line",
	"engine/episode.Action":      "Name Target Destination Further",
	"engine/episode.Observation": "Missing Complete Graph", "engine/episode.Warning": "Line Msg",
	"engine/scene.Node": "ID Class States Properties Values", "engine/scene.Reading": "Quantity Number Unit", "engine/scene.Edge": "Subject Relation Object Place Label Functional",
	"engine/internal/belief.Tracker": "t began recent acted forgotten passed [given] kept",
	"engine/internal/belief.tracker": `[onto] ep names [goal] trace believed course view ongoing [lines next] unlinked sorted done [live] observationsOnly
		hasSounds gripperSeen special forms identities`,
	"engine/episode.Ongoing":            "Last Open",
	"engine/internal/belief.Checkpoint": "Event Expected",
	"engine/internal/belief.Trace": `Episode Objects [Task] [Goal] [Unjudged] [Bound] Events History Sensed Clock InTime Late Elapsed Start Final Expected [People] [Robot]
		[Gripper] UnloggedCalls Rest recorded [contents] past links [ofLink] [Interrupt] [changes]`,
	"engine/internal/belief.HistoryEntry": "Step Value", "engine/internal/belief.LinkHistory": "Edge Changes", "engine/internal/belief.LinkChange": "Step Holds",
	"engine/internal/belief.Event": `Step First Timed Time Until Final ToCome Planned Call Before Unmet Violated Outcome Ambiguous Vague Unclear Told Away
		Displaced Mistaken Belated WithoutAction Together Meanwhile Status Result Observed HandEmpty Seen States Values Edges Sounds Differences`,
	"engine/internal/belief.Unmet": "Violation Origin Reach", "engine/internal/belief.Difference": "Fluent Since",
	"engine/internal/belief.course":    "expected differences lapsed moved misplaced believedThen expectedThen again",
	"engine/internal/belief.misplaced": "fallen unmoved robot touched",
	"engine/internal/belief.viewpoint": "[ep] robot seen stand here beside sights [noted]", "engine/internal/belief.sight": "last from",
	"engine/internal/state.Objects": `[Onto] [Stages] Items byName bySpelling counts [every] [dims] [exact] [kinds] unknown [pieces] revision [byClass] [byProperty] [byWhole] [own] [coined] [Interrupt]
		[extending] [named] [renamed]`,
	"engine/internal/state.Item":  "Name Class Number Origin Props Also Of Shown Made Coined",
	"engine/internal/state.State": "[Objects] objects edges anchors unsure [dims] looped [moving] CloseWorld staged [quiet]",
	"engine/internal/state.table": "[owner] pages", "engine/internal/state.page": "[owner] objects",
	"engine/internal/state.object": "[owner] gone changed first next before vals links", "engine/internal/state.Link": "Relation Other From Ended Status Since",
	"engine/internal/state.edges": "[owner] list [known]", "engine/internal/state.anchor": "agent at",
	"engine/internal/state.Value": "Term At Status Since Number", "engine/internal/state.Amount": "Quantity Number", "engine/internal/state.Fluent": "Obj Slot",
	"engine/internal/state.Edge": "Subject Relation Object", "engine/internal/state.Call": "Schema Agent Gripper Target Destination Further Values",
	"engine/internal/state.Violation":      "Name Comment Culprit Touched Condition Binding About",
	"engine/internal/grounding.Names":      "Robot Gripper reached [onto] objects [ep] [labels] [warner] [hints] readings robots seen listed declared marks kinds [crew] [needed] [said] [saidLast] [look] [added] [warned] [meant] [subjects] [containers]",
	"engine/internal/grounding.reading":    "name of",
	"engine/internal/belief.pastEvent":     "step first before planned manner target destination marks outcome odd",
	"engine/internal/belief.past":          "events [manners] times odd [looks]",
	"engine/episode.PassedSteps":           "steps times acts told [held] [actions]",
	"engine/episode.passedStep":            "index line",
	"engine/internal/grounding.SeenState":  "Obj State",
	"engine/internal/grounding.SeenValue":  "Obj Quantity Number",
	"engine/internal/grounding.Sensed":     "Step Kind Obj Measured Number Line",
	"engine/episode.SensorEvent":           "Kind Object Number Unit Measured Time Line",
	"engine/internal/grounding.Identities": "[onto] things byID looks lasting rename [fresh] [numbers] [telling] [nameless] [last]",
	"engine/internal/grounding.thing":      "name class place taken", "engine/internal/grounding.sight": "thing look", "engine/internal/grounding.Forms": "[onto] apart taken begun [forming] [formless]", "engine/internal/grounding.inForm": "name form own",
	"engine/internal/perception.Stream": "filter plan done raw given", "engine/internal/perception.filter": "[onto] [rate] mentions classes [stop]",
	"engine/internal/fact.Live": "Index [faults] seeks events rows [changes] mends objects people lasting [kinds] revised deeds",
	"engine/internal/fact.Index": `[Trace] [onto] names [symbols] tables [given] [live] objects [ofName] free [named] [ofTerm] [wholes] [means] Since
		[scores] [sensed] [ToCome] [shared] Repairs`,
	"engine/internal/fact.table":       "[arity] chunks [start] [base] [end] ascending [changes] [adding] [indexes] [shared]",
	"engine/internal/planfault.Repair": "Step At First Last Edit Text Before Wrong Others",
	"engine/internal/planfault.Edit":   "Kind At To Call Old New Throughout Swap First Last",
	"engine/internal/diagnosis.Finding": `Type Agent Step Cause Window Planned Objects Clause Explanation Evidence Strategies Consequences
		Recovered [goals]`,
	"engine/internal/diagnosis.Consequence": "Type Step Objects Explanation",
	"engine/internal/diagnosis.Strategy":    "Name Description Actions AsksHuman",
	"engine/internal/foresight.Threat": `Finding Foreseen Condition Provider Irreversible Repair PlanFault Due FollowsFrom Assumed Usual
		Doubtful Unseen PlannedCause PlannedWindow PlannedThen`,
	"engine/internal/foresight.PlannedAction": "Step Planned Text", "engine/internal/foresight.Cause": "Type Step Planned",
	"engine/internal/inference.Conclusion": "Class Step Cause Objects Clause Bindings [Proof]",
	"rules.Term":                           "Kind Name Int Args [Pos]",
}

func TestFieldsAreCoded(t *testing.T) {
	for name, fields := range coded {
		dot := strings.LastIndexByte(name, '.')
		var want []string
		for f := range strings.FieldsSeq(fields) {
			want = append(want, strings.Trim(f, "[]"))
		}
		got := fieldsOf(t, "../../../"+name[:dot], name[dot+1:])
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s has the fields\n%q; those that were thought of are\n%q\nlet its snapshot code what is new, or tell why that follows", name, got, want)
		}
	}
}

func fieldsOf(t *testing.T, folder, name string) []string {
	t.Helper()
	source := func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), folder, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range packages {
		ast.Inspect(p, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok || spec.Name.Name != name {
				return true
			}
			for _, f := range spec.Type.(*ast.StructType).Fields.List {
				for _, id := range f.Names {
					out = append(out, id.Name)
				}
				if len(f.Names) == 0 {
					out = append(out, embedded(f.Type))
				}
			}
			return false
		})
	}
	return out
}

func embedded(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return embedded(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}
