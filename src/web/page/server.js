// @ts-check
/** Talks with the server: questions about the rules, and one stream of events of an engine. */

import { t } from "./texts.js";

/** @typedef {"white" | "black"} Color */
/** @typedef {{name: string, row: number, column: number}} Square */
/** @typedef {{name: string, side: number, first: Color, squares: Square[]}} Variant */
/**
 * What the server can do.
 * @typedef {{
 *   program: string, version: string, variants: Variant[], players: string[], engines: string[], levels: number, searches: string[],
 *   marks: Record<string, string>, file: string | null, threads: number, hash: number, mcts_hash: number, boards: number
 * }} About
 */
/** @typedef {{square: string, color: Color, king: boolean}} Piece */
/** @typedef {{text: string, path: string[], captured: string[], color: Color, promotes: boolean}} Move */
/** @typedef {{left: number, moves: number | null}} ClockView */
/** @typedef {{value: "win" | "draw" | "loss" | null, distance: number | null}} Verdict */
/**
 * A move of the opening book, seen by the side that plays it.
 * @typedef {{
 *   pdn: string, score: number | null, plies_to_end: number | null, depth: number, games: number, wins: number, draws: number, losses: number
 * }} BookMove
 */
/** @typedef {Verdict & {too_long: boolean, moves: (Verdict & {pdn: string})[]}} Endgame */
/**
 * A position with its legal moves.
 * @typedef {{
 *   variant: string, fen: string, start: string, turn: Color, pieces: Piece[], moves: Move[], played: Move[],
 *   outcome: {text: string, winner: Color | null, reason: string} | null,
 *   clocks: {white: ClockView, black: ClockView, fallen: Color | null} | null, endgame: Endgame | null,
 *   book: {moves: BookMove[]} | null
 * }} View
 */

const TOKEN = "kroon.token";

const printed = new URLSearchParams(location.hash.slice(1));
/** Whether the printed address says that the server has a file to begin with. */
export const beginsWithFile = printed.has("file");

/** The part of the printed address that names a variant, perhaps with a position, to begin with. */
const beginning = ["variant", "fen"].filter((name) => printed.has(name))
  .map((name, index) => `${index ? "&" : "#"}${name}=${encodeURIComponent(printed.get(name) ?? "")}`).join("");

/** The token from the address, or the one kept from the last visit. */
function token() {
  const found = printed.get("token");
  if (found) history.replaceState(null, "", location.pathname + beginning);
  return found ?? localStorage.getItem(TOKEN) ?? "";
}

const headers = { "x-kroon-token": token() };

/** The statuses with which the server refuses what it will refuse again; with others it cannot answer now. */
const FOR_GOOD = [400, 422];

/** The server has answered that something cannot be, in these words. */
export class Refused extends Error {
  /** @param {string} words @param {number} status */
  constructor(words, status) {
    super(words);
    this.isForGood = FOR_GOOD.includes(status);
  }
}

/** Why the server takes no engine for this page, in its own words; nothing where it does, or does not answer. @returns {Promise<string>} */
async function refusal() {
  const asked = new AbortController();
  try {
    const response = await fetch(engineAddress(), { signal: asked.signal });
    return response.ok ? "" : (await response.json()).error;
  } catch {
    return "";
  } finally {
    asked.abort();
  }
}

/** Where an engine is. The token is in the address: an event source sends no headers. */
const engineAddress = () => `/api/engine?token=${encodeURIComponent(headers["x-kroon-token"])}`;

/**
 * A question; the answer, or an error with the server's own words. A body that is text or bytes is sent as it is.
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
async function ask(path, body) {
  const isRaw = typeof body === "string" || body instanceof ArrayBuffer;
  const request = body === undefined ? { headers } : { method: "POST", headers, body: isRaw ? body : JSON.stringify(body) };
  // The browser's words for a server that is away are in another language.
  const response = await fetch(path, request).catch(() => { throw new Error(t("away")); });
  if (response.status === 204) return null;
  if (response.headers.get("content-type") === "application/octet-stream") return response.arrayBuffer();
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.error, response.status);
  return answer;
}

/** What the program can do. A token is kept only now that the server has taken it: a link of somebody else may have had another one. @returns {Promise<About>} */
export async function about() {
  const answer = await ask("/api/about");
  localStorage.setItem(TOKEN, headers["x-kroon-token"]);
  return answer;
}

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

