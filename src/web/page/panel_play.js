// @ts-check
/** A game: who plays, in which variant, with which clock, and what a player may do. */

import { canTakeClock, controlText, hasNoTime } from "./clock.js";
import { fill, make, row } from "./elements.js";
import { RESIGNS } from "./game.js";
import { t } from "./texts.js";

const SECONDS = ["0.1", "0.5", "1", "3", "10", "30"];
const OPENINGS = ["start", "ballot2", "ballot3", "here"];
const COLORS = ["kept", "swapped", "lot"];
const CLOCKS = ["none", "game", "moves"];
/** The fields of a clock, with the least and the most that they take. */
const FIELDS = /** @type {const} */ ([["moves", 1, 500, 1], ["minutes", 0, 1400, 0.25], ["increment", 0, 600, 0.5]]);

/** What a player is called. @param {string} seat */
export function playerName(seat) {
  if (seat === "person") return t("person");
  const [kind, name] = [seat.slice(0, seat.indexOf(":")), seat.slice(seat.indexOf(":") + 1)];
  if (kind !== "level") return name;
  return name === "0" ? `Kroon, ${t("full")}` : `Kroon, ${t("level")} ${name}`;
}

/** @param {import("./store.js").State} state @returns {[string, string][]} */
function seats(state) {
  const { levels, players, engines } = /** @type {import("./server.js").About} */ (state.about);
  const all = ["person",
    ...Array.from({ length: levels }, (_, index) => `level:${index + 1}`), "level:0",
    ...engines.map((/** @type {string} */ name) => `engine:${name}`),
    ...players.filter((/** @type {string} */ name) => name !== "engine").map((/** @type {string} */ name) => `player:${name}`)];
  return all.map((seat) => [seat, playerName(seat)]);
}

/** What a field of a clock says, in its bounds: whole moves, and no parts of milliseconds. @param {string} name @param {HTMLInputElement} input */
function numberOf(name, { value, min, max }) {
  const number = Math.min(Number(max), Math.max(Number(min), Number(value)));
  return name === "moves" ? Math.round(number) : Number(number.toFixed(name === "minutes" ? 4 : 3));
}

/** The clock of new games, and of one without a move. @param {any} actions */
function clockFields(actions) {
  const kind = make("select", { id: "clock" });
  const fields = FIELDS.map(([name, min, max, step]) => ({ name, word: make("span"),
    input: make("input", { type: "number", id: `clock-${name}`, min: String(min), max: String(max), step: String(step) }) }));
  const labels = fields.map(({ word, input }) => make("label", { className: "short" }, input, word));
  const fault = make("p", { className: "error", id: "clock-fault", role: "alert" });
  const note = make("p", { className: "quiet", id: "clock-note", role: "status" });
  const change = () => {
    const numbers = fields.map(({ name, input }) => [name, numberOf(name, input)]);
    actions.clock({ kind: kind.value, ...Object.fromEntries(numbers) });
  };
  kind.onchange = change;
  for (const { input } of fields) input.onchange = change;
  const word = make("span");
  const place = make("div", {}, row(word, kind), make("div", { className: "row" }, ...labels), fault, note);
  const show = (/** @type {import("./store.js").State} */ state) => {
    const { clockSetup } = state;
    word.textContent = t("clock");
    fault.textContent = hasNoTime(clockSetup) ? t("clock_zero") : "";
    const waits = !canTakeClock(state) && !hasNoTime(clockSetup) && controlText(clockSetup) !== state.clock;
    note.textContent = waits ? t("clock_next") : "";
    fill(kind, CLOCKS.map((name) => [name, t(`clock_${name}`)]), clockSetup.kind);
    fields.forEach(({ name, word: unit, input }, index) => {
      unit.textContent = t(`unit_${name}`);
      if (document.activeElement !== input) input.value = String(clockSetup[name]);
      labels[index].hidden = clockSetup.kind === "none" || (name === "moves" && clockSetup.kind !== "moves");
    });
  };
  return { place, show };
}

/**
 * A question, and the two answers to it: what the other person at the board says to an offer of a draw, or whether one wants
 * to resign.
 * @param {any} actions @param {Record<string, HTMLButtonElement>} buttons where the focus goes afterwards
 */
