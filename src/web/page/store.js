// @ts-check
/** The state of the page, in one place: whoever changes it calls `update`, whoever shows it subscribes. */

import { newTree } from "./tree.js";

/**
 * @typedef {{
 *   about: any, variant: string, start: string | null, tree: import("./tree.js").Tree, view: any,
 *   seats: {white: string, black: string}, seconds: number, playing: boolean,
 *   ended: {winner: string | null, reason: string} | null, offer: string | null,
 *   clock: string | null, clockSetup: import("./clock.js").ClockSetup, colors: string, opening: string, ponder: boolean,
 *   thinking: boolean, analysis: boolean, lines: number, search: string, threads: number, hash: number, infos: any[],
 *   flipped: boolean, names: boolean, connected: boolean, error: string, notice: string, editing: boolean
 * }} State
 */

const KEPT = "kroon.game";
/** What a reload must not lose. */
const KEPT_KEYS = ["variant", "start", "tree", "seats", "seconds", "playing", "ended", "offer", "clock", "clockSetup",
  "colors", "opening", "ponder", "lines", "search", "threads", "hash", "flipped", "names"];

/** @type {State} */
const state = {
  about: null, variant: "international", start: null, tree: newTree(), view: null,
  seats: { white: "person", black: "level:5" }, seconds: 1, playing: true, ended: null, offer: null,
  clock: null, clockSetup: { kind: "none", minutes: 5, increment: 3, moves: 40 }, colors: "kept", opening: "start",
  ponder: false, thinking: false, analysis: false, lines: 2, search: "alphabeta", threads: 0, hash: 0, infos: [],
  flipped: false, names: true, connected: false, error: "", notice: "", editing: false,
};
try {
  Object.assign(state, JSON.parse(localStorage.getItem(KEPT) ?? "{}"));
} catch {
  localStorage.removeItem(KEPT);
}

/** @type {((state: State) => void)[]} */
const listeners = [];
let waiting = false;

/** The state; nobody changes it but by `update`. */
export const get = () => state;

/** @param {(state: State) => void} listener */
export function subscribe(listener) {
  listeners.push(listener);
}

/**
 * Changes the state and shows it, once for all changes of a moment.
 * @param {Partial<State>} changes
 */
export function update(changes) {
  Object.assign(state, changes);
  const kept = Object.fromEntries(KEPT_KEYS.map((key) => [key, /** @type {any} */ (state)[key]]));
  localStorage.setItem(KEPT, JSON.stringify(kept));
  if (waiting) return;
  waiting = true;
  queueMicrotask(() => {
    waiting = false;
    listeners.forEach((listener) => listener(state));
  });
}
