// @ts-check
/** The analysis of the game: how the chances went, what each side gave away, and where. */

import { draw, fill, make, redraw } from "./elements.js";
import { EFFORTS, isOfGame, judgements, mainLine, marks } from "./report.js";
import { labelled, t } from "./texts.js";
import { hasNotes } from "./tree.js";

const [WIDTH, HEIGHT] = [300, 90];
/** Room for the marks at the sides, and above and below. */
const [SIDE, EDGE] = [6, 6];
/** The rows of the table: what is counted for each side. */
const COUNTED = ["inaccuracy", "mistake", "blunder", "missed-win", "missed-combination"];

/** The name of a class. @param {string} kind */
const className = (kind) => t(`class_${kind.replace("-", "_")}`);
/** The sign of a class in its colour. @param {string} kind */
export const mark = (kind) => make("span", { className: `mark ${kind}`, textContent: marks()[kind], title: className(kind) });
/** A part of a point in per cent. @param {number} share */
const percent = (share) => `${Math.round(100 * share)} %`;

/** The chances of White over the game, drawn from the left to the right. @param {any} actions */
function curve(actions) {
  const place = make("div", { className: "curve" });
  const svg = /** @type {SVGSVGElement} */ (draw("svg", { role: "img", id: "curve" }));
  // Stretched to the width of the panel; the marks are drawn over it, so that they stay round.
  const areas = draw("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: "100%", height: "100%", preserveAspectRatio: "none" });
  place.append(svg);
  let plies = 0;
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const along = ((event.clientX - box.left) / box.width * WIDTH - SIDE) / (WIDTH - 2 * SIDE);
    actions.goToPly(Math.max(0, Math.min(plies, Math.round(along * plies))));
  });
  const show = (/** @type {import("./store.js").State} */ state, /** @type {Map<number, import("./report.js").Judged>} */ known) => {
    const line = mainLine(state.tree);
    plies = state.report?.total ?? 0;
    const x = (/** @type {number} */ ply) => SIDE + ply / Math.max(1, plies) * (WIDTH - 2 * SIDE);
    const y = (/** @type {number} */ white) => EDGE + (1 - white) * (HEIGHT - 2 * EDGE);
    const points = line.flatMap((node, index) => {
      const judged = known.get(node);
      return judged ? [{ x: x(index + 1), y: y(judged.white), kind: judged.class }] : [];
    });
    svg.replaceChildren(areas);
    areas.replaceChildren();
    svg.setAttribute("aria-label", t("curve"));
    draw("rect", { width: WIDTH, height: HEIGHT, class: "curve-black" }, areas);
    const path = points.map((point) => `${point.x},${point.y}`).join(" ");
    const last = points.at(-1);
    // Up to the frame at both sides, but not where an analysis that goes on has said nothing yet.
    const end = `${(last?.x ?? 0) + SIDE}`;
    if (last) draw("polygon", { points: `0,${HEIGHT} 0,${points[0].y} ${path} ${end},${last.y} ${end},${HEIGHT}`, class: "curve-white" }, areas);
    draw("line", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: "curve-middle" }, areas);
    const now = line.indexOf(state.tree.current) + 1;
    draw("line", { x1: x(now), x2: x(now), y1: 0, y2: HEIGHT, class: "curve-now", "data-ply": now }, areas);
    for (const point of points.filter(({ kind }) => marks()[kind] && kind !== "only")) {
      draw("circle", { cx: `${100 * point.x / WIDTH}%`, cy: `${100 * point.y / HEIGHT}%`, r: 4, class: `curve-mark ${point.kind}` }, svg);
    }
  };
  return { place, show };
}

/** Accuracy and counts of both sides. */
function sidesTable() {
  const place = make("table", { className: "sides" });
  const show = (/** @type {import("./report.js").Report | null} */ report) => {
    place.hidden = !report?.sides;
    if (!report?.sides) return;
    const { white, black } = report.sides;
    const row = (/** @type {string} */ word, /** @type {(side: import("./report.js").Side) => string} */ value) =>
      make("tr", {}, make("th", { scope: "row" }, word), make("td", {}, value(white)), make("td", {}, value(black)));
    const head = [make("td"), ...["white", "black"].map((color) => make("th", { scope: "col" }, t(color)))];
    place.replaceChildren(
      make("tr", {}, ...head),
      row(t("accuracy"), ({ accuracy }) => (accuracy === null ? "–" : `${accuracy.toFixed(1)} %`)),
      row(t("average_loss"), ({ average_loss: loss }) => (loss === null ? "–" : `${(100 * loss).toFixed(1)} %`)),
      ...COUNTED.map((kind) => row(className(kind), ({ classes }) => String(classes.find((known) => known.class === kind)?.count ?? 0))));
  };
  return { place, show };
}

