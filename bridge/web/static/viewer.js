"use strict";
// The viewer of episodes: a timeline, the scene at a step and what is known of the step. All
// text from logs is set as text, never as markup.
(() => {
  const words = JSON.parse(document.getElementById("words").textContent);
  const w = (key) => words[key] || key;
  const visible = (s) => String(s).replace(/[\u0000-\u001f\u007f-\u009f]/g, " ").replace(/[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "").slice(0, 2000);
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
  const svg = (tag, attributes, text) => {
    const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [k, v] of Object.entries(attributes || {})) e.setAttribute(k, v);
    if (text !== undefined) e.textContent = text;
    return e;
  };

  const theme = document.querySelector(".theme");
  if (theme) {
    theme.hidden = false;
    const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
    if (stored()) document.documentElement.dataset.theme = stored();
    theme.addEventListener("click", () => {
      const now = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
      const next = now === "dark" ? "light" : "dark";
      document.documentElement.dataset.theme = next;
      try { localStorage.setItem("theme", next); } catch { /* it lasts for the page */ }
      dispatchEvent(new Event("themechange"));
    });
  }

  const here = document.querySelector(".bar nav [aria-current]");
  if (here) here.parentElement.scrollLeft = here.offsetLeft - (here.parentElement.clientWidth - here.offsetWidth) / 2; // where not all fit

  const signs = { succeeded: "✓", presumed: "∼", refused: "⊘", failed: "✕" };

  // Scenes gives what is believed at a moment, from what changed between moments.
  class Scenes {
    constructor(data) {
      this.data = data;
      this.kept = new Map([[-1, { placed: new Map(), seen: new Set(), relations: [] }]]);
    }
    at(i) {
      if (this.last && this.last.i === i) return this.last.now;
      let from = i;
      while (from >= 0 && !this.kept.has(from)) from--;
      if (this.last && this.last.i < i && this.last.i > from) from = this.last.i;
      const was = this.last && this.last.i === from ? this.last.now : this.kept.get(from);
      const now = { placed: new Map(was.placed), seen: was.seen, relations: was.relations };
      for (let k = from + 1; k <= i; k++) {
        const s = this.data.moments[k].scene;
        for (const p of s.changed || []) now.placed.set(p.o, p);
        for (const o of s.gone || []) now.placed.delete(o);
        if (s.seen) now.seen = new Set(s.seen);
        if (s.relations) now.relations = s.relations;
        if (k % 50 === 49 && k < i) this.kept.set(k, { placed: new Map(now.placed), seen: now.seen, relations: now.relations });
      }
      this.last = { i, now };
      return now;
    }
    // hosts are the objects that others are ever in: they keep their place in the picture.
    hosts() {
      const roots = new Set();
      const all = new Set();
      for (const m of this.data.moments) for (const p of m.scene.changed || []) {
        all.add(p.o);
        if (p.at !== undefined) roots.add(p.at);
      }
      const nested = new Set();
      for (const m of this.data.moments) for (const p of m.scene.changed || []) if (p.at !== undefined) nested.add(p.o);
      return [...roots].filter((o) => !nested.has(o)).sort((a, b) => a - b);
    }
  }

  class Viewer {
    constructor(root, data, article) {
      this.root = root; this.data = data; this.article = article;
      this.moments = data.moments; this.objects = data.objects;
      this.scenes = new Scenes(data);
      this.byStep = new Map(this.moments.map((m, i) => [m.step, i]));
      this.hosts = this.scenes.hosts();
      this.things = new Map();
      this.now = 0; this.offset = 0;
      this.build();
      const first = data.findings.length ? this.indexOf(data.findings[0].step) : 0;
      this.show(this.fromHash() ?? first);
      addEventListener("hashchange", () => { const i = this.fromHash(); if (i !== undefined) this.show(i); });
      addEventListener("resize", () => { this.width = undefined; this.reveal(); this.draw(); });
    }
    indexOf(step) {
      if (this.byStep.has(step)) return this.byStep.get(step);
      let i = 0;
      while (i + 1 < this.moments.length && this.moments[i + 1].step <= step) i++;
      return i;
    }
    fromHash() {
      const m = location.hash.match(/^#(.+)-s(\d+)$/);
      return m && m[1] === this.article.id ? this.indexOf(Number(m[2])) : undefined;
    }
    build() {
      const last = this.moments.length - 1;
      this.slider = el("input", { type: "range", min: 0, max: last, step: 1, "aria-label": w("step"), oninput: () => this.show(Number(this.slider.value)) });
      this.output = el("output", { "aria-live": "polite" });
      this.playButton = el("button", { type: "button", onclick: () => this.toggle() }, w("play"));
      const button = (label, text, go) => el("button", { type: "button", "aria-label": label, title: label, onclick: go }, text);
      const controls = el("div", { class: "controls", role: "group", "aria-label": w("timeline") },
        button(w("previous"), "◀", () => this.show(this.now - 1)), this.playButton, button(w("next"), "▶", () => this.show(this.now + 1)),
        this.data.findings.length ? button(w("nextfinding"), "▲ " + w("nextfinding"), () => this.nextFinding()) : null, this.slider, this.output);
      this.timeline = el("div", { class: "timeline", tabindex: 0, role: "group", "aria-label": w("timeline") + ". " + w("timeline.help"), onscroll: () => { this.offset = this.timeline.scrollLeft; this.draw(); } });
      this.picture = svg("svg", { "aria-hidden": "true" });
      this.spacer = el("div", { class: "spacer" });
      this.timeline.append(this.spacer, this.picture);
      this.world = el("ul", { class: "world" });
      this.relations = el("p", { class: "relations" });
      const legend = el("ul", { class: "legend" }, el("li", {}, el("i"), w("scene.seen")), el("li", {}, el("i", { class: "b" }), w("scene.believed")), el("li", {}, el("i", { class: "c" }), "✱ " + w("scene.changed")));
      this.detail = el("div", { class: "detail" });
      this.root.append(controls, this.timeline, el("p", { class: "help" }, w("timeline.help")),
        el("div", { class: "panes" },
          el("div", { class: "pane", role: "group", "aria-label": w("scene") }, el("h3", {}, w("scene")), legend, el("div", { class: "room", tabindex: 0, role: "group", "aria-label": w("scene.help") }, this.world), this.relations),
          el("div", { class: "pane", role: "group", "aria-label": w("step") }, this.detail, this.planPane())));
      this.root.hidden = false;
      this.root.addEventListener("keydown", (e) => this.key(e));
      this.article.addEventListener("click", (e) => {
        const a = e.target.closest("a[data-step]");
        if (!a || a.getAttribute("href")[0] !== "#") return;
        e.preventDefault();
        history.replaceState(null, "", a.getAttribute("href"));
        this.show(this.indexOf(Number(a.dataset.step)));
        const smooth = !matchMedia("(prefers-reduced-motion: reduce)").matches;
        this.root.scrollIntoView({ block: "start", behavior: smooth ? "smooth" : "auto" });
        this.timeline.focus({ preventScroll: true });
      });
    }
    planPane() {
      if (!this.data.plan.length) return null;
      const done = new Map();
      for (const m of this.moments) if (m.action_step && m.outcome) done.set(m.action_step, m);
      const item = (a, i) => {
        const m = done.get(i + 1);
        return el("li", {}, el("span", { class: "number" }, i + 1 + ". "), m ? el("span", { class: "mark " + m.outcome, title: w("outcome." + m.outcome) }, signs[m.outcome] + " ", el("span", { class: "visually-hidden" }, w("outcome." + m.outcome))) : null,
          el("code", {}, visible(a)), m ? "" : " ", m ? null : el("span", { class: "muted" }, w("plan.notdone")));
      };
      this.planItem = (i) => this.planItems[i] ??= item(this.data.plan[i], i);
      this.planItems = [];
      this.planList = el("ol", { class: "steps-plan", tabindex: 0, "aria-label": w("plan"), onscroll: () => this.scrollPlan() });
      this.showPlan(0);
      return el("div", {}, el("h3", {}, w("plan")), this.planList);
    }
    // showPlan shows so much of the plan as is in view, and what is near: the rest of a long one
    // comes as it is scrolled.
    showPlan(from) {
      const most = 200;
      this.planFrom = Math.max(0, Math.min(from, this.data.plan.length - most));
      this.planList.replaceChildren(...this.data.plan.slice(this.planFrom, this.planFrom + most).map((_, k) => this.planItem(this.planFrom + k)));
    }
    scrollPlan() {
      const l = this.planList, n = l.children.length, up = l.scrollTop < 60 && this.planFrom > 0;
      if (!up && !(l.scrollTop + l.clientHeight > l.scrollHeight - 60 && this.planFrom + n < this.data.plan.length)) return;
      const stays = l.children[up ? 0 : n - 1], was = stays.offsetTop - l.scrollTop;
      this.showPlan(this.planFrom + (up ? -n / 2 : n / 2));
      l.scrollTop = stays.offsetTop - was;
    }
    key(e) {
      if (e.ctrlKey || e.metaKey || e.altKey || e.target === this.planList) return;
      const last = this.moments.length - 1, slider = e.target === this.slider;
      const go = { ArrowLeft: this.now - 1, ArrowRight: this.now + 1, PageUp: this.now - 10, PageDown: this.now + 10, Home: 0, End: last }[e.key];
      if (go !== undefined && !(slider && e.key.startsWith("Arrow"))) { e.preventDefault(); this.show(go); return; }
      if (e.key === "f" || e.key === "F") { e.preventDefault(); this.nextFinding(); }
      if (e.key === " " && e.target === this.timeline) { e.preventDefault(); this.toggle(); }
    }
    nextFinding() {
      const at = this.data.findings.map((f) => this.indexOf(f.step)).sort((a, b) => a - b);
      if (at.length) this.show(at.find((i) => i > this.now) ?? at[0]);
    }
    toggle() {
      if (this.playing) { clearInterval(this.playing); this.playing = null; this.playButton.textContent = w("play"); return; }
      if (this.now === this.moments.length - 1) this.show(0);
      this.playButton.textContent = w("pause");
      this.playing = setInterval(() => {
        if (this.now >= this.moments.length - 1) this.toggle(); else this.show(this.now + 1);
      }, 700);
    }
    show(i) {
      this.now = Math.max(0, Math.min(this.moments.length - 1, i));
      const m = this.moments[this.now];
      this.reveal(); // what is measured comes before what is changed, so that all is laid out once
      this.follow(m);
      this.slider.value = this.now;
      const text = w("step") + " " + m.step + (m.time ? ", " + visible(m.time) : "");
      this.slider.setAttribute("aria-valuetext", text);
      this.output.textContent = text;
      this.drawScene();
      this.drawDetail(m);
      this.draw();
      if (this.row) this.row.removeAttribute("aria-current");
      this.row = document.getElementById(this.article.id + "-s" + m.step);
      if (this.row) this.row.setAttribute("aria-current", "step");
    }
    // follow marks the action of the plan and shows it.
    follow(m) {
      if (!this.planList) return;
      const k = m.action_step - 1, li = this.data.plan[k] === undefined ? undefined : this.planItem(k);
      if (this.planned === li) return;
      if (li && (k < this.planFrom || k >= this.planFrom + this.planList.children.length)) this.showPlan(k - 100);
      if (li) this.planList.scrollTop = li.offsetTop - this.planList.offsetTop - this.planList.clientHeight / 2;
      if (this.planned) this.planned.removeAttribute("aria-current");
      if (this.planned = li) li.setAttribute("aria-current", "step");
    }

    // The timeline. Only what is in view is drawn.
    reveal() {
      const width = this.width ??= this.timeline.clientWidth;
      this.cell = Math.max(26, Math.min(64, (width - 78) / Math.max(1, this.moments.length)));
      const long = 78 + this.cell * this.moments.length + "px";
      if (this.spacer.style.width !== long) this.spacer.style.width = long;
      const x = 78 + this.cell * this.now;
      if (x < this.offset + 110 || x + this.cell > this.offset + width - 30) {
        this.timeline.scrollLeft = x - width / 2;
        this.offset = this.timeline.scrollLeft;
      }
    }
    draw() {
      const width = this.width ??= this.timeline.clientWidth;
      if (!width || !this.cell) return;
      const g = this.picture, left = 78, cell = this.cell, offset = this.offset;
      const has = (f) => this.moments.some(f);
      this.rows ??= [["timeline.findings", this.data.findings.length || this.data.threats.length ? 74 : 0], ["timeline.actions", 34], ["timeline.sounds", has((m) => m.sounds) ? 20 : 0], ["timeline.sensors", has((m) => m.events) ? 20 : 0], ...this.readings().map((r) => [r.name, 44, r]), ["timeline.score", has((m) => m.score) ? 44 : 0]].filter((r) => r[1]);
      const height = this.rows.reduce((n, r) => n + r[1], 18);
      const every = cell < 34 ? 5 : 1, drawn = [offset, width, cell].join();
      const here = () => {
        const m = this.moments[this.now];
        this.here.setAttribute("x", left + cell * this.now - offset);
        this.hereName.setAttribute("x", left + cell * (this.now + 0.5) - offset);
        this.hereName.textContent = m.step % every ? m.step : "";
      };
      if (drawn === this.drawn) { here(); return; } // all else stays
      this.drawn = drawn;
      g.setAttribute("width", width); g.setAttribute("height", height); g.setAttribute("viewBox", `0 0 ${width} ${height}`);
      const parts = [];
      const mid = (i) => left + cell * (i + 0.5) - offset;
      const from = Math.max(0, Math.floor((offset - cell) / cell)), to = Math.min(this.moments.length - 1, Math.ceil((offset + width - left) / cell));
      this.here = svg("rect", { class: "here", y: 0, width: cell, height });
      this.hereName = svg("text", { class: "name", y: height - 5, "text-anchor": "middle" });
      here();
      parts.push(this.here, this.hereName);
      let y = 0;
      for (const [row, h, readings] of this.rows) {
        const base = y;
        if (readings) this.drawReadings(parts, readings, mid, base, from, to);
        for (let i = from; i <= to; i++) {
          const m = this.moments[i], x = mid(i);
          if (row === "timeline.actions" && m.action) {
            parts.push(svg("rect", { class: "cell " + (m.outcome || ""), x: x - cell / 2 + 2, y: base + 4, width: cell - 4, height: 26, rx: m.goes_on ? 0 : 5 }));
            parts.push(svg("text", { class: "glyph", x, y: base + 21 }, m.outcome ? signs[m.outcome] : "…"));
          }
          if (row === "timeline.sounds" && m.sounds) parts.push(svg("text", { class: "glyph", x, y: base + 15 }, "♪"));
          if (row === "timeline.sensors" && m.events) parts.push(svg("text", { class: "glyph", x, y: base + 15 }, "◇"));
          if (row === "timeline.score" && m.score) parts.push(svg(m.score.alarm ? "rect" : "circle", m.score.alarm ? { class: "alarm", x: x - 4, y: base + 2 + 36 * (1 - m.score.score), width: 8, height: 8 } : { class: "scoredot", cx: x, cy: base + 6 + 36 * (1 - m.score.score), r: 3 }));
        }
        if (row === "timeline.score") {
          const line = [];
          for (let i = Math.max(0, from - 20); i <= Math.min(this.moments.length - 1, to + 20); i++) if (this.moments[i].score) line.push(mid(i) + "," + (base + 6 + 36 * (1 - this.moments[i].score.score)));
          parts.push(svg("polyline", { class: "scoreline", points: line.join(" ") }));
        }
        if (row === "timeline.findings") this.drawFindings(parts, mid, base + h - 12, left);
        y += h;
      }
      for (let i = from; i <= to; i++) {
        if (this.moments[i].step % every === 0) parts.push(svg("text", { class: "name", x: mid(i), y: height - 5, "text-anchor": "middle" }, this.moments[i].step));
        const hit = svg("rect", { class: "hit", x: mid(i) - cell / 2, y: 0, width: cell, height });
        hit.addEventListener("click", () => this.show(i));
        hit.append(svg("title", {}, this.title(this.moments[i])));
        parts.push(hit);
      }
      parts.push(svg("rect", { x: 0, y: 0, width: left - 4, height, fill: "var(--raised)" }));
      y = 0;
      for (const [row, h, readings] of this.rows) {
        parts.push(svg("text", { x: 8, y: y + (row === "timeline.findings" ? h - 8 : h / 2 + (readings ? 0 : 4)) }, readings ? visible(row).slice(0, 11) : w(row)));
        if (readings) parts.push(svg("text", { x: 8, y: y + h / 2 + 12, class: "name" }, visible(readings.range).slice(0, 13)));
        y += h;
      }
      parts.push(svg("text", { x: 8, y: height - 5 }, w("step")));
      g.replaceChildren(...parts);
    }
    title(m) {
      return [w("step") + " " + m.step, m.time, m.action, m.outcome && w("outcome." + m.outcome), ...(m.sounds || []).map((s) => "♪ " + s), ...(m.events || []).map((e) => "◇ " + e.text)].filter(Boolean).map(visible).join("\n");
    }
    // readings are what was measured over time: of each thing and quantity, and of each kind of
    // sensor event; those that were measured most.
    readings() {
      const all = new Map();
      const add = (name, unit, i, number) => {
        if (typeof number !== "number") return;
        if (!all.has(name)) all.set(name, { name, unit: unit || "", at: [] });
        all.get(name).at.push([i, number]);
      };
      this.moments.forEach((m, i) => {
        for (const e of [...(m.events || []), ...(m.measured || [])]) add([e.kind.replaceAll("_", " "), e.object].filter(Boolean).join(" "), e.unit, i, e.number);
      });
      const most = [...all.values()].filter((r) => r.at.length > 1).sort((a, b) => b.at.length - a.at.length).slice(0, 6);
      for (const r of most) {
        r.least = Math.min(...r.at.map((a) => a[1])); r.most = Math.max(...r.at.map((a) => a[1]));
        r.range = [...new Set([r.least, r.most])].map((n) => String(Number(n.toPrecision(3)))).join("–") + (r.unit ? " " + r.unit : "");
      }
      return most;
    }
    // drawReadings draws one as a curve; a value stands until the next is measured.
    drawReadings(parts, r, mid, base, from, to) {
      const y = (n) => base + 38 - (r.most > r.least ? 32 * (n - r.least) / (r.most - r.least) : 16);
      const line = [];
      let was;
      for (const [i, n] of r.at) {
        if (i >= from) {
          if (was && !line.length) line.push(mid(Math.max(was[0], from - 1)) + "," + y(was[1]));
          line.push((was ? mid(i) + "," + y(was[1]) + " " : "") + mid(i) + "," + y(n));
          if (i <= to) { const dot = svg("circle", { class: "reading", cx: mid(i), cy: y(n), r: 2.5 }); dot.append(svg("title", {}, r.name + " " + n)); parts.push(dot); }
        }
        was = [i, n];
        if (i > to) break;
      }
      if (was && was[0] <= to) line.push((line.length ? "" : mid(from - 1) + "," + y(was[1]) + " ") + mid(to + 1) + "," + y(was[1]));
      parts.push(svg("polyline", { class: "readingline", points: line.join(" ") }));
    }
    drawFindings(parts, mid, y, left) {
      const arc = (a, b, kind, depth) => {
        if (a === b) return;
        const x1 = mid(a), x2 = mid(b), rise = Math.min(56, 16 + depth * 4 + Math.abs(x2 - x1) / 9);
        parts.push(svg("path", { class: "arc " + kind, d: `M ${x1} ${y - 6} C ${x1} ${y - rise}, ${x2} ${y - rise}, ${x2} ${y - 6}` }));
      };
      for (const t of this.data.threats) {
        const at = this.indexOf(t.step), x = mid(at) - (this.data.findings.some((f) => f.step === t.step) ? 16 : 0); // beside what is found there
        arc(at, this.indexOf(t.shows), "threat-arc", 2);
        parts.push(svg("path", { class: "threat" + (t.came ? " came" : ""), d: `M ${x} ${y - 8} l 7 13 h -14 z` }));
      }
      for (const f of this.data.findings) {
        const at = this.indexOf(f.step), cause = this.indexOf(f.cause);
        arc(cause, at, "", 0);
        f.then.forEach((s, k) => { arc(at, this.indexOf(s), "then-arc", k); });
        for (const s of f.then) parts.push(svg("circle", { class: "then", cx: mid(this.indexOf(s)), cy: y, r: 4 }));
        if (cause !== at) parts.push(svg("circle", { class: "cause", cx: mid(cause), cy: y, r: 5 }));
        const x = mid(at);
        parts.push(svg("path", { class: "show", d: `M ${x} ${y - 8} l 8 14 h -16 z` }));
      }
    }

    // The scene. Elements stay, and are moved to where things are.
    thing(o) {
      let t = this.things.get(o);
      if (!t) {
        t = { li: el("li", { class: "thing" }), how: el("span", { class: "how" }), id: el("span", { class: "id" }, visible(this.objects[o].id)), badge: el("span", { class: "badge", hidden: true }, w("scene.here")), states: el("span", { class: "states" }), news: el("span", { class: "news" }), inside: el("ul") };
        t.li.append(t.how, t.id, t.badge, t.news, t.states, t.inside);
        this.things.set(o, t);
      }
      return t;
    }
    drawScene() {
      const m = this.moments[this.now], was = this.now > 0 ? this.scenes.at(this.now - 1) : null, s = this.scenes.at(this.now);
      const children = new Map(), tops = new Set(this.hosts);
      for (const [o, p] of s.placed) {
        if (p.at !== undefined && s.placed.has(p.at) && !this.within(s, p.at, o)) {
          if (!children.has(p.at)) children.set(p.at, []);
          children.get(p.at).push(o);
        } else tops.add(o);
      }
      const place = (list, os) => {
        const want = os.sort((a, b) => a - b).map((o) => this.thing(o).li), all = new Set(want);
        let next = list.firstElementChild;
        for (const li of want) { // only what comes anew is moved
          while (next && next !== li && !all.has(next)) { const gone = next; next = next.nextElementSibling; gone.remove(); }
          if (next === li) next = next.nextElementSibling;
          else list.insertBefore(li, next);
        }
        while (next) { const gone = next; next = next.nextElementSibling; gone.remove(); }
      };
      for (const o of new Set([...tops, ...s.placed.keys()])) {
        const t = this.thing(o), p = s.placed.get(o), before = was && was.placed.get(o);
        const seen = s.seen.has(o), changed = was && p && p !== before && !this.same(p, before), here = m.standing === o;
        const inside = children.get(o);
        if (inside || t.inside.childElementCount) place(t.inside, inside || []);
        if (t.drawn && t.p === p && t.seen === seen && t.here === here && !t.changed && !changed) continue; // as it is drawn
        Object.assign(t, { drawn: true, p, seen, here, changed });
        t.li.className = "thing" + (p ? "" : " absent") + (seen ? " seen" : "") + (changed ? " changed" : "");
        t.how.textContent = p && p.at !== undefined ? this.how(p.how) : ""; t.how.hidden = !t.how.textContent;
        t.badge.hidden = !here;
        const states = p ? [...(p.states || []).map((x) => ({ text: x.replaceAll("_", " "), fresh: before && !(before.states || []).includes(x) })), ...(p.values || []).map((v) => ({ text: v.quantity.replaceAll("_", " ") + " " + v.number + (v.unit ? " " + v.unit : ""), fresh: false }))] : [];
        t.states.replaceChildren(...states.flatMap((x, i) => [i ? ", " : "", el("span", { class: x.fresh ? "new-state" : "" }, visible(x.text))]));
        if (!p) t.states.textContent = w("scene.absent");
        t.news.textContent = changed ? " ✱ " + (before ? (before.at !== p.at ? w("scene.moved") : "") : w("scene.new")) : "";
        t.li.setAttribute("aria-label", [this.objects[o].id, states.map((x) => x.text).join(", "), seen ? w("scene.seen") : w("scene.believed"), changed ? w("scene.changed") : ""].filter(Boolean).map(visible).join(", "));
      }
      place(this.world, [...tops]);
      this.world.classList.toggle("many", tops.size > 40);
      this.relations.replaceChildren();
      if (s.relations.length) this.relations.append(el("span", { class: "muted" }, w("scene.relations") + ": "), s.relations.map((r) => visible(this.objects[r.s].id + " " + this.how(r.r) + " " + this.objects[r.o].id)).join("; "));
    }
    within(s, at, o) {
      for (let n = 0; at !== undefined && n < 100; n++) { if (at === o) return true; at = s.placed.get(at)?.at; }
      return false;
    }
    how(r) { return (r || "").replaceAll("_", " ").replace(/^located at$/, w("scene.at")); }
    same(p, q) { return q && p.at === q.at && p.how === q.how && JSON.stringify(p.states) === JSON.stringify(q.states) && JSON.stringify(p.values) === JSON.stringify(q.values); }

    drawDetail(m) {
      const d = this.detail;
      d.replaceChildren(el("h3", {}, w("step") + " " + m.step + (m.time ? " · " + visible(m.time) : "")));
      d.append(el("p", { class: "action" }, m.action ? el("code", {}, visible(m.action)) : el("span", { class: "muted" }, m.step === 0 ? w("step.before") : w("step.only")), " ",
        m.outcome ? el("span", { class: "mark " + m.outcome }, signs[m.outcome] + " " + w("outcome." + m.outcome)) : m.action ? el("span", { class: "mark" }, "… " + w("outcome.goeson")) : ""));
      if (m.unmet) d.append(el("p", { class: "muted" }, w("step.because") + " " + m.unmet.map(visible).join("; ")));
      for (const f of this.data.findings) {
        if (f.step === m.step) d.append(el("p", { class: "notice" }, "▲ ", el("b", {}, f.type), " " + w("mark.shows") + ". " + visible(f.text)));
        else if (f.cause === m.step) d.append(el("p", { class: "notice cause" }, "○ ", el("b", {}, f.type), " " + w("mark.cause")));
        if (f.then.includes(m.step)) d.append(el("p", { class: "notice then" }, "● ", el("b", {}, f.type), " " + w("mark.consequence")));
      }
      for (const t of this.data.threats) {
        if (t.step === m.step) d.append(el("p", { class: "notice foreseen" }, "△ ", el("b", {}, t.type), " " + w(t.came ? "mark.came" : "mark.foreseen") + ", " + w("step").toLowerCase() + " " + t.shows + ". " + visible(t.text)));
      }
      if (!m.observed && m.step > 0) d.append(el("p", { class: "muted" }, w("step.unseen")));
      const list = el("dl");
      const row = (label, ...content) => list.append(el("dt", {}, label), el("dd", {}, ...content));
      if (m.agent) row(w("robot"), visible(m.agent));
      if (m.sounds) row(w("step.sounds"), m.sounds.map((s) => "♪ " + visible(s)).join(", "));
      if (m.events) row(w("step.sensors"), m.events.map((e) => "◇ " + visible(e.text)).join(", "));
      if (m.line) row(w("step.line"), String(m.line));
      if (m.score) {
        const s = m.score, bars = el("div", { class: "score" });
        for (const [name, value] of [[w("score.all"), s.score], [w("score.nodes"), s.node], [w("score.edges"), s.edge], [w("score.structure"), s.structure]]) {
          if (typeof value === "number") bars.append(el("span", {}, name), el("meter", { min: 0, max: 1, value, "aria-label": name }), el("b", {}, value.toFixed(3)));
        }
        const differences = s.differences || [];
        row(w("step.score"), bars, differences.length ? el("ul", { class: "plain" }, ...differences.slice(0, 12).map((x) => el("li", {}, visible(this.difference(x))))) : el("p", { class: "good" }, "✓ " + w("step.asexpected")));
      }
      d.append(list);
    }
    difference(x) {
      if (x.kind === "missing") return "− " + x.node + " " + w("differs.missing");
      if (x.kind === "extra") return "+ " + x.node + " " + w("differs.extra");
      return "~ " + x.node + (x.other ? " " + w("differs.to") + " " + x.other : "") + ": " + (x.observed || w("differs.unknown")) + ", " + w("differs.expected") + " " + (x.expected || w("differs.nothing"));
    }
  }

  // What takes long is asked for until it is there, and put into the page where nobody is
  // at work in it; else a button does.
  const complete = async (status) => {
    const article = status.closest("article");
    for (;;) {
      const answer = await fetch("/api/v1" + status.dataset.pending + "/pending?seconds=20");
      if (!answer.ok) return;
      if (!(await answer.json()).pending) break;
    }
    const page = new DOMParser().parseFromString(await (await fetch(status.dataset.pending)).text(), "text/html").querySelector("article");
    const show = () => {
      const at = article.querySelector(".log li[aria-current]");
      if (at) history.replaceState(null, "", "#" + at.id);
      article.replaceWith(document.adoptNode(page));
      page.querySelectorAll("[data-viewer]").forEach(start);
    };
    if (!article.contains(document.activeElement)) show();
    else status.replaceChildren(el("button", { type: "button", onclick: show }, w("pending.ready")));
  };

  // A report holds its data compressed.
  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  };
  const start = async (root) => {
    if (root.dataset.started) return;
    root.dataset.started = "yes";
    const article = root.closest("article"), data = article.querySelector("script[data-for]");
    new Viewer(root, data.type === "application/gzip" ? await unpack(data.textContent.trim()) : JSON.parse(data.textContent), article);
  };
  document.querySelectorAll("[data-pending]").forEach((p) => { complete(p); });
  // A report of many episodes builds each where it comes into view.
  const roots = [...document.querySelectorAll("[data-viewer]")];
  if (roots.length < 3 || !("IntersectionObserver" in window)) roots.forEach(start);
  else {
    const watch = new IntersectionObserver((seen) => { for (const s of seen) if (s.isIntersecting) { watch.unobserve(s.target); start(s.target.querySelector("[data-viewer]")); } }, { rootMargin: "400px" });
    roots.forEach((r) => watch.observe(r.closest("article")));
  }
})();
