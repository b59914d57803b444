// Package recovery turns failures and threats into plans. A plan is executed in
// the action model from what is believed before it is called verified. It holds
// the error backtracking, diagnosis and adaptive subtree of SDA-Planner (sections
// 4.3 and 4.4), the recovery strategies of the ontology (RECOVER, section III-D),
// and the order in which these and the methods of the planner are tried: following
// the plan and achieving what is unmet in it, and searching from the present state.
package recovery
