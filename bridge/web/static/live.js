// The page of streams: what is found in them and what is foreseen, as it arises. The server
// sends events; a browser whose connection breaks comes back and asks for those since. All
// text from logs is set as text, never as markup.
const words = JSON.parse(document.getElementById("words").textContent);
const w = (key) => words[key] || key;
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
const part = (id) => document.getElementById(id);
const moment = (step, time) => w("proof.step") + " " + step + (time ? ", " + time : "");
const set = (node, text) => { if (node.textContent !== text) node.textContent = text; };

const signs = { ongoing: "●", over: "✓", aborted: "✕" };
const states = { ongoing: w("live.open"), over: w("live.over"), aborted: w("live.broken") };
const becomes = { withdrawn: w("live.withdrawn"), averted: w("threat.averted"), showed: w("live.showed"), passed: w("live.passed") };

// What is known: streams by name, episodes by key with their findings and threats by key.
const model = { seq: 0, last: "", streams: new Map(), episodes: new Map() };
const keptSteps = 20, keptEpisodes = 64;

const episodeOf = (state) => {
  let e = model.episodes.get(state.key);
  if (!e) {
    e = { findings: new Map(), threats: new Map(), recent: [], warnings: [] };
    model.episodes.set(state.key, e);
  }
  e.state = state;
  changed.add(state.key);
  return e;
};

// take takes an event into the model, and tells what a person has to know at once.
const take = (event) => {
  if (event.seq <= model.seq) return;
  model.seq = event.seq;
  if (event.stream_state) model.streams.set(event.stream_state.name, event.stream_state);
  const e = event.episode_state ? episodeOf(event.episode_state) : null;
  const f = event.finding;
  if (f && e) {
    const list = f.foreseen_step === undefined ? e.findings : e.threats;
    list.set(f.key, f);
  }
  if (event.step && e) e.recent = [...e.recent, event.step].slice(-keptSteps);
  if (event.change === "warned" && e) e.warnings = [...e.warnings, event.message].slice(-50);
  if (f && ["found", "withdrawn", "foreseen", "averted"].includes(event.change)) announce(event.episode, event.change, f);
  if (event.change === "ended" && event.message) say(w("live.streambroke") + " " + event.stream_state.name + ": " + event.message);
  draw();
};

// Announcements are read out by screen readers; of many at once only how many they are.
let waiting = [];
const changes = { found: w("live.found"), withdrawn: w("live.withdrawn"), foreseen: w("threats"), averted: w("threat.averted") };
const announce = (episode, change, f) => say(changes[change] + ": " + f.type + ", " + moment(f.step, f.time) + ". " + f.explanation + " (" + episode + ")");
const say = (text) => {
  if (waiting.push(text) > 1) return;
  setTimeout(() => {
    const told = waiting.length > 3 ? [waiting.length + " " + w("live.many")] : waiting;
    waiting = [];
    for (const text of told) part("live-news").append(el("p", {}, text));
    while (part("live-news").childElementCount > 30) part("live-news").firstElementChild.remove();
  }, 250);
};

// Drawing happens at most once a frame, and not while the page is held still.
const changed = new Set();
const cards = new Map();
let held = false, drawing = false;
const draw = () => {
  if (held) { set(hold, w("live.goon") + " (" + changed.size + ")"); return; }
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => {
    drawing = false;
    drawStreams();
    for (const key of changed) drawEpisode(key);
    changed.clear();
    for (const key of [...model.episodes.keys()]) {
      if (model.episodes.size <= keptEpisodes) break;
      model.episodes.delete(key);
      cards.get(key)?.article.remove();
      cards.delete(key);
    }
  });
};
const hold = part("live-hold");
hold.addEventListener("click", () => {
  held = !held;
  hold.setAttribute("aria-pressed", String(held));
  set(hold, held ? w("live.goon") : w("live.hold"));
  draw();
});

const drawStreams = () => {
  part("live-none").hidden = model.streams.size > 0;
  part("live-streams").replaceChildren(...[...model.streams.values()].reverse().map((s) =>
    el("li", { class: s.state }, el("span", { class: "mark", "aria-hidden": "true" }, signs[s.state] + " "), el("bdi", {}, s.name), " ",
      el("span", { class: "muted" }, states[s.state] + ", " + s.steps + " " + w("live.steps")), s.error ? el("p", { class: "notice" }, s.error) : null)));
};