/** The moves that were errors, each a button that leads there. @param {any} actions */
function errorList(actions) {
  const place = make("ul", { className: "errors" });
  const show = (/** @type {import("./store.js").State} */ state, /** @type {Map<number, import("./report.js").Judged>} */ known) => {
    const first = state.about?.variants.find((variant) => variant.name === state.variant)?.first;
    const line = mainLine(state.tree);
    const ply = state.tree.nodes[line[0]]?.color === first ? 0 : 1;
    redraw(place, () => place.replaceChildren(...line.flatMap((node, index) => {
      const judged = known.get(node);
      if (!judged || !marks()[judged.class] || judged.class === "only") return [];
      const at = index + ply;
      const number = at % 2 === 0 ? `${at / 2 + 1}. ` : `${(at - 1) / 2 + 1}... `;
      const better = judged.best[0] && judged.best[0] !== judged.played ? labelled(t("better"), judged.best[0]) : "";
      return [make("li", {},
        make("button", { type: "button", onclick: () => actions.lookAt(node), ...(node === state.tree.current ? { "aria-current": "true" } : {}) },
          `${number}${judged.played} `, mark(judged.class)),
        make("span", { className: "quiet" }, `${className(judged.class)}, −${percent(judged.loss)}${better ? ` · ${better}` : ""}`),
        ...(better ? [make("button", { type: "button", className: "add", textContent: "+", title: t("add_line"),
          "aria-label": labelled(t("add_line"), judged.best[0]), onclick: () => actions.addBetter(node) })] : []))];
    })));
  };
  return { place, show };
}

export const panel = {
  title: "report",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const start = make("button", { type: "button", id: "report", onclick: actions.report });
    const effort = make("select", { id: "effort", onchange: () => actions.choose({ effort: effort.value }) });
    const word = make("span");
    const progress = make("progress", { id: "report-progress" });
    const [drawing, table, errors] = [curve(actions), sidesTable(), errorList(actions)];
    const judgement = make("p", { className: "quiet", id: "judgement" });
    const other = make("p", { className: "quiet", id: "report-other" });
    const write = make("button", { type: "button", id: "write_report", onclick: actions.writeReport });
    const unwrite = make("button", { type: "button", id: "unwrite_report", onclick: actions.unwriteReport });
    place.append(make("div", { className: "row" }, start, make("label", {}, word, effort)), progress, drawing.place, judgement, other,
      table.place, errors.place, make("div", { className: "row" }, write, unwrite));
    /** @type {any[]} */
    let shown = [];
    return (/** @type {import("./store.js").State} */ state) => {
      const { report, tree, variant } = state;
      const now = [report, tree, variant, state.start, state.about, state.effort, state.searching, state.exercise, t("report")];
      if (now.every((value, index) => value === shown[index])) return;
      shown = now;
      const known = judgements(state);
      start.textContent = t(report?.running ? "cancel" : "analyse_game");
      start.disabled = !report?.running && (Boolean(state.searching) || Boolean(state.exercise) || mainLine(tree).length === 0);
      word.textContent = t("effort");
      fill(effort, Object.keys(EFFORTS).map((name) => [name, t(`effort_${name}`)]), state.effort);
      progress.hidden = !report?.running;
      progress.max = report?.total || 1;
      progress.value = report?.done ?? 0;
      progress.setAttribute("aria-label", t("report"));
      drawing.place.hidden = judgement.hidden = known.size === 0;
      const judged = known.get(tree.current);
      judgement.textContent = judged ? labelled(tree.nodes[tree.current].text, `${className(judged.class)} · ${t("white")} ${percent(judged.white)}`) : t("curve_help");
      drawing.show(state, known);
      const isOther = report !== null && !isOfGame(report, tree);
      other.textContent = isOther ? t("report_other") : "";
      table.show(known.size && !isOther ? report : null);
      write.textContent = t("write_report");
      unwrite.textContent = t("unwrite_report");
      write.hidden = Boolean(report?.running || state.exercise) || !known.size || !report?.notes?.length;
      unwrite.hidden = Boolean(state.exercise) || !hasNotes(tree);
      errors.show(state, known);
    };
  },
};
