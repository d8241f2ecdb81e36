// The tool that puts a new character into the room.

import { byId, el, iconButton } from './dom.js';
import { palette } from './theme.js';
import { placed } from './shapes.js';
import { readKept, keep } from './kept.js';

export class SpawnTool {
  constructor(model, stage, orders) {
    Object.assign(this, { model, stage, orders });
    this.at = null;
    stage.overlays.push((ctx, camera) => this.draw(ctx, camera));
  }

  cursor() {
    return 'copy';
  }

  enter() {
    this.card(el('p', {}, 'Click the place of the new character.'));
  }

  leave() {
    this.at = null;
    byId('tool-card').replaceChildren();
    this.stage.redraw();
  }

  escape() {
    const had = this.at !== null;
    this.at = null;
    if (had) this.enter();
    this.stage.redraw();
    return had;
  }

  click({ x, z }) {
    this.at = { x, z, storey: this.model.storey, place: placed(this.model, 'at', x, z) };
    this.askName();
    this.stage.redraw();
  }

  askName() {
    const name = el('input', { id: 'spawn-name', value: '', required: true, maxlength: '60', autocomplete: 'off' });
    name.value = this.freeName();
    const script = el('input', { id: 'spawn-script', placeholder: 'none', list: 'spawn-scripts', autocomplete: 'off' });
    script.value = readKept('spawnScript', '');
    const scripts = new Set([...this.model.people.values()].map((person) => person.script).filter(Boolean));
    const form = el(
      'form',
      { class: 'fields', on: { submit: (event) => this.submit(event, name, script) } },
      el('label', { for: 'spawn-name' }, 'Name'),
      name,
      el('label', { for: 'spawn-script' }, 'Script'),
      script,
      el('datalist', { id: 'spawn-scripts' }, ...[...scripts].map((file) => el('option', { value: file }))),
      el('button', { class: 'primary', id: 'spawn-submit' }, 'Bring it in'),
      el('p', { class: 'quiet whole' }, 'It is in this run only; the room’s file stays as it is.'),
    );
    this.card(form);
    name.select();
    name.focus();
  }

  freeName() {
    const names = new Set([...this.model.people.values()].map((person) => person.name));
    let number = 1;
    while (names.has(`guest_${number}`)) number += 1;
    return `guest_${number}`;
  }

  async submit(event, name, script) {
    event.preventDefault();
    const order = { name: name.value.trim(), ...this.at.place };
    if (script.value.trim()) order.script = script.value.trim();
    keep('spawnScript', script.value.trim());
    const answer = await this.orders.send('spawn', order);
    if (answer) this.escape();
  }

  card(content) {
    const close = iconButton('close', 'Put the tool away', { on: { click: () => this.model.setTool('select') } });
    byId('tool-card').replaceChildren(
      el(
        'div',
        { class: 'card', data: { test: 'spawn-card' } },
        el('header', {}, el('h2', {}, 'New character'), close),
        content,
      ),
    );
  }

  draw(ctx, camera) {
    if (!this.at || this.at.storey !== this.model.storey) return;
    const [x, y] = camera.toScreen(this.at.x, this.at.z);
    const radius = Math.max(0.25 * camera.scale, 6);
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 2 * Math.PI);
    ctx.strokeStyle = palette().accent;
    ctx.lineWidth = 2;
    ctx.setLineDash([4, 3]);
    ctx.stroke();
    ctx.setLineDash([]);
  }
}
