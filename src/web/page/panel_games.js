// @ts-check
/** The games of a PDN file, and the names of the game on the board. */

import { copyFrom, fill, make, redraw, reveal } from "./elements.js";
import { tag } from "./files.js";
import { counted, labelled, t } from "./texts.js";

/** Games that are listed at a time. */
const LISTED = 100;
/** The tags that can be changed here, and the keys of their texts; the result is chosen, the others are written. */
const TAGS = [["White", "white"], ["Black", "black"], ["Event", "event"], ["Date", "date"], ["Result", "result"]];
/** The results that PDN knows. */
const RESULTS = ["*", "2-0", "1-1", "0-2", "1-0", "1/2-1/2", "0-1", "0-0"];

/** A text as it is looked for: without accents, in small letters. @param {string} text */
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** What a game is found by. @param {import("./files.js").GameRow} row */
const words = (row) => plain([row.white, row.black, row.event, row.date, row.result, row.variant].join(" "));

/** Shows the results to choose from, and that of the game, which may be of another kind. @param {HTMLSelectElement} select @param {string} result */
function fillResults(select, result) {
  const all = RESULTS.includes(result) ? RESULTS : [result, ...RESULTS];
  fill(select, all.map((text) => [text, text || "–"]), result);
}

/** @param {import("./files.js").GameRow} row @param {number} index */
function rowText(row, index) {
  const names = `${row.white || "?"} – ${row.black || "?"}`;
  const rest = [row.result, row.date, row.event].filter((text) => text && text !== "?").join(" · ");
  return [
    make("span", { className: "number", textContent: `${index + 1}${row.fault ? " ⚠" : ""}` }),
    make("span", { className: "names", textContent: names }), make("span", { className: "quiet", textContent: rest }),
  ];
}

export const panel = {
  title: "games",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const chooser = make("input", { type: "file", id: "pdn-file", accept: ".pdn,.pgn,.txt", hidden: true, tabIndex: -1 });
    chooser.onchange = () => {
      if (chooser.files?.[0]) actions.openFile(chooser.files[0]);
      chooser.value = "";
    };
    const buttons = Object.fromEntries(/** @type {[string, () => void][]} */ ([
      ["open_file", () => chooser.click()], ["save_game", actions.saveGame], ["copy_game", copyGame], ["save_file", actions.saveFile],
      ["add_game", actions.addGame], ["close_file", actions.closeFile],
    ]).map(([name, onclick]) => [name, make("button", { type: "button", id: name, onclick })]));
    const text = make("textarea", { id: "game-text", readOnly: true, hidden: true, rows: 3 });
    const note = make("p", { className: "quiet", id: "game-copied", role: "status" });
    /** The key of what is said of the last copy, and the moves that were copied. @type {[string, unknown]} */
    let said = ["", null];
    /** Copies the game as PDN. Where the page may not do that, the text is shown, to be copied by hand. */
    async function copyGame() {
      text.value = await actions.gameText();
      if (!text.value) return;
      text.hidden = false;
      const isCopied = await copyFrom(text);
      said = [isCopied ? "copied" : "copy_by_hand", last.tree.nodes];
      if (isCopied && text === document.activeElement) buttons.copy_game.focus({ preventScroll: true });
      text.hidden = isCopied;
      note.textContent = t(said[0]);
    }
    const kept = make("select", { id: "kept-files", onchange: () => (kept.value ? actions.openKept(kept.value) : actions.closeFile()) });
    const keptWord = make("span");
    const keptRow = make("div", { className: "row" }, make("label", {}, keptWord, kept));
    const search = make("input", { type: "search", id: "find-game" });
    const count = make("p", { className: "quiet", role: "status", id: "found" });
    const list = make("ul", { className: "games" });
    const more = make("button", { type: "button", id: "more-games" });
    const inputs = TAGS.map(([name]) => make(name === "Result" ? "select" : "input", { ...(name === "Result" ? {} : { type: "text" }),
      id: `tag-${name.toLowerCase()}`, onchange: (/** @type {any} */ event) => actions.tag(name, event.target.value.trim()) }));
    const labels = TAGS.map(() => make("span"));
    const summary = make("summary");
    place.append(make("div", { className: "row" }, ...Object.values(buttons), chooser), note, text, keptRow, search, count, list, more,
      make("details", { id: "game-data" }, summary,
        ...inputs.map((input, index) => make("div", { className: "row" }, make("label", {}, labels[index], input)))));
    let limit = LISTED;
    /** @type {any[]} */
    let shown = [];
    /** @type {string[]} */
    let found = [];
    /** @type {any} */
    let last = null;
    const render = (/** @type {import("./store.js").State} */ state) => {
      last = state;
      const { file, game, shelf } = state;
      // That was another game, or the same one without its last move.
      if (said[1] !== state.tree.nodes) {
        said = ["", state.tree.nodes];
        text.hidden = true;
      }
      text.setAttribute("aria-label", t("copy_game"));
      note.textContent = said[0] && t(said[0]);
      keptRow.hidden = !shelf.length;
      keptWord.textContent = t("kept_files");
      fill(kept, [["", "–"], ...shelf.map(({ key, name }) => /** @type {[string, string]} */ ([key, name || t("left_games")]))], file?.key ?? "");
      for (const [name, button] of Object.entries(buttons)) button.textContent = t(name);
      buttons.save_file.hidden = buttons.add_game.hidden = buttons.close_file.hidden = !file;
      search.hidden = list.hidden = count.hidden = !file;
      search.placeholder = t("find_game");
      search.setAttribute("aria-label", t("find_game"));
      summary.textContent = t("game_data");
      inputs.forEach((input, index) => {
        labels[index].textContent = t(TAGS[index][1]);
        if (TAGS[index][0] === "Result") fillResults(input, tag("Result"));
        else if (document.activeElement !== input) input.value = tag(TAGS[index][0]);
      });
      if (!file) {
        more.hidden = true;
        return;
      }
      if (file.games !== shown[0]) found = file.games.map(words);
      const now = [file.games, game, search.value, limit, state.about, t("find_game")];
      if (now.every((value, index) => value === shown[index])) return;
      shown = now;
      const asked = plain(search.value).split(/\s+/).filter(Boolean);
      const fits = found.flatMap((text, index) => (asked.every((word) => text.includes(word)) ? [index] : []));
      const all = counted(file.games.length, t("games_found"));
      count.textContent = labelled(file.name, `${fits.length} / ${file.more ? all.replace(" ", "+ ") : all}`);
      const from = fits.length <= limit ? 0 : Math.max(0, Math.min(fits.length - limit, fits.indexOf(game ?? 0) - LISTED / 2));
      redraw(list, () => list.replaceChildren(...fits.slice(from, from + limit).map((index) => make("li", {}, make("button", {
        type: "button", onclick: () => actions.openGame(index), title: file.games[index].fault ?? "",
        ...(index === game ? { "aria-current": "true" } : {}),
      }, ...rowText(file.games[index], index))))));
      more.hidden = fits.length <= limit;
      more.textContent = t("more_games");
      reveal(list);
    };
    search.oninput = () => {
      limit = LISTED;
      render(last);
    };
    more.onclick = () => {
      limit *= 2;
      render(last);
    };
    return render;
  },
};
