// The connection to the room: messages in, orders out, and a new connection when one is lost.

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8000;
const NO_ANSWER_MS = 20000;
/** The room closes with one of these when it ends. */
const ENDED = new Set([1000, 1001]);

export class Connection {
  /** `onStatus(status, retryInMs)`: `connecting`, `live`, `lost`, `ended` or `refused`. */
  constructor({ onMessage, onBinary, onStatus }) {
    this.onMessage = onMessage;
    this.onBinary = onBinary;
    this.onStatus = onStatus;
    this.socket = null;
    this.waiting = new Map();
    this.lastId = 0;
    this.failures = 0;
    this.timer = 0;
    this.wasOpened = false;
  }

  open() {
    clearTimeout(this.timer);
    this.onStatus('connecting', 0);
    const token = encodeURIComponent(location.hash.slice(1));
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/live?token=${token}`);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => this.opened();
    socket.onmessage = ({ data }) => this.received(data);
    socket.onclose = ({ code }) => this.closed(socket, code);
    this.socket = socket;
    this.wasOpened = false;
  }

  /** Closes the connection and opens it again, as after a change of the token. */
  reopen() {
    this.failures = 0;
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.loseOrders();
    this.open();
  }

  /** Sends an order. The promise holds the answer, or fails with the room's words. */
  order(name, fields = {}) {
    if (this.socket?.readyState !== WebSocket.OPEN) {
      return Promise.reject(new Error('not connected to the room'));
    }
    const id = ++this.lastId;
    this.socket.send(JSON.stringify({ id, do: name, ...fields }));
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { name, resolve, reject, late: this.whenLate(id, name) });
    });
  }

  whenLate(id, name) {
    return setTimeout(() => this.settle(id, { error: `no answer to ${name}` }), NO_ANSWER_MS);
  }

  /** A script has stopped, or went on: what waits for the room may wait as long as that takes. */
  setPatient(isPatient) {
    for (const [id, order] of this.waiting) {
      clearTimeout(order.late);
      if (!isPatient) order.late = this.whenLate(id, order.name);
    }
  }

  opened() {
    this.failures = 0;
    this.wasOpened = true;
    this.onStatus('live', 0);
  }

  received(data) {
    if (typeof data !== 'string') {
      this.onBinary(data);
      return;
    }
    const message = JSON.parse(data);
    if (message.kind !== undefined) this.onMessage(message);
    else if (message.id !== undefined) this.settle(message.id, message);
  }

  settle(id, answer) {
    const order = this.waiting.get(id);
    if (!order) return;
    this.waiting.delete(id);
    clearTimeout(order.late);
    if (answer.error !== undefined) order.reject(new Error(answer.error));
    else order.resolve(answer);
  }

  loseOrders() {
    for (const id of [...this.waiting.keys()]) this.settle(id, { error: 'the connection was lost' });
  }

  closed(socket, code) {
    if (socket !== this.socket) return;
    this.loseOrders();
    if (ENDED.has(code)) this.onStatus('ended', 0);
    else if (this.wasOpened) this.retry();
    else this.askWhy(socket);
  }

  /** A browser does not tell a refused socket from a missing room. The page itself needs no token. */
  async askWhy(socket) {
    const isThere = await fetch('./', { cache: 'no-store' }).then(({ ok }) => ok, () => false);
    if (socket !== this.socket) return;
    if (isThere) this.onStatus('refused', 0);
    else this.retry();
  }

  retry() {
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.failures, LONGEST_WAIT_MS);
    this.failures += 1;
    this.onStatus('lost', wait);
    this.timer = setTimeout(() => this.open(), wait);
  }
}
