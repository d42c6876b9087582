// @ts-check
/** Exercises: positions with one good move, solved by moving. The server finds them, the browser keeps the score. */

import { mainLine } from "./report.js";
import { builtinPuzzles, readPuzzles, tryMove } from "./server.js";
import { claimBoard, get, shown, takeBoard, update } from "./store.js";
import { labelled, t } from "./texts.js";
import { goTo, lineTo } from "./tree.js";

/**
 * @typedef {{
 *   variant: string, fen: string, goal: "win" | "draw", solution: string[], themes: string[], difficulty: number, source?: string
 * }} Puzzle
 */
/**
 * The exercise on the board. `attempt` tells one try from another, `slips` are wrong moves, `hints` what was helped with, `back`
 * the game that it took the place of.
 * @typedef {{
 *   puzzle: Puzzle, attempt: number, place: number, slips: number, hints: number, state: "open" | "solved" | "shown", back: object
 * }} Exercise
 */

/** The least and the most of each choice of difficulty. @type {Record<string, [number, number]>} */
export const GRADES = { all: [0, 99], easy: [0, 4], medium: [4, 7], hard: [7, 99] };

const SCORE = "kroon.exercises";
const LIST = "kroon.exercises.list";
/** What is put back when the exercises are left. */
const GAME = /** @type {const} */ (["variant", "start", "tree", "tags", "end", "game", "clock", "ended", "report", "flipped", "seats"]);