/**
 * A game with the notes of an analysis in it, in place of those that it has; with null without any.
 * @param {object} game
 * @param {object[] | null} notes
 * @returns {Promise<{nodes: import("./tree.js").Node[], tags: [string, string][], end: string | null}>}
 */
export const annotated = (game, notes) => ask("/api/pdn/annotate", { game, notes });

/** The exercises of a variant that come with the program. @param {string} variant */
export const builtinPuzzles = (variant) => ask(`/api/puzzles/${encodeURIComponent(variant)}`);

/** The exercises of a file. @param {ArrayBuffer} file */
export const readPuzzles = (file) => ask("/api/puzzles", file);

/**
 * What a move that is not the solution's comes to; it is the last one of the line.
 * @param {{variant: string, start: string, moves: string[], goal: string}} line
 * @returns {Promise<{keeps: boolean, expected: number, reply: string | null}>}
 */
export const tryMove = (line) => ask("/api/puzzles/try", line);

/** Streams of all tabs of a browser: it opens six connections to a server, and questions need one of them. */
const MOST_STREAMS = 5;
/** Milliseconds in which the other tabs have answered, and between two tries to get a stream. */
const ANSWERS = 300;
const AGAIN = 1000;
/** Milliseconds after which a hidden tab without work gives its stream back. */
const REST = 5000;

/** The place of this tab among those of its browser that have a stream. The first ones keep theirs. */
class Streams {
  /**
   * @param {() => void} full called when all streams belong to other tabs
   * @param {() => void} asked called when another tab wants a stream
   */
  constructor(full, asked) {
    this.full = full;
    this.asked = asked;
    this.id = Math.random().toString(36);
    /** Since when it has a stream, or asks for one. @type {number | null} */
    this.since = null;
    /** Tabs that were before it. @type {Set<string>} */
    this.before = new Set();
    this.channel = new BroadcastChannel("kroon.streams");
    this.channel.onmessage = ({ data }) => this.heard(data);
  }

  ask() {
    this.before.clear();
    this.since = Date.now();
    this.channel.postMessage({ from: this.id, since: this.since });
  }

  free() {
    this.since = null;
  }

  /** @param {{from: string, since?: number, to?: string}} message a question, or the answer of a tab that was before */
  heard({ from, since, to }) {
    if (since !== undefined) {
      this.asked();
      const isBefore = this.since !== null && (this.since < since || (this.since === since && this.id < from));
      if (isBefore) this.channel.postMessage({ from: this.id, to: from });
    } else if (to === this.id && this.since !== null) {
      this.before.add(from);
      if (this.before.size >= MOST_STREAMS) this.full();
    }
  }
}

/** @typedef {{kind: string, request: number, line?: any, error?: string, accepted?: boolean}} EngineEvent */

/**
 * The engine of this page: searches one thing at a time, connects anew when the server was away. In a hidden tab without
 * work it gives its stream back until there is work, or somebody looks.
 */
