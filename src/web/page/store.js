// @ts-check
/** The state of the page, in one place: whoever changes it calls `update`, whoever shows it subscribes. */

import { t } from "./texts.js";
import { newTree } from "./tree.js";

/** @typedef {import("./server.js").About} About */
/** @typedef {import("./server.js").View} View */

/**
 * @typedef {{
 *   about: About | null, variant: string, start: string | null, tree: import("./tree.js").Tree,
 *   view: View | null,
 *   seats: {white: string, black: string}, seconds: number, playing: boolean,
 *   ended: {winner: string | null, reason: string} | null, offer: string | null,
 *   clock: string | null, clockSetup: import("./clock.js").ClockSetup, colors: string, opening: string, ponder: boolean,
 *   thinking: boolean, analysis: boolean, lines: number, search: string, threads: number, hash: number, infos: any[],
 *   flipped: boolean, names: boolean, theme: string, pieces: string, folded: string[], connected: boolean, refusal: string, address: string, error: string, notice: string,
 *   editing: boolean, tags: [string, string][], end: string | null, file: import("./files.js").PdnFile | null,
 *   report: import("./report.js").Report | null, effort: string,
 *   exercise: import("./exercises.js").Exercise | null, puzzles: import("./exercises.js").Puzzle[], grade: string,
 *   searching: {done: number, total: number} | null,
 *   fileKey: string | null, game: number | null, changed: boolean, shelf: {key: string, name: string}[]
 * }} State
 */

const KEPT = "kroon.game";
/** What a reload must not lose. */
const KEPT_KEYS = ["variant", "start", "tree", "seats", "seconds", "playing", "ended", "offer", "clock", "clockSetup",
  "colors", "opening", "ponder", "lines", "search", "threads", "hash", "flipped", "names",
  "theme", "pieces", "folded", "tags", "end", "fileKey", "game", "changed",
  "report", "effort", "exercise", "grade", "address"];
/** A game that is of no file, has no names, was not analysed, and in which no exercises are looked for. */
export const NEW_GAME = { tags: [], end: null, game: null, changed: false, report: null, searching: null };


/** @type {State} */
const state = {
  about: null, variant: "international", start: null, tree: newTree(), view: null,
  seats: { white: "person", black: "level:5" }, seconds: 1, playing: true, ended: null, offer: null,
  clock: null, clockSetup: { kind: "none", minutes: 5, increment: 3, moves: 40 }, colors: "kept", opening: "start",
  ponder: false, thinking: false, analysis: false, lines: 2, search: "alphabeta", threads: 0, hash: 0, infos: [],
  flipped: false, names: true, theme: "system", pieces: "medium", folded: [], connected: false, refusal: "", address: "", error: "", notice: "",
  editing: false, file: null, fileKey: null, shelf: [], effort: "usual",
  exercise: null, puzzles: [], grade: "all", ...NEW_GAME,
};
try {
  // Each tab has its own game; a new one begins with the last that was changed.
  Object.assign(state, JSON.parse(sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT) ?? "{}"));
} catch {
  localStorage.removeItem(KEPT);
}
// What was at work ended with the page.
if (state.report) state.report = { ...state.report, running: false };

function keep() {
  const kept = JSON.stringify(Object.fromEntries(KEPT_KEYS.map((key) => [key, /** @type {any} */ (state)[key]])));
  try {
    sessionStorage.setItem(KEPT, kept);
    localStorage.setItem(KEPT, kept);
  } catch {
    state.error = t("too_large");
  }
}
keep();

/** @type {((state: State) => void)[]} */
const listeners = [];
let waiting = false;

/** The state; nobody changes it but by `update`. */
export const get = () => state;

/** The state where a position is shown: after the first contact with the server. */
export const shown = () => /** @type {State & {about: About, view: View}} */ (state);

/** How often another game was wanted on the board, and how often one has come. */
let wishes = 0;
let arrivals = 0;

/**
 * Somebody wants another game on the board, which takes a while to come. The answer says whether nobody else has wanted one since.
 * @returns {() => boolean}
 */
export function claimBoard() {
  wishes += 1;
  const own = wishes;
  return () => own === wishes;
}

/** Another game is put on the board. */
export function takeBoard() {
  arrivals += 1;
}

/** The answer says whether the game is still on the board. @returns {() => boolean} */
export function watchBoard() {
  const then = arrivals;
  return () => then === arrivals;
}

/** What of the game would be lost with it, to be compared with what it is later. */
export const unsaved = () => [state.tree.nodes, state.tags, state.end, state.ended];

/** Whether the game has not changed since. @param {ReturnType<typeof unsaved>} before */
export const isSame = (before) => unsaved().every((part, index) => part === before[index]);

/** @param {(state: State) => void} listener */
export function subscribe(listener) {
  listeners.push(listener);
}

/**
 * Changes the state and shows it, once for all changes of a moment.
 * @param {Partial<State>} changes
 */
export function update(changes) {
  const before = /** @type {any} */ ({ ...state });
  Object.assign(state, changes);
  // Other moves, comments or signs; whoever shows another game says that it is not changed.
  if (state.tree.nodes !== before.tree.nodes && changes.changed === undefined) state.changed = true;
  // An exercise is no game that would have to be kept.
  if (state.exercise) state.changed = false;
  if (KEPT_KEYS.some((key) => before[key] !== /** @type {any} */ (state)[key])) keep();
  if (waiting) return;
  waiting = true;
  queueMicrotask(() => {
    waiting = false;
    for (const listener of listeners) listener(state);
  });
}
