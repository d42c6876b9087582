// @ts-check
/** A game as a tree of moves: the first child of a node is the main line. Trees are never changed, only replaced. */

/**
 * A move; `used` are the seconds that it took in a game with a clock.
 * @typedef {{parent: number, text: string, color: string, children: number[], used?: number}} Node
 */
/** @typedef {{nodes: Node[], current: number}} Tree */

/** @returns {Tree} */
export const newTree = () => ({ nodes: [{ parent: -1, text: "", color: "", children: [] }], current: 0 });

/**
 * The moves from the start to a node.
 * @param {Tree} tree
 * @param {number} [node]
 */
export function lineTo(tree, node = tree.current) {
  const moves = [];
  for (let at = node; at > 0; at = tree.nodes[at].parent) moves.unshift(tree.nodes[at].text);
  return moves;
}

/**
 * The seconds that the moves to the current node took, null for those without a clock.
 * @param {Tree} tree
 */
export function usedTo(tree) {
  const times = [];
  for (let at = tree.current; at > 0; at = tree.nodes[at].parent) times.unshift(tree.nodes[at].used ?? null);
  return times;
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
  const known = tree.nodes[tree.current].children.find((child) => tree.nodes[child].text === text);
  if (known !== undefined) {
    if (used === undefined) return { ...tree, current: known };
    return { nodes: tree.nodes.map((old, index) => (index === known ? { ...old, used } : old)), current: known };
  }
  const node = { parent: tree.current, text, color, children: [], ...(used === undefined ? {} : { used }) };
  const nodes = tree.nodes.map((old, index) =>
    index === tree.current ? { ...old, children: [...old.children, tree.nodes.length] } : old);
  return { nodes: [...nodes, node], current: nodes.length };
}

/** @param {Tree} tree @param {number} node @returns {Tree} */
export const goTo = (tree, node) => ({ ...tree, current: node });

/**
 * Where a key of navigation leads.
 * @param {Tree} tree
 * @param {"start" | "back" | "forward" | "end" | "up" | "down"} where
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

/** Makes the variation of the current move the first of its siblings. @param {Tree} tree @returns {Tree} */
export function promote(tree) {
  const parent = tree.nodes[tree.current].parent;
  if (parent < 0) return tree;
  const children = [tree.current, ...tree.nodes[parent].children.filter((child) => child !== tree.current)];
  return { ...tree, nodes: tree.nodes.map((node, index) => (index === parent ? { ...node, children } : node)) };
}

/** Takes the current move and all behind it away. @param {Tree} tree @returns {Tree} */
export function remove(tree) {
  const gone = tree.current;
  const parent = tree.nodes[gone].parent;
  if (parent < 0) return tree;
  const nodes = tree.nodes.map((node, index) =>
    index === parent ? { ...node, children: node.children.filter((child) => child !== gone) } : node);
  return { nodes, current: parent };
}