export class Engine {
  /**
   * @param {(event: EngineEvent) => void} heard
   * @param {(event: any) => void} heardOfGame what the work on a whole game tells
   * @param {(connected: boolean, refusal: string) => void} changed `refusal` is why a server that answers is not connected
   */
  constructor(heard, heardOfGame, changed) {
    this.heard = heard;
    this.heardOfGame = heardOfGame;
    this.changed = changed;
    /** @type {string | null} */
    this.session = null;
    /** Why the server takes no engine of ours, if it said so. */
    this.refusal = "";
    /** Orders so far: none has the number of another. */
    this.orders = 0;
    this.request = 0;
    /** @type {{request: number, want?: string} | null} */
    this.wanted = null;
    /** The work on a game that goes on. @type {{request: number} | null} */
    this.game = null;
    /** @type {EventSource | null} */
    this.source = null;
    /** The last order on its way. @type {Promise<unknown>} */
    this.sent = Promise.resolve();
    this.isAsleep = false;
    /** The next try to connect, and the next look whether there is work. @type {number | undefined} */
    this.trying = undefined;
    /** @type {number | undefined} */
    this.resting = undefined;
    this.streams = new Streams(() => this.crowdedOut(), () => this.rest());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.calm() : this.wake()));
    this.connect();
  }

  /** Tries to connect in a while, unless something else comes first. @param {number} after @param {() => void} [how] */
  later(after, how = () => this.connect()) {
    clearTimeout(this.trying);
    this.trying = setTimeout(how, after);
  }

  /** Other tabs have all streams: this one waits for one of them. */
  crowdedOut() {
    this.close();
    this.refusal = t("many_tabs");
    this.changed(false, this.refusal);
    this.later(AGAIN, () => {
      if (this.rest()) return;
      this.streams.ask();
      this.later(ANSWERS);
    });
  }

  close() {
    clearTimeout(this.trying);
    this.source?.close();
    this.source = null;
    this.session = null;
    this.streams.free();
  }

  /** Gives the stream back where nobody looks and nothing is at work; says whether it is so. */
  rest() {
    if (document.hidden && !this.wanted && !this.game) {
      this.close();
      this.isAsleep = true;
    }
    return this.isAsleep;
  }

  /** Rests after a while, unless there is work again. */
  calm() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.rest(), REST);
  }

  wake() {
    if (this.isAsleep) this.connect();
  }

  connect() {
    this.close();
    // What a server that has gone does not answer is not waited for.
    this.sent = Promise.resolve();
    this.isAsleep = false;
    this.streams.ask();
    const source = new EventSource(engineAddress());
    this.source = source;
    source.addEventListener("session", (event) => {
      this.session = event.data;
      this.refusal = "";
      this.changed(true, "");
      if (this.wanted) this.send(this.wanted);
      if (this.game) this.sendGame(this.game);
      this.calm();
    });
    for (const kind of ["info", "done", "fault", "warning", "draw", "step", "progress", "analysis", "puzzles"]) {
      source.addEventListener(kind, (event) => {
        const data = JSON.parse(/** @type {MessageEvent} */ (event).data);
        if (data.request === this.game?.request) {
          if (kind !== "step" && kind !== "progress") this.game = null;
          this.heardOfGame({ kind, ...data });
        }
        if (data.request !== this.request) return;
        if (kind !== "info" && kind !== "warning") this.wanted = null;
        this.heard({ kind, ...data });
      });
      if (kind !== "info") source.addEventListener(kind, () => this.calm());
    }
    source.onerror = async () => {
      this.close();
      this.changed(false, this.refusal);
      const reason = await refusal();
      // Another stream was opened meanwhile.
      if (this.source) return;
      this.refusal = reason;
      this.changed(false, this.refusal);
      this.later(AGAIN, () => this.rest() || this.connect());
    };
  }

  /** Whether a search for the reply to an expected move goes on. */
  isPondering() {
    return this.wanted?.want === "ponder";
  }

  /**
   * Searches; what was searched before is forgotten.
   * @param {object} order
   */
  go(order) {
    this.orders += 1;
    this.request = this.orders;
    this.wanted = { ...order, request: this.request };
    if (this.session) this.send(this.wanted);
    else this.wake();
    return this.request;
  }

  /**
   * Tells the engine something, when it has taken what it was told before: on connections of their own a later order can come
   * first. @param {string} what @param {object} body
   */
  tell(what, body) {
    const { session } = this;
    const told = this.sent.then(() => (session === this.session ? ask(`/api/engine/${session}/${what}`, body) : null));
    this.sent = told.catch(() => {});
    return told;
  }

  /** @param {{request: number}} order */
  send(order) {
    this.tell("go", order).catch((error) => {
      // An order that came meanwhile has taken its place.
      if (this.wanted?.request !== order.request) return;
      this.heard({ kind: "fault", request: order.request, error: error.message });
      if (!(error instanceof Refused && error.isForGood)) return;
      this.wanted = null;
      this.calm();
    });
  }

  /** The expected move was made: a search that ponders goes on as one for a move. */
  hit() {
    if (this.wanted) this.wanted = { ...this.wanted, want: "move" };
    if (this.session) this.tell("hit", {}).catch(() => {});
  }

  stop() {
    if (!this.wanted) return;
    this.request = 0;
    this.wanted = null;
    if (this.session) this.tell("stop", {}).catch(() => {});
    this.calm();
  }

  /** Works on a whole game, in the place of the work on another one. @param {object} order */
  workOn(order) {
    this.orders += 1;
    this.game = { ...order, request: this.orders };
    if (this.session) this.sendGame(this.game);
    else this.wake();
  }

  /** @param {{request: number}} order */
  sendGame(order) {
    this.tell("game", order).catch((error) => {
      if (this.game !== order) return;
      this.game = null;
      this.heardOfGame({ kind: "fault", request: order.request, error: error.message });
    });
  }

  /** Ends the work on a game. */
  leaveGame() {
    if (!this.game) return;
    this.game = null;
    if (this.session) this.tell("leave", {}).catch(() => {});
    this.calm();
  }
}
