// @ts-check
/** The board: draws a position, and turns clicks, drags, touches and keys into moves of the list that the server sent. */

import { t } from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
/** Milliseconds for one step of a capture. */
const STEP = 160;

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {Element} [parent]
 */
function element(name, attributes, parent) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  parent?.append(made);
  return made;
}

/** Whether `part` can be found in `path` in this order, beginning with its first square. */
const follows = (/** @type {string[]} */ path, /** @type {string[]} */ part) => {
  if (path[0] !== part[0]) return false;
  let at = 0;
  return part.slice(1).every((name) => {
    at = path.indexOf(name, at + 1);
    return at > 0;
  });
};

export class Board {
  /**
   * @param {HTMLElement} place
   * @param {{play: (move: any) => void, edit: (square: string) => void, say: (text: string) => void}} actions
   */
  constructor(place, actions) {
    this.place = place;
    this.actions = actions;
    /** The squares clicked so far. @type {string[]} */
    this.chosen = [];
    /** @type {string | null} */
    this.cursor = null;
    /** Arrows drawn by the user, from and to. @type {[string, string][]} */
    this.own = [];
    /** @type {string | null} */
    this.ownFrom = null;
    this.layout = null;
    this.state = null;
    this.svg = element("svg", { viewBox: "0 0 10 10", tabindex: 0, role: "application" });
    place.append(this.svg);
    this.svg.addEventListener("pointerdown", (event) => this.down(/** @type {PointerEvent} */ (event)));
    this.svg.addEventListener("pointermove", (event) => this.dragged(/** @type {PointerEvent} */ (event)));
    this.svg.addEventListener("pointerup", (event) => this.up(/** @type {PointerEvent} */ (event)));
    this.svg.addEventListener("contextmenu", (event) => event.preventDefault());
    this.svg.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
    this.svg.addEventListener("blur", () => { this.cursor = null; this.draw(); });
  }

  /** Shows a state. @param {import("./store.js").State} state @param {[string, string][]} arrows */
  show(state, arrows) {
    const layout = state.about?.variants.find((/** @type {any} */ v) => v.name === state.variant);
    if (!layout || !state.view) return;
    if (layout !== this.layout || state.view !== this.state?.view) {
      this.chosen = [];
      this.own = [];
    }
    this.layout = layout;
    this.state = state;
    this.arrows = arrows;
    this.draw();
  }

  /** The moves that the squares clicked so far allow. */
  candidates(chosen = this.chosen) {
    const moves = this.state?.editing || !this.state?.mayMove ? [] : this.state.view.moves;
    return chosen.length ? moves.filter((/** @type {any} */ move) => follows(move.path, chosen)) : moves;
  }

  /** Where a square is drawn: its left upper corner. @param {string} name */
  at(name) {
    const square = this.layout.squares.find((/** @type {any} */ s) => s.name === name);
    if (!square) return null;
    const last = this.layout.side - 1;
    return this.state.flipped ? { x: last - square.column, y: last - square.row } : { x: square.column, y: square.row };
  }

  draw() {
    if (!this.layout) return;
    const { side, squares } = this.layout;
    const { view } = this.state;
    this.svg.setAttribute("viewBox", `0 0 ${side} ${side}`);
    this.svg.setAttribute("aria-label", t("board"));
    this.svg.replaceChildren();
    element("rect", { width: side, height: side, class: "light" }, this.svg);
    const last = view.played.at(-1);
    const marked = last ? [last.path[0], last.path.at(-1)] : [];
    for (const square of squares) {
      const { x, y } = this.at(square.name);
      element("rect", { x, y, width: 1, height: 1, class: marked.includes(square.name) ? "last" : "dark" }, this.svg);
      if (this.state.names) {
        element("text", { x: x + 0.05, y: y + 0.19, class: "label", "aria-hidden": "true" }, this.svg).textContent = square.name;
      }
    }
    for (const piece of view.pieces) this.piece(piece);
    this.hints();
    for (const [from, to] of this.arrows ?? []) this.arrow(from, to, "arrow");
    for (const [from, to] of this.own) this.arrow(from, to, "own");
    const cursor = this.cursor && this.at(this.cursor);
    if (cursor) element("rect", { x: cursor.x + 0.05, y: cursor.y + 0.05, width: 0.9, height: 0.9, class: "cursor" }, this.svg);
  }

