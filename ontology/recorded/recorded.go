// Package recorded has the terms in which episodes, and what was concluded from them,
// are recorded as RDF; recorded.ttl explains each and aligns them with PROV-O, SOSA and
// OWL-Time. Nothing that reasons loads that document.
package recorded

import (
	"embed"

	"github.com/mishap-robotics/mishap/ontology"
	"github.com/mishap-robotics/mishap/ontology/document"
)

//go:embed recorded.ttl
var shipped embed.FS

// Shipped lists the document that explains the terms.
func Shipped() []document.Document { return document.Embedded(shipped, "ontology/recorded") }

//go:embed shapes.ttl
var shapes []byte

// Shapes are the SHACL shapes of what is recorded.
func Shapes() document.Document {
	return document.Document{Name: "ontology/recorded/shapes.ttl", Data: shapes}
}

// Term is a class or property by its local name.
type Term string

// IRI is the term in full.
func (t Term) IRI() string { return ontology.Namespace + string(t) }

// The classes.
const (
	Episode       Term = "Episode"
	PlannedAction Term = "PlannedAction"
	Parameter     Term = "Parameter"
	GoalCondition Term = "GoalCondition"
	SceneFact     Term = "SceneFact"
	Acting        Term = "Acting"
	Served        Term = "Served"
	Thing         Term = "Thing"
	LogWarning    Term = "LogWarning"
	SkippedLine   Term = "SkippedLine"
	Word          Term = "Word"
	Finding       Term = "Finding"
	Threat        Term = "Threat"
	Consequence   Term = "Consequence"
	StrategyUse   Term = "StrategyUse"
	StrategyTrial Term = "StrategyTrial"
	Recovery      Term = "Recovery"
	Remark        Term = "Remark"
)

// The properties.
const (
	Version          Term = "version"
	Digest           Term = "digest"
	Added            Term = "added"
	ActionCount      Term = "actionCount"
	FindingCount     Term = "findingCount"
	QuadCount        Term = "quadCount"
	Part             Term = "part"
	Source           Term = "source"
	File             Term = "file"
	TaskName         Term = "taskName"
	Task             Term = "task"
	GoalText         Term = "goalText"
	GoalLine         Term = "goalLine"
	GoalFile         Term = "goalFile"
	Until            Term = "until"
	Robot            Term = "robot"
	Site             Term = "site"
	StartTime        Term = "startTime"
	Tag              Term = "tag"
	Noise            Term = "noise"
	GripperObserved  Term = "gripperObserved"
	Exact            Term = "exact"
	Unplanned        Term = "unplanned"
	Lines            Term = "lines"
	MostWarnings     Term = "mostWarnings"
	Unkept           Term = "unkept"
	Index            Term = "index"
	InOrder          Term = "inOrder"
	Line             Term = "line"
	Name             Term = "name"
	Text             Term = "text"
	SubjectName      Term = "subjectName"
	RelationName     Term = "relationName"
	ObjectName       Term = "objectName"
	Diet             Term = "diet"
	Dislikes         Term = "dislikes"
	AgentClass       Term = "agentClass"
	Gripper          Term = "gripper"
	Member           Term = "member"
	CutFrom          Term = "cutFrom"
	Means            Term = "means"
	StandsFor        Term = "standsFor"
	TargetName       Term = "targetName"
	DestinationName  Term = "destinationName"
	Outcome          Term = "outcome"
	Missing          Term = "missing"
	Complete         Term = "complete"
	Whole            Term = "whole"
	ObservedProperty Term = "observedProperty"
	ObservedValue    Term = "observedValue"
	ActionValue      Term = "actionValue"
	ActionID         Term = "actionID"
	Status           Term = "status"
	Result           Term = "result"
	CauseStep        Term = "causeStep"
	Cause            Term = "cause"
	ShowsIn          Term = "showsIn"
	WindowStart      Term = "windowStart"
	WindowEnd        Term = "windowEnd"
	Planned          Term = "planned"
	Concerns         Term = "concerns"
	Rule             Term = "rule"
	Found            Term = "found"
	Evidence         Term = "evidence"
	MadeUpFor        Term = "madeUpFor"
	Follows          Term = "follows"
	RemarkOn         Term = "remarkOn"
	Acknowledged     Term = "acknowledged"
	RemarkTime       Term = "remarkTime"
	ForeseenStep     Term = "foreseenStep"
	RecoveryOf       Term = "recoveryOf"
	UseOf            Term = "useOf"
	UseFor           Term = "useFor"
	Applied          Term = "applied"
	Why              Term = "why"
	Method           Term = "method"
	Verified         Term = "verified"
	PlanOf           Term = "planOf"
	AfterFailure     Term = "afterFailure"
	GoalReached      Term = "goalReached"
	FurtherArguments Term = "furtherArguments"
	OfClass          Term = "ofClass"
	OfProperty       Term = "ofProperty"
)
