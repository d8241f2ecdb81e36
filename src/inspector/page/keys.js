// Keys of the whole page. While a text field has the focus, they belong to it.

import { isTyping } from './dom.js';
import { wayOfKey } from './debugging.js';

const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  KeyA: [-1, 0],
  KeyD: [1, 0],
  KeyW: [0, -1],
  KeyS: [0, 1],
};

const TOOL_KEYS = { v: 'select', g: 'walk', p: 'probe', n: 'spawn', m: 'move' };

export class Keys {
  constructor(model, orders, actions) {
    Object.assign(this, { model, orders, actions });
    this.held = new Set();
    this.steering = '0,0';
    document.addEventListener('keydown', (event) => this.down(event));
    document.addEventListener('keyup', (event) => this.up(event));
    window.addEventListener('blur', () => this.letGo());
    document.addEventListener('visibilitychange', () => this.letGo());
    document.addEventListener('focusin', () => isTyping() && this.letGo());
    // A button that was clicked is not to take the keys of the room.
    document.addEventListener('click', ({ detail }) => {
      if (detail > 0) document.activeElement?.closest('button, summary, input[type=checkbox]')?.blur();
    });
    // What is held down when the room goes on counts again.
    model.on('waits', (why) => why === null && this.steer());
  }

  down(event) {
    if (this.model.stopped && wayOfKey(event)) {
      event.preventDefault();
      this.actions.goOn(wayOfKey(event));
      return;
    }
    if (isTyping() || event.isComposing || document.querySelector('dialog[open]')) return;
    if (event.ctrlKey || event.metaKey) this.withControl(event);
    else if (event.altKey) return;
    else if (DIRECTIONS[event.code]) this.hold(event);
    else this.command(event);
  }

  withControl(event) {
    const key = event.key.toLowerCase();
    const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
    if (key !== 'z' && key !== 'y') return;
    event.preventDefault();
    if (isRedo) this.actions.redo();
    else this.actions.undo();
  }

  command(event) {
    const { actions } = this;
    const tool = TOOL_KEYS[event.key.toLowerCase()];
    const action = {
      ' ': actions.togglePause,
      '.': actions.step,
      ',': actions.stepBack,
      Home: this.model.isPast() ? actions.toFirst : null,
      End: this.model.isPast() ? actions.toLast : null,
      '+': actions.faster,
      '=': actions.faster,
      '-': actions.slower,
      f: actions.fit,
      c: actions.follow,
      b: actions.fold,
      l: actions.views,
      '`': actions.console,
      '/': actions.console,
      '?': actions.help,
      Escape: actions.escape,
      PageUp: actions.storeyUp,
      PageDown: actions.storeyDown,
    }[event.key];
    // A focused button is pressed by space.
    const pressesButton = event.key === ' ' && document.activeElement?.closest('button, summary, a, input');
    if ((!action && !tool) || pressesButton) return;
    event.preventDefault();
    if (tool) this.model.setTool(tool);
    else action();
  }

  hold(event) {
    event.preventDefault();
    if (this.model.whyWaits()) return;
    this.held.add(event.code);
    this.steer();
  }

  up(event) {
    if (this.held.delete(event.code)) this.steer();
  }

  letGo() {
    if (this.held.size === 0) return;
    this.held.clear();
    this.steer();
  }

  /** Sends the direction of all keys that are held, whenever it changes. */
  steer() {
    let [x, z] = [0, 0];
    for (const code of this.held) {
      x += DIRECTIONS[code][0];
      z += DIRECTIONS[code][1];
    }
    const direction = [Math.sign(x), Math.sign(z)];
    if (String(direction) === this.steering || this.model.whyWaits()) return;
    this.steering = String(direction);
    this.orders.send('steer', { direction });
  }
}
