// @ts-check
/** Talks with the server: questions about the rules, and one stream of events of an engine. */

/** @typedef {"white" | "black"} Color */
/** @typedef {{name: string, row: number, column: number}} Square */
/** @typedef {{name: string, side: number, first: Color, squares: Square[]}} Variant */
/**
 * What the server can do.
 * @typedef {{
 *   program: string, version: string, variants: Variant[], players: string[], engines: string[], file: string | null,
 *   threads: number, hash: number, mcts_hash: number, boards: number
 * }} About
 */
/** @typedef {{square: string, color: Color, king: boolean}} Piece */
/** @typedef {{text: string, path: string[], captured: string[], color: Color, promotes: boolean}} Move */
/** @typedef {{left: number, moves: number | null}} ClockView */
/** @typedef {{value: "win" | "draw" | "loss" | null, distance: number | null}} Verdict */
/** @typedef {Verdict & {too_long: boolean, moves: (Verdict & {pdn: string})[]}} Endgame */
/**
 * A position with its legal moves.
 * @typedef {{
 *   variant: string, fen: string, start: string, turn: Color, pieces: Piece[], moves: Move[], played: Move[],
 *   outcome: {text: string, winner: Color | null, reason: string} | null,
 *   clocks: {white: ClockView, black: ClockView, fallen: Color | null} | null, endgame: Endgame | null
 * }} View
 */

const TOKEN = "kroon.token";

const printed = new URLSearchParams(location.hash.slice(1));
/** Whether the printed address says that the server has a file to begin with. */
export const beginsWithFile = printed.has("file");

/** The token from the address, or the one kept from the last visit. */
function token() {
  const found = printed.get("token");
  if (found) {
    localStorage.setItem(TOKEN, found);
    history.replaceState(null, "", location.pathname);
  }
  return found ?? localStorage.getItem(TOKEN) ?? "";
}

const headers = { "x-kroon-token": token() };

/**
 * A question; the answer, or an error with the server's own words. A body that is text or bytes is sent as it is.
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function ask(path, body) {
  const isRaw = typeof body === "string" || body instanceof ArrayBuffer;
  const request = body === undefined ? { headers } : { method: "POST", headers, body: isRaw ? body : JSON.stringify(body) };
  const response = await fetch(path, request);
  if (response.status === 204) return null;
  if (response.headers.get("content-type") === "application/octet-stream") return response.arrayBuffer();
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

/** What the program can do. @returns {Promise<About>} */
export const about = () => ask("/api/about");

/**
 * A position with its legal moves.
 * @param {{variant: string, start: string | null, moves: string[], clock?: object}} line
 * @returns {Promise<View>}
 */
export const position = (line) => ask("/api/position", line);

/**
 * An opening drawn by lot.
 * @param {string} variant
 * @param {number} plies
 */
export const ballot = (variant, plies) => ask("/api/ballot", { variant, plies });

/** The PDN file with which the server was started. @returns {Promise<ArrayBuffer>} */
export const pdnFile = () => ask("/api/pdn/file");

/** The games of a PDN file. @param {ArrayBuffer | string} file */
export const pdnGames = (file) => ask("/api/pdn/games", file);

/** The first game of a text in PDN as a tree. @param {string} text */
export const pdnGame = (text) => ask("/api/pdn/game", text);

/** A game with its tree as PDN. @param {object} game @returns {Promise<{pdn: string}>} */
export const pdnText = (game) => ask("/api/pdn/write", game);

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
