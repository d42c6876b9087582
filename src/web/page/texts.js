// @ts-check
/** The texts of the page in the language of its user. */

import { texts as en } from "./texts_en.js";
import { texts as fr } from "./texts_fr.js";
import { texts as nl } from "./texts_nl.js";
import { texts as ru } from "./texts_ru.js";

/** A table for each language. @type {Record<string, Record<string, string>>} */
const TEXTS = { en, nl, fr, ru };

const KEPT = "kroon.language";
const wanted = [localStorage.getItem(KEPT), ...navigator.languages.map((name) => name.slice(0, 2))];
let language = wanted.find((name) => name && name in TEXTS) ?? "en";

/** The text of this key. @param {string} key */
export const t = (key) => TEXTS[language][key] ?? key;

/** A name and what belongs to it: French has a space before the colon, too. @param {string} name @param {string | number} what */
export const labelled = (name, what) => `${name}${t("colon")}${what}`;

/**
 * A number and what is counted. Its forms stand one behind the other, with a bar between: for one and for others, in Russian for 1,
 * for 2 to 4 and for 5 (also those that end like these).
 * @param {number} count @param {string} forms
 */
export function counted(count, forms) {
  const form = ["one", "few", "many"].indexOf(new Intl.PluralRules(language).select(count));
  const all = forms.split("|");
  return `${count} ${all[form] ?? all[1]}`;
}

/** The languages and their own names. */
export const languages = () => Object.entries(TEXTS).map(([name, texts]) => [name, texts.language]);

export const currentLanguage = () => language;

/** @param {string} name */
export function setLanguage(name) {
  language = name in TEXTS ? name : "en";
  localStorage.setItem(KEPT, language);
  document.documentElement.lang = language;
}
document.documentElement.lang = language;
