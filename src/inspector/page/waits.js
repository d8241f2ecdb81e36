// What cannot be used while the room waits, and why: controls that carry `data-now` act on the room as it is now.

/** Marks the controls in an element. `why` is null when all of them work. */
export function markWaiting(element, why) {
  for (const control of element.querySelectorAll('[data-now]')) {
    if (control.dataset.title === undefined) control.dataset.title = control.title;
    control.disabled = why !== null;
    control.title = why ?? control.dataset.title;
  }
}

export class Waits {
  constructor(model) {
    this.model = model;
    model.on('waits', (why) => this.show(why));
  }

  show(why) {
    const { model } = this;
    document.body.classList.toggle('stopped', model.stopped !== null);
    document.body.classList.toggle('past', model.isPast());
    markWaiting(document, why);
    // Only looking is possible.
    if (why !== null) model.setTool('select');
  }
}
