// @ts-check
/** The panels beside the board. A new one is a file, its import and its place here, and a row in the server's list of files (page.rs). */

import { panel as analysis } from "./panel_analysis.js";
import { panel as book } from "./panel_book.js";
import { panel as endgame } from "./panel_endgame.js";
import { panel as exercises } from "./panel_exercises.js";
import { panel as games } from "./panel_games.js";
import { panel as moves } from "./panel_moves.js";
import { panel as play } from "./panel_play.js";
import { panel as position } from "./panel_position.js";
import { panel as report } from "./panel_report.js";
import { panel as view } from "./panel_view.js";

/**
 * A panel makes its elements once and shows every state in them.
 * @typedef {{title: string, make: (place: HTMLElement, actions: any) => (state: import("./store.js").State) => void}} Panel
 */

/**
 * The panels from the top down: those that are needed beside the board, and a second column, which is below them where
 * the screen is narrow.
 * @type {Panel[][]}
 */
export const columns = [[play, analysis, moves, book, endgame], [report, exercises, games, position, view]];
