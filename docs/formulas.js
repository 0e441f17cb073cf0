// Formulas of the book as mathematics. In the sources they stand as the program prints them (`noslip explain FORM`): an indented line
// with Σ_i, ∂T/∂q̇_i, γ^j_rm, T*. Here each becomes MathML, which browsers set without help; what is not understood stays as it is.
'use strict';

(() => {
  const MATHML = 'http://www.w3.org/1998/Math/MathML';
  const node = (tag, ...children) => {
    const made = document.createElementNS(MATHML, tag);
    made.append(...children);
    return made;
  };
  const html = (tag, name, ...children) => {
    const made = document.createElement(tag);
    if (name) made.className = name;
    made.append(...children);
    return made;
  };
  const row = (list) => (list.length === 1 ? list[0] : node('mrow', ...list));
  /** Accents: a dot, two dots, a tilde. */
  const ACCENTS = { '\u0307': '˙', '\u0308': '¨', '\u0303': '~' };
  const RAISED = { '⁻': '−', '¹': '1', '²': '2', '³': '3', '⁺': '+', 'ᵀ': 'T', '*': '∗' };
  const LOWERED = { '₀': '0', '₁': '1', '₂': '2', 'ᵢ': 'i', 'ⱼ': 'j' };

  /** A letter with its accents. */
  function letter(text) {
    const [base, ...accents] = text.normalize('NFD');
    return accents.reduce((inner, accent) => {
      const sign = node('mo', ACCENTS[accent] ?? accent);
      sign.setAttribute('stretchy', 'false');
      const over = node('mover', inner, sign);
      over.setAttribute('accent', 'true');
      return over;
    }, node('mi', base));
  }

  /** What stands below or above a letter: letters, digits, signs. */
  const script = (text) => row([...text.normalize('NFC').matchAll(/\p{L}[\u0300-\u036f]*|\d+|\S/gu)].map(([part]) => {
    if (/^\d/u.test(part)) return node('mn', part);
    return /^\p{L}/u.test(part) ? letter(part) : node('mo', part);
  }));

  /** Reads one formula. */
  class Reader {
    constructor(text) {
      Object.assign(this, { text, at: 0 });
    }

    /** What the pattern matches here, which is then behind us. */
    take(pattern) {
      const found = new RegExp(pattern, 'uy');
      found.lastIndex = this.at;
      const match = found.exec(this.text);
      if (match) this.at = found.lastIndex;
      return match;
    }

    /** Everything up to a closing bracket or the end. */
    list() {
      const out = [];
      while (this.at < this.text.length && !')]'.includes(this.text[this.at])) {
        const next = this.next();
        if (next) out.push(next);
      }
      return out;
    }

    next() {
      if (this.take(' +')) return null;
      // Words between formulas: `for all`, `with`; a heading in front of one.
      const words = this.take(this.at === 0 ? '[a-z]+(?: [a-z]+)*:' : '[a-z]{3,}(?: [a-z]{2,})*') ?? this.take('[a-z]{3,}(?: [a-z]{2,})*');
      if (words) return node('mtext', `${words[0]}\u00a0`);
      return this.fraction() ?? this.factor();
    }

    /** ∂T/∂q̇_i, d/dt, dX_νs/dt, 1/m: only where both parts are plain. */
    fraction() {
      const from = this.at;
      const part = () => {
        const head = this.take('[∂d](?=[\\p{L}/])|[0-9]+(?=/)');
        if (!head) return null;
        const sign = /\d/u.test(head[0]) ? node('mn', head[0]) : node('mi', head[0]);
        const name = this.name();
        return row(name ? [sign, name] : [sign]);
      };
      const above = part();
      if (above && this.take('/')) {
        const below = part() ?? this.name();
        if (below) return node('mfrac', above, below);
      }
      this.at = from;
      return null;
    }

    /** A letter with what is below and above it. */
    name() {
      const found = this.take('[\\p{L}∇][\\u0300-\\u036f]*');
      return found ? this.scripts(letter(found[0])) : null;
    }

    scripts(base) {
      const below = [];
      const above = [];
      for (;;) {
        const sub = this.take("_(?:\\{([^}]*)\\}|([\\p{L}\\p{N}\\u0300-\\u036f'′]+(?:[,;](?:l\\+)?\\p{L}+)*))|[₀₁₂ᵢⱼ]");
        const sup = sub ? null : this.take("\\^(?:\\{([^}]*)\\}|(\\([^)]*\\))|([\\p{L}\\p{N}'′]+))|[*°′]|[⁻¹²³⁺ᵀ]+");
        if (sub) below.push(script(sub[1] ?? sub[2] ?? LOWERED[sub[0]]));
        else if (sup) above.push(script(sup[1] ?? sup[2] ?? sup[3] ?? [...sup[0]].map((c) => RAISED[c] ?? c).join('')));
        else break;
      }
      if (base.textContent === 'Σ') return below.length ? node('munder', node('mo', '∑'), row(below)) : node('mo', '∑');
      if (below.length && above.length) return node('msubsup', base, row(below), row(above));
      if (below.length) return node('msub', base, row(below));
      return above.length ? node('msup', base, row(above)) : base;
    }

    factor() {
      const bracket = this.take('[(\\[]');
      if (bracket) {
        const inside = this.list();
        const close = this.take('[)\\]]');
        return this.scripts(node('mrow', node('mo', bracket[0]), ...inside, node('mo', close ? close[0] : '')));
      }
      const number = this.take('[0-9½]+(?:\\.[0-9]+)?');
      if (number) return node('mn', number[0]);
      return this.name() ?? node('mo', this.text[this.at++]);
    }
  }

  /** One formula; null where a bracket is open. */
  function math(text) {
    const reader = new Reader(text.normalize('NFD'));
    const made = node('math', ...reader.list());
    made.setAttribute('displaystyle', 'true');
    return reader.at < reader.text.length ? null : made;
  }

  /** A line: formulas with room between them, and a number. */
  function formula(line) {
    const [, text, number] = /^(.*?)(?:\s{2,}((?:\([\d.]+\)(?:, )?)+))?\s*$/u.exec(line);
    const parts = text.trim().split(/ {2,}(?!=)/u).map(math);
    return parts.every(Boolean) ? html('div', 'formula', html('div', '', ...parts.flatMap((part) => [part, ' '])), html('div', '', number ?? '')) : null;
  }

  /** A table of letters and what they mean. */
  function notation(lines) {
    const table = html('table', 'notation');
    for (const line of lines) {
      const [, letters, words] = /^\s*(.*?)(?: {2,}| (?=the ))(.*)$/u.exec(line);
      table.append(html('tr', '', html('td', '', math(letters) ?? letters), html('td', '', words)));
    }
    return table;
  }

  // Indented blocks are formulas, or letters explained; blocks with a language are what the program reads and prints.
  for (const code of document.querySelectorAll('pre > code:not([class*="language-"])')) {
    const lines = code.textContent.split('\n').filter((line) => line.trim());
    // A piece of a model or of a program.
    if (/["\\$]/u.test(code.textContent)) continue;
    const explained = lines.filter((line) => /\S {2,}[a-z]{2,} [a-z]/u.test(line) && !/ {2}(?:with|for all) /u.test(line));
    const made = explained.length > 2 ? [notation(lines)] : lines.map(formula);
    const box = code.closest('pre');
    if (made.every(Boolean)) (box.parentElement.tagName === 'PRE' ? box.parentElement : box).replaceWith(...made);
  }

  // Letters with something below or above within a sentence: q_i, v_{l+j}, W^K.
  const LETTER = /(?<![\p{L}\p{N}_`])([\p{L}∂∇]*?\p{L}[\u0300-\u036f]*[*°]?)([_^])(\{[^}\s]+\}|[\p{L}\p{N}′]+(?:,(?:l\+)?\p{L}+)?)(?![\p{L}_(])/gu;
  const walker = document.createTreeWalker(document.querySelector('main') ?? document.body, NodeFilter.SHOW_TEXT, {
    acceptNode: (text) => (text.parentElement.closest('code, pre, math, script, style, a') || !/[_^]/u.test(text.data) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT),
  });
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  for (const text of found) {
    const parts = text.data.split(LETTER);
    const out = [parts[0]];
    for (let i = 1; i < parts.length; i += 4) {
      const [name, sign, small, rest] = parts.slice(i, i + 4);
      // Names of a model are words: omega_3 stays.
      if (/[a-z]{3}/u.test(name)) out.push(`${name}${sign}${small}`, rest);
      else out.push(html('i', '', name), html(sign === '_' ? 'sub' : 'sup', '', small.replace(/[{}]/gu, '')), rest);
    }
    if (parts.length > 1) text.replaceWith(...out);
  }
})();
