// @ts-check
/** Talks with the server: questions about the rules, and one stream of events of an engine. */

const TOKEN = "kroon.token";

/** The token from the address, or the one kept from the last visit. */
function token() {
  const found = new URLSearchParams(location.hash.slice(1)).get("token");
  if (found) {
    localStorage.setItem(TOKEN, found);
    history.replaceState(null, "", location.pathname);
  }
  return found ?? localStorage.getItem(TOKEN) ?? "";
}

const headers = { "x-kroon-token": token() };

/**
 * A question; the answer, or an error with the server's own words.
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function ask(path, body) {
  const request = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
  const response = await fetch(path, request);
  if (response.status === 204) return null;
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** What the program can do. */
export const about = () => ask("/api/about");

/**
 * A position with its legal moves.
 * @param {{variant: string, start: string | null, moves: string[], clock?: object}} line
 */
export const position = (line) => ask("/api/position", line);

/**
 * An opening drawn by lot.
 * @param {string} variant
 * @param {number} plies
 */
export const ballot = (variant, plies) => ask("/api/ballot", { variant, plies });

/** @typedef {{kind: string, request: number, line?: any, error?: string, accepted?: boolean}} EngineEvent */

/** The engine of this page: searches one thing at a time, connects anew when the server was away. */
export class Engine {
  /**
   * @param {(event: EngineEvent) => void} heard
   * @param {(connected: boolean, error?: string) => void} changed
   */
  constructor(heard, changed) {
    this.heard = heard;
    this.changed = changed;
    /** @type {string | null} */
    this.session = null;
    this.request = 0;
    /** @type {object | null} */
    this.wanted = null;
    this.connect();
  }

  connect() {
    const source = new EventSource(`/api/engine?token=${encodeURIComponent(headers["x-kroon-token"])}`);
    source.addEventListener("session", (event) => {
      this.session = event.data;
      this.changed(true);
      if (this.wanted) this.send(this.wanted);
    });
    for (const kind of ["info", "done", "fault", "draw"]) {
      source.addEventListener(kind, (event) => {
        const data = JSON.parse(/** @type {MessageEvent} */ (event).data);
        if (data.request !== this.request) return;
        if (kind !== "info") this.wanted = null;
        this.heard({ kind, ...data });
      });
    }
    source.onerror = () => {
      source.close();
      this.session = null;
      this.changed(false);
      setTimeout(() => this.connect(), 1000);
    };
  }

  /**
   * Searches; what was searched before is forgotten.
   * @param {object} order
   */
  go(order) {
    this.request += 1;
    this.wanted = { ...order, request: this.request };
    if (this.session) this.send(this.wanted);
    return this.request;
  }

  /** @param {object} order */
  send(order) {
    ask(`/api/engine/${this.session}/go`, order).catch((error) => {
      this.heard({ kind: "fault", request: this.request, error: error.message });
    });
  }

  /** The expected move was made: a search that ponders goes on as one for a move. */
  hit() {
    if (this.wanted) this.wanted = { ...this.wanted, want: "move" };
    if (this.session) ask(`/api/engine/${this.session}/hit`, {}).catch(() => {});
  }

  stop() {
    if (!this.wanted) return;
    this.request += 1;
    this.wanted = null;
    if (this.session) ask(`/api/engine/${this.session}/stop`, {}).catch(() => {});
  }
}
