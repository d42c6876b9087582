// @ts-check
/** The game: who moves, what is asked of the engine, how the game ends. */

import { canTakeClock, controlText, hasNoTime } from "./clock.js";
import { ballot, Engine, position, Refused } from "./server.js";
import { claimBoard, get, NEW_GAME, shown, takeBoard, update, watchBoard } from "./store.js";
import { labelled, t } from "./texts.js";
import { goTo, isLast, lead, lineTo, newTree, play, towards, usedTo } from "./tree.js";

/** @typedef {import("./server.js").Color} Color */

/** The longest time for a hint: somebody waits for it. */
const HINT_SECONDS = 3;

/** In the place of the colour that offers a draw: a person is asked whether to resign. */
export const RESIGNS = "resigns";

/** @param {string} color @returns {Color} */
const other = (color) => (color === "white" ? "black" : "white");

/**
 * @param {{animate: (move: any) => Promise<void>, point: (move: any) => void, say: (text: string) => void,
 *   clock: () => import("./clock.js").Clock, connected: () => void, leave: () => Promise<void>,
 *   heardOfGame: (event: any) => void, allows: (move: any) => boolean, moved: () => Promise<void>,
 *   restsAt: (node: number) => number}} page `leave` is called before another game takes the place of this one; `allows` says
 *   whether an exercise takes a move, `moved` is called when a position is shown, and `restsAt` says where a step to a node ends
 */
