// @ts-check
/** What endgame tables say of the position and of each legal move. */

import { make, redraw } from "./elements.js";
import { counted, t } from "./texts.js";

/** @param {import("./server.js").Verdict} verdict */
const words = ({ value, distance }) =>
  value === null ? t("table_unknown") : t(`table_${value}`) + (distance ? `, ${counted(distance, t("table_plies"))}` : "");

export const panel = {
  title: "endgame",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const verdict = make("p", { id: "verdict" });
    const note = make("p", { className: "quiet" });
    const list = make("ul", { className: "verdicts" });
    place.append(verdict, note, list);
    /** The view whose moves the list has. @type {any} */
    let listed = null;
    return (/** @type {import("./store.js").State} */ state) => {
      const known = state.view?.endgame ?? null;
      place.classList.toggle("unknown", !known);
      verdict.textContent = known ? words(known) : t("table_unknown");
      note.textContent = known?.too_long ? t("table_too_long") : "";
      if (listed === known) return;
      listed = known;
      redraw(list, () => list.replaceChildren(...(known?.moves ?? []).map((move) =>
        make("li", {}, make("button", { type: "button", onclick: () => actions.playText(move.pdn) }, move.pdn),
          make("span", {}, ` ${words(move)}`)))));
    };
  },
};
