package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/engine/memory"
)

// queryMemory answers a goal over the episodes of a memory.
func queryMemory(ctx context.Context, k *knowledge, of *memoryFlags, goal, groups, format string) error {
	filter, err := of.filter(time.Now())
	if err != nil {
		return err
	}
	o, err := k.loadOntology()
	if err != nil {
		return err
	}
	m, err := of.open(ctx, o, true)
	if err != nil {
		return err
	}
	defer m.Close()
	r, err := k.reasoner(m.Builtins()...)
	if err != nil {
		return err
	}
	g, err := m.Prepare(r, goal)
	if err != nil {
		return inDetail(err)
	}
	if groups != "" {
		return groupAnswers(ctx, g, filter, strings.Split(groups, ","), format)
	}
	var out report.Answers
	for a, err := range g.Answers(ctx, filter) {
		if err != nil {
			return err
		}
		out.Add(a.Names, a.Values)
	}
	if format == "json" {
		err = out.JSON(stdout)
	} else {
		err = out.Text(stdout)
	}
	if err == nil && len(out.Answers) == 0 {
		return exit{exitFound}
	}
	return err
}

// groupAnswers counts answers.
func groupAnswers(ctx context.Context, g *memory.Goal, f memory.Filter, by []string, format string) error {
	for i := range by {
		by[i] = strings.TrimSpace(by[i])
	}
	out := report.NewAnswerGroups(by)
	for a, err := range g.Answers(ctx, f) {
		if err != nil {
			return err
		}
		if err := out.Add(a); err != nil {
			return fmt.Errorf("--group-by: %w", err)
		}
	}
	if format == "json" {
		return out.JSON(stdout)
	}
	return out.Text(stdout)
}