function question(actions, buttons) {
  const word = make("span");
  const answers = [true, false].map((accepted) => make("button", { type: "button", id: accepted ? "accept" : "decline",
    onclick: () => actions.answer(accepted) }));
  const place = make("div", { className: "row", role: "group" }, word, ...answers);
  /** What was asked last: nothing, unless the page was opened with a question. @type {string | null | undefined} */
  let asked;
  place.onkeydown = (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") actions.answer(false); };
  const show = (/** @type {import("./store.js").State} */ state) => {
    // The game may be over by the other side's move before one has answered.
    const isIdle = state.editing || Boolean(state.exercise) || (state.offer === RESIGNS && buttons.resign.disabled);
    const offer = isIdle ? null : state.offer;
    const isLeft = !offer && place.contains(document.activeElement);
    const isResignation = offer === RESIGNS;
    place.hidden = !offer;
    word.textContent = !offer ? "" : isResignation ? t("resign_sure") : `${t(offer)} ${t("offers_draw")}`;
    place.setAttribute("aria-label", word.textContent);
    answers[0].textContent = t(isResignation ? "resign" : "accept");
    answers[1].textContent = t(isResignation ? "play_on" : "decline");
    // A key that is pressed twice resigns no game.
    if (isResignation && asked === null) answers[1].focus({ preventScroll: true });
    // Nor is the focus on what is hidden now.
    if (isLeft) (state.ended ? buttons.begin : buttons.resign).focus({ preventScroll: true });
    asked = offer;
  };
  return { place, show };
}

export const panel = {
  title: "play",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const variant = make("select", { id: "variant", onchange: () => actions.variant(variant.value) });
    const white = make("select", { id: "seat-white", onchange: () => actions.seat("white", white.value) });
    const black = make("select", { id: "seat-black", onchange: () => actions.seat("black", black.value) });
    const seconds = make("select", { id: "seconds", onchange: () => actions.choose({ seconds: Number(seconds.value) }) });
    const opening = make("select", { id: "opening", onchange: () => actions.choose({ opening: opening.value }) });
    const colors = make("select", { id: "colors", onchange: () => actions.choose({ colors: colors.value }) });
    const ponder = make("input", { type: "checkbox", id: "ponder", onchange: () => actions.choose({ ponder: ponder.checked }) });
    const words = Object.fromEntries(["variant", "white", "black", "seconds", "opening", "colors", "ponder", "more", "setup"].map((name) => [name, make("span")]));
    const orders = { begin: "new_game", take_back: "take_back", hint: "hint", draw: "draw", resign: "resign", go_on: "go_on" };
    const buttons = Object.fromEntries(Object.entries(orders).map(([name, id]) =>
      [name, make("button", { type: "button", id, onclick: () => actions[name]() })]));
    buttons.begin.classList.add("main");
    const clock = clockFields(actions);
    const answer = question(actions, buttons);
    const setup = make("details", { id: "setup", open: true }, make("summary", {}, words.setup),
      row(words.variant, variant), row(words.white, white), row(words.black, black), clock.place,
      make("details", { id: "more" }, make("summary", {}, words.more),
        row(words.opening, opening), row(words.colors, colors), row(words.seconds, seconds),
        make("div", { className: "row" }, make("label", {}, ponder, words.ponder))));
    const orderRow = make("div", { className: "row" }, ...Object.values(buttons));
    place.append(orderRow, answer.place, setup);
    /** Whether the settings are open because there is no move yet. */
    let early = true;
    return (/** @type {import("./store.js").State} */ state) => {
      if (!state.about) return;
      for (const [name, word] of Object.entries(words)) word.textContent = t(name);
      for (const [name, button] of Object.entries(buttons)) button.textContent = t(orders[/** @type {"begin"} */ (name)]);
      fill(variant, state.about.variants.map(({ name }) => [name, t(`variant_${name}`)]), state.variant);
      fill(white, seats(state), state.seats.white);
      fill(black, seats(state), state.seats.black);
      // Nobody but the solver moves in an exercise.
      white.disabled = black.disabled = Boolean(state.exercise);
      fill(seconds, SECONDS.map((text) => [text, text]), String(state.seconds));
      fill(opening, OPENINGS.map((name) => [name, t(`opening_${name}`)]), state.opening);
      fill(colors, COLORS.map((name) => [name, t(`colors_${name}`)]), state.colors);
      words.setup.textContent = `${t(`variant_${state.variant}`)} · ${t("setup")}`;
      // The settings of a game make room for its moves as soon as there are some, but not under the hand of whoever changes them.
      const none = state.tree.nodes.length === 1 && !state.exercise;
      if (none !== early && (none || !setup.contains(document.activeElement))) {
        setup.open = none;
        early = none;
      }
      ponder.checked = state.ponder;
      seconds.disabled = Boolean(state.clock);
      clock.show(state);
      showButtons(buttons, state);
      // An exercise has a hint and steps of its own.
      orderRow.hidden = Boolean(state.exercise);
      answer.show(state);
    };
  },
};

/** What is possible now; while a position is edited or an exercise solved no game is played. @param {Record<string, any>} buttons @param {import("./store.js").State} state */
function showButtons(buttons, state) {
  const other = state.editing || Boolean(state.exercise);
  const over = !state.view || other || Boolean(state.view.outcome) || Boolean(state.ended);
  const seated = [state.seats.white, state.seats.black];
  const waits = state.view && state.seats[/** @type {"white"} */ (state.view.turn)] === "person";
  const engines = !seated.includes("person");
  buttons.take_back.disabled = other || state.tree.current === 0;
  buttons.hint.disabled = over || state.thinking;
  // A game that is only gone through has its result already, or gets none.
  buttons.draw.disabled = over || !state.playing || !waits || state.thinking || Boolean(state.offer);
  buttons.resign.disabled = over || !state.playing || engines;
  // A game of persons stands still by itself.
  buttons.go_on.hidden = over || (state.playing ? !engines : false);
  buttons.go_on.textContent = t(state.playing ? "pause" : "go_on");
}
