// @ts-check
/** Puts the page together: what users do, what the engine says, and how both change the state. */

import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { make } from "./elements.js";
import { makeExercises } from "./exercises.js";
import { isPdn, makeFiles, tag } from "./files.js";
import { makeGame } from "./game.js";
import { BRUSHES } from "./panel_position.js";
import { playerName } from "./panel_play.js";
import { columns } from "./panels.js";
import { makeReport } from "./report.js";
import { about, beginsWithFile, position } from "./server.js";
import { get, shown, subscribe, update } from "./store.js";
import { currentLanguage, labelled, languages, setLanguage, t } from "./texts.js";
import { comment, promote, remove, sign, towards, variation } from "./tree.js";

const by = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const say = (/** @type {string} */ text) => { by("announcer").textContent = text; };

/** Whether the server's events have come before. */
let met = false;
const game = makeGame({
  animate: (move) => board.animate(move),
  point: (move) => board.point(move.path[0], move.path.at(-1)),
  say,
  clock: () => clock,
  connected: () => {
    begin(met);
    met = true;
  },
  leave: () => files.leave(),
  heardOfGame: (event) => {
    report.heard(event);
    exercises.heard(event);
  },
  allows: (move) => exercises.allows(move),
  moved: () => exercises.moved(),
  restsAt: (node) => exercises.restsAt(node),
});
const files = makeFiles({
  refresh: () => game.refresh(), say,
  opened: () => document.querySelector(".games")?.closest(".panel")?.scrollIntoView({ block: "nearest", behavior: scrolling() }),
});
files.acceptDrops();
files.acceptPastes((text) => actions.setUp(text));
const report = makeReport({ work: game.workOn, leave: game.leaveGame, goTo: game.actions.goTo, say });
const exercises = makeExercises({
  work: game.workOn, quit: game.leaveGame, newGame: game.actions.new_game, makeMove: game.makeMove, refresh: () => game.refresh(),
  point: ([from, to]) => board.point(from, to), say,
});