export function makeGame(page) {
  /** What the last search is for. @type {"move" | "hint" | "analysis" | "draw" | "ponder"} */
  let purpose = "move";
  /** The reply that the engine expects. @type {string | null} */
  let expected = null;
  /** The line whose last move is the expected reply, just made, so that the search goes on. @type {string | null} */
  let hit = null;
  /** The line that was left in a game on the clock, and the seconds that its next move had taken. @type {{line: string, seconds: number} | null} */
  let paused = null;
  /** The line whose position is shown, and the node at its end. */
  let shownLine = "";
  let shownNode = 0;

  /** Whether contact with the server was lost. */
  let lost = false;
  const engine = new Engine(heard, (event) => page.heardOfGame(event), (connected, refusal) => {
    // What failed because the server was away is no news when it is back.
    update({ connected, refusal, ...(connected && lost ? { error: "" } : {}) });
    lost = !connected;
    if (connected) page.connected();
  });

  /** @param {import("./server.js").EngineEvent} event */
  function heard(event) {
    const state = get();
    if (event.kind === "warning") return update({ error: event.error ?? "" });
    if (event.kind === "fault") return update({ error: event.error ?? "", thinking: false });
    if (event.kind === "draw") return answered(Boolean(event.accepted));
    const { line } = event;
    if (line.type === "info") {
      if (purpose === "ponder") return undefined;
      const infos = [...state.infos];
      infos[line.rank - 1] = line;
      return update({ infos });
    }
    update({ thinking: false });
    const move = state.view?.moves.find((/** @type {any} */ known) => known.text === line.best);
    if (purpose === "hint") {
      if (move) page.point(move);
      if (move) update({ notice: labelled(t("hint"), move.text) });
      if (get().analysis) go();
    } else if (purpose === "move" && move) {
      expected = line.ponder;
      return makeMove(move);
    }
    return undefined;
  }

  /** Whether the game is over. */
  const isOver = () => !get().view || Boolean(get().view?.outcome) || Boolean(get().ended);
  /** Who plays a colour. @param {string} color */
  const seatOf = (color) => get().seats[/** @type {Color} */ (color)];
  /** Whose turn it is: a person's, or what plays it. */
  const seat = () => seatOf(get().view?.turn ?? "white");

  /** Whether a hint is looked for: a move of the person ends that. */
  const isHinting = () => get().thinking && purpose === "hint";

  /** The present line of moves, with the times that they took. */
  function line(tree = get().tree) {
    const { variant, start, clock } = get();
    const moves = { variant, start, moves: lineTo(tree) };
    return clock ? { ...moves, clock: { control: clock, used: usedTo(tree) } } : moves;
  }

  /**
   * Whether the position that is shown is that of the present line: its moves are legal there. It is not while the server
   * has not answered yet, or a step is shown as a move.
   */
  const fits = () => shownLine === lineText();

  /** Threads and memory, where they were chosen. @returns {Record<string, string>} */
  function resources() {
    const { threads, hash, about } = shown();
    /** @type {Record<string, string>} */
    const chosen = {};
    if (threads) chosen.threads = String(Math.min(threads, about.threads));
    if (hash) chosen.hash = String(Math.min(hash, about.hash));
    if (hash) chosen["mcts-hash"] = String(Math.min(hash, about.mcts_hash));
    return chosen;
  }

  /** The present line as it is compared with another one. */
  const lineText = () => JSON.stringify(line());

  /** The game is left where it is played, and may go on there: the time for the move does, too. */
  function pause() {
    const { clock, playing, ended } = get();
    if (clock && playing && !ended) paused = { line: lineText(), seconds: page.clock().spent() };
  }

  /** What a player is asked for its move. @param {string} who @param {number} [running] seconds that it has thought before a search begins again */
  function moveOrder(who, running = 0) {
    const { clock, seconds } = get();
    const now = line();
    const asked = "clock" in now ? { ...now, clock: { ...now.clock, running } } : now;
    const [kind, name] = [who.slice(0, who.indexOf(":")), who.slice(who.indexOf(":") + 1)];
    const limits = clock || kind === "player" ? {} : { move_time: seconds };
    if (kind === "engine") return { ...asked, ...limits, engine: name };
    return { ...asked, ...limits, options: { ...resources(), [kind]: name } };
  }

  /** The options of analyses and hints. */
  const analysisOptions = () => ({ ...resources(), search: get().search });

  /** Lets the engine do what the state asks for: a move, an analysis, nothing. */
  function go() {
    const { view, analysis, editing, lines, playing } = get();
    const isHit = hit === lineText() && engine.isPondering();
    hit = null;
    if (isHit && playing && !isOver()) {
      purpose = "move";
      update({ thinking: true });
      return engine.hit();
    }
    engine.stop();
    update({ thinking: false });
    if (!view || view.outcome || editing) return undefined;
    const who = seat();
    if (playing && !isOver() && who !== "person") {
      purpose = "move";
      expected = null;
      update({ thinking: true, infos: [] });
      engine.go(moveOrder(who, page.clock().running()));
    } else if (analysis) {
      purpose = "analysis";
      engine.go({ ...line(), want: "analysis", options: { ...analysisOptions(), multipv: String(lines) } });
    } else if (playing && !isOver()) ponder();
    return undefined;
  }

  /** Lets the engine think about the reply that it expects, if it shall. */
  function ponder() {
    const { view } = shown();
    const who = seatOf(other(view.turn));
    const known = view.moves.some((/** @type {any} */ move) => move.text === expected);
    if (!get().ponder || !known || !who.startsWith("level:")) return;
    purpose = "ponder";
    const order = moveOrder(who);
    engine.go({ ...order, moves: [...order.moves, expected], want: "ponder" });
  }

  /**
   * Asks the server for the position and shows it.
   * @param {"resumed" | "stepped" | ""} how the page was opened or the editor left, so that the time for the move goes on;
   *   the game is gone through, so that a step forward is shown as a move
   */
  async function refresh(how = "") {
    const asked = lineText();
    if (hit !== asked) {
      hit = null;
      engine.stop();
    }
    update({ infos: [], thinking: false, notice: "" });
    try {
      const view = await position(line());
      if (how === "stepped" && asked === lineText() && isNext(get().view, view)) await page.animate(view.played.at(-1));
      // The editor shows another position; the game is asked for again when it is left.
      if (asked !== lineText() || get().editing) return;
      if (how !== "resumed" || page.clock().held) page.clock().begin(paused?.line === asked ? paused.seconds : 0);
      shownLine = asked;
      shownNode = get().tree.current;
      update({ view, error: "" });
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      hit = null;
      if (error instanceof Refused && get().tree.current > 0) {
        // Somebody may have gone elsewhere meanwhile.
        if (asked === lineText()) await goBack(message);
        return;
      }
      // A kept game that cannot be followed gives way to a new one.
      if (!get().view && get().connected) await actions.new_game();
      update({ error: message });
      return;
    }
    const { view } = shown();
    const address = `#variant=${get().variant}&fen=${encodeURIComponent(view.fen)}`;
    history.replaceState(null, "", address);
    update({ address });
    const last = view.played.at(-1);
    if (view.outcome) page.say(outcome());
    else if (how === "stepped") page.say(last ? `${t(last.color)} ${last.text}` : t("opening_start"));
    go();
    await page.moved();
  }

  /**
   * The server does not follow the game to this place, as that is too far from the start: back to the one that is shown, or
   * to the start where none is. @param {string} why
   */
  async function goBack(why) {
    const { tree } = get();
    const before = goTo(tree, shownNode);
    const isShown = shownNode < tree.nodes.length && JSON.stringify(line(before)) === shownLine;
    update({ tree: isShown ? before : goTo(tree, 0) });
    if (!isShown) await refresh();
    update({ error: why });
  }

  /** Whether one position is a move behind the other. @param {import("./server.js").View | null} before @param {import("./server.js").View} view */
  function isNext(before, view) {
    const texts = (/** @type {{text: string}[]} */ moves) => moves.map((move) => move.text).join(" ");
    return before?.variant === view.variant && before.start === view.start && view.played.length > 0
      && texts(before.played) === texts(view.played.slice(0, -1));
  }

  /** @param {any} move */
  async function makeMove(move) {
    const { ended, analysis, exercise } = get();
    if (!fits() || !page.allows(move)) return undefined;
    const live = get().playing && !ended;
    if (live && page.clock().isUp()) return flag();
    const isReopened = reopens();
    // Whoever moves in a game that is over, or while the engine analyses, looks at a variation.
    const playing = !ended && !exercise && (get().playing || !analysis);
    const asked = lineText();
    const isThere = watchBoard();
    // A move where the game was left plays it on.
    const used = live || (playing && paused?.line === asked) ? page.clock().take() : undefined;
    const isHit = purpose === "ponder" && engine.isPondering() && playing && move.text === expected;
    if (!isHit) engine.stop();
    page.say(`${t(move.color)} ${move.text}`);
    await page.animate(move);
    // Not if there is another game now, another place in it, a result, or the editor; comments and signs may have come meanwhile.
    const meanwhile = get();
    if (!isThere() || asked !== lineText() || meanwhile.editing || (live && meanwhile.ended)) {
      if (isThere() && asked === lineText() && used !== undefined) page.clock().begin(used);
      // The board has shown the move.
      if (!meanwhile.editing) update({ view: { ...shown().view } });
      return undefined;
    }
    paused = null;
    const after = play(get().tree, move.text, move.color, used);
    // What was taken back is a variation of what is played in its place, but in a game of a file nothing changes its rank.
    const tree = live && get().game === null ? lead(after) : after;
    // An engine that moves does not answer for the person who is asked.
    const offer = meanwhile.offer === RESIGNS && seatOf(move.color) !== "person" ? meanwhile.offer : null;
    // A game that goes on may have been halted, and the other way round.
    update({ tree, playing: live ? meanwhile.playing : playing || meanwhile.playing, offer, ...(isReopened ? { ended: null } : {}) });
    page.clock().moved();
    if (isHit) hit = lineText();
    await refresh();
    if (isReopened) sayReopened();
    return undefined;
  }

  /**
   * Whether a move from here takes the result back: behind the last move of a game that was ended without one it would
   * stand in the main line, as if it had been played before the end. Anywhere else it is a variation.
   */
  const reopens = () => Boolean(get().ended) && isLast(get().tree);

  /** Says that the game has no result any more. */
  function sayReopened() {
    update({ notice: t("reopened") });
    page.say(t("reopened"));
  }

  /** The person resigns: whose turn it is, or who waits for the engine. */
  function resign() {
    const { view } = shown();
    const loser = seatOf(view.turn) === "person" ? view.turn : other(view.turn);
    finish({ winner: other(loser), reason: "resigned" });
  }

  /** The time of the side to move is up: the server says what that means. */
  async function flag() {
    const { clock } = get();
    const asked = line();
    const running = page.clock().running();
    try {
      const view = await position({ ...asked, clock: { control: clock, used: usedTo(get().tree), running } });
      page.clock().asked = false;
      if (view.outcome?.reason !== "time" || JSON.stringify(asked) !== lineText()) return;
      update({ view: { ...shown().view, clocks: view.clocks } });
      page.clock().begin();
      finish(view.outcome);
    } catch (error) {
      // The server is away, and the clock stands until it is back. What it refuses for good is not asked again.
      if (error instanceof Refused && error.isForGood) update({ error: error.message });
      else page.clock().asked = false;
    }
  }

  /** The game ends without a move. @param {{winner: string | null, reason: string}} ended */
  function finish({ winner, reason }) {
    engine.stop();
    // The result is a change of the game, also of one that was saved already.
    update({ ended: { winner, reason }, changed: true, thinking: false, playing: false, offer: null, error: "", notice: "" });
    page.say(outcome());
    go();
  }

  /** The engine's answer to an offer of a draw. @param {boolean} accepted */
  function answered(accepted) {
    update({ thinking: false });
    if (accepted) return finish({ winner: null, reason: "agreed" });
    update({ notice: t("draw_refused") });
    page.say(t("draw_refused"));
    return go();
  }

  /** How the game ended, in words; nothing while it goes on. */
  function outcome() {
    const { view, ended, editing } = get();
    const how = ended ?? view?.outcome;
    if (!how || editing) return "";
    const result = how.winner ? `${t(how.winner)} ${t("wins")}` : t("drawn");
    return how.reason === "won" ? result : `${result} (${t(`by_${how.reason}`)})`;
  }

  /** Who has which colour in a new game. */
  function newSeats() {
    const { seats, colors } = get();
    const swapped = colors === "swapped" || (colors === "lot" && Math.random() < 0.5);
    return swapped ? { white: seats.black, black: seats.white } : seats;
  }

  const actions = {
    /** A new game from a position, or from an opening of the variant; `exercise` makes the exercise that it is, when it comes. */
    new_game: async (/** @type {{variant?: string, start?: string | null, opening?: string, seats?: any, exercise?: () => any}} */ wanted = {}) => {
      const { variant = get().variant, opening = "start", exercise } = wanted;
      const start = opening === "here" ? get().view?.fen ?? null : wanted.start ?? null;
      const clock = exercise ? null : controlText(get().clockSetup);
      const isWanted = claimBoard();
      let tree = newTree();
      try {
        const plies = { ballot2: 2, ballot3: 3 }[opening];
        let color = shown().about.variants.find((known) => known.name === variant)?.first ?? "white";
        for (const text of plies && !start ? (await ballot(variant, plies)).moves : []) {
          tree = play(tree, text, color);
          color = other(color);
        }
        if (clock && hasNoTime(get().clockSetup)) throw new Error(t("clock_zero"));
        const timed = clock ? { clock: { control: clock, used: [] } } : {};
        await position({ variant, start, moves: [], ...timed });
        await page.leave();
      } catch (error) {
        return isWanted() ? update({ error: /** @type {Error} */ (error).message }) : undefined;
      }
      if (!isWanted()) return undefined;
      takeBoard();
      if (exercise) pause();
      else paused = null;
      expected = null;
      // Somebody may have taken another seat meanwhile.
      const { seats = get().seats } = wanted;
      update({ variant, start, tree, clock, seats, ...NEW_GAME, ended: null, offer: null, error: "", editing: false,
        // What was set up waits for whoever wants to play on from there.
        playing: !wanted.start, exercise: exercise?.() ?? null });
      return refresh();
    },
    /** What the button says. */
    begin: () => actions.new_game({ opening: get().opening, seats: newSeats() }),
    variant: (/** @type {string} */ variant) =>
      actions.new_game({ variant, opening: get().opening === "here" ? "start" : get().opening }),
    seat: (/** @type {Color} */ color, /** @type {string} */ who) => {
      const { seats, ended, exercise } = get();
      update({ seats: { ...seats, [color]: who }, playing: !ended && !exercise, error: "" });
      go();
    },
    /** The clock of new games, and at once of one without a move. @param {import("./clock.js").ClockSetup} clockSetup */
    clock: (clockSetup) => {
      update({ clockSetup, error: "" });
      if (!canTakeClock(get()) || hasNoTime(clockSetup)) return undefined;
      update({ clock: controlText(clockSetup) });
      // The editor shows no clock; the game has it when it is back.
      return get().editing ? undefined : refresh();
    },
    /** Changes what new games, searches or the panel are like. */
    choose: (/** @type {Partial<import("./store.js").State>} */ choice) => update(choice),
    take_back: () => {
      const { tree } = get();
      let node = towards(tree, "back");
      // Back to the person's own turn.
      const waits = (/** @type {number} */ at) => {
        const color = tree.nodes[tree.nodes[at].children[0]]?.color;
        return color === undefined || seatOf(color) === "person" || at === 0;
      };
      // Where engines play each other there is none, and they would play the move again at once.
      const hasPerson = Object.values(get().seats).includes("person");
      while (hasPerson && !waits(node)) node = Math.max(0, tree.nodes[node].parent);
      paused = null;
      update({ tree: goTo(tree, node), ended: null, offer: null, playing: hasPerson });
      refresh();
    },
    flag,
    /** Asks first: the button is beside others. */
    resign: () => update({ offer: RESIGNS }),
    /** Offers a draw: another person answers on the board, Kroon for whatever else plays. */
    draw: () => {
      const { view } = shown();
      if (seatOf(other(view.turn)) === "person") return update({ offer: view.turn });
      purpose = "draw";
      update({ thinking: true, notice: "" });
      return engine.go({ ...line(), want: "draw", options: resources() });
    },
    /** The answer to an offer of a draw, or to whether to resign. */
    answer: (/** @type {boolean} */ accepted) => {
      if (get().offer === RESIGNS) return accepted ? resign() : update({ offer: null });
      if (accepted) return finish({ winner: null, reason: "agreed" });
      return update({ offer: null, notice: t("draw_refused") });
    },
    hint: () => {
      purpose = "hint";
      update({ thinking: true, infos: [], notice: "" });
      // A hint is no matter of the clock.
      engine.go({ ...line(), clock: null, move_time: Math.min(get().seconds, HINT_SECONDS), options: analysisOptions() });
    },
    /** Lets the game go on from the position on the board, or stand still. */
    go_on: () => {
      update({ playing: !get().playing, error: "" });
      go();
    },
    /** Plays a legal move where that is possible now, or looks at it. */
    playText: (/** @type {string} */ text) => {
      const { view, playing, editing } = shown();
      if (editing) return;
      const move = view.moves.find((known) => known.text === text);
      if (move && playing && seat() === "person") makeMove(move);
      else actions.addLine([text], false);
    },
    goTo: (/** @type {number} */ node) => {
      const { tree, editing } = get();
      // A step that leads nowhere, as behind the last move, disturbs no game; one that failed is tried again.
      if (editing || (page.restsAt(node) === tree.current && fits())) return undefined;
      pause();
      update({ tree: goTo(tree, page.restsAt(node)), playing: false, offer: null });
      return refresh("stepped");
    },
    analyse: () => {
      update({ analysis: !get().analysis, infos: [] });
      go();
    },
    /** Lines, threads, memory or the kind of search. */
    analysis: (/** @type {Partial<import("./store.js").State>} */ choice) => {
      update({ ...choice, infos: [] });
      if (get().analysis) go();
    },
    /** Adds the first moves of a line as a variation; goes to the last of them or stays. */
    addLine: async (/** @type {string[]} */ pv, /** @type {boolean} */ stay) => {
      const { view, editing, exercise } = shown();
      if (!fits() || editing) return;
      if (exercise?.state === "open" && pv.length === 1 && !stay) {
        // This is a try, as on the board.
        const move = view.moves.find((known) => known.text === pv[0]);
        if (move) makeMove(move);
        return;
      }
      let { tree } = get();
      const isReopened = reopens();
      const back = tree.current;
      pv.forEach((text, ply) => { tree = play(tree, text, ply % 2 === 0 ? view.turn : other(view.turn)); });
      const end = tree.current;
      update({ tree: goTo(tree, back), ...(isReopened ? { ended: null } : {}) });
      if (!stay) await actions.goTo(end);
      if (isReopened) sayReopened();
    },
  };

  return { actions, refresh, fits, makeMove, outcome, seatOf, seat, isOver, isHinting, go, stop: () => engine.stop(),
    workOn: (/** @type {object} */ order) => engine.workOn(order), leaveGame: () => engine.leaveGame() };
}
