// @ts-check
/** PDN files: their games, what of them the browser keeps, and the game on the board as PDN. The server reads and writes PDN. */

import { make } from "./elements.js";
import { beginsWithFile, pdnFile, pdnGame, pdnGames, pdnText, Refused } from "./server.js";
import { get, update } from "./store.js";
import { t } from "./texts.js";

/**
 * A game of a file, as the server lists it.
 * @typedef {{
 *   from: number, to: number, white: string, black: string, event: string, date: string, result: string,
 *   variant: string | null, plies: number, fault: string | null
 * }} GameRow
 */
/**
 * A file that is open. `texts` are the games that were changed or added, by their places in the list.
 * @typedef {{key: string, name: string, encoding: string, bytes: ArrayBuffer, games: GameRow[], texts: Record<number, string>}} PdnFile
 */

const FILES = "files";
/** Files that the browser keeps, the last ones that were opened. */
const MOST_KEPT = 8;
/** The file of the games that gave way to another one without being in a file; its key comes behind those of others. */
const LEFT = "~left/kroon-games.pdn";
/** Games of that file; with more it becomes one of the others. */
const MOST_LEFT = 500;

/** The key of a file that is opened now: by time, with the name behind it. @param {string} name */
const keyOf = (name) => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}/${name}`;
/** The name in a key. @param {string} key */
const nameOf = (key) => key.slice(key.indexOf("/") + 1);

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** The files that the browser keeps. @param {IDBTransactionMode} mode */
async function store(mode) {
  const request = indexedDB.open("kroon", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(FILES, { keyPath: "key" });
  return (await done(request)).transaction(FILES, mode).objectStore(FILES);
}

/** Keeps a file for the next visit. @param {PdnFile} file */
async function keep(file) {
  const files = await store("readwrite");
  await done(files.put(file));
  const keys = (await done(files.getAllKeys())).filter((key) => key !== LEFT);
  for (const key of keys.slice(0, -MOST_KEPT)) files.delete(key);
  await list();
}

/** A file that the browser keeps. @param {string} key @returns {Promise<PdnFile | undefined>} */
const kept = async (key) => done((await store("readonly")).get(key));

/** Lists the files that the browser keeps, the last one first. */
async function list() {
  const keys = /** @type {string[]} */ (await done((await store("readonly")).getAllKeys()));
  update({ shelf: keys.reverse().map((key) => ({ key, name: key === LEFT ? "" : nameOf(key) })) });
}

/** The text of a part of a file, in the characters that the server has found. @param {PdnFile} file @param {ArrayBuffer} bytes */
function decode(file, bytes) {
  if (file.encoding === "utf-8") return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
}

/** The PDN of a game. @param {PdnFile} file @param {number} index */
function gameText(file, index) {
  const { from, to } = file.games[index];
  return file.texts[index] ?? decode(file, file.bytes.slice(from, to));
}

/** The file with all changes; byte for byte as it was where nothing was changed. @param {PdnFile} file @returns {BlobPart[]} */
function parts(file) {
  if (!Object.keys(file.texts).length) return [file.bytes];
  if (file.encoding !== "utf-8") return file.games.map((_, index) => gameText(file, index));
  return file.games.map((row, index) => file.texts[index] ?? file.bytes.slice(row.from, row.to));
}

/** Has the browser save a file. @param {string} name @param {BlobPart[]} content */
function download(name, content) {
  const href = URL.createObjectURL(new Blob(content, { type: "application/octet-stream" }));
  make("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

/** Who plays a colour, as a tag says it. @param {"white" | "black"} color */
function tagName(color) {
  const [kind, name] = get().seats[color].split(":");
  if (kind === "level") return name === "0" ? "Kroon" : `Kroon, level ${name}`;
  return kind === "person" ? "?" : name;
}

/** Today as PDN writes it. */
function today() {
  const now = new Date();
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  return `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
}

/** The tags of the game on the board. One that was played here gets its players and the day. @returns {[string, string][]} */
function boardTags() {
  const { tags } = get();
  return tags.length ? tags : [["Date", today()], ["White", tagName("white")], ["Black", tagName("black")]];
}

/** The game on the board, for the server. */
export function boardGame() {
  const { variant, start, end, tree, ended } = get();
  const said = boardTags();
  const winner = ended && (ended.winner ?? "draw");
  return { variant, start, tags: said, end, ended: winner, nodes: tree.nodes };
}

/** The game on the board as PDN. @returns {Promise<string>} */
const boardText = async () => (await pdnText(boardGame())).pdn;

/** The value of a tag of the game on the board. @param {string} name */
export const tag = (name) => get().tags.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1] ?? "";

/**
 * What can be done with files. An error is shown by whoever calls.
 * @param {{refresh: () => Promise<void>, say: (text: string) => void}} page
 */
