package web

import (
	"fmt"
	"html/template"
	"io"
)

// WriteReport writes episodes as one HTML file that needs nothing else: it can be read
// without scripts, and where they run, replayed. Errors are told as they are.
func WriteReport(w io.Writer, episodes []*Episode, errors []string) error {
	style, script := source("app.css"), source("viewer.js")
	page := struct {
		Style                 template.CSS
		Script                template.JS
		StyleHash, ScriptHash string
		Words                 map[string]string
		Episodes              []episodeView
		Counts                []classCount
		Errors                []string
	}{template.CSS(style), template.JS(script), contentHash(style), contentHash(script), words(), nil, nil, errors}
	classes := map[string]int{}
	for i, e := range episodes {
		v := newEpisodeView(fmt.Sprintf("e%d", i+1), e)
		v.Short = v.Short || len(episodes) > 1
		if err := v.pack(); err != nil {
			return err
		}
		page.Episodes = append(page.Episodes, v)
		for _, f := range e.Report.Findings {
			classes[f.Type]++
		}
	}
	page.Counts = countClasses(classes)
	return templates().ExecuteTemplate(w, "report.html", page)
}
