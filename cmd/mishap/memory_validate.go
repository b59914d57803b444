package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/mishap-robotics/mishap/bridge/report"
	"github.com/mishap-robotics/mishap/bridge/shacl"
	"github.com/mishap-robotics/mishap/engine/memory"
	"github.com/mishap-robotics/mishap/ontology/document"
	"github.com/mishap-robotics/mishap/ontology/recorded"
)

// maxShapes is how large a file of shapes may be.
const maxShapes = 16 << 20

func newMemoryValidate(k *knowledge, f *memoryFlags) *cobra.Command {
	var file, format string
	violated := 0
	c := &cobra.Command{
		Use:   "validate [EPISODE…]",
		Short: "Hold what is stored to SHACL shapes",
		Long: `Hold the quads of episodes, those that are named or that --robot, --since and the like
let through, to the SHACL shapes of what is recorded, or to those of a Turtle file. Each
episode is validated by itself, its graphs taken together.

Exit code: 0 all conform, 1 some do not, 2 the call, the shapes or the memory is bad.`,
	}
	c.RunE = reading(k, f, func(ctx context.Context, m *memory.Memory, ids []string) error {
		if err := checkFormat(format); err != nil {
			return err
		}
		shapes, err := shapesOf(file)
		if err != nil {
			return err
		}
		filter, err := f.filter(time.Now())
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			for e, err := range m.List(ctx, filter) {
				if err != nil {
					return err
				}
				ids = append(ids, e.ID)
			}
		}
		found := []report.Validated{}
		for _, id := range ids {
			quads, err := m.Quads(ctx, id)
			if err != nil {
				return err
			}
			v := report.Validated{Episode: id, Violations: shapes.Validate(quads)}
			violated += len(v.Violations)
			found = append(found, v)
		}
		if format == "json" {
			err = report.JSON(stdout, map[string]any{"episodes": found})
		} else {
			err = report.Validation(stdout, found)
		}
		if err == nil && violated > 0 {
			return exit{exitFound}
		}
		return err
	})
	c.Flags().StringVar(&file, "shapes", "", "Turtle file of shapes in place of those of what is recorded")
	c.Flags().StringVar(&format, "format", "text", "text or json")
	f.filters(c.Flags())
	return c
}

func shapesOf(file string) (*shacl.Shapes, error) {
	if file == "" {
		return shacl.Parse(recorded.Shapes())
	}
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxShapes {
		return nil, fmt.Errorf("%s: expected a file of at most %d MiB", file, maxShapes>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return shacl.Parse(document.Document{Name: file, Data: data})
}
