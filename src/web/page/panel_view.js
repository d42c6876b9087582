// @ts-check
/** How the page looks: colours and pieces. */

import { PIECE_SIZES } from "./board.js";
import { fill, make } from "./elements.js";
import { t } from "./texts.js";

const THEMES = ["system", "light", "dark"];

export const panel = {
  title: "view",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const theme = make("select", { id: "theme", onchange: () => actions.choose({ theme: theme.value }) });
    const pieces = make("select", { id: "pieces", onchange: () => actions.choose({ pieces: pieces.value }) });
    const names = make("input", { type: "checkbox", id: "square-names", onchange: () => actions.choose({ names: names.checked }) });
    const words = { theme: make("span"), pieces: make("span"), names: make("span") };
    place.append(
      make("div", { className: "row" }, make("label", {}, words.theme, theme), make("label", {}, words.pieces, pieces)),
      make("div", { className: "row" }, make("label", {}, names, words.names)));
    return (/** @type {import("./store.js").State} */ state) => {
      for (const [key, word] of Object.entries(words)) word.textContent = t(key);
      fill(theme, THEMES.map((name) => [name, t(`theme_${name}`)]), state.theme);
      fill(pieces, Object.keys(PIECE_SIZES).map((name) => [name, t(`pieces_${name}`)]), state.pieces);
      names.checked = state.names;
    };
  },
};
