// @ts-check
/** Puts the page together: what users do, what the engine says, and how both change the state. */

import { Board } from "./board.js";
import { make } from "./elements.js";
import { BRUSHES } from "./panel_position.js";
import { panels } from "./panels.js";
import { about, Engine, position } from "./server.js";
import { get, subscribe, update } from "./store.js";
import { currentLanguage, languages, setLanguage, t } from "./texts.js";
import { goTo, lineTo, newTree, play, promote, remove, towards } from "./tree.js";

const by = (/** @type {string} */ id) => /** @type {any} */ (document.getElementById(id));
const say = (/** @type {string} */ text) => { by("announcer").textContent = text; };
/** A draw that is offered is taken by an engine that sees itself this much ahead at most, in men. */
const DRAWISH = 0.15;

/** What the last search for a move wants: a move to play, or one to show. */
let purpose = "move";
/** The engine's last score, for White. @type {number | null} */
let lastScore = null;

const engine = new Engine((event) => {
  const state = get();
  if (event.kind === "fault") return update({ error: event.error, thinking: false });
  const { line } = event;
  const sign = state.view?.turn === "white" ? 1 : -1;
  if (line.type === "info") {
    if (line.rank === 1) lastScore = line.score * sign;
    const infos = [...state.infos];
    infos[line.rank - 1] = line;
    return update({ infos });
  }
  update({ thinking: false });
  const move = state.view?.moves.find((/** @type {any} */ known) => known.text === line.best);
  if (purpose === "hint" && move) board.own = [[move.path[0], move.path.at(-1)]];
  if (purpose === "hint") {
    board.draw();
    if (get().analysis) go();
    return undefined;
  }
  if (purpose === "move" && move) makeMove(move);
}, (connected) => {
  update({ connected });
  if (connected && !get().about) begin();
});

const actions = {
  new_game: (/** @type {{variant?: string, start?: string | null}} */ { variant = get().variant, start = null } = {}) => {
    lastScore = null;
    update({ variant, start, tree: newTree(), ended: null, error: "", editing: false, playing: true });
    return refresh();
  },
  seat: (/** @type {"white" | "black"} */ color, /** @type {string} */ who) => {
    update({ seats: { ...get().seats, [color]: who }, playing: true });
    go();
  },
  seconds: (/** @type {number} */ seconds) => update({ seconds }),
  take_back: () => {
    const { tree, seats } = get();
    let node = towards(tree, "back");
    // Back to the person's own turn.
    const waits = (/** @type {number} */ at) => {
      const color = tree.nodes[tree.nodes[at].children[0]]?.color;
      return color === undefined || seats[/** @type {"white"} */ (color)] === "person" || at === 0;
    };
    while (!waits(node)) node = Math.max(0, tree.nodes[node].parent);
    update({ tree: goTo(tree, node), ended: null });
    refresh();
  },
  resign: () => {
    const { view, seats } = get();
    const loser = seats[/** @type {"white"} */ (view.turn)] === "person" ? view.turn : view.turn === "white" ? "black" : "white";
    engine.stop();
    update({ ended: `${t(loser)} ${t("resigned")}`, thinking: false });
  },
  draw: () => {
    const { view, seats } = get();
    const score = lastScore === null ? 0 : seats.white === "person" ? -lastScore : lastScore;
    const agreed = score <= DRAWISH && view.played.length > 20;
    update(agreed ? { ended: t("draw_taken") } : { error: t("draw_refused") });
  },
  hint: () => {
    purpose = "hint";
    update({ thinking: true, infos: [] });
    engine.go({ ...line(), move_time: get().seconds });
  },
  goTo: (/** @type {number} */ node) => {
    update({ tree: goTo(get().tree, node), playing: false });
    refresh();
  },
  promote: () => update({ tree: promote(get().tree) }),
  remove: () => {
    update({ tree: remove(get().tree), ended: null });
    refresh();
  },
  analyse: () => {
    update({ analysis: !get().analysis, infos: [] });
    go();
  },
  lines: (/** @type {number} */ lines) => {
    update({ lines, infos: [] });
    go();
  },
  addLine: (/** @type {string[]} */ pv) => {
    let { tree } = get();
    const { view } = get();
    const back = tree.current;
    const other = view.turn === "white" ? "black" : "white";
    pv.forEach((text, ply) => { tree = play(tree, text, ply % 2 === 0 ? view.turn : other); });
    update({ tree: goTo(tree, back) });
    actions.goTo(tree.nodes[back].children.find((child) => tree.nodes[child].text === pv[0]) ?? back);
  },
  setUp: (/** @type {string} */ fen) => actions.new_game({ start: fen.trim() || null }),
  copy: async (/** @type {string} */ text) => {
    await navigator.clipboard?.writeText(text);
    say(t("copied"));
  },
  edit: () => {
    engine.stop();
    const editing = !get().editing;
    if (editing) return update({ editing, thinking: false });
    return actions.new_game({ start: get().view.fen });
  },
  clear: () => edited([]),
  turn: () => edited(get().view.pieces, get().view.turn === "white" ? "black" : "white"),
  brush: (/** @type {number} */ brush) => update(/** @type {any} */ ({ brush })),
};

