// The panel of specs: runs those of the project, and opens a failing one at the moment when it failed.

import { byId, el, setText } from './dom.js';
import { problemOf } from './errors.js';
import { placeOf } from './sections.js';

const ORDER = ['failed', 'skipped', 'passed'];

export class SpecsPanel {
  constructor(model, orders) {
    Object.assign(this, { model, orders });
    this.build();
    this.hasRun = false;
    this.test = null;
    model.on('specs hello', () => this.show());
    // The list is built anew only if it says something else: a click must find its button.
    model.on('past', ({ test = null }) => {
      if (test === this.test) return;
      this.test = test;
      this.show();
    });
    this.show();
  }

  build() {
    this.filter = el('input', { type: 'search', id: 'spec-filter', placeholder: 'all, or part of a name …' });
    this.filter.setAttribute('aria-label', 'Part of the names of the specs to run');
    this.run = el('button', { type: 'submit', id: 'run-specs', class: 'small primary' }, 'Run specs');
    this.sum = el('p', { id: 'spec-sum', class: 'quiet', role: 'status' });
    this.list = el('div', { id: 'spec-results' });
    const form = el('form', { class: 'spec-form' }, this.filter, this.run);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const filter = this.filter.value.trim();
      this.orders.send('runSpecs', filter ? { filter } : {});
    });
    byId('panel-specs').replaceChildren(form, this.sum, this.list);
  }

  show() {
    const { running, results, problems } = this.model.specs;
    this.hasRun ||= running;
    this.run.disabled = running;
    const isEmpty = this.hasRun && !running && results.length === 0 && problems.length === 0;
    setText(this.sum, isEmpty ? 'There is no such spec in the project.' : sumOf(results, running));
    const numbered = results.map((result, index) => ({ result, index }));
    numbered.sort((a, b) => ORDER.indexOf(a.result.outcome) - ORDER.indexOf(b.result.outcome) || a.index - b.index);
    this.list.replaceChildren(
      ...problems.map((problem) => problemOf(this.model, problem)),
      ...numbered.map(({ result, index }) => this.result(result, index)),
    );
  }

  result(result, index) {
    const isOpen = this.model.past.test === result.name;
    const open = el(
      'button',
      { type: 'button', class: 'small', data: { spec: index }, on: { click: () => this.open(index) } },
      isOpen ? 'at its failing moment' : 'open at its failing moment',
    );
    return el(
      'article',
      { class: `spec ${result.outcome}`, data: { outcome: result.outcome } },
      el(
        'header',
        {},
        el('strong', {}, result.name),
        el('span', { class: 'quiet' }, `${result.outcome}, ${result.ms} ms`),
      ),
      ...(result.failures ?? []).flatMap((failure) => [
        el('p', {}, ...placeOf(this.model, failure)),
        failure.expected ? el('p', { class: 'message' }, `expected ${failure.expected}`) : null,
        el('p', { class: 'message' }, failure.expected ? `seen: ${failure.seen}` : failure.seen),
      ]),
      result.why ? el('p', { class: 'quiet' }, result.why) : null,
      result.canOpen ? open : null,
    );
  }

  open(index) {
    this.orders.send('openSpec', { index });
  }
}

function sumOf(results, running) {
  const count = (outcome) => results.filter((result) => result.outcome === outcome).length;
  const parts = ORDER.map((outcome) => [count(outcome), outcome]).filter(([number]) => number > 0);
  const told = parts.map(([number, outcome]) => `${number} ${outcome}`).join(', ');
  if (running) return `running …${told ? ` ${told}` : ''}`;
  return told || 'The specs of the project test its rooms. Run them here; a failing one can be looked at.';
}
