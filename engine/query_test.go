package engine_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mishap-robotics/mishap/engine"
	"github.com/mishap-robotics/mishap/engine/episode"
	"github.com/mishap-robotics/mishap/engine/internal/episodetest"
)

const washing = `
	0 | Mug-1 on_top_of CounterTop-1, Faucet-1 off
	1 (pick_up, Mug-1) | Mug-1 inside RobotGripper-1
	2 (put_in, Mug-1, Sink-1) | Mug-1 inside Sink-1
	3 (toggle_on, Faucet-1) | Faucet-1 on`

func TestRows(t *testing.T) {
	r := reasoner(t)
	x := r.Facts(episodetest.Parse(t, r.Ontology, washing))
	rows, err := r.Rows(context.Background(), x, "action(Step, A), target(Step, O), A \\== toggle_on, seen(Step, _)")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if got := rows.Columns(); !slices.Equal(got, []string{"Step", "A", "O"}) {
		t.Errorf("columns %q", got)
	}
	var got []string
	for rows.Next() {
		var step int
		var action, object string
		if err := rows.Scan(&step, &action, &object); err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(step, action, object))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"1pick_upMug-1", "2put_inMug-1"}; !slices.Equal(slices.Compact(got), want) {
		t.Errorf("answers %q, want %q", got, want)
	}
}

func TestScan(t *testing.T) {
	r := reasoner(t)
	x := r.Facts(episodetest.Parse(t, r.Ontology, washing))
	row := func(goal string) func(...any) error {
		rows, err := r.Rows(context.Background(), x, goal)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		if !rows.Next() {
			t.Fatalf("no answer to %s: %v", goal, rows.Err())
		}
		return rows.Scan
	}
	var (
		n     int32
		wide  int64
		text  string
		names []string
		any1  any
		null  sql.NullString
	)
	if err := row("X = 7, Y = 1")(&n); err == nil {
		t.Error("two columns were scanned into one")
	}
	if err := row("findall(O, target(_, O), L), length(L, N), X = a")(&names, &wide, &null); err != nil || wide != 3 ||
		strings.Join(names, " ") != "Mug-1 Mug-1 Faucet-1" || null.String != "a" {
		t.Errorf("the template's variable is a column: %v %q %d %v", err, names, wide, null)
	}
	if err := row("findall(O, target(_, O), L), O = x, length(L, N), X = a")(&text, &names, &wide, &null); err != nil || wide != 3 ||
		strings.Join(names, " ") != "Mug-1 Mug-1 Faucet-1" || null.String != "a" {
		t.Errorf("%v %q %d %v", err, names, wide, null)
	}
	if err := row("X = 7, Y = [1, b]")(&n, &any1); err != nil || n != 7 || fmt.Sprint(any1) != "[1 b]" {
		t.Errorf("%v %d %v", err, n, any1)
	}
	if err := row("X = 7, Y = 1")(nil, &n); err != nil || n != 1 {
		t.Errorf("%v %d", err, n)
	}
	for goal, dest := range map[string]any{
		"X = 7": &text, "X = a": &n, "X = 5000000000": &n, "X = b": &names, "X = [1]": &names, "X = Y": &any1, "X = c": new(float64),
	} {
		rows, err := r.Rows(context.Background(), x, goal)
		if err != nil {
			t.Fatal(err)
		}
		rows.Next()
		if err := rows.Scan(slices.Repeat([]any{dest}, len(rows.Columns()))...); err == nil {
			t.Errorf("%s was scanned into a %T", goal, dest)
		}
		rows.Close()
	}
}

func TestRowsErrors(t *testing.T) {
	r := reasoner(t)
	x := r.Facts(episodetest.Parse(t, r.Ontology, washing))
	for _, goal := range []string{"nothing(X)", "step(", "consult(x)"} {
		if _, err := r.Rows(context.Background(), x, goal); err == nil {
			t.Errorf("%s is a goal", goal)
		}
	}
	rows, err := r.Rows(context.Background(), x, "step(X), X > Y")
	if err != nil {
		t.Fatal(err)
	}
	if rows.Next() || rows.Err() == nil {
		t.Errorf("error %v, want one about an unbound variable", rows.Err())
	}
	ctx, cancel := context.WithCancel(context.Background())
	rows, err = r.Rows(ctx, x, "between(1, 1000000000, X)")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if !rows.Next() {
			t.Fatal("no answer")
		}
	}
	cancel()
	for rows.Next() {
		continue
	}
	if rows.Err() == nil {
		t.Error("the query outlived its context")
	}
	if err := rows.Scan(); err == nil {
		t.Error("scanned after the end")
	}
}

func TestAnswers(t *testing.T) {
	r := reasoner(t)
	x := r.Facts(carried())
	var got []string
	for answer, err := range r.Answers(context.Background(), x, "target(S, O), action(S, _A)") {
		if err != nil {
			t.Fatal(err)
		}
		if len(answer) != 2 {
			t.Errorf("answer %v; want S and O", answer)
		}
		if _, ok := answer["S"].(int64); !ok {
			t.Errorf("answer %v; want a number for S", answer)
		}
		got = append(got, fmt.Sprint(answer["S"], answer["O"]))
	}
	rows, err := r.Rows(context.Background(), x, "target(S, O), action(S, _A)")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for rows.Next() {
		var s int
		var o string
		if err := rows.Scan(&s, &o); err != nil {
			t.Fatal(err)
		}
		want = append(want, fmt.Sprint(s, o))
	}
	if !slices.Equal(got, want) || len(got) < 2 {
		t.Errorf("answers %q, rows %q", got, want)
	}
	for _, err := range r.Answers(context.Background(), x, "targt(S, O)") {
		if err == nil || !strings.Contains(err.Error(), "target") {
			t.Errorf("error %v, want the name that is near", err)
		}
	}
	for range r.Answers(context.Background(), x, "target(S, O)") {
		break // the others are not asked for
	}
}

func TestCheckAll(t *testing.T) {
	r := reasoner(t)
	bad := errors.New("a log that cannot be read")
	episodes := func(yield func(*episode.Episode, error) bool) {
		unknown := &episode.Episode{ID: "u", Steps: []episode.Step{{Index: 1, Action: episode.Action{Name: "juggle"}}}}
		_ = yield(carried(), nil) && yield(nil, bad) && yield(unknown, nil) && yield(carried(), nil)
	}
	var got []string
	for res, err := range r.CheckAll(context.Background(), episodes) {
		var unknown *engine.UnknownActionError
		switch {
		case errors.Is(err, bad) && res == nil:
			got = append(got, "bad")
		case errors.As(err, &unknown) && res == nil:
			got = append(got, "unknown")
		case err == nil:
			got = append(got, fmt.Sprint(len(res.Trace.Events)))
		}
	}
	n := fmt.Sprint(len(r.Facts(carried()).Trace.Events))
	if want := []string{n, "bad", "unknown", n}; !slices.Equal(got, want) {
		t.Errorf("results %q, want %q", got, want)
	}
	for range r.CheckAll(context.Background(), episodes) {
		break
	}
}