  /** @param {{square: string, color: string, king: boolean}} piece */
  piece(piece) {
    const place = this.at(piece.square);
    if (!place) return null;
    const group = element("g", { class: `piece ${piece.color}`, "data-square": piece.square,
      transform: `translate(${place.x + 0.5} ${place.y + 0.5})` }, this.svg);
    element("circle", { r: 0.38, class: "body" }, group);
    element("circle", { r: 0.3, class: "ring" }, group);
    if (piece.king) element("path", { d: "m-.21 .17-.04-.31.12.12.13-.19.13.19.12-.12-.04.31z", class: "crown" }, group);
    return group;
  }

  /** What can be moved, what is chosen, where it can go, what it captures. */
  hints() {
    const moves = this.candidates();
    if (!this.chosen.length) {
      const captures = moves.filter((/** @type {any} */ move) => move.captured.length);
      for (const from of new Set(captures.map((/** @type {any} */ move) => move.path[0]))) this.ring(from, "source");
      return;
    }
    this.ring(this.chosen[0], "chosen");
    const step = this.chosen.length;
    for (const move of moves) {
      const next = move.path.slice(Math.min(step, move.path.length - 1));
      for (const name of next) {
        const { x, y } = this.at(name);
        element("circle", { cx: x + 0.5, cy: y + 0.5, r: name === move.path.at(-1) ? 0.16 : 0.09, class: "target" }, this.svg);
      }
      for (const name of move.captured) this.ring(name, "victim");
    }
  }

  /** @param {string} name @param {string} kind */
  ring(name, kind) {
    const place = this.at(name);
    if (place) element("circle", { cx: place.x + 0.5, cy: place.y + 0.5, r: 0.45, class: kind }, this.svg);
  }

  /** @param {string} from @param {string} to @param {string} kind */
  arrow(from, to, kind) {
    const [a, b] = [this.at(from), this.at(to)];
    if (!a || !b) return;
    const own = kind === "own";
    if (from === to) {
      element("circle", { cx: a.x + 0.5, cy: a.y + 0.5, r: 0.46, class: `arrow ${own ? "own" : ""}` }, this.svg);
      return;
    }
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const long = Math.hypot(dx, dy);
    const [ux, uy] = [dx / long, dy / long];
    const tip = { x: b.x + 0.5 - 0.1 * ux, y: b.y + 0.5 - 0.1 * uy };
    const base = { x: tip.x - 0.34 * ux, y: tip.y - 0.34 * uy };
    element("line", { x1: a.x + 0.5 + 0.3 * ux, y1: a.y + 0.5 + 0.3 * uy, x2: base.x, y2: base.y, class: `arrow ${own ? "own" : ""}` }, this.svg);
    const wing = 0.19;
    const points = [[tip.x, tip.y], [base.x - wing * uy, base.y + wing * ux], [base.x + wing * uy, base.y - wing * ux]];
    element("polygon", { points: points.map((p) => p.join(",")).join(" "), class: own ? "own-head" : "arrow-head" }, this.svg);
  }

  /** The square under a pointer. @param {MouseEvent} event */
  under(event) {
    if (!this.layout) return null;
    const box = this.svg.getBoundingClientRect();
    const { side, squares } = this.layout;
    let x = Math.floor((event.clientX - box.left) / box.width * side);
    let y = Math.floor((event.clientY - box.top) / box.height * side);
    if (this.state.flipped) [x, y] = [side - 1 - x, side - 1 - y];
    return squares.find((/** @type {any} */ s) => s.column === x && s.row === y)?.name ?? null;
  }

