// @ts-check
/** A game as a tree of moves: the first child of a node is the main line. Trees are never changed, only replaced. */

/**
 * A move and what is said about it; `used` are the seconds that it took in a game with a clock. Node 0 is the start of
 * the game; its comments stand before the first move. A child has a higher number than its parent. A variation of the
 * first move of a variation has that as `of`.
 * @typedef {{
 *   parent: number, text: string, color: string, children: number[], used?: number, of?: number,
 *   before?: string[], strength?: string, nags?: number[], comments?: string[]
 * }} Node
 */
/** @typedef {{nodes: Node[], current: number}} Tree */
/** @typedef {"start" | "back" | "forward" | "end" | "up" | "down"} Step */

/** The signs that people write behind moves, and the glyph (NAG) that means the same. */
export const SIGNS = /** @type {const} */ ([["!", 1], ["?", 2], ["!!", 3], ["??", 4], ["!?", 5], ["?!", 6]]);
/** Signs of other glyphs. @type {Record<number, string>} */
const OTHER_SIGNS = { 7: "□", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+", 22: "⨀", 23: "⨀", 146: "N" };

/** @returns {Tree} */
export const newTree = () => ({ nodes: [{ parent: -1, text: "", color: "", children: [] }], current: 0 });

/**
 * The moves from the start to a node.
 * @param {Tree} tree
 * @param {number} [node]
 */
export function lineTo(tree, node = tree.current) {
  const moves = [];
  for (let at = node; at > 0; at = tree.nodes[at].parent) moves.push(tree.nodes[at].text);
  return moves.reverse();
}

/** Moves with their numbers, as PDN writes them. @param {string[]} moves @param {number} ply plies before the first one, from the side that begins */
export const numbered = (moves, ply) => moves.map((text, index) => {
  const at = ply + index;
  return at % 2 === 0 ? `${at / 2 + 1}. ${text}` : index ? text : `${(at + 1) / 2}... ${text}`;
}).join(" ");

/** The seconds that the moves to the current node took, null for those without a clock. @param {Tree} tree */
export function usedTo(tree) {
  const times = [];
  for (let at = tree.current; at > 0; at = tree.nodes[at].parent) times.push(tree.nodes[at].used ?? null);
  return times.reverse();
}

/** The tree with another node in the place of one. @param {Tree} tree @param {number} at @param {Partial<Node>} changes @returns {Tree} */
function change(tree, at, changes) {
  return { ...tree, nodes: tree.nodes.with(at, { ...tree.nodes[at], ...changes }) };
}

/**
 * The tree after a move from the current node: a new node unless the move is there.
 * @param {Tree} tree
 * @param {string} text
 * @param {string} color
 * @param {number} [used] seconds that the move took
 * @returns {Tree}
 */
export function play(tree, text, color, used) {
  const { children } = tree.nodes[tree.current];
  const known = children.find((child) => tree.nodes[child].text === text);
  if (known !== undefined) return { ...(used === undefined ? tree : change(tree, known, { used })), current: known };
  const made = tree.nodes.length;
  const { nodes } = change(tree, tree.current, { children: [...children, made] });
  const node = { parent: tree.current, text, color, children: [], ...(used === undefined ? {} : { used }) };
  return { nodes: [...nodes, node], current: made };
}

/**
 * The tree with other nodes for the same game: the place in it and the times of its moves stay.
 * @param {Tree} tree
 * @param {Node[]} nodes new ones, which may be changed here
 * @returns {Tree}
 */
export function renewed(tree, nodes) {
  /** The new node of each one that is still there. @type {Map<number, number>} */
  const twins = new Map([[0, 0]]);
  for (const [old, { parent, text, used }] of tree.nodes.entries()) {
    const above = twins.get(parent);
    if (above === undefined || !tree.nodes[parent].children.includes(old)) continue;
    const twin = nodes[above].children.find((child) => nodes[child].text === text);
    if (twin === undefined) continue;
    twins.set(old, twin);
    if (used !== undefined) nodes[twin].used = used;
  }
  let at = tree.current;
  while (!twins.has(at)) at = tree.nodes[at].parent;
  return { nodes, current: /** @type {number} */ (twins.get(at)) };
}

/** Whether the notes of an analysis are written into a game: the server marks them. @param {Tree} tree */
export const hasNotes = (tree) => tree.nodes.some(({ comments }) => comments?.some((text) => text.includes("[%kroon")));

/** A comment without what it tells to programs. @param {string} text */
export const words = (text) => text.replace(/\[%[^\]]*\]/g, " ").replace(/\s+/g, " ").trim();

