package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"

	"github.com/mishap-robotics/mishap/bridge/advice"
	"github.com/mishap-robotics/mishap/bridge/llm"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/simulation"
)

// Imitation stands in for a language model where none can be called. It reads its prompt, and
// knows nothing else: it plans, by mishap's own planner, in the scene that the prompt tells of,
// for the task, the people and with the strategies that it names, and judges and explains by
// what it lists as seen and heard. Where a prompt names no failure it goes on with what is left of the
// plan. And it errs: with the probability Rate an answer has one error, drawn evenly of a wrong
// object, a missing step, an unknown word and a refusal; a yes or no is turned round or refused.
// So it shows what verifier, rules, perceiver and strategies make of a model that errs so often,
// and what of a prompt tells something, and nothing of what a model does.
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

// adviser is an adviser that asks the imitation for one robot, of which it takes the goal's form
// alone; nil is a robot that nobody asks about.
func (i *Imitation) adviser(r *engine.Reasoner, robot *simulation.Robot, seed uint64) *advice.Adviser {
	m := &imitated{imitation: i, reasoner: r}
	if robot != nil {
		ep := robot.Episode()
		m.goal = episode.Episode{ID: ep.ID, Task: ep.Task, Goal: ep.Goal, GoalFacts: ep.GoalFacts, Params: ep.Params, People: ep.People}
		h := fnv.New64a()
		h.Write([]byte(ep.ID))
		m.rng = rand.New(rand.NewPCG(seed, h.Sum64()))
	}
	return &advice.Adviser{Model: m, Prompts: i.Prompts}
}

// imitated is the model of one robot.
type imitated struct {
	imitation *Imitation
	reasoner  *engine.Reasoner
	goal      episode.Episode // what the words of a prompt for the goal and its people stand for
	mu        sync.Mutex
	rng       *rand.Rand
}

func (m *imitated) Name() string { return m.imitation.name() }

// What it is not taught it does not answer.
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
	t := tell(q.Prompt)
	switch key := map[string]string{"replan": "plan", "decompose": "plan", "correct": "actions"}[q.Purpose]; {
	case wrong == refuses:
		return refusal, nil
	case key != "":
		return object(map[string]any{key: m.plan(ctx, t, wrong), "cause": t.text("What went wrong")}), nil
	case q.Purpose == "subtasks":
		return object(map[string]any{"subtasks": m.subtasks(ctx, t, wrong)}), nil
	case q.Purpose == "stepcheck":
		return yesNo(m.cameAbout(ctx, t, "Action", "Before", "After") == (wrong == none)), nil
	case q.Purpose == "subgoal":
		return yesNo(m.cameAbout(ctx, t, "Step", "", "Seen at its end") == (wrong == none)), nil
	case q.Purpose == "perceive":
		return m.perceive(ctx, t, wrong), nil
	case q.Purpose == "prevents":
		return object(map[string]any{"reasons": m.prevents(t, wrong)}), nil
	case q.Purpose == "motion":
		return object(map[string]any{"steps": m.motion(ctx, t, wrong)}), nil
	case q.Purpose == "rewards":
		return m.rewards(ctx, t, wrong), nil
	case q.Purpose == "reason":
		cause, change := m.reason(t, wrong)
		return object(map[string]any{"cause": cause, "change": change}), nil
	case q.Purpose == "explain":
		why, times := m.explain(t, wrong)
		return object(map[string]any{"explanation": why, "times": times}), nil
	case q.Purpose == "summarize":
		return m.summarize(t, wrong), nil
	case q.Purpose == "choose":
		return object(map[string]any{"choice": choose(t, wrong), "why": "it is shorter"}), nil
	}
	return "", errNotImitated
}

func yesNo(yes bool) string { return map[bool]string{true: "yes", false: "no"}[yes] }

func object(fields map[string]any) string {
	text, err := json.Marshal(fields)
	if err != nil {
		panic(err) // strings and numbers
	}
	return string(text)
}
