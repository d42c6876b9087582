// @ts-check
/** A game: who plays, in which variant, and what a player may do. */

import { fill, make } from "./elements.js";
import { t } from "./texts.js";

/** The strongest level that is not full strength. */
const LEVELS = 20;

/** @param {import("./store.js").State} state @returns {[string, string][]} */
function seats(state) {
  const levels = Array.from({ length: LEVELS }, (_, index) => index + 1);
  return [
    ["person", t("person")],
    ...levels.map((level) => /** @type {[string, string]} */ ([`level:${level}`, `Kroon, ${t("level")} ${level}`])),
    ["level:0", `Kroon, ${t("full")}`],
    ...state.about.players.filter((/** @type {string} */ name) => name !== "engine")
      .map((/** @type {string} */ name) => /** @type {[string, string]} */ ([`player:${name}`, name])),
  ];
}

export const panel = {
  title: "play",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const variant = make("select", { id: "variant" });
    const sides = { white: make("select", { id: "seat-white" }), black: make("select", { id: "seat-black" }) };
    const seconds = make("select", { id: "seconds" });
    const words = { variant: make("span"), white: make("span"), black: make("span"), seconds: make("span") };
    const buttons = Object.fromEntries(["new_game", "take_back", "hint", "draw", "resign"].map((name) =>
      [name, make("button", { type: "button", id: name, onclick: () => actions[name]() })]));
    buttons.new_game.classList.add("main");
    variant.onchange = () => actions.new_game({ variant: variant.value });
    for (const color of /** @type {const} */ (["white", "black"])) {
      sides[color].onchange = () => actions.seat(color, sides[color].value);
    }
    seconds.onchange = () => actions.seconds(Number(seconds.value));
    place.append(
      make("div", { className: "row" }, make("label", {}, words.variant, variant)),
      make("div", { className: "row" }, make("label", {}, words.white, sides.white)),
      make("div", { className: "row" }, make("label", {}, words.black, sides.black)),
      make("div", { className: "row" }, make("label", {}, words.seconds, seconds)),
      make("div", { className: "row" }, ...Object.values(buttons)),
    );
    return (/** @type {import("./store.js").State} */ state) => {
      if (!state.about) return;
      for (const [name, word] of Object.entries(words)) word.textContent = t(name);
      for (const [name, button] of Object.entries(buttons)) button.textContent = t(name);
      fill(variant, state.about.variants.map((/** @type {any} */ v) => [v.name, v.name]), state.variant);
      for (const color of /** @type {const} */ (["white", "black"])) fill(sides[color], seats(state), state.seats[color]);
      fill(seconds, ["0.1", "0.5", "1", "3", "10", "30"].map((text) => [text, text]), String(state.seconds));
      const over = !state.view || Boolean(state.view.outcome) || Boolean(state.ended);
      const person = state.seats.white === "person" || state.seats.black === "person";
      const engine = state.seats.white !== "person" || state.seats.black !== "person";
      buttons.take_back.disabled = state.tree.current === 0;
      buttons.hint.disabled = over || state.thinking;
      buttons.draw.disabled = over || !person || !engine || state.thinking;
      buttons.resign.disabled = over || !person;
    };
  },
};