const board = new Board(by("board"), { play: (move) => makeMove(move), edit: paint, say });

/** The present line of moves. */
function line() {
  const { variant, start, tree } = get();
  return { variant, start, moves: lineTo(tree) };
}

/** Asks the server for the position and shows it. */
async function refresh() {
  engine.stop();
  const asked = JSON.stringify(line());
  update({ infos: [], thinking: false });
  try {
    const view = await position(line());
    if (asked !== JSON.stringify(line())) return;
    update({ view, error: "" });
  } catch (error) {
    const { message } = /** @type {Error} */ (error);
    // A kept game that cannot be followed gives way to a new one.
    if (!get().view && get().connected) await actions.new_game();
    update({ error: message });
    return;
  }
  const { view } = get();
  history.replaceState(null, "", `#variant=${get().variant}&fen=${encodeURIComponent(view.fen)}`);
  if (view.outcome) say(outcome());
  go();
}

/** Whose turn it is: a person's, or what plays it. */
const seat = () => get().seats[/** @type {"white"} */ (get().view?.turn ?? "white")];

/** Lets the engine do what the state asks for: a move, an analysis, nothing. */
function go() {
  const { view, ended, analysis, editing, seconds, lines, playing } = get();
  engine.stop();
  update({ thinking: false });
  if (!view || view.outcome || editing) return;
  const who = seat();
  if (playing && !ended && who !== "person") {
    const [kind, name] = who.split(":");
    purpose = "move";
    update({ thinking: true, infos: [] });
    const limits = kind === "level" ? { move_time: seconds } : {};
    engine.go({ ...line(), ...limits, options: { [kind]: name } });
  } else if (analysis) {
    purpose = "analysis";
    engine.go({ ...line(), analyse: true, options: { multipv: String(lines) } });
  }
}

/** @param {any} move */
async function makeMove(move) {
  const { tree } = get();
  engine.stop();
  say(`${t(move.color)} ${move.text}`);
  await board.animate(move);
  if (tree !== get().tree) return;
  update({ tree: play(tree, move.text, move.color), playing: true });
  await refresh();
}

/** Sets a square of the editor to the chosen piece, or empties it. @param {string} square */
function paint(square) {
  const state = /** @type {any} */ (get());
  const [color, kind] = BRUSHES[state.brush ?? 0];
  const there = state.view.pieces.find((/** @type {any} */ p) => p.square === square);
  const others = state.view.pieces.filter((/** @type {any} */ p) => p.square !== square);
  const same = there && there.color === color && there.king === (kind === "king");
  edited(same ? others : [...others, { square, color, king: kind === "king" }]);
}

/** Shows a position of the editor; what is wrong with it is said by the server. @param {any[]} pieces */
async function edited(pieces, turn = get().view.turn) {
  const side = (/** @type {string} */ color) =>
    pieces.filter((p) => p.color === color).map((p) => (p.king ? "K" : "") + p.square).join(",");
  const fen = `${turn === "white" ? "W" : "B"}:W${side("white")}:B${side("black")}`;
  update({ view: { ...get().view, pieces, turn, fen, moves: [], played: [] } });
  try {
    await position({ variant: get().variant, start: fen, moves: [] });
    update({ error: "" });
  } catch (error) {
    update({ error: /** @type {Error} */ (error).message });
  }
}

