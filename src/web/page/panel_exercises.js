// @ts-check
/** Exercises: where they come from, the one on the board, and the score. */

import { fill, make } from "./elements.js";
import { chosen, GRADES, isOnLine, scoreOf } from "./exercises.js";
import { mainLine } from "./report.js";
import { labelled, t } from "./texts.js";
import { numbered } from "./tree.js";

/** A theme in words, such as `sacrifice-2`. @param {string} theme */
function themeText(theme) {
  const [, name, count] = /** @type {RegExpMatchArray} */ (theme.match(/^(.*?)(?:-(\d+))?$/));
  return t(`theme_${name.replace("-", "_")}`) + (count ? ` (${count})` : "");
}

/**
 * What is to be done, or how it went.
 * @param {import("./exercises.js").Exercise} exercise @param {boolean} isThere whether the board shows a position of the exercise
 */
function stateText({ puzzle, slips, hints, state }, isThere) {
  const side = puzzle.fen.startsWith("B") ? "black" : "white";
  if (state === "open" && !isThere) return t("exercise_left");
  if (state === "open") return t(`goal_${puzzle.goal === "win" ? "win" : "draw"}_${side}`);
  if (state === "shown") return t("solution_shown");
  return t(hints ? "solved_with_help" : slips ? "solved_after_slips" : "solved");
}

/** The solution with the numbers of its moves. @param {import("./exercises.js").Puzzle} puzzle @param {import("./server.js").About | null} about */
function lineText({ variant, fen, solution }, about) {
  const first = about?.variants.find((known) => known.name === variant)?.first;
  return numbered(solution, (fen.startsWith("B") ? "black" : "white") === first ? 0 : 1);
}

export const panel = {
  title: "exercises",
  /** @param {HTMLElement} place @param {any} actions */
  make(place, actions) {
    const chooser = make("input", { type: "file", id: "puzzle-file", accept: ".jsonl,.json,.txt", hidden: true, tabIndex: -1 });
    chooser.onchange = () => {
      if (chooser.files?.[0]) actions.openPuzzles(chooser.files[0]);
      chooser.value = "";
    };
    const button = (/** @type {string} */ id, /** @type {() => void} */ onclick) => make("button", { type: "button", id, onclick });
    const sources = {
      builtin: button("builtin", actions.builtin), puzzles_of_game: button("puzzles_of_game", actions.puzzlesOfGame),
      open_puzzles: button("open_puzzles", () => chooser.click()),
    };
    const steps = {
      exercise_hint: button("exercise_hint", actions.exerciseHint), solution: button("solution", actions.solution),
      again: button("again", actions.againExercise), next_exercise: button("next_exercise", actions.nextExercise),
      leave_exercises: button("leave_exercises", actions.leaveExercises),
    };
    const grade = make("select", { id: "grade", onchange: () => actions.grade(grade.value) });
    const gradeWord = make("span");
    const state = make("p", { id: "exercise-state", role: "status" });
    const line = make("p", { id: "exercise-line" });
    const about = make("p", { className: "quiet", id: "exercise-about" });
    const score = make("p", { className: "quiet", id: "exercise-score" });
    const progress = make("progress", { id: "exercise-progress" });
    const stepRow = make("div", { className: "row", hidden: true }, ...Object.values(steps));
    const others = make("summary", { hidden: true });
    const choice = make("details", { id: "exercise-choice", open: true }, others, make("div", { className: "row" }, ...Object.values(sources), chooser),
      progress, make("div", { className: "row" }, make("label", {}, gradeWord, grade)));
    place.append(state, line, about, stepRow, choice, score);
    /** Whether there was an exercise when the panel was shown last: the choice of others is folded then, to be at hand below. */
    let solving = false;
    const fold = (/** @type {boolean} */ folded) => {
      const within = [choice, stepRow].find((part) => part.contains(document.activeElement));
      others.hidden = !folded;
      choice.open = !folded;
      stepRow.hidden = !folded;
      // The focus is not on what is hidden now.
      if (within) (folded ? others : sources.builtin).focus({ preventScroll: true });
    };
    return (/** @type {import("./store.js").State} */ now) => {
      const { exercise, puzzles, searching, tree } = now;
      for (const [name, one] of Object.entries({ ...sources, ...steps })) one.textContent = t(name);
      others.textContent = t("other_exercises");
      gradeWord.textContent = t("difficulty");
      fill(grade, Object.keys(GRADES).map((name) => [name, t(`grade_${name}`)]), now.grade);
      if (searching) sources.puzzles_of_game.textContent = t("cancel");
      progress.hidden = !searching;
      progress.max = searching?.total ?? 1;
      progress.value = searching?.done ?? 0;
      progress.setAttribute("aria-label", t("searching"));
      sources.puzzles_of_game.disabled = Boolean(exercise) || Boolean(now.report?.running) || mainLine(tree).length === 0;
      if (Boolean(exercise) !== solving) fold(!solving);
      solving = Boolean(exercise);
      steps.solution.disabled = exercise?.state !== "open";
      steps.exercise_hint.disabled = steps.solution.disabled || !isOnLine(now);
      steps.again.disabled = exercise?.state === "open";
      if (Object.values(steps).some((step) => step.disabled && step === document.activeElement)) steps.next_exercise.focus();
      state.textContent = searching ? t("searching") : exercise ? stateText(exercise, isOnLine(now)) : "";
      line.textContent = exercise && exercise.state !== "open" && !searching ? lineText(exercise.puzzle, now.about) : "";
      about.textContent = !exercise ? "" : [
        `${exercise.place + 1} / ${chosen(now).length}`, `${t("difficulty")} ${exercise.puzzle.difficulty.toFixed(1)}`,
        // What it is about would be a hint.
        ...(exercise.state === "open" ? [] : exercise.puzzle.themes.map(themeText)),
      ].join(" · ");
      const { tried, solved } = scoreOf(puzzles);
      score.textContent = puzzles.length ? labelled(t("score"), `${solved} ${t("out_of")} ${tried}`) : "";
    };
  },
};
