// Package engine is the reasoner: it follows an episode, applies the failure
// rules to its facts and explains what they find.
//
// A Reasoner holds an ontology and rules. It checks episodes that are over (Check,
// CheckAll, and Progress subgoal by subgoal), and plans before anything happens
// (CheckPlan). What it finds is a Finding; Prove gives the Proof of one, WhyNot the
// reasons for none, and Rows and Answers what else the Facts of an episode hold.
// WithBuiltin gives rules and goals a predicate of the host.
//
// A Monitor watches an episode while it happens: Step by Step it tells the Updates of
// its findings. Foresee tells the Threats to what is left of the plan, Discrepancy how
// far the scene is from the expected one, Recover makes a Proposal of how to go on. The
// same of whole episodes are Reasoner.Foresee and Reasoner.RecoverEpisode.
//
// A Loop does all of it: it carries a plan out with an Executor, watches, and recovers
// with a Planner, which an Adviser may advise.
//
// A complete small service, with steps by HTTP, a monitor for each of many robots and a
// restart in between, is the example "service" of package bridge/logs/jsonl, which reads and
// writes what it exchanges: this package knows no format.
//
// A Reasoner may be shared by goroutines; a Monitor, a Loop and Rows are for one at a
// time. Many types are defined in internal packages; what is said of them here is what
// will stay.
package engine