/** How the game ended, in words; nothing while it goes on. */
function outcome() {
  const { view, ended } = get();
  if (ended) return ended;
  if (!view?.outcome) return "";
  return view.outcome.winner ? `${t(view.outcome.winner)} ${t("wins")}` : `${t("drawn")} (${view.outcome.text})`;
}

/** The first and last square of the best moves, as arrows. @returns {[string, string][]} */
function arrows() {
  const { analysis, infos, view } = get();
  if (!analysis || !view) return [];
  return infos.filter(Boolean).flatMap((info) => {
    const move = view.moves.find((/** @type {any} */ known) => known.text === info.pv[0]);
    return move ? [[move.path[0], move.path.at(-1)]] : [];
  });
}

function show() {
  const state = /** @type {any} */ (get());
  state.mayMove = state.view && !state.ended && !state.thinking && (seat() === "person" || !state.playing || state.analysis);
  board.show(state, arrows());
  by("bar").classList.toggle("flipped", state.flipped);
  const best = state.infos[0];
  if (best) {
    const white = state.view.turn === "white" ? best.winrate : 1 - best.winrate;
    by("bar-white").style.height = `${(white * 100).toFixed(1)}%`;
    by("bar").setAttribute("aria-label", `${t("evaluation")}: ${(white * 100).toFixed(0)} %`);
  }
  const turn = state.view ? `${t(state.view.turn)} ${t(state.thinking ? "thinking" : "to_move")}` : "";
  by("status").textContent = state.connected ? state.error || outcome() || turn : t("away");
}

/** Makes what has words, anew for every language. */
function layOut() {
  const language = by("language");
  language.replaceChildren(...languages().map(([name, text]) => make("option", { value: name, textContent: text })));
  language.value = currentLanguage();
  language.setAttribute("aria-label", "Language");
  language.onchange = () => {
    setLanguage(language.value);
    layOut();
    update({});
  };
  const steps = /** @type {const} */ ([["start", "|◀", "first"], ["back", "◀", "back"], ["forward", "▶", "forward"], ["end", "▶|", "last"]]);
  by("navigation").replaceChildren(
    ...steps.map(([where, sign, key]) => make("button", { type: "button", textContent: sign, "aria-label": t(key), id: where,
      onclick: () => actions.goTo(towards(get().tree, where)) })),
    make("button", { type: "button", textContent: "⇅", id: "flip", "aria-label": t("flip"), onclick: () => update({ flipped: !get().flipped }) }),
    make("button", { type: "button", textContent: "#", id: "names", "aria-label": t("names"), onclick: () => update({ names: !get().names }) }));
  by("bar").setAttribute("aria-label", t("evaluation"));
}

/** Keys that go through the game, wherever the focus is but in a field. */
document.addEventListener("keydown", (event) => {
  const field = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  if (field || event.altKey || event.ctrlKey || event.metaKey) return;
  const where = /** @type {any} */ ({ ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end", ArrowUp: "up", ArrowDown: "down" })[event.key];
  if (where) {
    event.preventDefault();
    actions.goTo(towards(get().tree, where));
  } else if (event.key === "f") update({ flipped: !get().flipped });
});

/** The first contact with the server. */
async function begin() {
  try {
    const wanted = new URLSearchParams(location.hash.slice(1));
    update({ about: await about() });
    const fen = wanted.get("fen");
    if (wanted.get("variant") && get().view === null && get().tree.nodes.length === 1 && fen) {
      await actions.new_game({ variant: wanted.get("variant") ?? get().variant, start: fen });
    } else await refresh();
  } catch (error) {
    update({ error: /** @type {Error} */ (error).message });
  }
}

layOut();
for (const panel of panels) {
  const title = make("h2");
  const place = make("div");
  by("panels").append(make("section", { className: "panel" }, title, place));
  const render = panel.make(place, actions);
  subscribe((state) => {
    title.textContent = t(panel.title);
    render(state);
  });
}
subscribe(show);
update({});
begin();
