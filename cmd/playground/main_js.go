package main

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall/js"

	"github.com/mishap-robotics/mishap/bridge/try"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

// In a worker of a page it gives judge, which takes a draft as JSON and returns an answer as
// JSON, or an error.
func main() {
	bench := &try.Bench{Ontology: ontology.Shipped(), Rules: rules.Shipped()}
	js.Global().Set("judge", js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer, err := judge(bench, args)
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return map[string]any{"answer": answer}
	}))
	select {}
}

func judge(bench *try.Bench, args []js.Value) (answer string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a mistake in mishap: %v", p)
		}
	}()
	if len(args) != 1 || args[0].Type() != js.TypeString {
		return "", fmt.Errorf("judge takes a draft as JSON")
	}
	var d try.Draft
	if err := json.Unmarshal([]byte(args[0].String()), &d); err != nil {
		return "", err
	}
	a, err := bench.Judge(context.Background(), d)
	if err != nil {
		return "", err
	}
	data, err := json.Marshal(a)
	return string(data), err
}
