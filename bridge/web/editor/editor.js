// An editor of rules, Turtle or JSON Lines. It stands in a shadow root, whose style sheets
// are objects: the page's policy lets no style in that stands in the page.
import { EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars } from "@codemirror/view";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { StreamLanguage, HighlightStyle, syntaxHighlighting, bracketMatching, codeFolding } from "@codemirror/language";
import { setDiagnostics, lintGutter, lintKeymap } from "@codemirror/lint";
import { turtle } from "@codemirror/legacy-modes/mode/turtle";
import { json } from "@codemirror/legacy-modes/mode/javascript";
import { tags } from "@lezer/highlight";

const prolog = {
  token(stream, state) {
    if (state.comment) {
      if (stream.skipTo("*/")) { stream.match("*/"); state.comment = false; } else stream.skipToEnd();
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("%")) { stream.skipToEnd(); return "comment"; }
    if (stream.match("/*")) { state.comment = true; return "comment"; }
    if (stream.match(/^'(?:[^'\\]|\\.|'')*'/) || stream.match(/^"(?:[^"\\]|\\.|"")*"/)) return "string";
    if (stream.match(/^[A-Z_][A-Za-z0-9_]*/)) return "variableName";
    if (stream.match(/^\d+(?:\.\d+)?/)) return "number";
    if (stream.match(/^[a-z][A-Za-z0-9_]*/)) return stream.peek() === "(" ? "def" : "atom";
    if (stream.match(/^(?::-|\\\+|-->|=\.\.|[<>=\\]+|!)/)) return "keyword";
    stream.next();
    return null;
  },
  startState: () => ({ comment: false }),
  languageData: { commentTokens: { line: "%" } },
};
const languages = { prolog, turtle, json: { ...json, tokenTable: { property: tags.propertyName } } };

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: [tags.string, tags.atom], color: "var(--good)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: [tags.keyword, tags.operator, tags.definition(tags.variableName)], color: "var(--link)" },
  { tag: tags.propertyName, color: "var(--link)" },
  { tag: tags.variableName, color: "var(--mark)" },
]);
const look = EditorView.theme({
  "&": { backgroundColor: "var(--surface)", color: "var(--ink)", height: "100%", fontSize: ".86rem" },
  "&.cm-focused": { outline: "3px solid var(--accent)", outlineOffset: "-3px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--quiet)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent) 8%, transparent)" },
  ".cm-activeLineGutter": { color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-tooltip": { backgroundColor: "var(--surface)", color: "var(--ink)", border: "1px solid var(--strong)", borderRadius: ".4rem", maxWidth: "34rem" },
  ".cm-diagnostic": { whiteSpace: "pre-wrap", fontFamily: "system-ui, sans-serif", fontSize: ".86rem" },
  // Signs and lines are text and decoration: pictures in addresses are not let in either.
  ".cm-lintRange": { backgroundImage: "none", paddingBottom: "0" },
  ".cm-lintRange-error": { backgroundImage: "none", textDecoration: "underline wavy var(--bad)" },
  ".cm-lintRange-warning": { backgroundImage: "none", textDecoration: "underline dotted 2px var(--warn)" },
  ".cm-lint-marker": { width: "1em", height: "auto", fontWeight: "700", lineHeight: "1.5" },
  ".cm-lint-marker-error": { content: "normal", color: "var(--bad)" },
  ".cm-lint-marker-error::before": { content: "'✕'" },
  ".cm-lint-marker-warning": { content: "normal", color: "var(--warn)" },
  ".cm-lint-marker-warning::before": { content: "'△'" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--bad)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--warn)" },
});

const bytes = new TextEncoder();
// offset is where a line and a column are, whose columns count bytes.
const offset = (doc, line, column) => {
  const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
  let left = Math.max(0, column - 1), i = 0;
  for (const c of at.text) {
    if ((left -= bytes.encode(c).length) < 0) break;
    i += c.length;
  }
  return at.from + Math.min(i, at.length);
};

export const createEditor = (parent, { language, label, phrases, change }) => {
  const root = parent.attachShadow({ mode: "open" });
  const host = document.createElement("div");
  host.style.height = "100%";
  root.append(host);
  const extensions = [
    lineNumbers(), highlightSpecialChars(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(), bracketMatching(), lintGutter(), codeFolding(),
    StreamLanguage.define(languages[language]), syntaxHighlighting(colours), look,
    keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]), EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", spellcheck: "false" }), EditorState.phrases.of(phrases || {}),
    EditorView.updateListener.of((u) => { if (u.docChanged) change(); }),
  ];
  const view = new EditorView({ root, parent: host, state: EditorState.create({ doc: "", extensions }) });
  return {
    text: () => view.state.doc.toString(),
    // load puts another text in, which cannot be undone.
    load: (text) => view.setState(EditorState.create({ doc: text, extensions })),
    // mark shows problems at their lines.
    mark: (problems) => view.dispatch(setDiagnostics(view.state, problems.map((p) => {
      const doc = view.state.doc, from = offset(doc, p.line || 1, p.column || 1), line = doc.lineAt(from);
      const word = /^[\w.:'-]+/.exec(doc.sliceString(from, line.to));
      return { from, to: p.column ? from + (word ? word[0].length : Math.min(1, line.to - from)) : line.to, severity: p.severity, message: p.message };
    }))),
    go: (line, column) => {
      const at = offset(view.state.doc, line, column || 1);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    measure: () => view.requestMeasure(),
  };
};