/** Scrolls smoothly, unless somebody does not want things to move. @returns {ScrollBehavior} */
const scrolling = () => (matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth");

/** Scrolls to the board where it has gone up, as on an upright phone; elsewhere it stays beside the panels. */
function toBoard() {
  if (by("board").getBoundingClientRect().top < 0) scrollTo({ top: 0, behavior: scrolling() });
}

const actions = {
  ...game.actions,
  ...files.actions,
  ...report.actions,
  ...exercises.actions,
  analyse: () => {
    if (!get().analysis) exercises.helped();
    game.actions.analyse();
  },
  promote: () => { if (!get().editing) update({ tree: promote(get().tree) }); },
  remove: () => {
    // The edited position is no place in the game.
    if (get().editing) return;
    // Without its last moves the game has no result any more; a variation has none.
    const { tree, ended } = get();
    update({ tree: remove(tree), ended: variation(tree) ? ended : null });
    game.refresh();
  },
  comment: (/** @type {string} */ text, /** @type {number} */ node) => update({ tree: comment(get().tree, text, node) }),
  sign: (/** @type {string} */ text) => update({ tree: sign(get().tree, text) }),
  openGame: async (/** @type {number} */ index) => {
    await files.actions.openGame(index);
    toBoard();
  },
  goToPly: (/** @type {number} */ ply) => {
    report.actions.goToPly(ply);
    toBoard();
  },
  /** Goes to a move that is named far below the board. @param {number} node */
  lookAt: (node) => {
    actions.goTo(node);
    toBoard();
  },
  /** Shows the position or the games in a text; says whether that was possible. @param {string} text */
  setUp: async (text) => {
    await (isPdn(text) ? files.openText(text) : actions.new_game({ start: text.trim() || null }));
    return !get().error;
  },
  /** What the button says: begins to edit, or ends that with a new game from the position, unless it is that of the game still. */
  edit: async () => {
    // Another position may be on its way, or may not have come.
    if (!get().editing && !game.fits()) await game.refresh();
    const { editing, view } = shown();
    if (!editing) return game.fits() ? beginToEdit() : undefined;
    if (unedited && placement(view) === placement(unedited)) return actions.cancelEdit();
    if (lacksColor(view.pieces)) return update({ notice: t("both_colors") });
    return actions.new_game({ start: view.fen });
  },
  /** Back to the game, which is as it was. */
  cancelEdit: () => {
    update({ editing: false });
    return game.refresh("resumed");
  },
  clear: () => edited([]),
  turn: () => edited(shown().view.pieces, shown().view.turn === "white" ? "black" : "white"),
  brush: (/** @type {number} */ brush) => update(/** @type {any} */ ({ brush })),
  lift: (/** @type {PointerEvent} */ event, /** @type {number} */ brush) => {
    if (event.button !== 0) return;
    actions.brush(brush);
    board.lift(event, brushPiece(brush), null);
  },
};

/** The position of the game whose place the editor has taken. @type {import("./server.js").View | null} */
let unedited = null;

/** Shows the editor with the position of the game in it. */
function beginToEdit() {
  game.stop();
  unedited = shown().view;
  update({ editing: true, thinking: false, infos: [], error: "", notice: "", view: { ...unedited, ...NOT_EDITED } });
  // The board, and the pieces, which are beside it from now on.
  queueMicrotask(() => scrollTo(0, 0));
}

/** The pieces and the side to move, for a comparison. @param {import("./server.js").View} view */
const placement = ({ turn, pieces }) => [turn, ...pieces.map(({ square, color, king }) => `${square} ${color} ${king}`).sort()].join();

/** Whether one side has no pieces, so that there is nothing to play. @param {{color: string}[]} pieces */
const lacksColor = (pieces) => new Set(pieces.map(({ color }) => color)).size < 2;

/** What is known of a position of the game, but not of one that is being edited. */
const NOT_EDITED = { moves: [], played: [], book: null, endgame: null, outcome: null, clocks: null };

const board = new Board(by("board"), { play: (move) => game.makeMove(move), edit: paint, place, say });
const clock = new Clock(by("clock-top"), by("clock-bottom"), () => game.actions.flag(), say);

/** A piece of the editor's palette. @param {number} brush */
function brushPiece(brush) {
  const [color, kind] = BRUSHES[brush];
  return { color: /** @type {import("./server.js").Color} */ (color), king: kind === "king" };
}

/** Sets a square of the editor to the chosen piece, or empties it. @param {string} square */
function paint(square) {
  const piece = brushPiece(/** @type {any} */ (get()).brush ?? 0);
  const there = shown().view.pieces.find((known) => known.square === square);
  const same = there && there.color === piece.color && there.king === piece.king;
  place(piece, null, same ? null : square, square);
}

/**
 * Puts a piece of the editor from one square on another; without one it is taken off the board.
 * @param {import("./board.js").Lifted} piece @param {string | null} from @param {string | null} to
 * @param {string | null} emptied another square that becomes empty
 */
function place(piece, from, to, emptied = null) {
  // Escape ends the editing while a piece is dragged, too.
  if (!get().editing) return;
  const others = shown().view.pieces.filter(({ square }) => ![from, to, emptied].includes(square));
  edited(to ? [...others, { ...piece, square: to }] : others);
}

/** Where a tab keeps the position that is edited in it, for a reload. */
const EDITED = "kroon.edited";
/** The position that was edited when the page was left. @type {{variant: string, pieces: any[], turn: import("./server.js").Color} | null} */
const left = JSON.parse(sessionStorage.getItem(EDITED) ?? "null");

/** Writes the position of the editor down. */
function keepEdited() {
  const { editing, variant } = get();
  if (!editing) return sessionStorage.removeItem(EDITED);
  const { pieces, turn } = shown().view;
  return sessionStorage.setItem(EDITED, JSON.stringify({ variant, pieces, turn }));
}

/** Goes on with the editing that a reload has interrupted. */
async function editOn() {
  if (left?.variant !== get().variant) return;
  beginToEdit();
  await edited(left.pieces, left.turn);
}

/** Shows a position of the editor. What is wrong with it is said by the server, but of a board that is filled only now. @param {any[]} pieces */
async function edited(pieces, turn = shown().view.turn) {
  const side = (/** @type {string} */ color) =>
    pieces.filter((p) => p.color === color).map((p) => (p.king ? "K" : "") + p.square).join(",");
  const fen = `${turn === "white" ? "W" : "B"}:W${side("white")}:B${side("black")}`;
  const isUnfinished = lacksColor(pieces);
  const view = { ...shown().view, ...NOT_EDITED, pieces, turn, fen };
  update({ view, error: "", notice: isUnfinished ? t("both_colors") : "" });
  if (isUnfinished) return;
  try {
    await position({ variant: get().variant, start: fen, moves: [] });
  } catch (error) {
    // Another position may be shown by now.
    if (get().view === view) update({ error: /** @type {Error} */ (error).message });
  }
}

/** The first and last square of the best moves, as arrows. @returns {[string, string][]} */
function arrows() {
  const { analysis, infos, view } = get();
  if (!analysis || !view) return [];
  return infos.filter(Boolean).flatMap((info) => {
    const move = view.moves.find((known) => known.text === info.pv[0]);
    return move ? [[move.path[0], /** @type {string} */ (move.path.at(-1))]] : [];
  });
}

/** Who has a colour: a player of the game that is played, or a name of the game that is shown. @param {string} color */
function nameOf(color) {
  const { playing, exercise, tags } = get();
  if (exercise) return "";
  // PDN writes ? for a name that is not known.
  return !playing && tags.length ? tag(color).replace(/^\?$/, "") : playerName(game.seatOf(color));
}

/** What White can expect, from 0 to 1: what the position has come to, or what the engine says. @param {import("./store.js").State} state */
function expectation({ view, infos, ended }) {
  const how = view?.outcome ?? (infos[0] ? null : ended);
  if (how) return how.winner === "white" ? 1 : how.winner ? 0 : 0.5;
  if (!view || !infos[0]) return null;
  return view.turn === "white" ? infos[0].winrate : 1 - infos[0].winrate;
}

/** Shows an expectation beside the board. @param {number | null} white null where nothing is known */
function showBar(white) {
  by("bar").classList.toggle("unknown", white === null);
  by("bar-white").style.height = `${(100 * (white ?? 0.5)).toFixed(1)}%`;
  by("bar").setAttribute("aria-label", white === null ? t("evaluation") : labelled(t("evaluation"), `${(100 * white).toFixed(0)} %`));
}

/** Whether an exercise was on the board when the state was shown last. */
let solving = Boolean(get().exercise);

function show() {
  const state = /** @type {any} */ (get());
  // Its panel goes to the top, beside the board.
  if (state.exercise && !solving) queueMicrotask(() => scrollTo(0, 0));
  solving = Boolean(state.exercise);
  if (ready) keepEdited();
  state.mayMove = state.view && (!state.thinking || game.isHinting()) && (game.seat() === "person" || !state.playing || state.analysis);
  document.documentElement.dataset.theme = state.theme;
  board.show(state, arrows());
  const runs = state.connected && state.playing && !state.editing && !game.isOver();
  clock.show(state, runs, (color) => nameOf(color) ? labelled(t(color), nameOf(color)) : t(color));
  by("bar").classList.toggle("flipped", state.flipped);
  // Whoever plays sees no evaluation, unless the engine is asked for one.
  by("bar").classList.toggle("off", state.editing || !state.analysis && !(state.playing && Object.values(state.seats).every((seat) => seat !== "person")));
  showBar(expectation(state));
  const turn = state.view ? `${t(state.view.turn)} ${t(state.thinking ? "thinking" : "to_move")}` : "";
  for (const where of ["start", "back", "forward", "end"]) by(where).disabled = state.editing;
  by("status").textContent = state.connected ? state.error || state.notice || game.outcome() || turn : state.refusal || t("away");
}

/** Makes what has words, anew for every language. */
function layOut() {
  const language = by("language");
  language.replaceChildren(...languages().map(([name, text]) => make("option", { value: name, textContent: text })));
  language.value = currentLanguage();
  language.setAttribute("aria-label", t("choose_language"));
  language.onchange = () => {
    setLanguage(language.value);
    layOut();
    update({});
  };
  const steps = /** @type {const} */ ([["start", "|◀", "first"], ["back", "◀", "back"], ["forward", "▶", "forward"], ["end", "▶|", "last"]]);
  by("navigation").replaceChildren(
    ...steps.map(([where, sign, key]) => make("button", { type: "button", textContent: sign, "aria-label": t(key), id: where,
      onclick: () => actions.goTo(towards(get().tree, where)) })),
    make("button", { type: "button", textContent: "⇅", id: "flip", "aria-label": t("flip"), onclick: () => update({ flipped: !get().flipped }) }));
  by("bar").setAttribute("aria-label", t("evaluation"));
}

/** Keys that go through the game, wherever the focus is but in a field. */
document.addEventListener("keydown", (event) => {
  if (!(event.target instanceof Element) || event.target.closest("input, select, textarea") || event.altKey || event.ctrlKey || event.metaKey) return;
  const where = /** @type {any} */ ({ ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end", ArrowUp: "up", ArrowDown: "down" })[event.key];
  if (where) {
    event.preventDefault();
    actions.goTo(towards(get().tree, where));
  } else if (event.key === "f") update({ flipped: !get().flipped });
  else if (event.key === "Escape" && get().editing) actions.cancelEdit();
});

/** Shows the position that an address names, or a game of the variant alone, unless it is shown already. @param {string} hash */
async function follow(hash) {
  const wanted = new URLSearchParams(hash.slice(1));
  const [variant, fen] = [wanted.get("variant"), wanted.get("fen")];
  if (!variant) return;
  const { variant: shown, view, start, tree, ended, playing } = get();
  const isNew = playing && !ended && !start && tree.nodes.length === 1;
  if (variant !== shown || !(fen ? fen === view?.fen : isNew)) await actions.new_game({ variant, start: fen || null });
}
window.addEventListener("hashchange", (event) => {
  // Not that of `location`, which the page may have changed since.
  const { hash } = new URL(event.newURL);
  // The address that the server has printed is read when the page loads.
  if (hash.includes("token=")) location.reload();
  else follow(hash);
});

/** Whether the page is in contact with the server, or tries to be. */
let begun = false;
/** Whether what a page does at the first contact is done. */
let ready = false;

/** The server is there, which may be another one now. @param {boolean} again whether it was there before */
async function comeBack(again) {
  try {
    if (again) update({ about: await about() });
  } catch {
    // It is away once more.
    return;
  }
  const gone = seatKroon();
  // A move was made while the server was away.
  if (!game.fits() && !get().editing) await game.refresh();
  if (gone) update({ notice: gone });
}

/**
 * Kroon takes the seats of engines with which the server was not started. Nobody plays until a person has seen that: the
 * words for it are given back.
 */
function seatKroon() {
  const { seats, exercise, about: { engines } } = shown();
  const isGone = (/** @type {string} */ seat) => seat.startsWith("engine:") && !engines.includes(seat.slice("engine:".length));
  const present = (/** @type {{white: string, black: string}} */ { white, black }) =>
    ({ white: isGone(white) ? "level:0" : white, black: isGone(black) ? "level:0" : black });
  const back = /** @type {any} */ (exercise?.back);
  if (exercise && back?.seats) update({ exercise: { ...exercise, back: { ...back, seats: present(back.seats) } } });
  const gone = Object.values(seats).find(isGone);
  if (!gone) return "";
  game.stop();
  update({ seats: present(seats), playing: false, thinking: false });
  return `${playerName(gone)} ${t("engine_gone")}`;
}

/** The first contact with the server; tried again at the next connection where it fails. @param {boolean} again whether there was one before */
async function begin(again = false) {
  if (begun) {
    if (ready) await comeBack(again);
    return;
  }
  begun = true;
  try {
    // An address that the page itself has written names a position of the game that it keeps.
    const wanted = location.hash === get().address ? "" : location.hash;
    update({ about: await about() });
    const gone = seatKroon();
    await game.refresh("resumed");
    if (gone) update({ notice: gone });
    await files.begin();
    await follow(wanted);
    if (!wanted && !beginsWithFile) await editOn();
    ready = true;
  } catch (error) {
    begun = Boolean(get().about);
    ready = begun;
    update({ error: /** @type {Error} */ (error).message });
  }
}

/** The element of a panel, which its title folds and unfolds. @param {import("./panels.js").Panel} panel */
function panelElement(panel) {
  const { title } = panel;
  const heading = make("h2");
  const place = make("div");
  const element = make("details", { className: "panel", open: !get().folded.includes(title) }, make("summary", {}, heading), place);
  element.ontoggle = () => {
    const others = get().folded.filter((name) => name !== title);
    const isFolded = get().folded.includes(title);
    if (isFolded === element.open) update({ folded: element.open ? others : [...others, title] });
  };
  const render = panel.make(place, actions);
  subscribe((state) => {
    heading.textContent = t(title);
    render(state);
  });
  return element;
}

layOut();
by("panels").append(...columns.map((panels) => make("div", { className: "column" }, ...panels.map(panelElement))));
subscribe(show);
update({});
begin();
