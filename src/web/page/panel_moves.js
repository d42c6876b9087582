// @ts-check
/** The moves of the game and its variations. */

import { make } from "./elements.js";
import { t } from "./texts.js";

export const panel = {
  title: "moves",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const list = make("div", { className: "moves" });
    const promote = make("button", { type: "button", onclick: actions.promote });
    const remove = make("button", { type: "button", onclick: actions.remove });
    place.append(list, make("div", { className: "row" }, promote, remove));
    /** @type {any[]} */
    let shown = [];
    return (/** @type {import("./store.js").State} */ state) => {
      promote.textContent = t("promote");
      remove.textContent = t("remove");
      const { tree } = state;
      promote.disabled = remove.disabled = tree.current === 0;
      if (tree === shown[0] && state.about === shown[1]) return;
      shown = [tree, state.about];
      const button = (/** @type {number} */ node, /** @type {string} */ number) => make("button", {
        type: "button", textContent: number + tree.nodes[node].text, onclick: () => actions.goTo(node),
        ...(node === tree.current ? { "aria-current": "true" } : {}),
      });
      const first = tree.nodes[tree.nodes[0].children[0]]?.color;
      /** The moves from a node on: its main line in `into`, with the variations behind the moves that they replace. */
      const write = (/** @type {HTMLElement} */ into, /** @type {number} */ from, /** @type {number} */ ply) => {
        /** @type {{node: number, ply: number, fresh: boolean, into: HTMLElement}[]} */
        const open = [{ node: from, ply, fresh: true, into }];
        while (open.length) {
          let { node, ply: at, fresh, into: line } = /** @type {any} */ (open.pop());
          while (node !== undefined) {
            const text = at % 2 === 0 ? `${at / 2 + 1}. ` : fresh ? `${(at - 1) / 2 + 1}... ` : "";
            line.append(button(node, text), " ");
            fresh = false;
            const parent = tree.nodes[node].parent;
            if (tree.nodes[parent].children[0] === node) {
              for (const other of tree.nodes[parent].children.slice(1)) {
                const variation = make("span", { className: "variation" });
                line.append(variation);
                open.push({ node: other, ply: at, fresh: true, into: variation });
                fresh = true;
              }
            }
            node = tree.nodes[node].children[0];
            at += 1;
          }
        }
      };
      list.replaceChildren();
      const start = tree.nodes[0].children[0];
      const variantFirst = state.about?.variants.find((/** @type {any} */ v) => v.name === state.variant)?.first;
      if (start !== undefined) write(list, start, first === variantFirst ? 0 : 1);
      list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
    };
  },
};
