package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// Imitation stands in for a language model where none can be called. It answers from the
// truth of the simulated world, and errs: with the probability Rate an answer has one error,
// drawn evenly of a wrong object, a missing step, an unknown word and a refusal; a yes or no
// is turned round or refused. So it shows what verifier, rules and strategies make of a model
// that errs so often, and nothing of what a model does.
type Imitation struct {
	Rate    float64 // of answers with an error, from 0 to 1
	Prompts *advice.Prompts
}

// CheckRate refuses a rate that is none.
func (i *Imitation) CheckRate() error {
	if !(i.Rate >= 0 && i.Rate <= 1) {
		return fmt.Errorf("rate %v of errors; expected a number from 0 to 1", i.Rate)
	}
	return nil
}

func (i *Imitation) name() string {
	return fmt.Sprintf("imitation, erring in %s %% of answers", percent(int(1000*i.Rate+0.5), 1000))
}

// adviser is an adviser that asks the imitation about what really is so around a robot; nil
// is a robot that nobody asks about.
func (i *Imitation) adviser(r *engine.Reasoner, robot *simulation.Robot, seed uint64) *advice.Adviser {
	m := &imitated{imitation: i, reasoner: r, robot: robot}
	if robot != nil {
		h := fnv.New64a()
		h.Write([]byte(robot.Episode().ID))
		m.rng = rand.New(rand.NewPCG(seed, h.Sum64()))
	}
	return &advice.Adviser{Model: m, Prompts: i.Prompts}
}

// imitated is the model of one robot.
type imitated struct {
	imitation *Imitation
	reasoner  *engine.Reasoner
	robot     *simulation.Robot
	mu        sync.Mutex
	rng       *rand.Rand
}

func (m *imitated) Name() string { return m.imitation.name() }

// What the imitation does not know the truth of is left to what is symbolic.
var errNotImitated = errors.New("the imitation is not asked that")

const refusal = "I cannot help with that."

// errors of an answer.
type mistake int

const (
	none mistake = iota
	wrongObject
	missingStep
	unknownWord
	refuses
)

// Ask answers, and counts tokens as a model would.
func (m *imitated) Ask(ctx context.Context, q llm.Question) (llm.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text, err := m.answer(ctx, q)
	return llm.Answer{Text: text, Structured: q.Schema != nil, Usage: llm.Usage{Calls: 1, PromptTokens: q.Estimate(), AnswerTokens: len(text) / llm.BytesPerToken}}, err
}

func (m *imitated) answer(ctx context.Context, q llm.Question) (string, error) {
	wrong := none
	if m.rng.Float64() < m.imitation.Rate {
		wrong = wrongObject + mistake(m.rng.IntN(int(refuses)))
	}
	switch key := map[string]string{"replan": "plan", "decompose": "plan", "correct": "actions", "subtasks": "subtasks"}[q.Purpose]; {
	case wrong == refuses:
		return refusal, nil
	case key != "":
		return object(map[string]any{key: m.plan(ctx, wrong), "cause": m.cause()}), nil
	case q.Purpose == "stepcheck" || q.Purpose == "subgoal":
		return map[bool]string{true: "yes", false: "no"}[m.cameAbout(q.Prompt) == (wrong == none)], nil
	case q.Purpose == "reason":
		return object(map[string]any{"cause": m.cause(), "change": "what went wrong is to be undone"}), nil
	case q.Purpose == "explain":
		return object(map[string]any{"explanation": m.cause(), "times": []string{}}), nil
	case q.Purpose == "choose":
		return object(map[string]any{"choice": 1 + int(min(wrong, 1)), "why": "it is shorter"}), nil
	}
	return "", errNotImitated
}

func object(fields map[string]any) string {
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err) // strings and numbers
	}
	return string(text)
}

// plan is how to go on from what really is so, with a mistake.
func (m *imitated) plan(ctx context.Context, wrong mistake) []string {
	ep := *m.robot.Episode()
	ep.Noise, ep.Scene, ep.Plan = 0, nil, nil
	w := m.reasoner.Watch(&ep, engine.Limits{}, nil)
	seen := m.robot.World.Camera().EverythingIn(m.robot.World.State())
	if _, err := w.Step(ctx, episode.Step{Index: 0, Observation: seen}); err != nil {
		return nil
	}
	plan := slices.Clone(w.Recover(ctx, engine.Planner{}, nil, nil).Plan)
	if len(plan) == 0 {
		return []string{}
	}
	at := m.rng.IntN(len(plan))
	switch wrong {
	case wrongObject:
		plan[at].Target = seen.Nodes[m.rng.IntN(len(seen.Nodes))].ID
	case missingStep:
		plan = slices.Delete(plan, at, at+1)
	case unknownWord:
		plan[at].Name = "frobnicate"
	}
	out := []string{}
	for _, a := range plan {
		out = append(out, a.String())
	}
	return out
}

// cameAbout is whether the last action that a question names really came about; where it
// names none that was done, it did not.
func (m *imitated) cameAbout(prompt string) bool {
	for i := len(m.robot.Results) - 1; i >= 0; i-- {
		if a := m.robot.Did[i]; a.Name != "" && strings.Contains(prompt, a.String()) {
			return m.robot.Results[i].Done && m.robot.Results[i].Taken == ""
		}
	}
	return false
}

// cause words what really befell the robot.
func (m *imitated) cause() string {
	for i := len(m.robot.Results) - 1; i >= 0; i-- {
		switch r := &m.robot.Results[i]; {
		case len(r.Dropped) > 0:
			return fmt.Sprintf("%s fell during %s", strings.Join(r.Dropped, ", "), m.robot.Did[i])
		case len(r.Refused) > 0:
			return fmt.Sprintf("%s was not possible: %s", m.robot.Did[i], r.Reasons())
		case !r.Done:
			return fmt.Sprintf("nothing came of %s", m.robot.Did[i])
		}
	}
	return "the plan does not reach the goal"
}
