"use strict";
// Steps through the games of this page. The data stands in elements beside this script; texts are set as text.
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const CELL = 48;
  const FRAME = 12;
  // A phone has room for few units, which are large then.
  const CURVE = { width: window.innerWidth < 720 ? 420 : 860, height: 170, left: 8, right: 8, top: 10, bottom: 10 };
  const MOST_CRITICAL = 6;
  // The errors, as they are drawn on the curve.
  const COLORS = {
    inaccuracy: "#b58a12", mistake: "#d9730d", blunder: "#a8281e", "missed-win": "#7a5fb5", "missed-combination": "#2a9aa8",
  };
  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const WHOLE = 4000;
  const { games, boards, unread, classes } = JSON.parse(document.getElementById("data").textContent);
  const titles = Object.fromEntries(classes);
  const signs = Object.fromEntries(classes.map(([name, , sign]) => [name, sign]));
  const viewer = document.getElementById("viewer");
  let game;
  let at = 0;

  /** An element of the page with attributes and children. */
  function make(name, attributes, ...children) {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes ?? {})) {
      if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
      else if (value !== undefined && value !== false) element.setAttribute(key, value);
    }
    element.append(...children.filter((child) => child !== undefined));
    return element;
  }

  /** An element of a drawing. */
  function draw(name, attributes, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  }

  function piece(letter, x, y) {
    const white = letter.toLowerCase() === "w";
    const [body, edge, ring, crown] = white
      ? ["#fbf6ea", "#4a3b2a", "#4a3b2a", "#b5822c"] : ["#2e2a28", "#0d0c0b", "#a3988c", "#e3b75c"];
    const radius = CELL * 0.4;
    const parts = [
      draw("circle", { cx: x, cy: y, r: radius, fill: body, stroke: edge, "stroke-width": 1.5 }),
      draw("circle", { cx: x, cy: y, r: radius - 4, fill: "none", stroke: ring, "stroke-width": 1.2 }),
    ];
    if (letter === "W" || letter === "B") {
      parts.push(draw("path", {
        d: "m-10 8 -2 -15 6 6 6 -9 6 9 6 -6 -2 15z", fill: crown, stroke: edge, transform: `translate(${x} ${y})`,
      }));
    }
    return parts;
  }

  const places = (digits) => [...digits].map((digit) => DIGITS.indexOf(digit));

  /** A game with its positions, which the data has as moves. */
  function unpacked(data) {
    const { squares, sign } = boards[data.variant];
    const texts = new Map(data.texts);
    const notes = new Map(data.notes.map(([ply, ...note]) => [ply, note]));
    const starts = new Map(data.starts.map(([ply, ...start]) => [ply, start]));
    let letters;
    let from;
    let count;
    const plies = (data.moves ? data.moves.split(" ") : []).map((move, ply) => {
      if (starts.has(ply)) {
        const [start, plies] = starts.get(ply);
        [letters, from, count] = [[...start], ply, plies];
      }
      const before = letters.join("");
      const [first, last, ...captured] = places(move.replace("+", ""));
      const piece = letters[first];
      for (const taken of [first, ...captured]) letters[taken] = ".";
      letters[last] = move.endsWith("+") ? piece.toUpperCase() : piece;
      const index = ply - from + count;
      const number = Math.floor(index / 2) + 1;
      const [better, line, said, loss] = notes.get(ply) ?? ["", "", [], 0];
      const [high, low] = places(data.expected.slice(2 * ply, 2 * ply + 2));
      return {
        number: index % 2 === 0 ? `${number}.` : ply === from ? `${number}...` : "",
        white: piece.toLowerCase() === "w",
        played: texts.get(ply) ?? squares[first][2] + (captured.length ? sign : "-") + squares[last][2],
        before, position: letters.join(""), squares: [first, last],
        class: classes[DIGITS.indexOf(data.classes[ply])]?.[0],
        expected: high < 0 ? undefined : (high * DIGITS.length + low) / WHOLE,
        better: better ? places(better) : undefined, line, said, loss,
      };
    });
    return { ...data, start: data.starts[0][1], plies };
  }

  /** A position with the squares of a move, and an arrow for a better one. */
  function board(variant, position, marked, better, label) {
    const { side, squares } = boards[variant];
    const size = side * CELL + 2 * FRAME;
    const middle = (index) => squares[index].slice(0, 2).map((cell) => FRAME + (cell + 0.5) * CELL);
    const svg = draw("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label },
      draw("rect", { width: size, height: size, rx: 6, fill: "#4a3b2a" }),
      draw("rect", { x: FRAME, y: FRAME, width: side * CELL, height: side * CELL, fill: "#f2e3c6" }));
    squares.forEach(([row, column, name], index) => {
      const [x, y] = [FRAME + column * CELL, FRAME + row * CELL];
      const ground = marked?.includes(index) ? "#c79a4b" : "#a97b50";
      svg.append(draw("rect", { x, y, width: CELL, height: CELL, fill: ground }));
      if (position[index] !== ".") svg.append(...piece(position[index], x + CELL / 2, y + CELL / 2));
      else svg.append(draw("text", { x: x + 4, y: y + 14, "font-size": 11, fill: "#f2e3c6" }, name));
    });
    if (better) {
      const [[y1, x1], [y2, x2]] = better.map(middle);
      const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
      svg.append(
        draw("line", { x1, y1, x2, y2, stroke: "#2563a8", "stroke-width": 7, "stroke-opacity": 0.75 }),
        draw("path", { d: "M12 0 -10 -12 -10 12Z", fill: "#2563a8", transform: `translate(${x2} ${y2}) rotate(${angle})` }));
    }
    return svg;
  }

  // Where a position was set up in the middle of a game, it is not the one that the last move has made.
  const before = (ply) => game.plies[ply]?.before ?? game.plies[ply - 1]?.position ?? game.start;
  const percent = (share) => `${Math.round(100 * share)}%`;
  const name = (ply) => {
    const index = ply - 1;
    const own = game.plies[index].number || `${game.plies[index - 1]?.number.replace(/\.+$/, "") ?? ""}...`;
    return `${own} ${game.plies[index].played}`;
  };

  /** What is said of the move that led here. */
  function said() {
    const ply = game.plies[at - 1];
    if (!ply) return [make("p", {}, "The start of the game.")];
    const parts = [make("p", {}, make("b", {}, name(at)), ply.class ? ` \u2013 ${titles[ply.class]}` : "",
      ply.expected === undefined ? "" : `, expected result of White ${ply.expected.toFixed(2)}`)];
    for (const text of ply.said) parts.push(make("p", {}, text));
    if (ply.line) parts.push(make("p", { class: "note" }, `Better: ${ply.line}`));
    return parts;
  }

  function curvePoint(ply) {
    const { width, height, left, right, top, bottom } = CURVE;
    const value = ply === 0 ? game.before : game.plies[ply - 1].expected;
    if (value === undefined || value === null) return undefined;
    const x = left + (ply / Math.max(1, game.plies.length)) * (width - left - right);
    return [x, top + (1 - value) * (height - top - bottom)];
  }

  /** The expected result of White over the game, errors marked; a click goes to the move. */
  function curve() {
    const { width, height, left, right, top, bottom } = CURVE;
    const svg = draw("svg", { viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": "Expected result of White over the game" });
    for (const [value, text] of [[1, "White wins"], [0.5, "even"], [0, "Black wins"]]) {
      const y = top + (1 - value) * (height - top - bottom);
      svg.append(draw("line", { x1: left, x2: width - right, y1: y, y2: y, stroke: value === 0.5 ? "#9c958a" : "#e7e3da" }),
        draw("text", { x: left + 4, y: value === 0 ? y - 4 : y + 12, "font-size": 11, fill: "#626a73" }, text));
    }
    const points = [];
    for (let ply = 0; ply <= game.plies.length; ply++) {
      const point = curvePoint(ply);
      if (point) points.push(point.map((value) => value.toFixed(1)).join(","));
    }
    svg.append(draw("polyline", { points: points.join(" "), fill: "none", stroke: "#2563a8", "stroke-width": 2 }));
    game.plies.forEach((ply, index) => {
      const point = curvePoint(index + 1);
      const color = COLORS[ply.class];
      if (!point || !color) return;
      svg.append(draw("circle", { cx: point[0], cy: point[1], r: 5, fill: color },
        draw("title", {}, `${name(index + 1)}: ${titles[ply.class]}`)));
    });
    svg.append(draw("line", { id: "here", y1: top, y2: height - bottom, stroke: "#22262b", "stroke-dasharray": "3 3" }));
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      const x = ((event.clientX - box.left) / box.width) * width;
      go(Math.round(((x - left) / (width - left - right)) * game.plies.length));
    });
    return svg;
  }

  function list() {
    const moves = make("div", { class: "list" });
    game.plies.forEach((ply, index) => {
      const sign = signs[ply.class] ?? "";
      const number = ply.number ? make("span", { class: "n" }, ply.number) : undefined;
      const move = make("button", { type: "button", class: `c-${ply.class}`, "data-ply": index + 1,
        title: ply.class ? titles[ply.class] : undefined, onclick: () => go(index + 1) }, ply.played + sign);
      moves.append(make("span", { class: "move" }, number, move), " ");
    });
    return moves;
  }

  function sides() {
    const [white, black] = game.sides;
    const row = (label, ...cells) => make("tr", {}, make("td", {}, label),
      ...cells.map((cell) => make("td", { class: "number" }, cell)));
    const number = (value, digits, unit) => (value === null ? "\u2013" : value.toFixed(digits) + unit);
    const body = make("tbody", {},
      row("Accuracy", number(white.accuracy, 1, "%"), number(black.accuracy, 1, "%")),
      row("Loss of expected result a move", number(white.loss, 3, ""), number(black.loss, 3, "")));
    for (const [id, title] of classes) {
      const counts = [true, false].map((side) => game.plies.filter((ply) => ply.class === id && ply.white === side).length);
      if (counts[0] + counts[1] > 0) body.append(row(title, ...counts.map(String)));
    }
    if (white.seconds !== null || black.seconds !== null) {
      const time = (side) => (side.seconds === null ? "\u2013"
        : `${(side.seconds / side.timed).toFixed(1)} s a move, longest ${side.longest.toFixed(0)} s`);
      body.append(row("Time", time(white), time(black)));
    }
    return make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, ""),
      make("th", { class: "number" }, game.white), make("th", { class: "number" }, game.black))), body);
  }

  /** Boards of the gravest errors, in the order of the game. */
  function critical() {
    const errors = game.plies.map((ply, index) => index).filter((index) => game.plies[index].better);
    errors.sort((a, b) => game.plies[b].loss - game.plies[a].loss);
    const shown = errors.slice(0, MOST_CRITICAL).sort((a, b) => a - b);
    if (shown.length === 0) return make("div", { class: "critical" });
    const figures = shown.map((index) => {
      const ply = game.plies[index];
      return make("figure", {}, board(game.variant, before(index), ply.squares, ply.better, `Position before ${name(index + 1)}`),
        make("figcaption", {}, `${name(index + 1)}: ${ply.said.at(-1) ?? ""} ${ply.line ? `(${ply.line})` : ""}`));
    });
    return make("div", { class: "critical" }, make("h2", {}, "Critical moments"), make("div", { class: "boards" }, ...figures));
  }

  /** That the file has more moves than are shown, and why. */
  function breakOff() {
    if (!game.stopped) return undefined;
    return make("p", { class: "fault" }, make("b", {}, "The game breaks off"),
      ` after ${game.plies.length} ${game.plies.length === 1 ? "move" : "moves"}: ${game.stopped}. `
      + "What the file has behind that place is missing here; the result is that of the file.");
  }

  /** Goes to the position after so many moves. */
  function go(ply) {
    at = Math.min(Math.max(0, ply), game.plies.length);
    const here = game.plies[at - 1];
    // The better move is drawn on the position before the error.
    const next = game.plies[at];
    const marked = here?.position === before(at) ? here.squares : undefined;
    const place = marked ? `Position after ${name(at)}` : at ? `Position set up after ${name(at)}` : "Position at the start";
    const turned = board(game.variant, before(at), marked, next?.better, place);
    document.getElementById("board").replaceChildren(turned);
    document.getElementById("said").replaceChildren(...said());
    for (const button of viewer.querySelectorAll(".list button")) {
      const current = Number(button.dataset.ply) === at;
      button.setAttribute("aria-current", String(current));
      if (current) {
        const box = button.closest(".list");
        box.scrollTop = button.offsetTop - box.offsetTop - box.clientHeight / 2;
      }
    }
    const { width, left, right } = CURVE;
    const x = left + (at / Math.max(1, game.plies.length)) * (width - left - right);
    const line = document.getElementById("here");
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }

  function show(index) {
    game = unpacked(games[index]);
    const title = (value) => `${value.number}. ${value.white} \u2013 ${value.black}, ${value.result}`;
    const button = (text, label, target) =>
      make("button", { type: "button", "aria-label": label, onclick: () => go(target()) }, text);
    const choice = games.length > 1
      ? make("select", { "aria-label": "Game", onchange: (event) => show(event.target.selectedIndex) },
        ...games.map((value, place) => make("option", { selected: place === index }, title(value))))
      : undefined;
    const nextError = (from, step) => {
      let ply = from + step;
      while (ply > 0 && ply <= game.plies.length && !game.plies[ply - 1].better) ply += step;
      return ply > 0 && ply <= game.plies.length ? ply : from;
    };
    viewer.replaceChildren(
      make("div", { class: "top" }, choice, make("h2", {}, `${game.white} \u2013 ${game.black}, ${game.result}`),
        make("p", { class: "note" }, [game.variant, game.event].filter(Boolean).join(", ")), breakOff()),
      make("div", { class: "curve" }, curve()),
      make("div", {}, make("div", { id: "board" }),
        make("div", { class: "controls" },
          button("|\u25c0", "To the start", () => 0), button("\u25c0", "Back", () => at - 1),
          button("\u25b6", "On", () => at + 1), button("\u25b6|", "To the end", () => game.plies.length),
          button("?\u25b6", "To the next error", () => nextError(at, 1)))),
      make("div", {}, make("div", { id: "said", class: "said", "aria-live": "polite" }), list()),
      make("div", { class: "sides" }, sides()),
      critical());
    go(0);
  }

  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLSelectElement || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: game?.plies.length }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    go(target);
  });
  for (const place of document.querySelectorAll(".picture")) {
    const { variant, position } = place.dataset;
    place.append(board(variant, position, undefined, undefined, "Position"));
  }
  if (games.length > 0) show(0);
  else viewer.append(make("p", {}, "There is no game to show."));
  viewer.after(...unread.map(([number, fault]) =>
    make("p", { class: "fault" }, make("b", {}, `Game ${number} is not shown`), `: ${fault}.`)));
})();
