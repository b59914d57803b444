package logs_test

import (
	"context"
	"fmt"
	"os"

	"github.com/mishap-robotics/mishap/bridge/logs"
	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/rules"
)

func Example() {
	o, p := ontology.Default(), rules.Default()
	r, err := engine.New(o, p)
	if err != nil {
		fmt.Println(err)
		return
	}
	eps, err := logs.Read(o, "../../testdata/episodes/occupied-put.jsonl")
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := r.Check(context.Background(), eps[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range res.Findings {
		fmt.Println(f.Type, f.Step, f.Cause, f.Objects, f.Explanation)
	}
	// Output: OccupiedPutFailure 11 11 [Pot-1 StoveBurner-1 Pan-1] Pot-1 could not be put in or on StoveBurner-1, because Pan-1 is there.
}

// All logs of a folder; a program reads those that it embeds in the same way.
func ExampleEpisodes() {
	o := ontology.Default()
	r, err := engine.New(o, rules.Default())
	if err != nil {
		fmt.Println(err)
		return
	}
	episodes := logs.Episodes(o, os.DirFS("../../testdata"), "episodes")
	found := map[string]int{}
	for res, err := range r.CheckAll(context.Background(), episodes) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		for _, f := range res.Findings {
			found[f.Type]++
		}
	}
	fmt.Println(found["OccupiedPutFailure"] > 0, found["MissingStepFailure"] > 0)
	// Output: true true
}