export function makeFiles({ refresh, say }) {
  /** Runs something that can fail, and shows how. @param {() => Promise<unknown>} work */
  const attempt = async (work) => {
    try {
      await work();
    } catch (error) {
      update({ error: /** @type {Error} */ (error).message });
    }
  };

  /**
   * Puts a text in the place of a game of a file, or behind its last one, and keeps the file.
   * @param {PdnFile} file @param {number} index @param {string} text
   */
  async function put(file, index, text) {
    const [row] = (await pdnGames(text)).games;
    const games = [...file.games];
    games[index] = { ...row, from: games[index]?.from ?? 0, to: games[index]?.to ?? 0, fault: row.fault?.replace(/^game \d+/, `game ${index + 1}`) ?? null };
    const changed = { ...file, games, texts: { ...file.texts, [index]: text } };
    if (get().file?.key === file.key) update({ file: changed });
    update({ changed: false });
    await keep(changed);
  }

  /** Puts the text of a game behind the games of a file. @param {PdnFile} file @param {string} text */
  async function append(file, text) {
    const last = file.games.length ? gameText(file, file.games.length - 1) : "\n\n";
    await put(file, file.games.length, (last.endsWith("\n\n") ? "" : "\n\n") + text);
  }

  /** Takes what was changed of the game on the board into the file. */
  async function commit() {
    const { file, game, changed } = get();
    if (!file || game === null || !changed) return;
    // Another tab can have added to the games that were left.
    const now = file.key === LEFT ? await kept(LEFT) : file;
    await put(now ?? file, game, await boardText());
  }

  /**
   * Another game takes the place of this one: nothing of it is lost, whether it is of a file or not. A game that the server
   * refuses to write is not in the way of another one.
   */
  async function leave() {
    try {
      await keepGame();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      say(error.message);
    }
  }

  /** Takes the game on the board into its file, or into that of the games that were left. */
  async function keepGame() {
    await commit();
    const { tree, changed } = get();
    if (!changed || tree.nodes.length < 2) return;
    const text = await boardText();
    let file = await kept(LEFT) ?? { key: LEFT, name: nameOf(LEFT), encoding: "utf-8", bytes: new ArrayBuffer(0), games: [], texts: {} };
    if (file.games.length >= MOST_LEFT) {
      await keep({ ...file, key: keyOf(file.name) });
      file = { ...file, games: [], texts: {} };
    }
    // Two tabs can leave the same game.
    if (Object.values(file.texts).includes(text)) update({ changed: false });
    else await append(file, text);
  }

  /** Shows a game of the file. @param {number} index */
  async function show(index) {
    await leave();
    const { file } = get();
    if (!file) return;
    const { variant, start, tags, end, nodes, faults } = await pdnGame(gameText(file, index));
    update({
      variant, start, tags, end, tree: { nodes, current: 0 }, game: index, changed: false, clock: null, ended: null,
      offer: null, notice: "", playing: false, editing: false, report: null, exercise: null,
      searching: null,
    });
    await refresh();
    say(`${t("game")} ${index + 1}`);
    if (faults.length) update({ error: `${t("game")} ${index + 1}: ${faults[0]}` });
  }

  /** Opens a file and shows its first game. @param {string} name @param {ArrayBuffer} bytes */
  async function open(name, bytes) {
    await leave();
    const { encoding, games } = await pdnGames(bytes);
    const file = { key: keyOf(name), name, encoding, bytes, games, texts: {} };
    update({ file, fileKey: file.key, game: null });
    await keep(file);
    await show(0);
  }

  /** Opens a file that the browser keeps, and shows its last game. @param {string} key */
  async function openKept(key) {
    await leave();
    const file = await kept(key);
    if (!file) return list();
    update({ file, fileKey: key, game: null, changed: false });
    return show(file.games.length - 1);
  }

  /** Opens what is dropped on the page. */
  function acceptDrops() {
    const hasFile = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files");
    const mark = (/** @type {boolean} */ on) => document.body.classList.toggle("dropping", on);
    document.addEventListener("dragover", (event) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      mark(true);
    });
    document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(false); });
    document.addEventListener("drop", (event) => {
      mark(false);
      const file = event.dataTransfer?.files[0];
      if (!file) return;
      event.preventDefault();
      attempt(async () => open(file.name, await file.arrayBuffer()));
    });
  }

  const actions = {
    openFile: (/** @type {File} */ file) => attempt(async () => open(file.name, await file.arrayBuffer())),
    openGame: (/** @type {number} */ index) => attempt(() => show(index)),
    saveGame: () => attempt(async () => {
      const name = [tag("White"), tag("Black")].filter((part) => part && part !== "?").join("-");
      download(`${name.replace(/[^\p{L}\p{N}-]+/gu, "_") || "game"}.pdn`, [await boardText()]);
      if (get().game === null) update({ changed: false });
    }),
    saveFile: () => attempt(async () => {
      await commit();
      const { file } = get();
      if (file) download(file.name, parts(file));
    }),
    /** Puts the game on the board behind the games of the file. */
    addGame: () => attempt(async () => {
      const { file } = get();
      if (!file) return;
      await append(file, await boardText());
      update({ game: file.games.length });
    }),
    openKept: (/** @type {string} */ key) => attempt(() => openKept(key)),
    closeFile: () => attempt(async () => {
      await commit();
      update({ file: null, fileKey: null, game: null });
    }),
    tag: (/** @type {string} */ name, /** @type {string} */ value) => {
      const tags = boardTags();
      const at = tags.findIndex(([known]) => known.toLowerCase() === name.toLowerCase());
      const changed = at < 0 ? [...tags, /** @type {[string, string]} */ ([name, value])] : tags.with(at, [tags[at][0], value]);
      // The word at the end of the game follows the tag.
      update({ tags: changed, changed: true, ...(name === "Result" ? { end: value || null } : {}) });
    },
  };

  return {
    actions, acceptDrops, leave,
    /** At the first contact: the file of the command line, or that of the last visit. */
    begin: () => attempt(async () => {
      const { about, fileKey } = get();
      await list();
      if (beginsWithFile && about?.file) return open(about.file, await pdnFile());
      const file = fileKey && await kept(fileKey);
      return update(file ? { file } : { fileKey: null, game: null });
    }),
  };
}
