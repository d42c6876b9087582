// @ts-check
/** The board: draws a position, and turns clicks, drags, touches and keys into moves of the list that the server sent. */

import { draw } from "./elements.js";
import { labelled, t } from "./texts.js";

/** Milliseconds for one step of a capture. */
const STEP = 160;
/** How large pieces are drawn, by the name of the choice. @type {Record<string, number>} */
export const PIECE_SIZES = { small: 0.82, medium: 1, large: 1.18 };

/** Whether `part` can be found in `path` in this order, beginning with its first square. */
const follows = (/** @type {string[]} */ path, /** @type {string[]} */ part) => {
  if (path[0] !== part[0]) return false;
  let at = 0;
  return part.slice(1).every((name) => {
    at = path.indexOf(name, at + 1);
    return at > 0;
  });
};

/**
 * Whether a square is on the straight way from one to another.
 * @param {{x: number, y: number}} from @param {{x: number, y: number}} at @param {{x: number, y: number}} to
 */
function isBetween(from, at, to) {
  const [a, b] = [{ x: at.x - from.x, y: at.y - from.y }, { x: to.x - from.x, y: to.y - from.y }];
  const along = a.x * b.x + a.y * b.y;
  return a.x * b.y === a.y * b.x && along > 0 && along < b.x * b.x + b.y * b.y;
}

/** @typedef {{color: string, king: boolean}} Lifted */

export class Board {
  /**
   * @param {HTMLElement} place
   * @param {{play: (move: any) => void, edit: (square: string) => void, say: (text: string) => void,
   *   place: (piece: Lifted, from: string | null, to: string | null) => void}} actions `place` puts a piece of the editor
   *   on another square, or takes it off the board
   */
  constructor(place, actions) {
    this.place = place;
    this.actions = actions;
    /** The squares clicked so far. @type {string[]} */
    this.chosen = [];
    /** @type {string | null} */
    this.cursor = null;
    /** Whether the board has the focus from a click: keys then go through the game, not over the board. */
    this.pointed = false;
    /** The column in which the cursor goes up and down. */
    this.column = 0;
    /** Arrows drawn by the user, from and to; a circle where both are one. @type {[string, string][]} */
    this.own = [];
    /** What a hint points at, likewise. @type {[string, string] | null} */
    this.hinted = null;
    /** Where an arrow of the user begins. @type {string | null} */
    this.ownFrom = null;
    /**
     * What follows the pointer: a piece of the game, or one of the editor, which may come from beside the board.
     * @type {{group: Element, from: string | null, moved: boolean, lifted: Lifted | null} | null}
     */
    this.drag = null;
    /** The variant's board; there is one before anything is drawn. @type {any} */
    this.layout = null;
    /** @type {any} */
    this.state = null;
    /** The position that is shown. The state is one object, which has the next one already. @type {any} */
    this.view = null;
    /** What the board was drawn from last. @type {any[]} */
    this.drawn = [];
    this.svg = draw("svg", { viewBox: "0 0 10 10", tabindex: 0, role: "application" });
    place.append(this.svg);
    this.svg.addEventListener("pointerdown", (event) => this.down(/** @type {PointerEvent} */ (event)));
    this.svg.addEventListener("pointermove", (event) => this.dragged(/** @type {PointerEvent} */ (event)));
    this.svg.addEventListener("pointerup", (event) => this.up(/** @type {PointerEvent} */ (event)));
    this.svg.addEventListener("pointercancel", () => this.drop());
    this.svg.addEventListener("contextmenu", (event) => event.preventDefault());
    this.svg.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
    this.svg.addEventListener("blur", () => {
      this.cursor = null;
      this.pointed = false;
      this.draw();
    });
  }

  /** Shows a state. @param {import("./store.js").State} state @param {[string, string][]} arrows */
  show(state, arrows) {
    // The board of what is shown: a new variant has no position yet.
    const layout = state.about?.variants.find((/** @type {any} */ known) => known.name === state.view?.variant);
    if (!layout) return;
    if (layout !== this.layout || state.view !== this.view) {
      this.chosen = [];
      this.own = [];
      this.hinted = null;
    }
    // Nobody needs a hint in a game that is over.
    if (state.ended) this.hinted = null;
    this.layout = layout;
    this.state = state;
    this.view = state.view;
    this.arrows = arrows;
    // An engine changes the state many times a second, and seldom what is drawn here.
    const { view, flipped, names, pieces, editing, mayMove } = /** @type {any} */ (state);
    const drawn = [layout, view, flipped, names, pieces, editing, mayMove, this.hinted, arrows.join(" "), t("board")];
    if (drawn.every((value, index) => value === this.drawn[index])) return;
    this.drawn = drawn;
    this.draw();
  }

