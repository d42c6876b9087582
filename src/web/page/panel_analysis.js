// @ts-check
/** The engine's lines. */

import { fill, make, redraw, row } from "./elements.js";
import { currentLanguage, t } from "./texts.js";

const MOST_LINES = 5;
/** Moves shown of a line. */
const MOST_MOVES = 14;

/** A score as White sees it. @param {any} info @param {string} turn */
export function scoreText(info, turn) {
  const sign = turn === "white" ? 1 : -1;
  if (info.plies_to_end !== null) return `${info.score * sign > 0 ? "+" : "−"}#${info.plies_to_end}`;
  const score = info.score * sign;
  return (score > 0 ? "+" : score < 0 ? "−" : "") + Math.abs(score).toFixed(2);
}

/** The chances of White to win, draw and lose, in per cent. @param {any} info @param {string} turn */
function chancesText(info, turn) {
  const wdl = turn === "white" ? info.wdl : [...info.wdl].reverse();
  return `${wdl.map((/** @type {number} */ share) => Math.round(share / 10)).join("/")} %`;
}

/** A large number in thousands or millions. @param {number} n */
const short = (n) => (n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1e4 ? `${Math.round(n / 1e3)} k` : String(Math.round(n)));

/** The powers of two up to this number of megabytes, and the number. @param {number} most @returns {[string, string][]} */
function memories(most) {
  const sizes = Array.from({ length: 17 }, (_, power) => 2 ** power).filter((size) => size < most);
  const words = new Intl.NumberFormat(currentLanguage(), { style: "unit", unit: "megabyte", useGrouping: false });
  return [...sizes, most].map((size) => [String(size), words.format(size)]);
}

/**
 * The row of a line: its elements stay, so that a click is not lost when a new line comes.
 * @param {any} actions
 */
function lineRow(actions) {
  /** @type {string[]} */
  let pv = [];
  const score = make("span", { className: "score" });
  const chances = make("span", { className: "quiet" });
  const moves = Array.from({ length: MOST_MOVES }, (_, ply) =>
    make("button", { type: "button", onclick: () => actions.addLine(pv.slice(0, ply + 1), false) }));
  const add = make("button", { type: "button", className: "add", textContent: "+", onclick: () => actions.addLine(pv, true) });
  const place = make("li", {}, score, chances, add, make("span", { className: "pv" }, ...moves));
  const show = (/** @type {any} */ info, /** @type {string} */ turn) => {
    pv = info.pv;
    score.textContent = scoreText(info, turn);
    chances.textContent = chancesText(info, turn);
    chances.title = t("chances");
    add.setAttribute("aria-label", t("add_line"));
    add.title = t("add_line");
    moves.forEach((button, ply) => {
      const text = pv[ply] ?? "";
      button.hidden = !text;
      if (button.textContent !== text) button.textContent = text;
    });
  };
  return { place, show };
}

export const panel = {
  title: "analysis",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const engine = make("button", { type: "button", id: "engine", onclick: actions.analyse });
    const count = make("select", { id: "lines", onchange: () => actions.analysis({ lines: Number(count.value) }) });
    const search = make("select", { id: "search", onchange: () => actions.analysis({ search: search.value }) });
    const threads = make("select", { id: "threads", onchange: () => actions.analysis({ threads: Number(threads.value) }) });
    const hash = make("select", { id: "hash", onchange: () => actions.analysis({ hash: Number(hash.value) }) });
    const words = Object.fromEntries(["lines", "search", "threads", "hash", "more"].map((name) => [name, make("span")]));
    const list = make("ol", { className: "lines" });
    const facts = make("p", { className: "quiet", id: "facts" });
    const rows = Array.from({ length: MOST_LINES }, () => lineRow(actions));
    place.append(
      make("div", { className: "row" }, engine, make("label", { className: "short" }, words.lines, count), facts),
      list,
      make("details", { id: "search-settings" }, make("summary", {}, words.more), row(words.search, search),
        make("div", { className: "row" }, make("label", {}, words.threads, threads), make("label", {}, words.hash, hash))));
    return (/** @type {import("./store.js").State} */ state) => {
      if (!state.about) return;
      engine.textContent = t("engine");
      engine.setAttribute("aria-pressed", String(state.analysis));
      for (const [name, word] of Object.entries(words)) word.textContent = t(name);
      const numbers = (/** @type {number} */ most) =>
        Array.from({ length: most }, (_, index) => /** @type {[string, string]} */ ([String(index + 1), String(index + 1)]));
      fill(count, numbers(MOST_LINES), String(state.lines));
      fill(search, state.about.searches.map((name) => [name, t(`search_${name}`)]), state.search);
      fill(threads, numbers(state.about.threads), String(Math.min(state.threads || state.about.threads, state.about.threads)));
      fill(hash, memories(state.about.hash), String(Math.min(state.hash || state.about.hash, state.about.hash)));
      const infos = state.analysis ? state.infos.filter(Boolean) : [];
      redraw(list, () => {
        for (const [index, info] of infos.entries()) rows[index].show(info, state.view?.turn ?? "white");
        while (list.childElementCount > infos.length) list.lastElementChild.remove();
        while (list.childElementCount < infos.length) list.append(rows[list.childElementCount].place);
      });
      const best = infos[0];
      const visits = state.search === "mcts" ? "visits" : "nodes";
      facts.textContent = best
        ? `${t("depth")} ${best.depth} · ${short(best.nodes)} ${t(visits)} · ${best.time.toFixed(1)} s · ${short(best.nps)}/s` : "";
    };
  },
};
