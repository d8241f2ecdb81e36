// The panels beside the stage: their tabs, and the width of them all.

import { byId, el } from './dom.js';
import { readKept, keep } from './kept.js';

const PANELS = ['inspect', 'room', 'scripts', 'specs', 'events', 'errors', 'console', 'numbers'];
const LEAST_PX = 260;
const KEY_STEP_PX = 24;

export class Sidebar {
  constructor() {
    this.open = null;
    this.showing = new Map();
    this.changed = () => {};
    this.build();
    this.setWidth(readKept('width', 424));
    this.setFolded(readKept('folded', false));
    this.listenToGrip(byId('grip'));
  }

  build() {
    this.tabs = new Map(PANELS.map((name) => [name, this.makeTab(name)]));
    byId('tabs').replaceChildren(...this.tabs.values());
    byId('tabs').addEventListener('keydown', (event) => this.press(event));
    this.show('inspect');
  }

  makeTab(name) {
    const title = name[0].toUpperCase() + name.slice(1);
    const badge = name === 'errors' ? el('span', { class: 'badge', id: 'badge-errors', hidden: true }, '0') : null;
    return el(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${name}`,
        'aria-controls': `panel-${name}`,
        on: { click: () => this.show(name) },
      },
      title,
      badge,
    );
  }

  press(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = PANELS[(PANELS.indexOf(this.open) + step + PANELS.length) % PANELS.length];
    this.show(next);
    this.tabs.get(next).focus();
  }

  show(name) {
    this.setFolded(false);
    if (this.open === name) return;
    this.open = name;
    for (const [panel, tab] of this.tabs) {
      const isOpen = panel === name;
      tab.setAttribute('aria-selected', String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      byId(`panel-${panel}`).hidden = !isOpen;
    }
    this.told();
  }

  /** Whether a panel can be seen: what cannot need not be drawn. */
  shows(name) {
    return this.open === name && !this.isFolded;
  }

  onShow(name, listener) {
    this.showing.set(name, listener);
  }

  told() {
    if (!this.isFolded) this.showing.get(this.open)?.();
    this.changed();
  }

  toggleFolded() {
    this.setFolded(!this.isFolded);
  }

  setFolded(folded) {
    if (this.isFolded === folded) return;
    this.isFolded = folded;
    document.body.classList.toggle('folded', folded);
    keep('folded', folded);
    this.told();
  }

  setWidth(width) {
    this.width = Math.round(Math.max(width, LEAST_PX));
    document.documentElement.style.setProperty('--chosen-side', `${this.width}px`);
    keep('width', this.width);
  }

  listenToGrip(grip) {
    grip.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
    });
    grip.addEventListener('pointermove', (event) => {
      if (grip.hasPointerCapture(event.pointerId)) this.setWidth(innerWidth - event.clientX - grip.offsetWidth / 2);
    });
    grip.addEventListener('dblclick', () => this.toggleFolded());
    grip.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: KEY_STEP_PX, ArrowRight: -KEY_STEP_PX }[event.key];
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.setWidth(this.width + step);
    });
  }
}