  /** The moves that the squares clicked so far allow. */
  candidates(chosen = this.chosen) {
    const moves = this.state?.editing || !this.state?.mayMove ? [] : this.state.view.moves;
    return chosen.length ? moves.filter((/** @type {any} */ move) => follows(move.path, chosen)) : moves;
  }

  /** Where a square is drawn: its left upper corner. @param {string} name @returns {{x: number, y: number}} */
  at(name) {
    const square = this.layout.squares.find((/** @type {any} */ known) => known.name === name);
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
    draw("rect", { width: side, height: side, class: "light" }, this.svg);
    const last = view.played.at(-1);
    const marked = last ? [last.path[0], last.path.at(-1)] : [];
    for (const square of squares) {
      const { x, y } = this.at(square.name);
      const kind = marked.includes(square.name) ? "last" : "dark";
      draw("rect", { x, y, width: 1, height: 1, class: kind, "data-name": square.name }, this.svg);
    }
    const moved = this.drag?.moved ? this.drag : null;
    this.svg.classList.toggle("lifting", Boolean(moved));
    for (const piece of view.pieces) if (piece.square !== moved?.from) this.piece(piece);
    // In the corner, beside the piece. Two digits are drawn closer together there, whatever the font.
    for (const square of this.state.names ? squares : []) {
      const { x, y } = this.at(square.name);
      const kind = marked.includes(square.name) ? "last" : "dark";
      const label = draw("text", { x: x + 0.025, y: y + 0.02, dy: ".73em", class: `label on-${kind}`, "aria-hidden": "true" }, this.svg);
      label.textContent = square.name;
      if (square.name.length < 2) continue;
      label.setAttribute("textLength", "1em");
      label.setAttribute("lengthAdjust", "spacingAndGlyphs");
    }
    this.hints();
    // The best one lies over the others.
    for (const [rank, [from, to]] of [...(this.arrows ?? []).entries()].reverse()) this.arrow(from, to, rank ? "rest" : "best");
    for (const [from, to] of [...(this.hinted ? [this.hinted] : []), ...this.own]) this.arrow(from, to, "own");
    const cursor = this.cursor && this.at(this.cursor);
    if (cursor) draw("rect", { x: cursor.x + 0.05, y: cursor.y + 0.05, width: 0.9, height: 0.9, class: "cursor", "data-at": this.cursor ?? "" }, this.svg);
    if (moved) this.svg.append(moved.group);
  }

  /** @param {{square: string, color: string, king: boolean}} piece */
  piece(piece) {
    const place = this.at(piece.square);
    const group = this.figure(piece);
    group.setAttribute("data-square", piece.square);
    group.setAttribute("transform", this.placed(place.x + 0.5, place.y + 0.5));
    this.svg.append(group);
  }

  /** The drawing of a piece, not yet on a square. @param {Lifted} piece */
  figure(piece) {
    const group = draw("g", { class: `piece ${piece.color}${piece.king ? " king" : ""}` });
    draw("circle", { r: 0.38, class: "body" }, group);
    draw("circle", { r: 0.3, class: "ring" }, group);
    if (piece.king) draw("path", { d: "m-.21 .17-.04-.31.12.12.13-.19.13.19.12-.12-.04.31z", class: "crown" }, group);
    return group;
  }

