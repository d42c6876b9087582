// @ts-check
/** The players above and below the board, and their clocks. The server counts what is left after each move; here the time of the present move runs. */

import { make } from "./elements.js";
import { get } from "./store.js";
import { labelled, t } from "./texts.js";

const KEPT = "kroon.clock";
/** Milliseconds between two looks at the clock. */
const TICK = 100;
/** Seconds below which a clock is marked, and its tenths are shown. */
const LOW = 20;
/** The server knows no longer time for a move, in seconds. */
const MOST = 86_400;
/** The least time control that it takes, in seconds. */
const LEAST = 0.001;
const TENTHS = 10;

/** Hours, minutes, seconds, and tenths at the end. @param {number} left seconds */
export function timeText(left) {
  const shown = Math.max(0, left);
  if (shown < TENTHS) return `0:0${(Math.floor(shown * 10) / 10).toFixed(1)}`;
  const whole = Math.ceil(shown);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** @typedef {{minutes: number, increment: number, moves: number, kind: "none" | "game" | "moves"}} ClockSetup */

/** The time control as the server reads it; null without a clock. @param {ClockSetup} setup */
export function controlText({ kind, minutes, increment, moves }) {
  if (kind === "none") return null;
  const time = `${Number((minutes * 60).toFixed(3))}+${increment}`;
  return kind === "moves" ? `${moves}/${time}` : time;
}

/** Whether a clock would leave no time for a move. @param {ClockSetup} setup */
export const hasNoTime = ({ kind, minutes, increment }) => kind !== "none" && Number((minutes * 60).toFixed(3)) + increment < LEAST;

/** The place in a game for which time is used. */
const here = () => JSON.stringify([get().variant, get().start, get().tree.current, get().tree.nodes.length]);

/** The seconds that were used for the present move when they were written down last; another tab may have written those of its game. */
function keptSeconds() {
  try {
    const [seconds, where] = JSON.parse(sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT) ?? "[]");
    return where === here() ? Number(seconds) || 0 : 0;
  } catch {
    return 0;
  }
}

/** Whether a clock can be given to the game on the board: nobody has moved in it. @param {import("./store.js").State} state */
export const canTakeClock = ({ tree, exercise, ended }) => tree.nodes.length === 1 && !exercise && !ended;

export class Clock {
  /**
   * @param {HTMLElement} top
   * @param {HTMLElement} bottom
   * @param {() => void} flag called when the time of the side to move is up
   * @param {(text: string) => void} say
   */
  constructor(top, bottom, flag, say) {
    this.flag = flag;
    this.say = say;
    /** Seconds used for this move before the clock last began to run. */
    this.before = keptSeconds();
    /** The seconds that were written down last. */
    this.kept = 0;
    /** When it last began to run. @type {number | null} */
    this.since = null;
    /** A move is on its way: nobody's time runs until the next position is there. */
    this.held = false;
    /** The seconds of a move that is shown and not made yet. */
    this.taken = 0;
    this.asked = false;
    this.warned = false;
    this.state = /** @type {any} */ (null);
    this.rows = [top, bottom].map((place) => {
      const row = { place, name: make("span", { className: "who" }), moves: make("span", { className: "quiet" }), time: make("span", { className: "time", role: "timer" }) };
      place.append(row.name, row.moves, row.time);
      return row;
    });
    setInterval(() => this.tick(), TICK);
    addEventListener("pagehide", () => this.keep());
  }

  /** Seconds for which the side to move has been thinking, a day at most. */
  running() {
    const since = this.since === null ? 0 : (performance.now() - this.since) / 1000;
    return Math.min(this.before + since, MOST);
  }

  /** Seconds that the side to move has left. */
  left() {
    const { clocks, turn } = this.state.view;
    return clocks[turn].left - this.running();
  }

  /** Whether the side to move has no time left. */
  isUp() {
    return Boolean(this.state?.view?.clocks) && this.left() <= 0;
  }

  /** A move is made: the seconds that it took. */
  take() {
    this.taken = this.running();
    this.held = true;
    this.set(0, null);
    return this.taken;
  }

  /** The move is made. */
  moved() {
    this.taken = 0;
  }

  /** Seconds of the side to move, also of a move that is shown and not made yet. */
  spent() {
    return this.held ? this.taken : this.running();
  }

  /** A position is there: its time begins, or goes on. @param {number} [used] seconds that went by before */
  begin(used = 0) {
    this.held = false;
    this.asked = false;
    this.warned = false;
    this.set(used, null);
  }

  /** @param {number} before @param {number | null} since */
  set(before, since) {
    this.before = before;
    this.since = since;
    this.keep();
  }

  /** Writes the time down for a reload, as the store does with the game. */
  keep() {
    this.kept = this.running();
    const kept = JSON.stringify([this.kept.toFixed(2), here()]);
    for (const storage of [sessionStorage, localStorage]) storage.setItem(KEPT, kept);
  }

  /** Shows a state; lets the time run if this says so. @param {any} state @param {boolean} runs @param {(color: string) => string} name */
  show(state, runs, name) {
    this.state = state;
    const timed = Boolean(state.view?.clocks);
    if (runs && timed && !this.held) this.since ??= performance.now();
    else if (this.since !== null) this.set(this.running(), null);
    this.rows.forEach((row, index) => {
      row.time.hidden = row.moves.hidden = !timed;
      row.name.textContent = name(this.color(index));
      row.place.dataset.color = this.color(index);
      row.place.classList.toggle("turn", this.color(index) === state.view?.turn);
    });
    this.draw();
  }

  /** Who is at the top (0) and at the bottom (1). @param {number} index */
  color(index) {
    return (index === 0) === this.state.flipped ? "white" : "black";
  }

  /** What a colour has left: nothing where its flag has fallen, even if the server does not know how long it thought. @param {string} color */
  leftOf(color) {
    const { view: { clocks, turn }, ended, tree } = this.state;
    if (color !== turn) return clocks[color].left;
    const isEnd = !tree.nodes[tree.current].children.length;
    return ended?.reason === "time" && isEnd ? 0 : this.left();
  }

  draw() {
    if (!this.state?.view?.clocks) return;
    const { clocks, turn } = this.state.view;
    this.rows.forEach((row, index) => {
      const color = this.color(index);
      const left = this.leftOf(color);
      row.time.textContent = timeText(left);
      row.time.setAttribute("aria-label", labelled(t(color), timeText(left)));
      row.moves.textContent = clocks[color].moves === null ? "" : labelled(t("unit_moves"), clocks[color].moves);
      row.place.classList.toggle("low", left < LOW);
      row.place.classList.toggle("running", color === turn && this.since !== null);
      if (color === turn && this.since !== null && left < LOW && !this.warned) {
        this.warned = true;
        this.say(labelled(t(color), t("low_time")));
      }
    });
  }

  tick() {
    if (this.since === null) return;
    this.draw();
    if (this.running() - this.kept > 1) this.keep();
    if (this.isUp() && !this.asked) {
      this.asked = true;
      this.flag();
    }
  }
}
