// Small things that the browser keeps from visit to visit. Where storage is forbidden, nothing is kept.

const PREFIX = 'cicerone.';

export function readKept(name, otherwise) {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows may refuse; the page works without.
  }
}
