// @ts-check
/** The analysis of a whole game: asks the server for it, keeps what it says, and finds the moves of the tree in it. */

import { boardGame } from "./files.js";
import { annotated } from "./server.js";
import { get, update } from "./store.js";
import { t } from "./texts.js";
import { goTo, play, renewed } from "./tree.js";

/** How long a move is thought about: plies, by the name of the choice. @type {Record<string, number>} */
export const EFFORTS = { quick: 10, usual: 14, thorough: 18 };
/** The sign of each class of moves that is marked. @returns {Record<string, string>} */
export const marks = () => get().about?.marks ?? {};

/** Milliseconds for which steps are gathered before they are shown together; a hidden tab has no frames to wait for. */
const GATHERED = 200;

/**
 * What is said of a move. `white` is the expected result of White behind it, `loss` what it gave away, `best` the better line.
 * @typedef {{played: string, color: string, class: string, loss: number, white: number, best: string[]}} Judged
 */
/** @typedef {{accuracy: number | null, average_loss: number | null, classes: {class: string, count: number}[]}} Side */
/**
 * The analysis of a game; while `running`, of a part of its moves. `moves` is by plies, from 0. `notes` are what the server
 * can write into the game.
 * @typedef {{
 *   variant: string, start: string | null, total: number, done: number, running: boolean,
 *   moves: (Judged | null)[], sides: {white: Side, black: Side} | null, notes?: object[]
 * }} Report
 */

/** The nodes of the main line, without the start. @param {import("./tree.js").Tree} tree */
export function mainLine(tree) {
  const line = [];
  for (let at = tree.nodes[0].children[0]; at !== undefined; at = tree.nodes[at].children[0]) line.push(at);
  return line;
}

/**
 * What is said of the moves of the game, by their nodes: as far as its main line is still the one that was analysed.
 * @param {{report: Report | null, tree: import("./tree.js").Tree, variant: string, start: string | null}} state
 * @returns {Map<number, Judged>}
 */
export function judgements({ report, tree, variant, start }) {
  const found = new Map();
  if (!report || report.variant !== variant || report.start !== start) return found;
  for (const [ply, node] of mainLine(tree).entries()) {
    const judged = report.moves[ply];
    if (judged && judged.played !== tree.nodes[node].text) break;
    if (judged) found.set(node, judged);
  }
  return found;
}

/**
 * Whether all moves that were analysed are still the main line: what is said of the whole game holds for no other one.
 * @param {Report} report @param {import("./tree.js").Tree} tree
 */
export function isOfGame({ moves }, tree) {
  const line = mainLine(tree);
  return moves.every((judged, ply) => !judged || tree.nodes[line[ply]]?.text === judged.played);
}

/** What is kept of a move. @param {any} move @returns {Judged} */
function judged({ played, color, class: kind, loss, after, best }) {
  const white = color === "white" ? after.expected : 1 - after.expected;
  return { played, color, class: kind, loss, white, best };
}

/**
 * @param {{work: (order: object) => void, leave: () => void, goTo: (node: number) => void, say: (text: string) => void}} page
 *   `work` starts the server's work on a game, `leave` ends it
 */
export function makeReport({ work, leave, goTo: show, say }) {
  /** @param {Partial<Report>} changes */
  const change = (changes) => {
    const { report } = get();
    if (report) update({ report: { ...report, ...changes } });
  };

  /** Steps that are not shown yet: hundreds can come in a moment, and every change of the state draws the whole page. @type {any[]} */
  let steps = [];

  /** Takes the steps into the report; those of an analysis that has ended are dropped. */
  function takeSteps() {
    const { report } = get();
    const taken = steps;
    steps = [];
    if (!report?.running || !taken.length) return;
    const moves = [...report.moves];
    for (const { move } of taken) moves[move.ply - 1] = judged(move);
    change({ moves, done: taken[taken.length - 1].done });
  }

  /** @param {any} event */
  function heard(event) {
    const { report } = get();
    if (!report?.running) {
      // Another game has taken the place of the one that is analysed.
      if (event.kind === "step") leave();
    } else if (event.kind === "fault") {
      takeSteps();
      change({ running: false });
      update({ error: event.error });
    } else if (event.kind === "step") {
      if (!steps.length) setTimeout(takeSteps, GATHERED);
      steps.push(event);
    } else if (event.kind === "analysis") {
      steps = [];
      const { moves, white, black } = event.analysis;
      const side = (/** @type {any} */ { accuracy, average_loss, classes }) => ({ accuracy, average_loss, classes });
      change({ moves: moves.map(judged), done: moves.length, running: false, sides: { white: side(white), black: side(black) },
        notes: event.notes });
      say(t("report_done"));
    }
  }

  /** Has the server write notes into the game, or take them out. @param {object[] | null} notes */
  async function renew(notes) {
    try {
      const { nodes: before } = get().tree;
      const { nodes, tags } = await annotated(boardGame(), notes);
      // Somebody may have moved meanwhile.
      if (get().tree.nodes !== before) return;
      // The server has completed the result. On the board that follows from how the game ended, which may be taken back.
      const isResult = (/** @type {[string, string]} */ [name]) => name === "Result";
      const result = get().tags.filter(isResult);
      const said = tags.flatMap((/** @type {[string, string]} */ tag) => (isResult(tag) ? result : [tag]));
      update({ tree: renewed(get().tree, nodes), tags: said, error: "" });
      say(t(notes ? "report_written" : "report_unwritten"));
    } catch (error) {
      update({ error: /** @type {Error} */ (error).message });
    }
  }

  const actions = {
    /** Writes what is said of the moves into the game, in place of what was written before. */
    writeReport: () => renew(get().report?.notes ?? []),
    /** Takes it out of the game. */
    unwriteReport: () => renew(null),
    /** Analyses the main line, or ends that. */
    report: () => {
      const { tree, variant, start, report, effort } = get();
      if (report?.running) return actions.leaveReport();
      const moves = mainLine(tree).map((node) => tree.nodes[node].text);
      if (!moves.length) return undefined;
      steps = [];
      const nothing = Array.from({ length: moves.length }, () => null);
      update({ report: { variant, start, total: moves.length, done: 0, running: true, moves: nothing, sides: null }, error: "" });
      return work({ variant, start, moves, want: "analysis", depth: EFFORTS[effort] ?? EFFORTS.usual });
    },
    leaveReport: () => {
      leave();
      takeSteps();
      change({ running: false });
    },
    /** Goes to a move of the main line. @param {number} ply from 1; 0 is the start */
    goToPly: (/** @type {number} */ ply) => show(mainLine(get().tree)[ply - 1] ?? 0),
    /** Adds the line that was better than a move as a variation. */
    addBetter: (/** @type {number} */ node) => {
      const { tree } = get();
      const known = judgements(get()).get(node);
      if (!known) return;
      const back = tree.current;
      const colors = known.color === "white" ? ["white", "black"] : ["black", "white"];
      let grown = goTo(tree, tree.nodes[node].parent);
      known.best.forEach((text, ply) => { grown = play(grown, text, colors[ply % 2]); });
      update({ tree: goTo(grown, back) });
    },
  };
  return { actions, heard };
}
