// @ts-check
/** The position as FEN, the field for other positions and games, and the editor of positions. */

import { copyFrom, make } from "./elements.js";
import { isPdn } from "./files.js";
import { t } from "./texts.js";

/** The pieces of the editor: a click on the board sets the chosen one, and each can be dragged there. */
export const BRUSHES = [["white", "man"], ["white", "king"], ["black", "man"], ["black", "king"]];

export const panel = {
  title: "position",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const fen = make("input", { type: "text", id: "fen", spellcheck: false, autocomplete: "off", "aria-label": "FEN" });
    const setUp = make("button", { type: "button", id: "set_up", onclick: () => take(fen.value) });
    /** Whether what is in the field was written there and is not on the board. */
    let written = false;
    /** Shows what a text says. One that is refused stays in the field, to be mended. @param {string} text */
    const take = async (text) => {
      if (!await actions.setUp(text)) return;
      written = false;
      fen.value = shown;
    };
    const copy = make("button", { type: "button", id: "copy", onclick: async () => {
      said = await copyFrom(fen) ? "copied" : "copy_by_hand";
      note.textContent = t(said);
    } });
    /** The key of what is said of the last copy, until there is another position. */
    let said = "";
    const note = make("p", { className: "quiet", id: "copy-note", role: "status" });
    const edit = make("button", { type: "button", id: "edit", onclick: actions.edit });
    const cancel = make("button", { type: "button", id: "cancel_edit", onclick: actions.cancelEdit });
    const clear = make("button", { type: "button", onclick: actions.clear });
    const turn = make("button", { type: "button", onclick: actions.turn });
    const brushes = BRUSHES.map(([color, kind], index) =>
      make("button", { type: "button", onclick: () => actions.brush(index), id: `brush-${color}-${kind}`, className: `brush ${color} ${kind}`,
        onpointerdown: (/** @type {PointerEvent} */ event) => actions.lift(event, index) }));
    const tools = make("div", { className: "row tools" }, ...brushes, clear, turn);
    const fault = make("p", { className: "error", role: "alert", id: "fen-fault" });
    fen.setAttribute("aria-describedby", fault.id);
    const isInUse = () => document.activeElement === fen && (written || fen.selectionStart !== fen.selectionEnd);
    fen.oninput = () => { written = true; };
    fen.onblur = () => { if (!written) fen.value = shown; };
    fen.onkeydown = (/** @type {KeyboardEvent} */ event) => { if (event.key === "Enter") take(fen.value); };
    fen.onpaste = (/** @type {ClipboardEvent} */ event) => {
      // The field has one line, but a game has several.
      const text = event.clipboardData?.getData("text") ?? "";
      if (!isPdn(text)) return;
      event.preventDefault();
      take(text);
    };
    place.append(tools, make("div", { className: "row" }, make("label", {}, "FEN", fen)), fault,
      make("div", { className: "row" }, setUp, copy, edit, cancel), note);
    let shown = "";
    return (/** @type {any} */ state) => {
      setUp.textContent = t("set_up");
      copy.textContent = t("copy");
      edit.textContent = state.editing ? t("done") : t("edit");
      cancel.textContent = t("cancel");
      cancel.hidden = !state.editing;
      clear.textContent = t("clear");
      turn.textContent = `${t(state.view?.turn ?? "white")} ${t("to_move")}`;
      brushes.forEach((button, index) => {
        button.textContent = t(`piece_${BRUSHES[index][0]}_${BRUSHES[index][1]}`);
        button.setAttribute("aria-pressed", String((state.brush ?? 0) === index));
      });
      tools.hidden = !state.editing;
      fault.textContent = state.error;
      // An engine may move while somebody writes or copies; what was written stays after that, too, until another position comes.
      if (state.view?.fen !== shown && !isInUse()) written = false;
      if (state.view && !written && !isInUse()) fen.value = state.view.fen;
      fen.setAttribute("aria-invalid", String(written && Boolean(state.error)));
      if (state.view?.fen !== shown) said = "";
      note.textContent = said && t(said);
      shown = state.view?.fen ?? "";
    };
  },
};