const newCard = (key) => {
  const c = { findings: new Map(), threats: new Map() };
  c.verdict = el("p", { class: "verdict" });
  c.title = el("h2", { id: key + "-title" });
  c.facts = el("p", { class: "where muted" });
  c.now = el("p", { class: "live-now" });
  const list = (name, label) => {
    c[name + "List"] = el("ol", { class: "live-list" });
    c[name + "Part"] = el("section", { "aria-label": label, hidden: true }, el("h3", {}, label), c[name + "List"]);
    return c[name + "Part"];
  };
  const threats = list("threats", w("threats")), findings = list("findings", w("findings"));
  c.recent = el("ol", { class: "log" });
  c.warnings = el("ul", { class: "plain" });
  c.warningsPart = el("details", { class: "warnings", hidden: true }, el("summary", {}, w("warnings")), c.warnings);
  c.article = el("article", { class: "episode", id: key, "aria-labelledby": key + "-title" },
    el("header", { class: "head" }, c.verdict, c.title, c.facts), c.now, threats, findings,
    el("details", {}, el("summary", {}, w("live.recent")), c.recent), c.warningsPart);
  part("live-episodes").prepend(c.article);
  cards.set(key, c);
  return c;
};

const drawEpisode = (key) => {
  const e = model.episodes.get(key);
  if (!e) return;
  const s = e.state, c = cards.get(key) || newCard(key);
  c.verdict.className = "verdict " + (s.found ? "bad" : s.foreseen ? "warn" : "good");
  set(c.verdict, (s.found ? "✕ " : s.foreseen ? "! " : "✓ ") + (s.found ? s.found + " " + (s.found === 1 ? w("failure") : w("failures")) : s.foreseen ? s.foreseen + " " + w("live.tocome") : w("verdict.none")) + (s.goal ? ", " + w("goal." + s.goal) : ""));
  c.title.replaceChildren(el("bdi", {}, s.id), s.task ? el("small", {}, el("bdi", {}, s.task)) : "");
  set(c.facts, [signs[s.state] + " " + states[s.state], s.stream, s.robot, s.steps + " " + w("live.steps") + (s.plan ? " / " + s.plan + " " + w("live.planned") : ""), s.plan ? "" : w("live.noplan")].filter(Boolean).join(" · "));
  const last = e.recent.at(-1);
  c.now.hidden = !last;
  if (last) c.now.replaceChildren(el("span", { class: "muted" }, moment(last.step, last.time) + " "), el("code", {}, last.action || w("step.only")));
  drawList(c, e, "threats");
  drawList(c, e, "findings");
  c.recent.replaceChildren(...e.recent.map((st) => el("li", {}, el("span", { class: "when" }, (st.time || "") + " ", el("b", {}, String(st.step))),
    el("span", {}, st.action ? el("code", {}, st.action) : w("step.only"), st.sounds ? " ♪ " + st.sounds.join(", ") : ""))));
  c.warningsPart.hidden = !e.warnings.length;
  c.warnings.replaceChildren(...e.warnings.map((text) => el("li", {}, text)));
};

