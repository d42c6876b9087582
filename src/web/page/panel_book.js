// @ts-check
/** What the opening book knows of the moves in the position. */

import { make, redraw } from "./elements.js";
import { scoreText } from "./panel_analysis.js";
import { t } from "./texts.js";

/**
 * The numbers of a move as White sees them; those of games only where the position has some.
 * @param {import("./server.js").BookMove} move @param {string} turn @param {boolean} games
 */
function cells(move, turn, games) {
  const { wins, draws, losses } = move;
  const results = turn === "white" ? [wins, draws, losses] : [losses, draws, wins];
  const values = [move.score === null ? "" : scoreText(move, turn), move.depth ? String(move.depth) : ""];
  if (!games) return values;
  return [...values, ...(move.games ? [String(move.games), results.join(" / ")] : ["", ""])];
}

export const panel = {
  title: "book",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const note = make("p", { className: "quiet", id: "book-note" });
    const table = make("table", { className: "book" });
    place.append(note, table);
    /** @type {any[]} */
    let shown = [];
    return (/** @type {import("./store.js").State} */ state) => {
      const { view } = state;
      const now = [view, t("book")];
      if (now.every((value, index) => value === shown[index])) return;
      shown = now;
      const moves = view?.book?.moves ?? [];
      note.textContent = t("book_help");
      place.classList.toggle("unknown", !moves.length);
      const games = moves.some((move) => move.games > 0);
      const keys = ["book_move", "book_score", "book_depth", ...(games ? ["book_games", "book_results"] : [])];
      const head = keys.map((key) => make("th", { scope: "col" }, t(key)));
      redraw(table, () => table.replaceChildren(make("tr", {}, ...head), ...moves.map((move) => make("tr", {},
        make("td", {}, make("button", { type: "button", onclick: () => actions.playText(move.pdn) }, move.pdn)),
        ...cells(move, view?.turn ?? "white", games).map((text) => make("td", {}, text))))));
    };
  },
};