/** @param {Tree} tree @param {number} node @returns {Tree} */
export const goTo = (tree, node) => ({ ...tree, current: node });

/**
 * Where a key of navigation leads.
 * @param {Tree} tree
 * @param {Step} where
 */
export function towards(tree, where) {
  const { nodes, current } = tree;
  const node = nodes[current];
  switch (where) {
    case "start": return 0;
    case "back": return Math.max(0, node.parent);
    case "forward": return node.children[0] ?? current;
    case "end": {
      let at = current;
      while (nodes[at].children.length) at = nodes[at].children[0];
      return at;
    }
    default: {
      if (current === 0) return 0;
      const siblings = nodes[node.parent].children;
      const place = siblings.indexOf(current) + (where === "up" ? -1 : 1);
      return siblings[Math.min(siblings.length - 1, Math.max(0, place))];
    }
  }
}

/** Whether the current move is the last one of the main line. @param {Tree} tree */
export const isLast = (tree) => !tree.nodes[tree.current].children.length && variation(tree) === 0;

/** The first move of the innermost variation that the current move is in; 0 on the main line. @param {Tree} tree */
export function variation(tree) {
  let at = tree.current;
  while (at > 0 && tree.nodes[tree.nodes[at].parent].children[0] === at) at = tree.nodes[at].parent;
  return at;
}

/** Makes the innermost variation of the current move the line that it branches from. @param {Tree} tree @returns {Tree} */
export function promote(tree) {
  const first = variation(tree);
  if (first === 0) return tree;
  return { ...lead(goTo(tree, first)), current: tree.current };
}

/** Makes the current move the main one after the move before it. @param {Tree} tree @returns {Tree} */
export function lead(tree) {
  const { parent } = tree.nodes[tree.current];
  const { children } = tree.nodes[parent];
  if (children[0] === tree.current) return tree;
  const first = change(tree, tree.current, { of: undefined });
  return change(first, parent, { children: [tree.current, ...children.filter((child) => child !== tree.current)] });
}

/**
 * The variations among the children of a node: of the main move, or of a variation that stands before them.
 * @param {Tree} tree
 * @param {number} node one of the children
 */
export function variationsOf(tree, node) {
  const { children } = tree.nodes[tree.nodes[node].parent];
  return children.slice(1).filter((child, place) => {
    const { of } = tree.nodes[child];
    const isNamed = of !== undefined && children.indexOf(of) > 0 && children.indexOf(of) <= place;
    return (isNamed ? of : children[0]) === node;
  });
}

/** Takes the current move and all behind it away. @param {Tree} tree @returns {Tree} */
export function remove(tree) {
  const gone = tree.current;
  const { parent } = tree.nodes[gone];
  if (parent < 0) return tree;
  const children = tree.nodes[parent].children.filter((child) => child !== gone);
  return { ...change(tree, parent, { children }), current: parent };
}

/** Sets the comments of a move, one a line. @param {Tree} tree @param {string} text @param {number} node @returns {Tree} */
export function comment(tree, text, node) {
  const comments = text.split("\n").map((line) => line.trim()).filter(Boolean);
  return change(tree, node, { comments });
}

/** Sets the sign behind the current move, or takes it away. @param {Tree} tree @param {string} sign @returns {Tree} */
export function sign(tree, sign) {
  if (tree.current === 0) return tree;
  const nags = (tree.nodes[tree.current].nags ?? []).filter((nag) => SIGNS.every(([, known]) => known !== nag));
  return change(tree, tree.current, { nags, strength: signOf(tree.nodes[tree.current]) === sign ? "" : sign });
}

/** The sign that people write behind this move. @param {Node} node @returns {string} */
export function signOf(node) {
  return node.strength || (SIGNS.find(([, nag]) => node.nags?.includes(nag))?.[0] ?? "");
}

/** All signs behind a move, as they are shown. @param {Node} node */
export function signsOf(node) {
  const others = (node.nags ?? []).filter((nag) => SIGNS.every(([, known]) => known !== nag));
  return [signOf(node), ...others.map((nag) => OTHER_SIGNS[nag] ?? `$${nag}`)].join("");
}
