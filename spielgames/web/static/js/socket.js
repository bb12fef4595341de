/** The connection to the server: it comes back by itself, ever more patiently. */
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;
const PING_EVERY = 25000;
const ANSWER_WITHIN = 10000;

export class Connection {
  /** @param {{message: (m: object) => void, state: (s: string, wait?: number) => void}} hear */
  constructor(hear) {
    this.hear = hear;
    this.wait = FIRST_WAIT;
    addEventListener("online", () => this.now());
    this.connect();
  }

  connect() {
    clearTimeout(this.timer);
    this.hear.state("connecting");
    const secure = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${secure}://${location.host}/ws`);
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => this.received(JSON.parse(event.data));
    socket.onclose = () => socket === this.socket && this.lost();
  }

  opened() {
    this.wait = FIRST_WAIT;
    this.hear.state("open");
    this.pinger = setInterval(() => this.ping(), PING_EVERY);
  }

  received(message) {
    clearTimeout(this.silence);
    if (message.is !== "pong") this.hear.message(message);
  }

  /** A connection may die without a word: who does not answer is gone. */
  ping() {
    this.send({ do: "ping" });
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.socket.close(), ANSWER_WITHIN);
  }

  lost() {
    clearInterval(this.pinger);
    clearTimeout(this.silence);
    const wait = this.wait * (0.8 + 0.4 * Math.random()); // not everybody at once
    this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    this.hear.state("waiting", wait);
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** Tries again at once, if it was waiting. */
  now() {
    if (this.socket.readyState >= WebSocket.CLOSING) this.connect();
  }

  /** @returns {boolean} whether the message could be sent */
  send(message) {
    if (this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
