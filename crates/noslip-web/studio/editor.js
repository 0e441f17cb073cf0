// The editor of the studio: CodeMirror with what a model file needs. Bundled into editor.bundle.js by `npm run bundle`.

/*!
 * This file contains CodeMirror.
 *
 * MIT License
 *
 * Copyright (C) 2018-2024 by Marijn Haverbeke <marijn@haverbeke.berlin> and others
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in
 * all copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
 * THE SOFTWARE.
 */

import { EditorState, Transaction } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection } from '@codemirror/view';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { StreamLanguage, HighlightStyle, syntaxHighlighting, bracketMatching } from '@codemirror/language';
import { toml } from '@codemirror/legacy-modes/mode/toml';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { autocompletion, closeBrackets, closeBracketsKeymap, completeAnyWord, completionKeymap } from '@codemirror/autocomplete';
import { searchKeymap, highlightSelectionMatches } from '@codemirror/search';
import { tags } from '@lezer/highlight';

// Colours are those of the page, light and dark.
const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: tags.string, color: 'var(--series-3)' },
  { tag: tags.number, color: 'var(--series-2)' },
  { tag: tags.atom, color: 'var(--series-4)', fontWeight: '600' },
  { tag: tags.propertyName, color: 'var(--series-1)' },
]);

const look = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--paper)', color: 'var(--ink)', fontSize: '.875rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--soft)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--wash) 60%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'color-mix(in srgb, var(--accent) 25%, transparent)' },
  '.cm-selectionMatch': { backgroundColor: 'color-mix(in srgb, var(--accent) 14%, transparent)' },
  '.cm-tooltip, .cm-panels': { backgroundColor: 'var(--figure)', color: 'var(--ink)', borderColor: 'var(--rule)' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--paper)' },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', whiteSpace: 'pre-wrap', maxWidth: '32rem' },
  '.cm-panel input, .cm-panel button': { backgroundImage: 'none', backgroundColor: 'var(--paper)', color: 'var(--ink)' },
});

/** The place of a line and a column, both counted from 1, columns in characters; kept inside the text. */
function place(doc, line, column) {
  const at = doc.line(Math.max(1, Math.min(line, doc.lines)));
  const before = [...at.text].slice(0, Math.max(0, column - 1)).join('');
  return Math.min(at.from + before.length, at.to);
}

/** A problem of the program as CodeMirror wants it: at least one character wide where there is one. */
function diagnostic(doc, problem) {
  const from = place(doc, problem.line ?? 1, problem.column ?? 1);
  const line = doc.lineAt(from);
  let to = Math.max(from, place(doc, problem.end_line ?? problem.line ?? 1, problem.end_column ?? 1));
  if (to === from) to = Math.min(from + 1, line.to);
  const severity = { warning: 'warning', note: 'info' }[problem.severity] ?? 'error';
  const message = problem.hint ? `${problem.message}\n${problem.hint}` : problem.message;
  return { from: to === from && from > line.from ? from - 1 : from, to, severity, message };
}

/** An editor in `parent` that calls `changed` with every new text. */
export function create(parent, text, changed) {
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), lintGutter(), history(), drawSelection(), bracketMatching(), closeBrackets(),
        highlightActiveLine(), highlightActiveLineGutter(), highlightSelectionMatches(),
        StreamLanguage.define(toml), syntaxHighlighting(colours), look,
        autocompletion({ override: [completeAnyWord], activateOnTyping: false }),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'The model file' }),
        keymap.of([...closeBracketsKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, ...completionKeymap, ...lintKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => { if (update.docChanged) changed(update.state.doc.toString()); }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    /** Another text, which can be undone. */
    replace(other) {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: other }, selection: { anchor: 0 }, scrollIntoView: true,
        annotations: Transaction.userEvent.of('input.replace'),
      });
    },
    diagnose(problems) {
      view.dispatch(setDiagnostics(view.state, problems.map((p) => diagnostic(view.state.doc, p))));
    },
    go(problem) {
      const { from } = diagnostic(view.state.doc, problem);
      view.dispatch({ selection: { anchor: from }, scrollIntoView: true });
      view.focus();
    },
    focus: () => view.focus(),
  };
}