  /** @param {PointerEvent} event */
  down(event) {
    const name = this.under(event);
    if (event.button === 2) {
      this.ownFrom = name;
      return;
    }
    if (event.button !== 0) return;
    this.own = [];
    this.cursor = null;
    if (name) this.click(name);
    else this.choose([]);
    const group = this.chosen.length === 1 && this.svg.querySelector(`[data-square="${CSS.escape(this.chosen[0])}"]`);
    this.drag = group ? { group, moved: false } : null;
    if (this.drag) this.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  dragged(event) {
    if (!this.drag) return;
    const box = this.svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * this.layout.side;
    const y = (event.clientY - box.top) / box.height * this.layout.side;
    if (this.under(event) !== this.chosen[0]) this.drag.moved = true;
    if (!this.drag.moved) return;
    this.drag.group.setAttribute("transform", `translate(${x} ${y})`);
    this.svg.append(this.drag.group);
  }

  /** @param {PointerEvent} event */
  up(event) {
    const name = this.under(event);
    if (event.button === 2 && this.ownFrom && name) {
      this.own.push([this.ownFrom, name]);
      this.draw();
    }
    this.ownFrom = null;
    const drag = this.drag;
    this.drag = null;
    if (!drag?.moved) return;
    if (name && name !== this.chosen[0]) this.click(name);
    this.draw();
  }

  /** A square was chosen, in whatever way. @param {string} name */
  click(name) {
    if (this.state.editing) return this.actions.edit(name);
    const chosen = [...this.chosen, name];
    const moves = this.candidates(chosen);
    const ending = moves.filter((/** @type {any} */ move) => move.path.at(-1) === name);
    const repeated = this.chosen.length > 1 && this.chosen.at(-1) === name;
    const here = repeated ? this.candidates().filter((/** @type {any} */ move) => move.path.at(-1) === name) : [];
    if (this.chosen.length && moves.length === 1) this.finish(moves[0]);
    else if (here.length === 1) this.finish(here[0]);
    else if (this.chosen.length && ending.length === 1 && moves.length === ending.length) this.finish(ending[0]);
    else if (moves.length) this.choose(chosen);
    else if (this.candidates([name]).length && name !== this.chosen[0]) this.choose([name]);
    else this.choose([]);
  }

  /** @param {any} move */
  finish(move) {
    this.chosen = [];
    this.actions.play(move);
  }

  /** @param {string[]} chosen */
  choose(chosen) {
    this.chosen = chosen;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    if (step && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      this.move(step[0], step[1]);
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
      event.preventDefault();
      this.click(this.cursor);
    } else if (event.key === "Escape") {
      this.choose([]);
    }
  }

  /** Moves the cursor to the nearest playing square in this direction. @param {number} dx @param {number} dy */
  move(dx, dy) {
    const { squares } = this.layout;
    const from = this.at(this.cursor ?? squares[Math.floor(squares.length / 2)].name);
    let best = null;
    for (const square of squares) {
      const { x, y } = this.at(square.name);
      const [along, across] = [(x - from.x) * dx + (y - from.y) * dy, Math.abs((x - from.x) * dy) + Math.abs((y - from.y) * dx)];
      const far = along + 0.9 * across;
      if (along > 0 && across <= 1 && (!best || far < best.far)) best = { name: square.name, far };
    }
    this.cursor = best?.name ?? this.cursor ?? squares[0].name;
    const piece = this.state.view.pieces.find((/** @type {any} */ p) => p.square === this.cursor);
    this.actions.say(`${this.cursor}, ${piece ? `${t(piece.color)} ${t(piece.king ? "king" : "man")}` : t("empty")}`);
    this.draw();
  }

  /** Shows a move step by step before the position behind it. @param {any} move */
  async animate(move) {
    const group = this.svg.querySelector(`[data-square="${CSS.escape(move.path[0])}"]`);
    if (!group || matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return;
    for (const name of move.captured) this.svg.querySelector(`[data-square="${CSS.escape(name)}"]`)?.classList.add("taken");
    this.svg.append(group);
    for (let step = 1; step < move.path.length; step += 1) {
      const [from, to] = [this.at(move.path[step - 1]), this.at(move.path[step])];
      const began = performance.now();
      let share = 0;
      while (share < 1) {
        share = Math.min(1, (await new Promise(requestAnimationFrame) - began) / STEP);
        const x = from.x + (to.x - from.x) * share + 0.5;
        const y = from.y + (to.y - from.y) * share + 0.5;
        group.setAttribute("transform", `translate(${x} ${y})`);
      }
    }
  }
}
