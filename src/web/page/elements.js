// @ts-check
/** Making elements of the page. */

/**
 * An element with what is in it.
 * @param {string} name
 * @param {Record<string, any>} [properties]
 * @param {(Node | string)[]} children
 * @returns {any}
 */
export function make(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.startsWith("aria-") || key === "role") made.setAttribute(key, value);
    else /** @type {any} */ (made)[key] = value;
  }
  made.append(...children);
  return made;
}

/** A row of a panel: words and what they name. @param {Node} words @param {Node[]} children */
export const row = (words, ...children) => make("div", { className: "row" }, make("label", {}, words, ...children));

/** The options of a select: value and text of each. @param {HTMLSelectElement} select @param {[string, string][]} options @param {string} value */
export function fill(select, options, value) {
  const key = JSON.stringify(options);
  if (select.dataset.options !== key) {
    select.dataset.options = key;
    select.replaceChildren(...options.map(([name, text]) => make("option", { value: name, textContent: text })));
  }
  if (document.activeElement !== select || select.value !== value) select.value = value;
}

/**
 * Copies what is in a field. Where the browser does not let the page do that, the text is left selected.
 * @param {HTMLInputElement | HTMLTextAreaElement} field @returns {Promise<boolean>} whether it is copied
 */
export async function copyFrom(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    // There is no clipboard for a page that came from another machine, but the old command may work.
    field.focus();
    field.select();
    return document.execCommand("copy");
  }
}

/** Scrolls a list to what is current in it; the page stays where it is. @param {HTMLElement} list */
export function reveal(list) {
  const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
  if (!current) return;
  const { offsetTop: top, offsetHeight: height } = current;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + height > list.scrollTop + list.clientHeight) list.scrollTop = top + height - list.clientHeight;
}

/**
 * Draws a list of buttons anew. A focus in it stays there: on its button if that is still seen, on what is current, else at
 * the same place. Where no button is left it goes to the board; anywhere else the keys would begin at the top of the page.
 * @param {HTMLElement} list @param {() => void} drawAnew
 */
export function redraw(list, drawAnew) {
  const buttons = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll("button:not([hidden])")]);
  const focused = /** @type {HTMLElement | null} */ (document.activeElement);
  const place = focused ? buttons().indexOf(focused) : -1;
  drawAnew();
  if (!focused || place < 0 || (focused.isConnected && !focused.hidden)) return;
  const same = buttons()[Math.min(place, buttons().length - 1)];
  // A button beside a move does not lead to what is current.
  const current = focused.classList.contains("add") ? null : list.querySelector("button[aria-current]");
  const next = /** @type {HTMLElement | SVGElement | null} */ (current ?? same ?? document.querySelector("#board svg"));
  next?.focus({ preventScroll: true });
}

/**
 * An element of a drawing.
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {Element} [parent] where it is put
 */
export function draw(name, attributes, parent) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  parent?.append(made);
  return made;
}
