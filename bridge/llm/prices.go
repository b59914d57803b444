package llm

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mishap-robotics/mishap/bridge/internal/input"
	"github.com/mishap-robotics/mishap/ontology"
)

// Prices says what models cost. A nil *Prices knows none.
type Prices struct {
	file   string
	models map[string]Price
}

// Price is what a model costs, in US dollars for a million tokens.
type Price struct{ Input, Output float64 }

// dear is above every price: a dollar a token.
const dear = 1e6

const pricesText = `an object such as {"small-model": {"input": 0.15, "output": 0.60}}, US dollars for a million tokens`

// ReadPrices reads a price file: models by name, each with what a million tokens of
// input and output cost in US dollars. The error gives file and line.
func ReadPrices(file string) (*Prices, error) {
	data, err := readWhole(file, pricesText)
	if err != nil {
		return nil, err
	}
	return parsePrices(file, data)
}

func parsePrices(file string, data []byte) (*Prices, error) {
	list, err := fields(file, data, 1, pricesText)
	if err != nil {
		return nil, err
	}
	p := &Prices{file: file, models: map[string]Price{}}
	for _, f := range list {
		if p.models[f.name], err = parsePrice(file, f); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func parsePrice(file string, model field) (Price, error) {
	var out Price
	what := `{"input": …, "output": …} for the model ` + quote(model.name)
	list, err := fields(file, model.value, model.valueLine, what)
	if err != nil {
		return out, err
	}
	given := map[string]bool{}
	for _, f := range list {
		into := map[string]*float64{"input": &out.Input, "output": &out.Output}[f.name]
		if into == nil {
			return out, &input.Error{File: file, Line: f.line, Found: "the unknown field " + quote(f.name), Expected: what}
		}
		if !decode(f.value, into) || *into < 0 || *into > dear {
			return out, &input.Error{File: file, Line: f.line, Found: "the price " + input.Clip(string(f.value)) + " for " + f.name + " of " + quote(model.name),
				Expected: "US dollars for a million tokens, a number from 0 to a million"}
		}
		given[f.name] = true
	}
	for _, name := range []string{"input", "output"} {
		if !given[name] {
			return out, &input.Error{File: file, Line: model.line, Found: "no price for " + name + " of " + quote(model.name), Expected: what}
		}
	}
	return out, nil
}

// Of gives the price of a model; ok is false where it is not known.
func (p *Prices) Of(model string) (_ Price, ok bool) {
	if p == nil {
		return Price{}, false
	}
	price, ok := p.models[model]
	return price, ok
}

// Cost is what tokens cost, in US dollars.
func (p Price) Cost(prompt, answer int) float64 {
	return (float64(prompt)*p.Input + float64(answer)*p.Output) / 1e6
}

// Check tells whether the budget can be held for a model: a limit in dollars needs
// the model's price. The error names the file, the model and the models in the file.
func (b Budget) Check(model string, p *Prices) error {
	if _, ok := p.Of(model); ok || b.Cost <= 0 {
		return nil
	}
	if p == nil {
		return fmt.Errorf("a budget of %s US dollars is given but no prices; give a price file with the model %s", dollars(b.Cost), quote(model))
	}
	names := make([]string, 0, len(p.models))
	for name := range p.models {
		names = append(names, name)
	}
	slices.Sort(names)
	hint := "it has " + strings.Join(names, ", ")
	if len(names) == 0 {
		hint = "it has none"
	}
	hint += ontology.Hint(model, names)
	return fmt.Errorf("%s: found no price of the model %s; expected one, as a budget of %s US dollars is given (%s)", p.file, quote(model), dollars(b.Cost), hint)
}
