// The words of Lua, for colouring: comments, strings, numbers and keywords. What lies between them stays plain.

const KEYWORDS = new Set(
  (
    'and break do else elseif end false for function goto if in local nil not or repeat return then true until ' +
    'while self'
  ).split(' '),
);

/** Comments come before the minus, long brackets before the short strings. */
const TOKEN = new RegExp(
  [
    String.raw`--\[(?<c>=*)\[[^]*?(?:\]\k<c>\]|$)`,
    String.raw`--[^\n]*`,
    String.raw`\[(?<s>=*)\[[^]*?(?:\]\k<s>\]|$)`,
    String.raw`"(?:\\[^]|[^"\\\n])*"?`,
    String.raw`'(?:\\[^]|[^'\\\n])*'?`,
    String.raw`0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?`,
    String.raw`(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`,
    String.raw`[A-Za-z_]\w*`,
  ].join('|'),
  'g',
);

function kindOf(token) {
  if (token.startsWith('--')) return 'comment';
  if (/^["'[]/.test(token)) return 'string';
  if (/^[.\d]/.test(token)) return 'number';
  return KEYWORDS.has(token) ? 'keyword' : null;
}

/** A text as lines of `{ kind, text }`; `kind` is null for what is plain. */
export function linesOf(text) {
  const lines = [[]];
  const put = (kind, words) => {
    words.split('\n').forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part !== '') lines.at(-1).push({ kind, text: part });
    });
  };
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const kind = kindOf(match[0]);
    if (kind === null) continue;
    put(null, text.slice(at, match.index));
    put(kind, match[0]);
    at = match.index + match[0].length;
  }
  put(null, text.slice(at));
  return lines;
}

/** Whether there is more in a line than a comment: nothing stops in the others. */
export function hasCode(line) {
  return line.some(({ kind, text }) => kind !== 'comment' && text.trim() !== '');
}
