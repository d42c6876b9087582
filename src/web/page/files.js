// @ts-check
/** PDN files: their games, what of them the browser keeps, and the game on the board as PDN. The server reads and writes PDN. */

import { make } from "./elements.js";
import { beginsWithFile, pdnFile, pdnGame, pdnGames, pdnText, Refused } from "./server.js";
import { claimBoard, get, isSame, takeBoard, unsaved, update, watchBoard } from "./store.js";
import { labelled, t } from "./texts.js";
import { lineTo, towards } from "./tree.js";

/**
 * A game of a file, as the server lists it.
 * @typedef {{
 *   from: number, to: number, white: string, black: string, event: string, date: string, result: string,
 *   variant: string | null, plies: number, fault: string | null
 * }} GameRow
 */
/**
 * A file that is open. `texts` are the games that were changed or added, by their places in the list; `more`: there are more
 * games than are listed, behind the last one; `unkept`: the browser could not keep it as it is here.
 * @typedef {{
 *   key: string, name: string, encoding: string, bytes: ArrayBuffer, games: GameRow[], texts: Record<number, string>,
 *   more?: boolean, unkept?: boolean
 * }} PdnFile
 */

const FILES = "files";
/** Files that the browser keeps, the last ones that were opened or changed. */
const MOST_KEPT = 8;
/** When each of them was used last, by its key. */
const USED = "kroon.files";
/** Times that a game is kept anew because it has changed meanwhile: then another one takes its place all the same. */
const MOST_TRIES = 5;
/** The file of the games that gave way to another one without being in a file; its key comes behind those of others. */
const LEFT = "~left/kroon-games.pdn";
/** Where the text of the game on the board is kept as it was read. */
const BASE = "kroon.base";
/** Games of that file; with more it becomes one of the others. */
const MOST_LEFT = 500;

