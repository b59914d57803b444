// The page where rules, Turtle and a log are written and judged as they change: by the
// server, or by a worker where there is none. All text is set as text, never as markup.
import { createEditor } from "./editor.js";

const words = JSON.parse(document.getElementById("words").textContent);
const w = (key) => words[key] || key;
const part = (id) => document.getElementById(id);
const el = (tag, attributes, ...children) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attributes || {})) {
    if (k === "class") e.className = v;
    else if (k.startsWith("on")) e.addEventListener(k.slice(2), v);
    else if (v !== false && v !== undefined) e.setAttribute(k, v === true ? "" : v);
  }
  e.append(...children.filter((c) => c !== null && c !== undefined && c !== ""));
  return e;
};
const moment = (step, time) => w("proof.step") + " " + step + (time ? ", " + time : "");
const visible = (s) => String(s).replace(/[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "");

// A server judges what is sent to it.
const server = {
  files: async () => {
    const [files, list] = await Promise.all([ask("/api/v1/knowledge/files"), ask("/api/v1/episodes")]);
    const logs = list.episodes.slice(0, 500).map((e) => ({ name: e.id, key: e.key, text: async () => (await reply("/api/v1/episodes/" + encodeURIComponent(e.key) + "/log")).text() }));
    return { ...files, logs };
  },
  judge: async (draft, signal) => ask("/api/v1/try", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(draft), signal }),
};
const reply = async (path, options) => {
  let r;
  try { r = await fetch(path, options); } catch (e) {
    if (e.name === "AbortError") throw e;
    throw new Error(w("try.lost"));
  }
  if (r.ok) return r;
  let why = r.status + " " + r.statusText;
  try { why = (await r.json()).error || why; } catch { /* the status has to do */ }
  throw new Error(why);
};
const ask = async (path, options) => (await reply(path, options)).json();

// A worker judges in this browser. One that does not come to an end is ended, and begun anew.
const patience = 20000;
const local = {
  asked: 0,
  files: async () => {
    const files = await ask("files.json");
    return { ...files, logs: files.logs.map((l) => ({ name: l.name, key: l.name, text: async () => l.text })) };
  },
  waiting: new Map(), // by number: what is called with an answer
  end: (why) => {
    local.worker?.terminate();
    local.worker = null;
    for (const answer of local.waiting.values()) answer({ error: why });
    local.waiting.clear();
  },
  begin: () => {
    local.worker = new Worker("worker.js");
    local.worker.onmessage = (m) => { local.waiting.get(m.data.id)?.(m.data); local.waiting.delete(m.data.id); if (m.data.broken) local.end(m.data.error); };
    local.worker.onerror = (e) => local.end(e.message || w("try.lost"));
    return local.worker;
  },
  judge: (draft, signal) => new Promise((done, fail) => {
    const id = ++local.asked, worker = local.worker || local.begin();
    const limit = setTimeout(() => local.end(w("try.endless")), patience);
    local.waiting.set(id, (m) => {
      clearTimeout(limit);
      if (m.error) fail(new Error(m.error)); else done(JSON.parse(m.answer));
    });
    signal.addEventListener("abort", () => fail(new DOMException("", "AbortError")));
    worker.postMessage({ id, draft });
  }),
};

const root = part("try");
const engine = root.dataset.worker ? local : server;
const kinds = { log: "json", rules: "prolog", ontology: "turtle" };
const extensions = { log: ".jsonl", rules: ".pl", ontology: ".ttl" };
const editors = {}, from = {}; // by kind: the editor, and what it began with

const problemsOf = (answer, kind) => answer.problems.filter((p) => p.part === kind);
const select = (kind) => {
  for (const k of Object.keys(kinds)) {
    const tab = part("tab-" + k), here = k === kind;
    tab.setAttribute("aria-selected", here);
    tab.tabIndex = here ? 0 : -1;
    part("panel-" + k).hidden = !here;
  }
  editors[kind].measure();
};
const go = (problem) => { select(problem.part); editors[problem.part].go(problem.line || 1, problem.column); };

const problemItem = (p) => {
  const sign = p.severity === "error" ? "✕ " + w("try.error") : "△ " + w("try.warning");
  const place = (p.part ? "" : p.file + ", ") + (p.line ? w("proof.line") + " " + p.line : "");
  return el("li", {}, el("b", { class: p.severity === "error" ? "bad" : "warn" }, sign), " ",
    p.part ? el("button", { type: "button", class: "link", onclick: () => go(p) }, w("try." + p.part) + (place ? ", " + place : "")) : el("span", { class: "muted" }, place),
    " ", visible(p.message));
};
const proofItem = (p, depth) => {
  const line = [el("code", {}, visible(p.goal)), " ", el("span", { class: "muted" }, p.rule ? w("proof.rule") + " " + p.rule : visible(p.from || ""))];
  if (!p.because || !p.because.length) return el("li", {}, el("div", { class: "leaf" }, ...line));
  return el("li", {}, el("details", { open: depth < 2 }, el("summary", {}, ...line), el("ul", {}, ...p.because.map((c) => proofItem(c, depth + 1)))));
};
const findingCard = (f, mark, proof) => el("article", { class: "finding " + mark },
  el("h3", {}, mark ? el("span", { class: "badge" }, (mark === "new" ? "+ " : "− ") + (mark === "new" ? w("mark.new") : w("try.gone"))) : "", " ", f.type),
  el("p", { class: "where" }, w("finding.shows") + " " + moment(f.step, f.time) + (f.cause_step !== f.step ? "; " + w("finding.cause") + " " + moment(f.cause_step, f.cause_time) : "")),
  el("p", { class: "explanation" }, visible(f.explanation)),
  el("p", { class: "where" }, w("finding.rule") + " ", el("code", {}, f.rule)),
  proof && proof.goal ? el("details", {}, el("summary", {}, w("finding.proof")), el("ul", { class: "tree" }, proofItem(proof, 0))) : "");

