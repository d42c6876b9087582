// @ts-check
/** The engine's lines. */

import { make } from "./elements.js";
import { t } from "./texts.js";

const COUNTS = ["1", "2", "3", "4", "5"];

/** A score as White sees it. @param {any} info @param {string} turn */
export function scoreText(info, turn) {
  const sign = turn === "white" ? 1 : -1;
  if (info.plies_to_end !== null) return `${info.score * sign > 0 ? "+" : "−"}#${info.plies_to_end}`;
  const score = info.score * sign;
  return (score > 0 ? "+" : score < 0 ? "−" : "") + Math.abs(score).toFixed(2);
}

export const panel = {
  title: "analysis",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const engine = make("button", { type: "button", id: "engine", onclick: actions.analyse });
    const word = make("span");
    const count = make("select", { id: "lines", onchange: () => actions.lines(Number(count.value)) },
      ...COUNTS.map((text) => make("option", { value: text, textContent: text })));
    const facts = make("p", { className: "quiet" });
    const list = make("ol", { className: "lines" });
    place.append(make("div", { className: "row" }, engine, make("label", {}, word, count)), facts, list);
    return (/** @type {import("./store.js").State} */ state) => {
      engine.textContent = t("engine");
      engine.setAttribute("aria-pressed", String(state.analysis));
      word.textContent = t("lines");
      count.value = String(state.lines);
      const infos = state.analysis ? state.infos.filter(Boolean) : [];
      const best = infos[0];
      const speed = best && best.nps >= 1e6 ? `${(best.nps / 1e6).toFixed(1)} M/s` : best ? `${Math.round(best.nps / 1e3)} k/s` : "";
      facts.textContent = best
        ? `${t("depth")} ${best.depth} · ${best.wdl.map((/** @type {number} */ x) => Math.round(x / 10)).join("/")} % · ${speed}` : "";
      list.replaceChildren(...infos.map((info) => make("li", {},
        make("span", { className: "score", textContent: scoreText(info, state.view.turn) }),
        make("button", { type: "button", textContent: info.pv.slice(0, 16).join(" "), onclick: () => actions.addLine(info.pv) }))));
    };
  },
};
