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