const show = (answer) => {
  for (const k of Object.keys(kinds)) {
    const own = problemsOf(answer, k);
    editors[k].mark(own);
    part("tab-" + k).textContent = w("try." + k) + (own.length ? " (" + own.length + ")" : "");
  }
  part("try-problems").replaceChildren(...answer.cut.map((c) => el("li", {}, el("b", { class: "bad" }, "⊘ " + w("try.cut")), " ", visible(c))), ...answer.problems.map(problemItem));
  const found = answer.episodes.reduce((n, e) => n + e.findings.length, 0);
  const errors = answer.problems.filter((p) => p.severity === "error").length;
  const changes = answer.episodes.reduce((n, e) => n + e.new.filter(Boolean).length + e.gone.length, 0);
  state(!answer.ran ? "✕ " + w("try.stopped") : (found ? "✕ " + found + " " + w(found === 1 ? "failure" : "failures") : "✓ " + w("verdict.none")) +
    (changes ? "; " + changes + " " + w("try.changed") : "") + (errors ? "; " + errors + " " + w("try.errors") : ""), !answer.ran || found || errors);
  if (!answer.ran) { root.classList.add("stale"); return; } // what was found last stays
  root.classList.remove("stale");
  part("try-episodes").replaceChildren(...answer.episodes.map((e) => el("section", {},
    el("h3", {}, el("bdi", {}, visible(e.id))),
    e.findings.length + e.gone.length ? "" : el("p", { class: "good" }, "✓ " + w("verdict.none")),
    ...e.findings.map((f, i) => findingCard(f, e.new[i] ? "new" : "", e.proofs[i])),
    ...e.gone.map((f) => findingCard(f, "gone")),
  )));
};
const state = (text, bad) => { part("try-state").textContent = text; part("try-state").className = "try-state " + (bad ? "bad" : "good"); };

// The last change is judged, and what was still being judged before is forgotten.
let timer = 0, running = null, shown = 0;
const judge = async () => {
  running?.abort();
  const mine = running = new AbortController();
  const draft = { log: editors.log.text(), rules: changedText("rules"), rules_name: from.rules.name, ontology: changedText("ontology"), ontology_name: from.ontology.name };
  root.setAttribute("aria-busy", "true");
  try {
    const answer = await engine.judge(draft, mine.signal);
    if (mine === running) show(answer);
  } catch (e) {
    if (e.name !== "AbortError" && mine === running) state("✕ " + visible(e.message), true);
  }
  if (mine === running) { root.removeAttribute("aria-busy"); root.dataset.judged = ++shown; }
};
// A text as it was is not sent: it is known already.
const changedText = (kind) => { const text = editors[kind].text(); return text === from[kind].text && from[kind].known ? "" : text; };
const soon = () => { clearTimeout(timer); timer = setTimeout(judge, 250); };

const begin = async (kind, choice) => {
  from[kind] = { name: choice.file || "", known: Boolean(choice.file), text: await choice.text() };
  editors[kind].load(from[kind].text);
  soon();
};
const save = (kind) => {
  const name = (from[kind].name.split("/").pop() || "draft" + extensions[kind]);
  const address = URL.createObjectURL(new Blob([editors[kind].text()], { type: "text/plain" }));
  const a = el("a", { href: address, download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
};

const main = async () => {
  root.hidden = false;
  for (const [kind, language] of Object.entries(kinds)) {
    from[kind] = { name: "", text: "" };
    editors[kind] = createEditor(part("edit-" + kind), { language, label: w("try." + kind), change: soon });
    part("tab-" + kind).addEventListener("click", () => select(kind));
    part("save-" + kind).addEventListener("click", () => save(kind));
  }
  const tabs = Object.keys(kinds);
  document.querySelector("[role=tablist]").addEventListener("keydown", (e) => {
    const at = tabs.findIndex((k) => part("tab-" + k) === document.activeElement), by = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (at < 0 || !by) return;
    const next = tabs[(at + by + tabs.length) % tabs.length];
    select(next);
    part("tab-" + next).focus();
    e.preventDefault();
  });
  const files = await engine.files();
  const empty = { log: "", rules: w("try.newrules"), ontology: files.prefixes };
  const choices = {
    log: [...files.logs, { name: w("try.new"), text: async () => empty.log }],
    rules: [{ name: w("try.new"), text: async () => empty.rules }, ...files.rules.map((f) => ({ name: f.name, file: f.name, text: async () => f.text }))],
    ontology: [{ name: w("try.new"), text: async () => empty.ontology }, ...files.ontology.map((f) => ({ name: f.name, file: f.name, text: async () => f.text }))],
  };
  const wanted = new URLSearchParams(location.search);
  for (const kind of tabs) {
    const list = part("start-" + kind);
    list.append(...choices[kind].map((c, i) => el("option", { value: i }, visible(c.name))));
    const asked = kind === "log" ? wanted.get("episode") : wanted.get(kind);
    const at = choices[kind].findIndex((c) => asked && (c.key === asked || c.file === asked));
    list.value = Math.max(0, at);
    const load = () => begin(kind, choices[kind][list.value]).catch((e) => state("✕ " + e.message, true));
    list.addEventListener("change", load);
    part("again-" + kind).addEventListener("click", load);
    await load();
  }
  if (wanted.get("rules")) select("rules"); else if (wanted.get("ontology")) select("ontology");
};
main().catch((e) => state("✕ " + e.message, true));
