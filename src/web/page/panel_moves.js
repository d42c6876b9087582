// @ts-check
/** The moves of the game and its variations, and what is said about them. */

import { make, redraw, reveal } from "./elements.js";
import { mark } from "./panel_report.js";
import { judgements, marks } from "./report.js";
import { watchBoard } from "./store.js";
import { t } from "./texts.js";
import { SIGNS, signOf, signsOf, variation, variationsOf, words } from "./tree.js";

/** @typedef {import("./tree.js").Tree} Tree */

/** The sign of the glyph that is written for an only move. */
const ONLY = "□";

/**
 * Writes the moves of a tree: the main line, with the variations behind the moves that they replace.
 * @param {HTMLElement} place
 * @param {Tree} tree
 * @param {number} ply plies before the first move, counted from the side that begins
 * @param {Map<number, import("./report.js").Judged>} judged what the analysis says of the moves
 * @param {(node: number) => void} go
 */
function write(place, tree, ply, judged, go) {
  const { nodes } = tree;
  const comment = (/** @type {HTMLElement} */ into, /** @type {string[] | undefined} */ texts) => {
    const said = (texts ?? []).map(words).filter(Boolean);
    for (const text of said) into.append(make("span", { className: "comment", textContent: text }), " ");
    return said.length > 0;
  };
  const move = (/** @type {number} */ node, /** @type {string} */ number) => {
    const kind = judged.get(node)?.class ?? "";
    const signs = signsOf(nodes[node]);
    // The mark of the analysis says the same, in a colour.
    const isSaid = signs === marks()[kind] || (kind === "only" && signs === ONLY);
    return make("button", {
      type: "button", textContent: number + nodes[node].text + (isSaid ? "" : signs), onclick: () => go(node),
      ...(node === tree.current ? { "aria-current": "true" } : {}),
    }, ...(marks()[kind] ? [mark(kind)] : []));
  };
  comment(place, nodes[0].comments);
  if (!nodes[0].children.length) return;
  /** Lines to go on with: where they are, whether the next move needs its number. */
  const open = [{ node: nodes[0].children[0], ply, fresh: true, into: place }];
  for (let line = open.pop(); line; line = open.pop()) {
    let { node, ply: at, fresh } = line;
    const { into } = line;
    while (node !== undefined) {
      comment(into, nodes[node].before);
      const number = at % 2 === 0 ? `${at / 2 + 1}. ` : fresh ? `${(at - 1) / 2 + 1}... ` : "";
      into.append(move(node, number), " ");
      fresh = comment(into, nodes[node].comments);
      for (const other of variationsOf(tree, node)) {
        const variation = make("span", { className: "variation" });
        into.append(variation);
        open.push({ node: other, ply: at, fresh: true, into: variation });
        fresh = true;
      }
      node = nodes[node].children[0];
      at += 1;
    }
  }
}

export const panel = {
  title: "moves",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const list = make("div", { className: "moves" });
    const promote = make("button", { type: "button", id: "promote", onclick: actions.promote });
    const remove = make("button", { type: "button", id: "remove", onclick: actions.remove });
    const glyphs = SIGNS.map(([sign]) =>
      make("button", { type: "button", textContent: sign, onclick: () => actions.sign(sign) }));
    /** The move whose comment is being written, also when an engine moves meanwhile. @type {number | null} */
    let written = null;
    /** Whether the game is on the board whose comment the field has. */
    let isThere = () => false;
    const comment = make("textarea", { id: "comment", rows: 1, oninput: () => {
      written ??= asked;
      actions.comment(comment.value, written);
    }, onblur: () => {
      written = null;
      actions.choose({});
    } });
    place.append(list, make("div", { className: "row glyphs" }, ...glyphs, promote, remove), comment);
    /** @type {any[]} */
    let shown = [];
    let asked = -1;
    return (/** @type {import("./store.js").State} */ state) => {
      const { tree, about, variant } = state;
      const node = tree.nodes[tree.current];
      promote.textContent = t("promote");
      remove.textContent = t("remove");
      comment.placeholder = t("comment");
      comment.setAttribute("aria-label", t("comment"));
      promote.disabled = state.editing || variation(tree) === 0;
      remove.disabled = state.editing || tree.current === 0;
      glyphs.forEach((button, index) => {
        button.disabled = tree.current === 0;
        button.setAttribute("aria-label", t(`sign_${SIGNS[index][1]}`));
        button.setAttribute("aria-pressed", String(signOf(node) === SIGNS[index][0]));
      });
      // What is being written stays with its move, unless another game is shown.
      const isOther = !isThere();
      if (isOther) written = null;
      if (written === null) {
        if (isOther || document.activeElement !== comment || asked !== tree.current) comment.value = (node.comments ?? []).join("\n");
        asked = tree.current;
        isThere = watchBoard();
      }
      const judged = judgements(state);
      // A long list is drawn anew for another mark, not for every move that the analysis has come to.
      const marked = [...judged].filter(([, { class: kind }]) => marks()[kind]).map(([at, { class: kind }]) => `${at} ${kind}`).join();
      const now = [tree, about, marked, state.end, t("moves")];
      if (now.every((value, index) => value === shown[index])) return;
      shown = now;
      const first = about?.variants.find((/** @type {any} */ known) => known.name === variant)?.first;
      const begins = tree.nodes[tree.nodes[0].children[0]]?.color;
      redraw(list, () => {
        list.replaceChildren();
        write(list, tree, begins === first ? 0 : 1, judged, actions.goTo);
      });
      if (state.end && state.end !== "*") list.append(make("span", { className: "comment", textContent: state.end }));
      reveal(list);
    };
  },
};