/** The key of a file that is opened now: by time, with the name behind it. @param {string} name */
const keyOf = (name) => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}/${name}`;
/** The name in a key. @param {string} key */
const nameOf = (key) => key.slice(key.indexOf("/") + 1);

/** A tag of PDN, or a move. */
const PDN_PART = /\[\w+\s+"|\d\s*[-x:]\s*\d|[a-h][1-8]\s*[-x:]\s*[a-h][1-8]/i;
/** How a FEN begins; its lists of squares may look like moves. */
const FEN_BEGINS = /^\s*[WB]:/i;

/** Whether a text has games in PDN, and is not only a position as FEN or as Hub has it. @param {string} text */
export const isPdn = (text) => !FEN_BEGINS.test(text) && PDN_PART.test(text);

/** The name of a file for several games that were pasted. */
const PASTED = "pasted.pdn";

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** The end of a transaction: what the browser has no room for fails only there. @param {IDBTransaction} transaction @returns {Promise<void>} */
function ended(transaction) {
  const end = new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(undefined);
    transaction.onabort = () => reject(transaction.error);
  });
  // Whoever waits for it may have failed before.
  end.catch(() => {});
  return end;
}

/** The files that the browser keeps. @param {IDBTransactionMode} mode */
async function store(mode) {
  const request = indexedDB.open("kroon", 1);
  request.onupgradeneeded = () => request.result.createObjectStore(FILES, { keyPath: "key" });
  return (await done(request)).transaction(FILES, mode).objectStore(FILES);
}

/** When files were used last. @returns {Record<string, number>} */
function uses() {
  try {
    return JSON.parse(localStorage.getItem(USED) ?? "{}");
  } catch {
    return {};
  }
}

/** Writes down when files were used last; without room for that the times when they were opened tell. @param {Record<string, number>} times */
function setUses(times) {
  try {
    localStorage.setItem(USED, JSON.stringify(times));
  } catch {
    localStorage.removeItem(USED);
  }
}

/** A file is used now. @param {string} key */
const use = (key) => setUses({ ...uses(), [key]: Date.now() });

/** Keys with the one first that was used last; that of the games that were left before all. @param {string[]} keys */
function lastFirst(keys) {
  const used = uses();
  // The time when a file was opened begins its key.
  const when = (/** @type {string} */ key) => (key === LEFT ? Infinity : used[key] ?? parseInt(key, 36));
  return [...keys].sort((one, other) => (when(one) < when(other) ? 1 : -1));
}

/** Keeps a file for the next visit. @param {PdnFile} file */
const keep = (file) => changeKept(file, () => [file]);

/**
 * Changes a file that the browser keeps, in one transaction: another tab can have changed it, too.
 * @param {PdnFile} file as this tab has it, which counts where the browser keeps it no longer
 * @param {(now: PdnFile) => PdnFile[]} change what is kept in its place
 */
async function changeKept(file, change) {
  const files = await store("readwrite");
  const end = ended(files.transaction);
  for (const changed of change(await done(files.get(file.key)) ?? file)) {
    use(changed.key);
    await done(files.put({ ...changed, unkept: false }));
  }
  const keys = /** @type {string[]} */ (await done(files.getAllKeys())).filter((key) => key !== LEFT);
  const gone = lastFirst(keys).slice(MOST_KEPT);
  for (const key of gone) files.delete(key);
  await end;
  setUses(Object.fromEntries(Object.entries(uses()).filter(([key]) => keys.includes(key) && !gone.includes(key))));
  await list();
}

/** A file that the browser keeps. @param {string} key @returns {Promise<PdnFile | undefined>} */
const kept = async (key) => done((await store("readonly")).get(key));

/**
 * A file with what other tabs have changed, or as it is here where the browser could not keep it.
 * @param {PdnFile} file @returns {Promise<PdnFile>}
 */
const latest = async (file) => (file.unkept ? file : await kept(file.key) ?? file);

/** Lists the files that the browser keeps, the one that was used last first. */
async function list() {
  const keys = /** @type {string[]} */ (await done((await store("readonly")).getAllKeys()));
  update({ shelf: lastFirst(keys).map((key) => ({ key, name: key === LEFT ? "" : nameOf(key) })) });
}

/**
 * One character of UTF-8 with several bytes, where each byte is written as the letter of its number, or else a byte that is
 * none of UTF-8.
 */
const FOREIGN =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\xff]/g;

/**
 * The text of a part of a file, as the server has read it: a byte that is no UTF-8 is its letter in Windows-1252.
 * @param {PdnFile} file @param {ArrayBuffer} bytes
 */
function decode(file, bytes) {
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  if (file.encoding === "utf-8") return utf8.decode(bytes);
  const letters = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join("");
  const old = new TextDecoder("windows-1252");
  return letters.replace(FOREIGN, (found) => {
    const decoder = found.length > 1 ? utf8 : old;
    return decoder.decode(Uint8Array.from(found, (letter) => letter.charCodeAt(0)));
  });
}

const LINE_END = /\r\n|\n|\r/;
/** An empty line at the end. */
const ENDS_WITH_GAP = /(\r\n|\n|\r)\1$/;

/**
 * What is wrong with a game, with the line of the file as it was read; null where the game was changed since.
 * @param {PdnFile} file @param {number} index
 */
const inFile = (file, index) => (index in file.texts ? null : file.games[index].fault?.replace(/^game \d+: /, "") ?? null);

/** The PDN of a game. @param {PdnFile} file @param {number} index */
function gameText(file, index) {
  const { from, to } = file.games[index];
  return file.texts[index] ?? decode(file, file.bytes.slice(from, to));
}

/**
 * The text with which the game on the board was read or kept last: a file in which it is another by now was changed by
 * another tab. It is the tab's own, and a reload keeps it.
 */
const base = {
  /** @param {PdnFile} file @param {number} index */
  get: (file, index) => {
    const [key, at, text] = JSON.parse(sessionStorage.getItem(BASE) ?? "[]");
    return key === file.key && at === index ? text : gameText(file, index);
  },
  /** @param {PdnFile} file @param {number} index */
  set: (file, index) => {
    try {
      sessionStorage.setItem(BASE, JSON.stringify([file.key, index, gameText(file, index)]));
    } catch {
      sessionStorage.removeItem(BASE);
    }
  },
};

/** A text of the server with the line ends of a file. @param {PdnFile} file @param {string} text */
function withItsLineEnds(file, text) {
  const [end] = file.games.length ? gameText(file, 0).match(LINE_END) ?? ["\n"] : ["\n"];
  return text.replaceAll("\n", end);
}

/**
 * The file with a text in the place of a game, or behind its last one.
 * @param {PdnFile} file @param {number} index @param {string} text @param {GameRow} row
 * @returns {PdnFile}
 */
function withGame(file, index, text, row) {
  // Games that are not listed stand before the first one that is added.
  const isBehindRest = file.more && index === file.games.length && file.games[index - 1]?.to > 0;
  const last = index && (isBehindRest ? decode(file, file.bytes.slice(-4)) : gameText(file, index - 1));
  const { from = 0, to = 0 } = file.games[index] ?? {};
  // What separates a game of the file as it was read from the one before is the end of that one.
  const gap = to || !last || ENDS_WITH_GAP.test(last) ? "" : withItsLineEnds(file, "\n\n");
  const games = [...file.games];
  games[index] = { ...row, from, to, fault: row.fault?.replace(/^game \d+/, `game ${index + 1}`) ?? null };
  return { ...file, games, texts: { ...file.texts, [index]: gap + text } };
}

/** The file with all changes; byte for byte as it was where nothing was changed. @param {PdnFile} file @returns {BlobPart[]} */
function parts(file) {
  if (!Object.keys(file.texts).length) return [file.bytes];
  const isUtf8 = file.encoding === "utf-8";
  const of = (/** @type {ArrayBuffer} */ bytes) => (isUtf8 ? bytes : decode(file, bytes));
  // Games that are not listed stand behind the last one that was read, and before those that were added.
  const read = file.games.reduce((most, { to }) => Math.max(most, to), 0);
  return file.games.flatMap((row, index) => {
    const game = file.texts[index] ?? of(file.bytes.slice(row.from, row.to));
    return row.to === read && read < file.bytes.byteLength ? [game, of(file.bytes.slice(read))] : [game];
  });
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

/** The tags of the game on the board. One that was played here gets its players and the day, an exercise does not. @returns {[string, string][]} */
function boardTags() {
  const { tags, exercise } = get();
  return tags.length || exercise ? tags : [["Date", today()], ["White", tagName("white")], ["Black", tagName("black")]];
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

/** @param {[string, string][]} tags */
const withoutResult = (tags) => tags.filter(([name]) => name.toLowerCase() !== "result");

/**
 * The game on the board as PDN for a file that nobody looks at now. A result that the server does not know stays away.
 * @returns {Promise<string>}
 */
async function textToKeep() {
  try {
    return await boardText();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const game = boardGame();
    return (await pdnText({ ...game, tags: withoutResult(game.tags), end: null })).pdn;
  }
}

/**
 * A game that the server refuses to write, as its page of an older program may have left it: its moves are the comment of
 * a game without any.
 * @returns {Promise<string>}
 */
async function textOfRest() {
  const { variant, start, tags, nodes } = boardGame();
  const moves = lineTo(get().tree, towards(get().tree, "end")).join(" ");
  const rest = [{ ...nodes[0], children: [], comments: [moves] }];
  return (await pdnText({ variant, start, tags: withoutResult(tags), end: null, nodes: rest })).pdn;
}

/** The value of a tag of the game on the board. @param {string} name */
export const tag = (name) => get().tags.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1] ?? "";

/**
 * What can be done with files. An error is shown by whoever calls.
 * @param {{refresh: () => Promise<void>, say: (text: string) => void, opened: () => void}} page `opened` is called when the
 *   games of a file are listed
 */
export function makeFiles({ refresh, say, opened }) {
  /** Runs something that can fail, and shows how. @param {() => Promise<unknown>} work */
  const attempt = async (work) => {
    try {
      await work();
    } catch (error) {
      update({ error: /** @type {Error} */ (error).message });
    }
  };

  /**
   * Puts a text in the place of a game of a file, or behind its last one, and keeps the file. Where another tab has changed
   * that game, too, both are kept. Gives the place of the text.
   * @param {PdnFile} file @param {number | null} index @param {() => Promise<string>} write gives the text of the game on the board
   */
  async function put(file, index, write) {
    const written = unsaved();
    const text = await write();
    const [row] = (await pdnGames(text)).games;
    const before = index === null ? null : base.get(file, index);
    // What could not be kept is a file of its own when it can: another tab may have changed the one that is kept.
    const own = file.unkept ? { ...file, key: keyOf(file.name) } : file;
    let place = 0;
    let changed = own;
    const merge = (/** @type {PdnFile} */ now) => {
      const there = index === null || !now.games[index] ? null : gameText(now, index);
      const fitting = withItsLineEnds(now, text);
      place = index !== null && there !== null && (there === before || there === fitting) ? index : now.games.length;
      changed = withGame(now, place, fitting, row);
      return [changed];
    };
    // Where the browser keeps nothing, this tab has it at least.
    merge(own);
    let unkept = false;
    try {
      await changeKept(own, merge);
    } catch {
      unkept = true;
    }
    changed = { ...changed, key: unkept ? file.key : own.key, unkept };
    if (get().file?.key === file.key) update({ file: changed, fileKey: changed.key });
    // What somebody has added meanwhile is not there yet.
    update({ ...(isSame(written) ? { changed: false } : {}), ...(unkept ? { error: t("unkept_file") } : {}) });
    base.set(changed, place);
    return place;
  }

  /** The game that was left last, which is written anew where it goes on meanwhile. @type {{isThere: () => boolean, place: number, text: string} | null} */
  let left = null;

  /** Puts a text behind the games that were left. @param {string} text @param {GameRow} row */
  async function putLeft(text, row) {
    /** @type {PdnFile} */
    const none = { key: LEFT, name: nameOf(LEFT), encoding: "utf-8", bytes: new ArrayBuffer(0), games: [], texts: {} };
    let changed = none;
    await changeKept(none, (now) => {
      const full = now.games.length >= MOST_LEFT ? [{ ...now, key: keyOf(now.name) }] : [];
      const file = full.length ? none : now;
      const place = left?.isThere() && file.texts[left.place] === left.text ? left.place : file.games.length;
      // Two tabs can leave the same game.
      changed = Object.values(file.texts).includes(text) ? file : withGame(file, place, text, row);
      if (changed !== file) left = { isThere: watchBoard(), place, text: changed.texts[place] };
      return [changed, ...full];
    });
    if (get().file?.key === LEFT && !get().file?.unkept) update({ file: changed });
  }

  /** Takes what was changed of the game on the board into the file. @param {() => Promise<string>} text */
  async function commit(text = boardText) {
    const { file, game, changed } = get();
    if (!file || game === null || !changed) return;
    const place = await put(file, game, text);
    if (place === game || get().game !== game) return;
    update({ game: place, notice: t("other_tab") });
    say(t("other_tab"));
  }

  /** The moves of a game that the browser could not keep, which somebody has been told. */
  let told = /** @type {import("./tree.js").Tree["nodes"] | null} */ (null);

  /**
   * Keeps a game that is nowhere but on the board. Where that cannot be, it says so, and lets the game go at the second try.
   * @param {() => Promise<string>} text
   */
  async function keepLeft(text) {
    if (!isLeft()) return;
    const written = unsaved();
    const { nodes } = get().tree;
    // What the server does not answer fails here, and is asked again.
    const pdn = await text();
    const [row] = (await pdnGames(pdn)).games;
    try {
      await putLeft(pdn, row);
      if (isSame(written)) update({ changed: false });
    } catch {
      if (told === nodes) return;
      told = nodes;
      throw new Error(t("unkept_game"));
    }
  }

  /**
   * Another game takes the place of this one: nothing of it is lost, whether it is of a file or not, nor what is added while it
   * is written.
   */
  async function leave() {
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const before = unsaved();
      await leaveNow();
      if (isSame(before)) return;
    }
  }

  async function leaveNow() {
    try {
      await commit(textToKeep);
      await keepLeft(textToKeep);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // A game of a file stays there as it was.
      await keepLeft(textOfRest);
    }
  }

  /** The changes of a file that the browser could not keep, which somebody has been told. */
  let toldOfFile = /** @type {Record<number, string> | null} */ (null);

  /** Another file takes the place of this one: if the browser could not keep it, that is told, and the second try lets it go. */
  function leaveFile() {
    const { file } = get();
    if (!file?.unkept || toldOfFile === file.texts) return;
    toldOfFile = file.texts;
    throw new Error(t("unkept_file"));
  }

  addEventListener("beforeunload", (event) => { if (get().file?.unkept) event.preventDefault(); });

  /** Whether the game on the board is nowhere but there. */
  function isLeft() {
    const { changed, tree, tags } = get();
    return changed && (tree.nodes.length > 1 || tags.length > 0 || Boolean(tree.nodes[0].comments?.length));
  }

  /** Puts a game that was read on the board; gives what is wrong in it. @param {any} read @returns {Promise<string[]>} */
  async function putOnBoard({ variant, start, tags, end, nodes, faults }) {
    takeBoard();
    update({
      variant, start, tags, end, tree: { nodes, current: 0 }, changed: false, clock: null, ended: null, offer: null,
      error: "", notice: "", playing: false, editing: false, report: null, exercise: null, searching: null,
    });
    await refresh();
    return faults;
  }

  /**
   * Fetches something, and leaves the game on the board before it and after it: somebody may write or move meanwhile. What was
   * fetched before a change is fetched anew, because it may be of the same file.
   * @template T @param {() => Promise<T>} fetch @returns {Promise<T>}
   */
  async function leaveFor(fetch) {
    for (let tries = 1; ; tries += 1) {
      await leave();
      const before = unsaved();
      const found = await fetch();
      if (isSame(before) || tries === MOST_TRIES) return found;
    }
  }

  /** Shows a game of the file. @param {number} index */
  async function show(index) {
    const isWanted = claimBoard();
    const found = await leaveFor(async () => {
      const { file: known } = get();
      if (!known) return null;
      // Another tab can have changed the game.
      const file = await latest(known);
      return { file, read: await pdnGame(gameText(file, index)) };
    });
    // The file may be closed by now.
    if (!found || !isWanted() || get().file?.key !== found.file.key) return;
    const { file, read } = found;
    base.set(file, index);
    update({ file, game: index });
    const faults = await putOnBoard(read);
    say(`${t("game")} ${index + 1}`);
    const fault = faults.length ? labelled(`${t("game")} ${index + 1}`, inFile(file, index) ?? faults[0]) : "";
    if (fault || file.unkept) update({ error: fault || t("unkept_file") });
  }

  /** Opens a file and shows its first game. @param {string} name @param {ArrayBuffer} bytes */
  async function open(name, bytes) {
    const isWanted = claimBoard();
    const { encoding, games, more } = await pdnGames(bytes);
    await leave();
    leaveFile();
    let file = { key: keyOf(name), name, encoding, bytes, games, more, texts: {}, unkept: false };
    try {
      await keep(file);
    } catch {
      file = { ...file, unkept: true };
    }
    await leave();
    if (!isWanted()) return;
    update({ file, fileKey: file.key, game: null });
    await show(0);
    opened();
  }

  /** Shows the games in a text: one of them on the board, several as a file. @param {string} text */
  async function openText(text) {
    const isWanted = claimBoard();
    const { games } = await pdnGames(text);
    if (!isWanted()) return undefined;
    if (games.length > 1) return open(PASTED, new TextEncoder().encode(text).buffer);
    const read = await pdnGame(text);
    await leave();
    if (!isWanted()) return undefined;
    update({ game: null });
    const [fault] = await putOnBoard(read);
    say(t("game"));
    return fault && update({ error: fault });
  }

  /** Opens a file that the browser keeps, and shows its last game. @param {string} key */
  async function openKept(key) {
    const isWanted = claimBoard();
    const file = await leaveFor(async () => {
      const { file: open } = get();
      if (open?.key !== key) leaveFile();
      return open?.key === key ? latest(open) : kept(key);
    });
    if (!file) return list();
    if (!isWanted()) return undefined;
    update({ file, fileKey: key, game: null, changed: false });
    await show(file.games.length - 1);
    use(key);
    await list();
    return opened();
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

  /** Takes a text that is pasted anywhere but in a field. @param {(text: string) => void} take */
  function acceptPastes(take) {
    document.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (!text.trim() || (event.target instanceof Element && event.target.closest("input:not([type=checkbox]), textarea"))) return;
      event.preventDefault();
      take(text);
    });
  }

  const actions = {
    openFile: (/** @type {File} */ file) => attempt(async () => open(file.name, await file.arrayBuffer())),
    openGame: (/** @type {number} */ index) => attempt(() => show(index)),
    saveGame: () => attempt(async () => {
      const name = [tag("White"), tag("Black")].filter((part) => part && part !== "?").join("-");
      const written = unsaved();
      download(`${name.replace(/[^\p{L}\p{N}-]+/gu, "_") || "game"}.pdn`, [await boardText()]);
      if (get().game === null && isSame(written)) update({ changed: false });
    }),
    /** The game on the board as PDN, to be copied; nothing where it cannot be written. @returns {Promise<string>} */
    gameText: async () => {
      try {
        return await boardText();
      } catch (error) {
        update({ error: /** @type {Error} */ (error).message });
        return "";
      }
    },
    saveFile: () => attempt(async () => {
      await commit();
      const { file } = get();
      // With what other tabs have changed.
      if (file) download(file.name, parts(await latest(file)));
    }),
    /** Puts the game on the board behind the games of the file. */
    addGame: () => attempt(async () => {
      const { file } = get();
      if (!file) return;
      const isThere = watchBoard();
      const place = await put(file, null, boardText);
      if (isThere() && get().file?.key === file.key) update({ game: place });
    }),
    openKept: (/** @type {string} */ key) => attempt(() => openKept(key)),
    closeFile: () => attempt(async () => {
      await commit();
      leaveFile();
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
    actions, acceptDrops, acceptPastes, leave,
    openText: (/** @type {string} */ text) => attempt(() => openText(text)),
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