  /** The transformation that puts a piece here, in its size. @param {number} x @param {number} y */
  placed(x, y) {
    return `translate(${x} ${y}) scale(${PIECE_SIZES[this.state.pieces] ?? 1})`;
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
        draw("circle", { cx: x + 0.5, cy: y + 0.5, r: name === move.path.at(-1) ? 0.16 : 0.09, class: "target" }, this.svg);
      }
      for (const name of move.captured) this.ring(name, "victim");
    }
  }

  /** @param {string} name @param {string} kind */
  ring(name, kind) {
    const place = this.at(name);
    draw("circle", { cx: place.x + 0.5, cy: place.y + 0.5, r: 0.45, class: kind }, this.svg);
  }

  /** @param {string} from @param {string} to @param {"best" | "rest" | "own"} kind */
  arrow(from, to, kind) {
    const [a, b] = [this.at(from), this.at(to)];
    if (from === to) {
      draw("circle", { cx: a.x + 0.5, cy: a.y + 0.5, r: 0.46, class: `arrow ${kind}` }, this.svg);
      return;
    }
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const long = Math.hypot(dx, dy);
    const [ux, uy] = [dx / long, dy / long];
    const tip = { x: b.x + 0.5 - 0.1 * ux, y: b.y + 0.5 - 0.1 * uy };
    const base = { x: tip.x - 0.34 * ux, y: tip.y - 0.34 * uy };
    draw("line", { x1: a.x + 0.5 + 0.3 * ux, y1: a.y + 0.5 + 0.3 * uy, x2: base.x, y2: base.y, class: `arrow ${kind}` }, this.svg);
    const wing = 0.19;
    const points = [[tip.x, tip.y], [base.x - wing * uy, base.y + wing * ux], [base.x + wing * uy, base.y - wing * ux]];
    draw("polygon", { points: points.map((p) => p.join(",")).join(" "), class: kind === "own" ? "own-head" : `arrow-head ${kind}` }, this.svg);
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
    this.cursor = null;
    this.pointed = true;
    if (event.button === 2) {
      this.ownFrom = name;
      return;
    }
    if (event.button !== 0) return;
    this.own = [];
    this.hinted = null;
    const piece = this.state?.editing && this.state.view.pieces.find((/** @type {any} */ known) => known.square === name);
    if (piece) return this.lift(event, piece, name);
    if (name) this.click(name);
    else this.choose([]);
    if (this.chosen.length === 1) this.hold(event, this.chosen[0], null);
  }

  /**
   * A piece of the editor follows the pointer from here on.
   * @param {PointerEvent} event @param {Lifted} piece @param {string | null} from its square; null beside the board
   */
  lift(event, piece, from) {
    if (this.layout) this.hold(event, from, { color: piece.color, king: piece.king });
  }

  /** @param {PointerEvent} event @param {string | null} from @param {Lifted | null} lifted */
  hold(event, from, lifted) {
    const group = from === null && lifted ? this.figure(lifted) : this.svg.querySelector(`[data-square="${CSS.escape(from ?? "")}"]`);
    if (!group) return;
    this.drag = { group, from, moved: false, lifted };
    this.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  dragged(event) {
    if (!this.drag) return;
    const box = this.svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * this.layout.side;
    const y = (event.clientY - box.top) / box.height * this.layout.side;
    if (!this.drag.moved && (this.drag.from === null || this.under(event) !== this.drag.from)) {
      this.drag.moved = true;
      this.draw();
    }
    if (this.drag.moved) this.drag.group.setAttribute("transform", this.placed(x, y));
  }

  /** @param {PointerEvent} event */
  up(event) {
    const name = this.under(event);
    if (event.button === 2 && this.ownFrom && name) this.mark(this.ownFrom, name);
    this.ownFrom = null;
    const drag = this.drop();
    if (drag?.lifted) {
      if (!drag.moved && drag.from) this.actions.edit(drag.from);
      else if (drag.moved && (name || !this.covers(event))) this.actions.place(drag.lifted, drag.from, name);
    } else if (drag?.moved && name && name !== this.chosen[0]) this.click(name);
  }

  /** Nothing follows the pointer any more; what did. */
  drop() {
    const { drag } = this;
    this.drag = null;
    if (drag?.moved) this.draw();
    return drag;
  }

  /** Whether a pointer is over the board. @param {MouseEvent} event */
  covers(event) {
    const box = this.svg.getBoundingClientRect();
    return event.clientX >= box.left && event.clientX < box.right && event.clientY >= box.top && event.clientY < box.bottom;
  }

  /** A square was chosen, in whatever way. @param {string} name */
  click(name) {
    if (this.state.editing) return this.actions.edit(name);
    const chosen = [...this.chosen, name];
    const moves = this.candidates(chosen);
    const ending = moves.filter((/** @type {any} */ move) => move.path.at(-1) === name);
    const repeated = this.chosen.length > 1 && this.chosen.at(-1) === name;
    // A short way of capture may be part of a longer one to the same square.
    const way = chosen.slice(0, -1).join();
    const exact = repeated && this.candidates().find((/** @type {any} */ move) => move.path.join() === way);
    const here = repeated ? this.candidates().filter((/** @type {any} */ move) => move.path.at(-1) === name) : [];
    if (exact) this.finish(exact);
    else if (this.chosen.length && moves.length === 1) this.finish(moves[0]);
    else if (here.length === 1) this.finish(here[0]);
    else if (this.chosen.length && ending.length === 1 && moves.length === ending.length) this.finish(ending[0]);
    else if (moves.length) this.take(chosen);
    else if (this.candidates([name]).length && name !== this.chosen[0]) this.take([name]);
    else if (this.isPassed(name)) this.pass(name);
    else this.letGo(name);
  }

  /** Squares are chosen, which is said with the ways that go on from there. @param {string[]} chosen */
  take(chosen) {
    this.choose(chosen);
    const last = /** @type {string} */ (chosen.at(-1));
    const ways = this.candidates().map((/** @type {any} */ move) => move.path.slice(move.path.lastIndexOf(last) + 1).join("-"));
    const open = [...new Set(ways)].filter(Boolean).join(", ");
    this.actions.say(`${chosen.join(", ")} ${open ? labelled(t("chosen"), open) : t("chosen")}`);
  }

  /** Nothing is chosen any more. @param {string} [name] the square that led to that */
  letGo(name) {
    const isOther = name !== undefined && name !== this.chosen[0] && this.state.view.pieces.some((/** @type {any} */ piece) => piece.square === name);
    this.choose([]);
    this.actions.say(isOther ? labelled(name, t("cannot_move")) : t("nothing_chosen"));
  }

  /** Whether a king passes an empty square on one of the captures that the squares clicked so far allow. @param {string} name */
  isPassed(name) {
    return this.chosen.length > 0 && this.candidates().some((/** @type {any} */ move) => this.standIn(move, name));
  }

  /**
   * A king may land there: the server names one landing square of several, which stands for it. Where it would have to land
   * elsewhere, or routes differ, the click is none.
   * @param {string} name
   */
  pass(name) {
    const landings = new Set(this.candidates().map((/** @type {any} */ move) => this.standIn(move, name)).filter(Boolean));
    const [landing] = landings;
    if (landings.size === 1 && !this.chosen.includes(landing)) this.click(landing);
  }

  /**
   * The square of a capture's path that stands for an empty one that the king passes, seen from the piece that it takes there.
   * @param {any} move @param {string} name @returns {string | null}
   */
  standIn(move, name) {
    if (this.state.view.pieces.some((/** @type {any} */ piece) => piece.square === name)) return null;
    const here = this.at(name);
    for (let step = 1; step < move.path.length; step += 1) {
      const [from, to] = [this.at(move.path[step - 1]), this.at(move.path[step])];
      const taken = move.captured.map((/** @type {string} */ one) => this.at(one)).find((/** @type {any} */ one) => isBetween(from, one, to));
      if (taken && isBetween(from, here, to)) return move.path[isBetween(from, here, taken) ? step - 1 : step];
    }
    return null;
  }

  /** @param {any} move */
  finish(move) {
    this.choose([]);
    this.actions.play(move);
  }

  /** @param {string[]} chosen */
  choose(chosen) {
    this.chosen = chosen;
    this.draw();
  }

  /** Draws what a hint points at, until another position is shown. @param {string} from @param {string} to */
  point(from, to) {
    this.hinted = [from, to];
    this.draw();
  }

  /** Draws an arrow of the user, or takes it away. @param {string} from @param {string} to */
  mark(from, to) {
    const others = this.own.filter((known) => known[0] !== from || known[1] !== to);
    this.own = others.length < this.own.length ? others : [...others, [from, to]];
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || !this.layout) return;
    const step = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[event.key];
    const chooses = event.key === "Enter" || event.key === " ";
    if (step && this.pointed) return;
    if (step || (chooses && !this.cursor)) {
      this.pointed = false;
      this.move(step?.[0] ?? 0, step?.[1] ?? 0);
    } else if (chooses && this.cursor) {
      this.click(this.cursor);
    } else if (event.key === "a" && this.cursor) {
      // The first time where an arrow begins, the second time where it ends.
      if (this.ownFrom) this.mark(this.ownFrom, this.cursor);
      this.ownFrom = this.ownFrom ? null : this.cursor;
    } else if (event.key === "Escape" && (this.ownFrom || !this.state.editing)) {
      this.ownFrom = null;
      this.letGo();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Moves the cursor along its row, or to the nearest square of the next one; the first time it only appears.
   * @param {number} dx
   * @param {number} dy
   */
  move(dx, dy) {
    const { squares } = this.layout;
    const name = this.cursor ?? squares[Math.floor(squares.length / 2)].name;
    const from = this.at(name);
    if (!this.cursor) this.column = from.x;
    else if (dx || dy) {
      let best = null;
      for (const square of squares) {
        const { x, y } = this.at(square.name);
        const far = dx ? (x - from.x) * dx : Math.abs(x - this.column);
        const ahead = dx ? y === from.y && far > 0 : y === from.y + dy;
        if (ahead && (!best || far < best.far)) best = { name: square.name, far, x };
      }
      if (best && dx) this.column = best.x;
      this.cursor = best?.name ?? name;
    }
    this.cursor ??= name;
    const piece = this.state.view.pieces.find((/** @type {any} */ p) => p.square === this.cursor);
    this.actions.say(`${this.cursor}, ${piece ? t(`piece_${piece.color}_${piece.king ? "king" : "man"}`) : t("empty")}`);
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
        // A tab that has been hidden meanwhile gets no frame.
        const late = /** @type {Promise<number>} */ (new Promise((resolve) => { setTimeout(() => resolve(Infinity), 2 * STEP); }));
        const now = await Promise.race([new Promise(requestAnimationFrame), late]);
        share = Math.min(1, (now - began) / STEP);
        const x = from.x + (to.x - from.x) * share + 0.5;
        const y = from.y + (to.y - from.y) * share + 0.5;
        group.setAttribute("transform", this.placed(x, y));
      }
    }
  }
}
