// Builds elements. Text is always a text node: names of characters and words of scripts are never read as HTML.

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Makes an element.
 * `attributes`: `class`, `data` (for data-…), `on` (listeners by event), properties the element has, else attributes.
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === 'class') element.className = value;
    else if (name === 'data') Object.assign(element.dataset, value);
    else if (name === 'on') listen(element, value);
    else if (name in element && typeof value !== 'string') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

function listen(element, listeners) {
  for (const [event, listener] of Object.entries(listeners)) element.addEventListener(event, listener);
}

export function byId(id) {
  return document.getElementById(id);
}

/** Sets the text only if it differs, so that a selection in it survives. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const ICONS = {
  play: 'M5 3.5v9l8-4.5z',
  pause: 'M5 3.5v9M11 3.5v9',
  step: 'M4 3.5v9l6-4.5zM12.5 3.5v9',
  hand: 'M3.5 2.5l9 4-4 1.3-1.4 4.2z',
  walk: 'M3 13c0-5 9-2 9-7a2.2 2.2 0 1 0-4.4 0c0 1.4 2.2 3.6 2.2 3.6',
  probe: 'M3.5 12.5L6.5 6l4 3.5 2-5.5M2 12.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M11 3.5a1.5 1.5 0 1 0 3 0z',
  spawn: 'M6.5 3a2.5 2.5 0 1 1 0 5a2.5 2.5 0 1 1 0-5M2 13.5c.5-5 8.5-5 9 0M13 3v5M10.5 5.5h5',
  move: 'M8 1.5v13M1.5 8h13M6 3.5l2-2l2 2M6 12.5l2 2l2-2M3.5 6l-2 2l2 2M12.5 6l2 2l-2 2',
  undo: 'M6 3L3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H6',
  redo: 'M10 3l3 3l-3 3M13 6H6.5a3.5 3.5 0 0 0 0 7H10',
  fit: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  follow: 'M8 4.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7M8 1v3M8 12v3M1 8h3M12 8h3',
  theme: 'M8 2.5a5.5 5.5 0 1 0 0 11zM8 2.5a5.5 5.5 0 0 1 0 11',
  help: 'M5.7 6a2.3 2.3 0 1 1 3.5 2c-.8.5-1.2.9-1.2 1.8M8 12.3v.2',
  side: 'M2 3h12v10H2zM10 3v10',
  close: 'M4 4l8 8M12 4l-8 8',
  down: 'M3.5 6l4.5 4.5L12.5 6',
  up: 'M3.5 10.5L8 6l4.5 4.5',
  back: 'M10 3.5L5.5 8l4.5 4.5',
  forward: 'M6 3.5L10.5 8L6 12.5',
  code: 'M6 4.5L2.5 8L6 11.5M10 4.5L13.5 8L10 11.5',
  over: 'M2 8.5a6 6 0 0 1 11.6-1.5M14 3.5L13.6 7L10.2 6.6M7 12.3a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
  into: 'M8 1.8v6.7M5 5.7l3 3l3-3M7 13a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
  out: 'M8 9.2V2.3M5 5l3-3l3 3M7 13a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
  target: 'M8 3.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M8 7.9v.2',
};

export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

/** A button with an icon; its title is its name for everyone. */
export function iconButton(name, title, attributes = {}) {
  return el('button', { type: 'button', title, 'aria-label': title, ...attributes }, icon(name));
}

/** Whether keys typed now belong to a text field. */
export function isTyping() {
  const active = document.activeElement;
  if (active === null || active.type === 'checkbox') return false;
  return /^(INPUT|TEXTAREA|SELECT)$/.test(active.tagName) || active.isContentEditable;
}