// Findings keep their place and their element, so that nobody loses what is at hand.
const drawList = (c, e, name) => {
  c[name + "Part"].hidden = !e[name].size;
  for (const [key, f] of e[name]) {
    let item = c[name].get(key);
    if (item && item.drawn === f) continue;
    if (!item) {
      item = newItem();
      c[name].set(key, item);
      c[name + "List"].prepend(item.li);
    }
    item.drawn = f;
    drawFinding(item, f);
  }
};
const newItem = () => {
  const item = { title: el("h4"), where: el("p", { class: "where" }), explanation: el("p", { class: "explanation" }), about: el("p", { class: "about" }), more: el("div"), remarks: el("ul", { class: "plain remarks" }) };
  const text = el("input", { maxlength: "500", "aria-label": w("live.comment") }), refused = el("p", { class: "bad", role: "status" });
  const send = async (remark) => {
    set(refused, "");
    try {
      const r = await fetch("/api/v1/live/findings/" + encodeURIComponent(item.drawn.key), { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(remark) });
      if (!r.ok) throw new Error((await r.json()).error);
      if (remark.text) text.value = "";
    } catch (e) { set(refused, w("live.unsaid") + " " + e.message); }
  };
  item.acknowledge = el("button", { type: "button", onclick: () => send({ acknowledged: true }) }, w("live.acknowledge"));
  const form = el("div", { class: "remark" }, item.acknowledge, el("details", {}, el("summary", {}, w("live.comment")),
    el("form", { onsubmit: (e) => { e.preventDefault(); if (text.value.trim()) send({ text: text.value }); } }, text, el("button", {}, w("live.say")))));
  item.li = el("li", { class: "finding" }, item.title, item.where, item.explanation, item.about, item.more, item.remarks, form, refused);
  return item;
};
const drawFinding = (item, f) => {
  const threat = f.foreseen_step !== undefined, gone = becomes[f.state];
  item.li.className = "finding" + (threat ? " threat" : "") + (gone ? " gone" : "");
  item.title.replaceChildren(el("span", { class: "sign", "aria-hidden": "true" }, threat ? "△ " : "▲ "), f.type, gone ? " " : "", gone ? el("span", { class: "chip" }, gone + (f.showed_step ? ", " + moment(f.showed_step) : "")) : "");
  set(item.where, (threat ? w("live.wouldshow") + " " + moment(f.step, f.time) + " · " + w("threat.foreseen") + " " + (f.foreseen_step ? moment(f.foreseen_step, f.foreseen_time) : w("live.start"))
    : w("finding.shows") + " " + moment(f.step, f.time) + (f.cause_step !== f.step ? " · " + w("finding.cause") + " " + moment(f.cause_step, f.cause_time) : "")) + (f.recovered ? " · ✓ " + w("finding.recovered") : ""));
  set(item.explanation, f.explanation);
  const remarks = f.remarks || [];
  item.acknowledge.hidden = remarks.some((r) => r.acknowledged);
  item.remarks.replaceChildren(...remarks.map((r) => el("li", {}, el("time", { datetime: r.at, class: "muted" }, new Date(r.at).toLocaleString()), " ",
    r.acknowledged ? el("b", { class: "good" }, "✓ " + w("live.acknowledged") + " ") : "", r.text ? el("bdi", {}, r.text) : "")));
  item.about.replaceChildren(...(f.objects || []).map((o) => el("bdi", { class: "chip" }, o)), " ", el("code", {}, f.rule));
  const lines = [];
  if (f.mend) lines.push(el("li", {}, w("live.mend") + ": " + f.mend));
  for (const s of (f.strategies || []).slice(0, 2)) lines.push(el("li", {}, s.description + " ", ...(s.actions || []).map((a) => el("code", {}, a + " "))));
  for (const c of f.consequences || []) lines.push(el("li", {}, w("finding.consequences") + ": " + moment(c.step, c.time) + " " + c.explanation));
  item.more.replaceChildren(lines.length ? el("ul", { class: "plain" }, ...lines) : "");
};

// Looking on: what stands now, then every event since.
const state = part("live-state");
let source, later;
const look = async () => {
  clearTimeout(later);
  source?.close();
  try {
    const answer = await fetch("/api/v1/live");
    const now = await answer.json();
    if (!answer.ok) throw new Error(now.error);
    model.seq = now.seq; model.last = now.last;
    set(part("live-kept"), w(now.kept ? "live.kept" : "live.unkept"));
    model.streams = new Map(now.streams.map((s) => [s.name, s]));
    model.episodes.clear();
    for (const c of cards.values()) c.article.remove();
    cards.clear();
    for (const e of now.episodes) {
      Object.assign(episodeOf(e), { recent: e.recent, warnings: e.warnings, findings: new Map(e.findings.map((f) => [f.key, f])), threats: new Map(e.threats.map((f) => [f.key, f])) });
    }
    draw();
    listen();
  } catch (err) {
    lost(err.message);
  }
};
const listen = () => {
  source = new EventSource("/api/v1/live/events?after=" + encodeURIComponent(model.last));
  source.onopen = () => { set(state, w("live.connected")); state.className = "good"; };
  source.onmessage = (m) => {
    const event = JSON.parse(m.data);
    if (event.change === "reset") look();
    else take(event);
  };
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) lost("");
    else { set(state, w("live.lost")); state.className = "bad"; }
  };
};
// A browser comes back by itself, but not where it was refused.
const lost = (why) => {
  set(state, w("live.lost") + (why ? " " + why : ""));
  state.className = "bad";
  clearTimeout(later);
  later = setTimeout(look, 5000);
};
addEventListener("pagehide", () => source?.close());
addEventListener("pageshow", (e) => { if (e.persisted) look(); });
look();