/** Exercises that were tried, by their positions: 1 where they were solved without help. @returns {Record<string, 0 | 1>} */
function score() {
  try {
    return JSON.parse(localStorage.getItem(SCORE) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {Puzzle} puzzle */
const keyOf = ({ variant, fen }) => `${variant} ${fen}`;

/** How many of the exercises were tried, and how many of them solved without help. @param {Puzzle[]} puzzles */
export function scoreOf(puzzles) {
  const known = score();
  const tried = puzzles.map((puzzle) => known[keyOf(puzzle)]).filter((result) => result !== undefined);
  return { tried: tried.length, solved: tried.filter(Boolean).length };
}

/** The exercises of the chosen difficulty. @param {{puzzles: Puzzle[], grade: string}} state */
export function chosen({ puzzles, grade }) {
  const [least, most] = GRADES[grade] ?? GRADES.all;
  return puzzles.filter(({ difficulty }) => difficulty >= least && difficulty < most);
}

/**
 * Whether the moves up to a node are those of the solution, as far as they go.
 * @param {{exercise: Exercise | null, tree: import("./tree.js").Tree}} state @param {number} [node]
 */
export function isOnLine({ exercise, tree }, node = tree.current) {
  return lineTo(tree, node).every((text, ply) => text === exercise?.puzzle.solution[ply]);
}

/** Writes down how an exercise went: the first try counts, unless a later one does without help. @param {Puzzle} puzzle @param {boolean} solved */
function count(puzzle, solved) {
  const known = score();
  known[keyOf(puzzle)] = solved || known[keyOf(puzzle)] ? 1 : 0;
  localStorage.setItem(SCORE, JSON.stringify(known));
}

/** Whether a file looks like one of `kroon puzzles`, which has an object on each line. @param {ArrayBuffer} bytes */
const isPuzzleFile = (bytes) => /^\s*(\{\s*"|$)/.test(new TextDecoder().decode(bytes));

/** The exercises of the last list, which a reload keeps. @returns {Puzzle[]} */
function keptList() {
  try {
    return JSON.parse(sessionStorage.getItem(LIST) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * @param {{
 *   work: (order: object) => void, quit: () => void, newGame: (wanted: object) => Promise<unknown>, makeMove: (move: any) => Promise<unknown>,
 *   refresh: () => Promise<void>, point: (squares: string[]) => void, say: (text: string) => void
 * }} page `quit` ends the work on a game
 */
export function makeExercises({ work, quit, newGame, makeMove, refresh, point, say }) {
  /** @param {Partial<Exercise>} changes */
  const change = (changes) => {
    const { exercise } = get();
    if (exercise) update({ exercise: { ...exercise, ...changes } });
  };
  /** @param {() => Promise<unknown>} task */
  const attempt = async (task) => {
    try {
      update({ error: "" });
      await task();
    } catch (error) {
      update({ error: /** @type {Error} */ (error).message });
    }
  };

  const fitting = () => chosen(get());

  /** Shows a list from its first exercise that was not solved yet. @param {Puzzle[]} puzzles */
  async function open(puzzles) {
    if (get().searching) quit();
    update({ puzzles, searching: null });
    try {
      sessionStorage.setItem(LIST, JSON.stringify(puzzles));
    } catch {
      sessionStorage.removeItem(LIST);
    }
    if (!puzzles.length) return update({ error: t("no_exercises") });
    return next(-1);
  }

  /** The first exercise behind a place that was not solved yet; the next one if all were. @param {number} place */
  async function next(place) {
    const puzzles = fitting();
    if (!puzzles.length) return update({ error: t("no_exercises") });
    const known = score();
    const later = [...puzzles.keys()].map((index) => (place + 1 + index) % puzzles.length);
    return begin(later.find((index) => !known[keyOf(puzzles[index])]) ?? later[0]);
  }

  /** Puts an exercise on the board. @param {number} place in the list of the chosen difficulty */
  async function begin(place) {
    const puzzle = fitting()[place];
    const attempt = Date.now();
    // The game as it is when the exercise comes.
    const exercise = () => ({ puzzle, attempt, place, slips: 0, hints: 0, state: "open", back: get().exercise?.back ?? gameOnBoard() });
    update({ analysis: false });
    await newGame({ variant: puzzle.variant, start: puzzle.fen, exercise });
    // It may be none that can be played, and others may have been chosen since.
    if (isOn({ attempt })) update({ flipped: shown().view.turn === "black" });
  }

  /** What is put back when the exercises are left. */
  function gameOnBoard() {
    const state = get();
    return { ...Object.fromEntries(GAME.map((key) => [key, state[key]])), report: state.report?.running ? null : state.report };
  }

  /** Whether this try is the one on the board. @param {{attempt: number}} exercise */
  const isOn = (exercise) => get().exercise?.attempt === exercise.attempt;

  /** The move of the solution that comes now; none where the board shows something else. @returns {string | undefined} */
  function expected() {
    const { exercise, tree } = get();
    return isOnLine(get()) ? exercise?.puzzle.solution[lineTo(tree).length] : undefined;
  }

  /** The judgement of the last move that was not the solution's. @type {Promise<void>} */
  let judging = Promise.resolve();

  /**
   * Says how a move is answered that is not the solution's. One that does as well counts for nothing, a wrong one as a slip.
   * @param {Exercise} tried @param {string[]} moves the move is the last one
   */
  async function judge(tried, moves) {
    const { puzzle } = tried;
    const { variant, fen: start, goal } = puzzle;
    // Without the server it is wrong, as the exercise has it.
    const { keeps, reply } = await tryMove({ variant, start, moves, goal }).catch(() => ({ keeps: false, reply: null }));
    if (!keeps) count(puzzle, false);
    const { exercise, tree } = get();
    if (!exercise || !isOn(tried)) return;
    if (!keeps) change({ slips: exercise.slips + 1 });
    if (lineTo(tree).length >= moves.length) return;
    const played = [moves.at(-1), ...(reply && !keeps ? [reply] : [])].join(" ");
    const notice = labelled(played, t(keeps ? goal === "win" ? "wins_too" : "saves_too" : "wrong_move"));
    update({ notice });
    say(notice);
  }

  /** Whether a move may be made: while an exercise is open, only that of the solution. @param {any} move */
  function allows(move) {
    const { exercise, tree } = get();
    const wanted = exercise?.state === "open" ? expected() : undefined;
    if (!exercise || wanted === undefined || move.text === wanted) return true;
    const line = lineTo(tree);
    // Only the solver's own moves are judged.
    if (line.length % 2 === 0) judging = judge(exercise, [...line, move.text]);
    return false;
  }

  /**
   * Where a step to a node of an open exercise ends: behind a move of the solver the answer would be made again at once, so
   * that a step back goes to the move before.
   * @param {number} node
   */
  function restsAt(node) {
    const { exercise, tree } = get();
    const { parent } = tree.nodes[node];
    if (exercise?.state !== "open" || lineTo(tree, node).length % 2 === 0 || !isOnLine(get(), node)) return node;
    let at = tree.nodes[tree.current].parent;
    while (at > node) at = tree.nodes[at].parent;
    return at === node ? parent : node;
  }

  /** A position is shown: the other side answers there, or the exercise is solved. */
  async function moved() {
    await judging;
    const { exercise, tree } = get();
    if (exercise?.state !== "open" || !isOnLine(get())) return;
    const played = lineTo(tree).length;
    if (played === exercise.puzzle.solution.length) {
      const unaided = exercise.slips + exercise.hints === 0;
      count(exercise.puzzle, unaided);
      change({ state: "solved" });
      say(t("solved"));
    } else if (played % 2 === 1) await playExpected();
  }

  /** Plays the next move of the solution, and says whether that was possible. */
  async function playExpected() {
    const wanted = expected();
    const move = shown().view.moves.find((known) => known.text === wanted);
    const { tree } = get();
    if (move) await makeMove(move);
    return get().tree.current !== tree.current;
  }

  const actions = {
    builtin: () => attempt(async () => {
      const isWanted = claimBoard();
      const puzzles = await builtinPuzzles(get().variant);
      if (isWanted()) await open(puzzles);
    }),
    openPuzzles: (/** @type {File} */ file) => attempt(async () => {
      const isWanted = claimBoard();
      const bytes = await file.arrayBuffer();
      if (!isPuzzleFile(bytes)) throw new Error(t("no_puzzle_file"));
      const puzzles = await readPuzzles(bytes);
      if (isWanted()) await open(puzzles);
    }),
    /** Looks for exercises in the main line of the game, or ends that. */
    puzzlesOfGame: () => {
      const { tree, variant, start, searching } = get();
      if (searching) {
        quit();
        return update({ searching: null });
      }
      const moves = mainLine(tree).map((node) => tree.nodes[node].text);
      update({ searching: { done: 0, total: moves.length + 1 }, error: "" });
      return work({ variant, start, moves, want: "puzzles" });
    },
    grade: (/** @type {string} */ grade) => {
      update({ grade });
      if (get().exercise) attempt(() => next(-1));
    },
    nextExercise: () => attempt(() => next(get().exercise?.place ?? -1)),
    againExercise: () => attempt(() => begin(get().exercise?.place ?? 0)),
    /** First the piece that moves, then where it goes. */
    exerciseHint: () => {
      const { exercise } = get();
      const move = exercise && shown().view.moves.find((known) => known.text === expected());
      if (!exercise || !move) return;
      point(exercise.hints ? [move.path[0], /** @type {string} */ (move.path.at(-1))] : [move.path[0], move.path[0]]);
      change({ hints: exercise.hints + 1 });
      say(exercise.hints ? move.text : move.path[0]);
    },
    /** Plays the solution to its end. */
    solution: () => attempt(async () => {
      const { exercise } = get();
      if (!exercise) return;
      count(exercise.puzzle, false);
      change({ state: "shown" });
      if (!isOnLine(get())) {
        update({ tree: goTo(get().tree, 0) });
        await refresh();
      }
      while (isOn(exercise) && await playExpected());
    }),
    /** Puts the game back that was on the board before. */
    leaveExercises: () => attempt(async () => {
      const { exercise } = get();
      claimBoard();
      takeBoard();
      update({ .../** @type {any} */ (exercise?.back ?? {}), exercise: null, puzzles: [], editing: false, changed: false, playing: false, notice: "" });
      sessionStorage.removeItem(LIST);
      await refresh();
    }),
  };

  const { exercise: begun } = get();
  const list = keptList();
  // Another tab has the list of the exercise that this one begins with.
  if (begun && !list.length) update({ puzzles: [begun.puzzle], exercise: { ...begun, place: 0 }, grade: "all" });
  else update({ puzzles: list });
  return {
    actions, allows, moved, restsAt,
    /** The engine says what it would play. */
    helped: () => {
      const { exercise } = get();
      if (exercise?.state === "open") change({ hints: exercise.hints + 1 });
    },
    /** @param {any} event */
    heard: (event) => {
      if (!get().searching) {
        // Another game has taken the place of the one that is searched.
        if (event.kind === "progress") quit();
      } else if (event.kind === "progress") update({ searching: { done: event.done, total: event.total } });
      else if (event.kind === "puzzles") attempt(() => open([...event.puzzles].sort((a, b) => a.difficulty - b.difficulty)));
      else if (event.kind === "fault") update({ searching: null, error: event.error });
    },
  };
}
